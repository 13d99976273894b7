package score

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// sleep are the hours of sleep that ten patients gained by two drugs: Student's own example (Biometrika 1908, section IX).
var sleep = [2][]float64{
	{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
	{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4},
}

func TestPairedT(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		a, b []float64
		want Test
		tol  float64
	}{
		// R's t.test(sleep, paired = TRUE) prints t = -4.0621, df = 9, p-value = 0.002833.
		{"Student's example", sleep[0], sleep[1], Test{-4.0621, 0.002833, 10}, 5e-5},
		{"the other way round", sleep[1], sleep[0], Test{4.0621, 0.002833, 10}, 5e-5},
		// With one degree of freedom, t is Cauchy's: P = 1 - 2 atan(t)/pi.
		{"two pairs", []float64{1, 4}, []float64{0, 1}, Test{2, 1 - 2*math.Atan(2)/math.Pi, 2}, 1e-12},
		{"equal", []float64{1, 2}, []float64{1, 2}, Test{0, 1, 2}, 0},
		{"the same difference", []float64{2, 3}, []float64{1, 2}, Test{inf, 0, 2}, 0},
		{"the same difference, negative", []float64{1, 2}, []float64{2, 3}, Test{-inf, 0, 2}, 0},
	} {
		got, err := PairedT(c.a, c.b)
		if err != nil || !near(got.Statistic, c.want.Statistic, c.tol) || !near(got.P, c.want.P, c.tol) || got.N != c.want.N {
			t.Errorf("%s: got %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
}

func near(got, want, tol float64) bool { return got == want || math.Abs(got-want) <= tol }

// TestWilcoxon compares with all ways to give the ranks a sign.
func TestWilcoxon(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for range 100 {
		n := 1 + rng.IntN(10)
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = float64(rng.IntN(8)), float64(rng.IntN(8)) // with ties and zeros
		}
		got, err := Wilcoxon(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if want := wilcoxonOf(a, b); got.N != want.N || got.Statistic != want.Statistic || math.Abs(got.P-want.P) > tol {
			t.Fatalf("of %v and %v: %+v, want %+v", a, b, got, want)
		}
	}
}

func wilcoxonOf(a, b []float64) Test {
	var size, sign []float64
	for i := range a {
		if d := a[i] - b[i]; d != 0 {
			size, sign = append(size, math.Abs(d)), append(sign, math.Copysign(1, d))
		}
	}
	rank := make([]float64, len(size))
	all, positive := 0.0, 0.0
	for i, x := range size {
		for _, y := range size { // half a rank for each equal one, itself included
			if y < x {
				rank[i]++
			} else if y == x {
				rank[i] += 0.5
			}
		}
		rank[i] += 0.5
		all += rank[i]
		if sign[i] > 0 {
			positive += rank[i]
		}
	}
	smaller, few := min(positive, all-positive), 0
	for signs := range 1 << len(size) {
		sum := 0.0
		for i, r := range rank {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if sum <= smaller {
			few++
		}
	}
	return Test{smaller, min(1, 2*float64(few)/float64(int(1)<<len(size))), len(size)}
}

// TestWilcoxonExactAndNormal compares the two ways to P where they meet.
func TestWilcoxonExactAndNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for range 50 {
		d := make([]float64, exactPairs)
		for i := range d {
			d[i] = math.Round(10*(rng.NormFloat64()+0.3*rng.Float64())) + 0.5 // with ties, without zeros
		}
		ranks := doubledRanks(d, 0)
		all, positive := 0, 0
		for i, r := range ranks {
			all += r
			if d[i] > 0 {
				positive += r
			}
		}
		smaller := min(positive, all-positive)
		if exact, normal := exactP(ranks, smaller), normalP(ranks, smaller, all); math.Abs(exact-normal) > 0.005 { // as exactPairs says
			t.Errorf("exact %.5f, normal %.5f", exact, normal)
		}
	}
	large := make([]float64, exactPairs+1)
	for i := range large {
		large[i] = float64(i + 1)
	}
	got, err := Wilcoxon(large, make([]float64, len(large)))
	if err != nil || got.Statistic != 0 || got.N != len(large) || got.P > 1e-9 || got.P <= 0 {
		t.Errorf("51 pairs, all positive: %+v, %v", got, err)
	}
	// 0.1 three times but for rounding, and 0 once.
	tenths := [2][]float64{{0.3, 0.8, 0.1, 0.1 + 0.2}, {0.2, 0.7, 0.2, 0.3}}
	if got, err := Wilcoxon(tenths[0], tenths[1]); err != nil || got != (Test{2, 1, 3}) {
		t.Errorf("three of the same size: %+v, %v", got, err)
	}
	if got, err := Wilcoxon([]float64{1, 2}, []float64{1, 2}); err != nil || got != (Test{P: 1}) {
		t.Errorf("equal: %+v, %v", got, err)
	}
}

func TestPairedTestsOfBadInput(t *testing.T) {
	for name, test := range map[string]func(a, b []float64) (Test, error){"PairedT": PairedT, "Wilcoxon": Wilcoxon} {
		for _, c := range []struct {
			a, b []float64
			want string
		}{
			{[]float64{1}, nil, "1 scores but 0 of the other method"},
			{nil, nil, "no scores"},
			{[]float64{1, math.NaN()}, []float64{1, 2}, "pair 1 is NaN and 2"},
			{[]float64{1, 2}, []float64{math.Inf(1), 2}, "pair 0 is 1 and +Inf"},
		} {
			if _, err := test(c.a, c.b); err == nil || !strings.HasPrefix(err.Error(), "score: "+name+": ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got error %v, want %q", name, err, c.want)
			}
		}
	}
	if _, err := PairedT([]float64{1}, []float64{2}); err == nil || !strings.Contains(err.Error(), "one pair") {
		t.Errorf("one pair: got error %v", err)
	}
}
