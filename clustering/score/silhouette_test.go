package score

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSilhouettes compares with the definition, object by object.
func TestSilhouettes(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 100 {
		n := 4 + rng.IntN(12)
		x := mat.NewDense(n, 2, nil)
		labels := make([]int, n)
		for i := range n {
			labels[i] = rng.IntN(4) - 1
			x.SetRow(i, []float64{float64(rng.IntN(3)), rng.Float64()})
		}
		labels[0], labels[1] = 7, 8 // two clusters at least
		got, err := Silhouettes(x, labels)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := range n {
			want := silhouetteOf(x, labels, i)
			sum += want
			if math.Abs(got[i]-want) > 1e-12 { // rounding of sums of 16 distances
				t.Fatalf("object %d of %v: %.17g, want %.17g", i, labels, got[i], want)
			}
		}
		if mean, err := Silhouette(x, labels); err != nil || math.Abs(mean-sum/float64(n)) > 1e-12 {
			t.Fatalf("mean %.17g, %v; want %.17g", mean, err, sum/float64(n))
		}
	}
}

func silhouetteOf(x *mat.Dense, labels []int, i int) float64 {
	mean := func(label int) float64 {
		sum, count := 0.0, 0.0
		for j := range labels {
			if labels[j] == label && j != i {
				sum += math.Hypot(x.At(i, 0)-x.At(j, 0), x.At(i, 1)-x.At(j, 1))
				count++
			}
		}
		return sum / count // NaN for none
	}
	if labels[i] < 0 || math.IsNaN(mean(labels[i])) {
		return 0
	}
	a, b := mean(labels[i]), math.Inf(1)
	for _, other := range labels {
		if other >= 0 && other != labels[i] {
			b = min(b, mean(other))
		}
	}
	if a == 0 && b == 0 {
		return 0
	}
	return (b - a) / max(a, b)
}

func TestSilhouetteOfEqualObjects(t *testing.T) {
	s, err := Silhouettes(mat.NewDense(4, 1, nil), []int{0, 0, 1, 1})
	if err != nil || s[0] != 0 || s[3] != 0 {
		t.Errorf("got %v, %v; want zeros", s, err)
	}
}

func TestSilhouetteOfBadInput(t *testing.T) {
	nan := mat.NewDense(2, 2, []float64{1, 2, 3, math.NaN()})
	for _, c := range []struct {
		name   string
		x      mat.Matrix
		labels []int
		want   string
	}{
		{"rows", mat.NewDense(2, 1, nil), []int{0}, "X has 2 rows, but there are 1 labels"},
		{"NaN", nan, []int{0, 1}, "X[1,1] = NaN is not a finite number"},
		{"label", mat.NewDense(2, 1, nil), []int{0, -2}, "labels[1] = -2"},
		{"one cluster", mat.NewDense(2, 1, nil), []int{0, 0}, "1 clusters"},
		{"one cluster beside none", mat.NewDense(2, 1, nil), []int{0, -1}, "1 clusters"},
		{"no cluster", mat.NewDense(2, 1, nil), []int{-1, -1}, "0 clusters"},
	} {
		if _, err := Silhouette(c.x, c.labels); err == nil || !strings.HasPrefix(err.Error(), "score: Silhouette: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}
