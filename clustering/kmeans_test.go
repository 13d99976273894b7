package clustering

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/objects"
)

// TestKMeansFindsTheBest compares the best of some restarts with the best of all partitions.
func TestKMeansFindsTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		const n, k = 8, 3
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			x.SetRow(i, []float64{rng.Float64(), rng.Float64()})
		}
		best := math.Inf(1)
		labels := make([]int, n)
		for code := range 6561 { // 3^8
			for i, c := 0, code; i < n; i, c = i+1, c/k {
				labels[i] = c % k
			}
			best = min(best, scatter(x, labels, k))
		}
		res, err := KMeans{K: k}.Fit(context.Background(), x, Options{Restarts: 50})
		if err != nil || res.Status != Converged {
			t.Fatal(res, err)
		}
		if math.Abs(res.Objective-best) > 1e-12 { // rounding of 16 squares
			t.Errorf("objective %.15g, the best is %.15g", res.Objective, best)
		}
		if got := scatter(x, res.Labels, k); math.Abs(got-res.Objective) > 1e-12 {
			t.Errorf("objective %.15g, the labels have %.15g", res.Objective, got)
		}
	}
}

// scatter is the sum of the squared distances to the means of clusters.
func scatter(x *mat.Dense, labels []int, k int) float64 {
	n, d := x.Dims()
	sum := 0.0
	for a := range k {
		mean, size := make([]float64, d), 0.0
		for i := range n {
			if labels[i] == a {
				size++
				for j := range d {
					mean[j] += x.At(i, j)
				}
			}
		}
		for i := range n {
			for j := range d {
				if labels[i] == a {
					sum += math.Pow(x.At(i, j)-mean[j]/size, 2)
				}
			}
		}
	}
	return sum
}

// TestKMeansNeverRises follows runs with empty clusters and objects at the same place.
func TestKMeansNeverRises(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + rng.IntN(20)
		m := KMeans{K: 1 + rng.IntN(n)}
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			x.SetRow(i, []float64{float64(rng.IntN(4)), float64(rng.IntN(3))})
		}
		if rng.IntN(2) == 0 { // far away, so that clusters are empty
			m.Centers0 = mat.NewDense(m.K, 2, nil)
			m.Centers0.Apply(func(i, j int, _ float64) float64 { return float64(10 * i * j) }, m.Centers0)
		}
		res, err := m.Fit(context.Background(), x, Options{Seed: rng.Uint64()})
		if err != nil || res.Status != Converged {
			t.Fatalf("%v on %v: %v, %v", m, mat.Formatted(x), res, err)
		}
		for i := 1; i < res.Trace.Len(); i++ {
			if before, now := res.Trace.Objective[i-1], res.Trace.Objective[i]; now > before*(1+1e-14) {
				t.Fatalf("%v on %v: objective rises from %v to %v", m, mat.Formatted(x), before, now)
			}
		}
		sizes := make([]int, m.K)
		for _, l := range res.Labels {
			sizes[l]++
		}
		for a, size := range sizes {
			if size == 0 {
				t.Fatalf("%v on %v: cluster %d is empty: %v", m, mat.Formatted(x), a, res.Labels)
			}
		}
		if got := scatter(x, res.Labels, m.K); math.Abs(got-res.Objective) > 1e-11 {
			t.Fatalf("%v on %v: objective %v, the labels have %v", m, mat.Formatted(x), res.Objective, got)
		}
	}
}

func TestKMeansOfBlobs(t *testing.T) {
	x := points(60, 0.1, 5)
	res, err := KMeans{K: 3}.Fit(context.Background(), mat.DenseCopyOf(x.T()).T(), Options{Restarts: 5}) // no *mat.Dense
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range res.Labels {
		if l != res.Labels[i%3] {
			t.Errorf("object %d is in cluster %d, object %d of the same blob in %d", i, l, i%3, res.Labels[i%3])
		}
	}
	for a := range 3 {
		if got := res.Centers.RawRowView(res.Labels[a]); objects.SquaredDistance(got, [][]float64{{0, 0}, {3, 0}, {0, 3}}[a]) > 0.01 {
			t.Errorf("the centre of blob %d is %v", a, got)
		}
	}
	again, err := KMeans{K: 3, Centers0: res.Centers}.Fit(context.Background(), x, Options{})
	if err != nil || again.Iterations != 1 || again.Objective != res.Objective {
		t.Errorf("from the result's own centres: %v, %v", again, err)
	}
}

func TestKMeansExtremes(t *testing.T) {
	x := points(10, 1, 6)
	one, err := KMeans{K: 1}.Fit(context.Background(), x, Options{})
	if want := scatter(x, make([]int, 10), 1); err != nil || math.Abs(one.Objective-want) > 1e-12 {
		t.Errorf("K = 1: %v, %v; want objective %v", one, err, want)
	}
	all, err := KMeans{K: 10}.Fit(context.Background(), x, Options{})
	if err != nil || all.Objective != 0 || clusters(all.Labels) != 10 {
		t.Errorf("K = n: %v, %v", all, err)
	}
	equal, err := KMeans{K: 4}.Fit(context.Background(), mat.NewDense(6, 2, nil), Options{})
	if err != nil || equal.Objective != 0 || clusters(equal.Labels) != 4 {
		t.Errorf("equal objects: %v, %v", equal, err)
	}
	huge := mat.NewDense(2, 1, []float64{-1e300, 1e300})
	if res, err := (KMeans{K: 1}).Fit(context.Background(), huge, Options{}); err == nil || !strings.Contains(err.Error(), "diverged") {
		t.Errorf("squares that overflow: %v, %v", res, err)
	}
}

func TestKMeansOfBadInput(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	bad := mat.NewDense(3, 2, []float64{1, 2, math.Inf(-1), 4, 5, 6})
	for _, c := range []struct {
		name string
		m    KMeans
		x    mat.Matrix
		want string
	}{
		{"nil", KMeans{K: 1}, nil, "X is nil"},
		{"a nil *mat.Dense", KMeans{K: 1}, (*mat.Dense)(nil), "X is nil"},
		{"empty", KMeans{K: 1}, new(mat.Dense), "X is empty"},
		{"infinite", KMeans{K: 1}, bad, "X[1,0] = -Inf is not a finite number"},
		{"no clusters", KMeans{}, x, "K = 0, want at least 1"},
		{"too many clusters", KMeans{K: 4}, x, "K = 4 exceeds the 3 objects"},
		{"centres of another shape", KMeans{K: 2, Centers0: x}, x, "Centers0 is 3×2, want 2×2"},
		{"centres that are not finite", KMeans{K: 3, Centers0: bad}, x, "Centers0[1,0] = -Inf"},
	} {
		if _, err := c.m.Fit(context.Background(), c.x, Options{}); err == nil || !strings.HasPrefix(err.Error(), "clustering: KMeans: "+c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestKMeansSeeds checks the odds of k-means++: the second centre is one of three places at the distances 0, 1 and 2.
func TestKMeansSeeds(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{0, 1, 2})
	s := newKMeansState(KMeans{K: 2}, x)
	rng := rand.New(rand.NewPCG(7, 8))
	const draws = 30000
	pairs := map[[2]float64]int{}
	for range draws {
		s.seed(rng)
		pairs[[2]float64{s.centers[0], s.centers[1]}]++
	}
	for pair, want := range map[[2]float64]float64{{0, 1}: 1. / 15, {0, 2}: 4. / 15, {1, 0}: 1. / 6, {1, 2}: 1. / 6, {2, 0}: 4. / 15, {2, 1}: 1. / 15} {
		if got := float64(pairs[pair]) / draws; math.Abs(got-want) > 0.012 { // four standard deviations and more
			t.Errorf("%v was drawn with %.4f, want %.4f", pair, got, want)
		}
	}
	if len(pairs) != 6 {
		t.Errorf("drawn were %v", pairs)
	}
}

func TestKMeansStepAllocatesNothing(t *testing.T) {
	s := newKMeansState(KMeans{K: 3}, points(40, 1, 9))
	s.start(0, rand.New(rand.NewPCG(1, 0)))
	var p Point
	if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&p) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
