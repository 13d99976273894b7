package clustering

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// gram is the linear kernel of the rows of x.
func gram(x *mat.Dense) *mat.Dense {
	var k mat.Dense
	k.Mul(x, x.T())
	return &k
}

// TestKernelKMeansIsKMeans: on a linear kernel the objective is that of k-means for the same labels, and the best of many starts is
// as good.
func TestKernelKMeansIsKMeans(t *testing.T) {
	const tol = 1e-12 // relative to Tr K, of which the objective is what is left
	rng := rand.New(rand.NewPCG(1, 9))
	for range 20 {
		n := 5 + rng.IntN(30)
		x := points(n, 1, rng.Uint64())
		k := 1 + rng.IntN(4)
		got, err := KernelKMeans{K: k}.Fit(context.Background(), gram(x), Options{Restarts: 60})
		if err != nil || got.Status != Converged {
			t.Fatal(got, err)
		}
		trace := mat.Trace(gram(x))
		if want := scatter(x, got.Labels, k); math.Abs(got.Objective-want) > tol*trace {
			t.Errorf("objective %.15g, the labels have %.15g", got.Objective, want)
		}
		want, err := KMeans{K: k}.Fit(context.Background(), x, Options{Restarts: 60})
		if err != nil {
			t.Fatal(err)
		}
		if n < 12 && math.Abs(got.Objective-want.Objective) > tol*trace {
			t.Errorf("n=%d, k=%d: objective %.15g, k-means has %.15g", n, k, got.Objective, want.Objective)
		}
		// A fixed point of k-means is one of kernel k-means.
		again, err := KernelKMeans{K: k, Labels0: want.Labels}.Fit(context.Background(), gram(x), Options{})
		if err != nil || math.Abs(again.Objective-want.Objective) > tol*trace || again.Iterations != 1 ||
			!slices.Equal(again.Labels, want.Labels) {
			t.Errorf("from the labels of k-means (%v): %v, %v", want, again, err)
		}
	}
}

// TestKernelKMeansNeverRises follows runs on positive semidefinite kernels, with empty clusters and equal objects.
func TestKernelKMeansNeverRises(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 300 {
		n := 1 + rng.IntN(20)
		m := KernelKMeans{K: 1 + rng.IntN(n)}
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			x.SetRow(i, []float64{float64(rng.IntN(4)), float64(rng.IntN(3))})
		}
		if rng.IntN(2) == 0 {
			m.Labels0 = make([]int, n) // all clusters but one are empty
		}
		k := gram(x)
		res, err := m.Fit(context.Background(), k, Options{Seed: rng.Uint64()})
		if err != nil {
			t.Fatalf("%v on %v: %v", m, mat.Formatted(x), err)
		}
		for i := 1; i < res.Trace.Len(); i++ {
			if before, now := res.Trace.Objective[i-1], res.Trace.Objective[i]; now > before+1e-13*(1+mat.Trace(k)) {
				t.Fatalf("%v on %v: objective rises from %v to %v", m, mat.Formatted(x), before, now)
			}
		}
		if clusters(res.Labels) != m.K {
			t.Fatalf("%v on %v: a cluster is empty: %v", m, mat.Formatted(x), res.Labels)
		}
		if want := scatter(x, res.Labels, m.K); math.Abs(res.Objective-want) > 1e-12*(1+mat.Trace(k)) {
			t.Fatalf("%v on %v: objective %v, the labels have %v", m, mat.Formatted(x), res.Objective, want)
		}
	}
}

func TestKernelKMeansStart(t *testing.T) {
	s := newKernelKMeansState(KernelKMeans{K: 4}, gram(points(30, 1, 3)))
	seen := map[int]bool{}
	for seed := range uint64(20) {
		s.start(0, rand.New(rand.NewPCG(seed, 0)))
		if got := append([]int(nil), s.sizes...); !slices.Equal(got, []int{8, 8, 7, 7}) {
			t.Fatalf("sizes %v, want balanced ones", got)
		}
		seen[s.labels[0]] = true
	}
	if len(seen) != 4 {
		t.Errorf("object 0 is always in one of the clusters %v", seen)
	}
}

// TestKernelKMeansFillsWithTheFarthest starts with all objects in one cluster; their mean is 2.
func TestKernelKMeansFillsWithTheFarthest(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 6, 1})
	s := newKernelKMeansState(KernelKMeans{K: 3, Labels0: make([]int, 4)}, gram(x))
	s.start(0, nil)
	if want := []int{2, 0, 1, 0}; !slices.Equal(s.labels, want) {
		t.Errorf("labels %v, want %v", s.labels, want)
	}
}

// TestKernelKMeansOfIndefiniteKernels: the formulas hold as they stand.
func TestKernelKMeansOfIndefiniteKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	for range 50 {
		n := 2 + rng.IntN(15)
		k := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range i + 1 {
				x := rng.NormFloat64()
				k.Set(i, j, x)
				k.Set(j, i, x)
			}
		}
		m := KernelKMeans{K: 1 + rng.IntN(n)}
		res, err := m.Fit(context.Background(), k, Options{Seed: rng.Uint64()})
		if err != nil {
			t.Fatal(err)
		}
		want := mat.Trace(k)
		for a := range m.K {
			size, sum := 0.0, 0.0
			for i := range n {
				for j := range n {
					if res.Labels[i] == a && res.Labels[j] == a {
						sum += k.At(i, j)
					}
				}
				if res.Labels[i] == a {
					size++
				}
			}
			if size == 0 {
				t.Fatalf("cluster %d is empty", a)
			}
			want -= sum / size
		}
		if math.Abs(res.Objective-want) > 1e-11 { // rounding of 225 numbers of size 1
			t.Errorf("objective %g, want %g", res.Objective, want)
		}
	}
}

func TestKernelKMeansExtremes(t *testing.T) {
	x := points(10, 1, 6)
	for _, c := range []struct {
		name      string
		m         KernelKMeans
		k         *mat.Dense
		objective float64
	}{
		{name: "K = 1", m: KernelKMeans{K: 1}, k: gram(x), objective: scatter(x, make([]int, 10), 1)},
		{name: "K = n", m: KernelKMeans{K: 10}, k: gram(x)},
		{name: "one object", m: KernelKMeans{K: 1}, k: filled(1, 1, 7)},
		{name: "all equal", m: KernelKMeans{K: 3}, k: filled(6, 6, 1)},
		{name: "zero", m: KernelKMeans{K: 2}, k: filled(4, 4, 0)},
		{name: "negative", m: KernelKMeans{K: 2}, k: filled(4, 4, -1)},
	} {
		res, err := c.m.Fit(context.Background(), c.k, Options{})
		if err != nil || res.Status != Converged || math.Abs(res.Objective-c.objective) > 1e-11 || clusters(res.Labels) != c.m.K {
			t.Errorf("%s: %v, %v; want objective %g", c.name, res, err, c.objective)
		}
	}
	res, err := KernelKMeans{K: 2}.Fit(context.Background(), filled(3, 3, 1e308), Options{})
	if err == nil || !strings.Contains(err.Error(), "diverged") {
		t.Errorf("sums that overflow: %v, %v", res, err)
	}
}

func TestKernelKMeansOfBadInput(t *testing.T) {
	k := gram(points(6, 1, 1))
	good := KernelKMeans{K: 2}
	for _, c := range []struct {
		name string
		m    KernelKMeans
		k    mat.Matrix
		want string
	}{
		{"nil", good, nil, "K is nil"},
		{"a nil *mat.Dense", good, (*mat.Dense)(nil), "K is nil"},
		{"empty", good, new(mat.Dense), "K is empty"},
		{"not square", good, filled(3, 4, 1), "K is 3×4: a kernel is square"},
		{"NaN", good, with(k, 1, 2, math.NaN(), true), "K[1,2] = NaN is not a finite number"},
		{"infinite", good, with(k, 3, 3, math.Inf(-1), true), "K[3,3] = -Inf"},
		{"asymmetric", good, with(k, 1, 3, 99, false), "K[1,3] = 99 but K[3,1]"},
		{"asymmetric by 1e-9", good, with(filled(3, 3, -1), 0, 2, -1-1e-9, false), "K[0,2]"},
		{"no clusters", KernelKMeans{}, k, "K = 0, want at least 1"},
		{"too many clusters", KernelKMeans{K: 7}, k, "K = 7 exceeds the 6 objects"},
		{"few labels", KernelKMeans{K: 2, Labels0: []int{0, 1}}, k, "Labels0 has 2 labels, want 6"},
		{"empty labels", KernelKMeans{K: 2, Labels0: []int{}}, k, "Labels0 has 0 labels, want 6"},
		{"a label too large", KernelKMeans{K: 2, Labels0: []int{0, 1, 0, 2, 0, 3}}, k, "Labels0[3] = 2, want 0..1"},
		{"a missing label", KernelKMeans{K: 2, Labels0: []int{0, 1, 0, 1, -1, 0}}, k, "Labels0[4] = -1"},
	} {
		res, err := c.m.Fit(context.Background(), c.k, Options{})
		if res != nil || err == nil || !strings.HasPrefix(err.Error(), "clustering: KernelKMeans: "+c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
	rounded := with(filled(3, 3, -1), 0, 2, -1-1e-12, false)
	if _, err := good.Fit(context.Background(), mat.DenseCopyOf(rounded).T(), Options{}); err != nil {
		t.Errorf("symmetric but for rounding: %v", err)
	}
}

func TestKernelKMeansStepAllocatesNothing(t *testing.T) {
	s := newKernelKMeansState(KernelKMeans{K: 3}, gram(points(40, 1, 9)))
	s.start(0, rand.New(rand.NewPCG(1, 0)))
	var p Point
	if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&p) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestKernelKMeansNamesLabels(t *testing.T) {
	a, b := KernelKMeans{K: 2, Labels0: []int{0, 1}}, KernelKMeans{K: 2, Labels0: []int{1, 0}}
	if !strings.HasPrefix(a.String(), "KernelKMeans{K: 2, Labels0: sha256:") || a.String() == b.String() {
		t.Errorf("%v and %v", a, b)
	}
}
