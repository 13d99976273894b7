package clustering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// orthonormalTol is how far FᵀF may be from I: the error of an orthogonal factor, see package polar.
const orthonormalTol = 1e-11

// viewsOf returns m random views of n objects, of different scales, the second of which is sparse.
func viewsOf(t testing.TB, n, m int, rng *rand.Rand) []mat.Matrix {
	var list []mat.Matrix
	for v := range m {
		var w mat.Matrix = randomAffinity(n, rng)
		if v == 1 {
			w = sparse(t, holedAffinity(n, rng))
		}
		list = append(list, w)
	}
	return list
}

// umvongcObjective is (7) as it is written.
func umvongcObjective(list []mat.Matrix, weights []float64, f, g *mat.Dense, mu float64) float64 {
	var sum, product mat.Dense
	product.Mul(f, g.T())
	sum.Scale(-1, &product)
	for v, w := range list {
		var scaled mat.Dense
		scaled.Scale(weights[v], w)
		sum.Add(&sum, &scaled)
	}
	var apart mat.Dense
	apart.Sub(f, g)
	return math.Pow(mat.Norm(&sum, 2), 2) + mu*math.Pow(mat.Norm(&apart, 2), 2)
}

// TestUmvONGC is property (f): J is (7), never rises, F is orthonormal, G nonnegative, and the weights are on the simplex with the
// conditions of Karush, Kuhn and Tucker.
func TestUmvONGC(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, m := range []UmvONGC{{}, {EqualWeights: true}, {RandomStart: true}} {
		for _, mu := range []float64{0, 1e-5, 1, 1e5} {
			for range 5 {
				n, count := 4+rng.IntN(20), 1+rng.IntN(4)
				list := viewsOf(t, n, count, rng)
				m := m
				m.K, m.Mu = 1+rng.IntN(4), mu
				res, err := m.Fit(t.Context(), list, Options{Seed: rng.Uint64(), MaxIter: 60, Tol: -1})
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%v, n=%d, %d views", m, n, count)
				size := 0.0 // of the terms of J, whose rounding is that of J
				for v, w := range list {
					size += math.Pow(res.Weights[v]*mat.Norm(w, 2), 2)
				}
				size += mu * float64(4*m.K)
				for i, j := range res.Trace.Objective[1:] {
					if j > res.Trace.Objective[i]+ascentTol*size {
						t.Fatalf("%s: J rises from %g to %g in step %d", name, res.Trace.Objective[i], j, i)
					}
				}
				if want := umvongcObjective(list, res.Weights, res.F, res.G, mu); math.Abs(res.Objective-want) > orthonormalTol*size {
					t.Errorf("%s: J is %.15g, want %.15g", name, res.Objective, want)
				}
				for i, r := range res.Trace.Orthogonality {
					if !(r <= orthonormalTol) || !(res.Trace.Feasibility[i] <= 1e-14) {
						t.Errorf("%s: ‖FᵀF−I‖ is %g, Σα−1 %g", name, r, res.Trace.Feasibility[i])
					}
				}
				if mat.Min(res.G) < 0 {
					t.Errorf("%s: G has a negative entry", name)
				}
				checkViewWeights(t, name, m, list, res)
			}
		}
	}
}

// checkViewWeights holds the weights to the optimality of (21) for the F and G of the result.
func checkViewWeights(t *testing.T, name string, m UmvONGC, list []mat.Matrix, res *UmvONGCResult) {
	t.Helper()
	v, err := newViews(list)
	if err != nil {
		t.Fatal(err)
	}
	count, least, slopes, scale := len(list), math.Inf(1), make([]float64, len(list)), 0.0
	for i, w := range list {
		var af mat.Dense
		af.Mul(w, res.F)
		c := 0.0
		for a := range af.RawMatrix().Data {
			c += af.RawMatrix().Data[a] * res.G.RawMatrix().Data[a]
		}
		slopes[i] = thin.Dot(v.q[i*count:(i+1)*count], res.Weights) - c
		least = min(least, slopes[i])
		scale = max(scale, math.Abs(c), v.q[i*count+i])
	}
	for i, a := range res.Weights {
		switch {
		case m.EqualWeights && a != 1/float64(count):
			t.Errorf("%s: weight %d is %g, want 1/%d", name, i, a, count)
		case !m.EqualWeights && a < 0, !m.EqualWeights && a > 0 && slopes[i] > least+1e-9*scale:
			t.Errorf("%s: weights %v are not optimal: slopes %v", name, res.Weights, slopes)
		}
	}
}

func TestIdenticalViews(t *testing.T) {
	w := blobs(15, 1, 3)
	one, err := ONGC{K: 3, Mu: 1}.Fit(t.Context(), w, Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	three, err := UmvONGC{K: 3, Mu: 1}.Fit(t.Context(), []mat.Matrix{w, w, w}, Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range three.Weights {
		if math.Abs(a-1.0/3) > 1e-12 {
			t.Errorf("weights %v, want them equal", three.Weights)
		}
	}
	if math.Abs(one.Objective-three.Objective) > 1e-9*one.Objective || fmt.Sprint(one.Labels) != fmt.Sprint(three.Labels) {
		t.Errorf("one view: %v, three times the same: %v", one, three)
	}
}

// TestUmvONGCFindsBlobs: well separated clusters are found from either start.
func TestUmvONGCFindsBlobs(t *testing.T) {
	for _, random := range []bool{false, true} {
		m := UmvONGC{K: 3, Mu: 0.1, RandomStart: random}
		res, err := m.Fit(t.Context(), []mat.Matrix{blobs(30, 0.1, 1), sparse(t, blobs(30, 0.2, 2))}, Options{Seed: 1, Restarts: 10})
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range res.Labels {
			if (l == res.Labels[i%3]) != true || i > 0 && i < 3 && l == res.Labels[i-1] {
				t.Fatalf("%v: labels %v, want those of i mod 3", m, res.Labels)
			}
		}
	}
}

func TestUmvONGCDegenerate(t *testing.T) {
	isolated := mat.NewDense(5, 5, nil)
	isolated.Slice(0, 4, 0, 4).(*mat.Dense).Copy(filled(4, 4, 1))
	for _, c := range []struct {
		name string
		k    int
		w    *mat.Dense
	}{
		{"one object", 1, filled(1, 1, 1)},
		{"K = n", 6, blobs(6, 1, 1)},
		{"K = 1", 1, blobs(6, 1, 1)},
		{"all zero", 2, filled(4, 4, 0)},
		{"all equal", 3, filled(5, 5, 1)},
		{"isolated object", 2, isolated},
		{"tiny", 2, filled(4, 4, 1e-100)},
	} {
		for _, m := range []UmvONGC{{K: c.k, Mu: 1}, {K: c.k}, {K: c.k, RandomStart: true}, {K: c.k, Mu: 1e5, EqualWeights: true}} {
			res, err := m.Fit(t.Context(), []mat.Matrix{c.w, c.w}, Options{Seed: 2, Restarts: 2, MaxIter: 20})
			if err != nil {
				t.Errorf("%s: %v: %v", c.name, m, err)
				continue
			}
			for _, x := range append(append(res.F.RawMatrix().Data, res.G.RawMatrix().Data...), res.Trace.Objective...) {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("%s: %v: a %g in the result", c.name, m, x)
				}
			}
			if res.Unassigned != 0 || res.Trace.Orthogonality[res.Iterations] > orthonormalTol {
				t.Errorf("%s: %v: %d unassigned, ‖FᵀF−I‖ %g", c.name, m, res.Unassigned, res.Trace.Orthogonality[res.Iterations])
			}
		}
	}
}

func TestBadUmvONGC(t *testing.T) {
	w := blobs(6, 1, 1)
	for _, c := range []struct {
		m    UmvONGC
		list []mat.Matrix
		want string
	}{
		{UmvONGC{K: 2}, nil, "there are no views"},
		{UmvONGC{K: 2}, []mat.Matrix{w, nil}, "view 1: W is nil"},
		{UmvONGC{K: 2}, []mat.Matrix{w, blobs(5, 1, 1)}, "view 1 has 5 objects, view 0 has 6"},
		{UmvONGC{K: 2}, []mat.Matrix{w, w, with(w, 1, 2, math.NaN(), true)}, "view 2: W[1,2] = NaN"},
		{UmvONGC{K: 2}, []mat.Matrix{sparse(t, with(w, 1, 2, 3, false))}, "view 0: W[1,2] = 3 but W[2,1]"},
		{UmvONGC{}, []mat.Matrix{w}, "K = 0"},
		{UmvONGC{K: 7}, []mat.Matrix{w}, "K = 7 exceeds the 6 objects"},
		{UmvONGC{K: 2, Mu: -1}, []mat.Matrix{w}, "Mu = -1"},
		{UmvONGC{K: 2, Mu: math.Inf(1)}, []mat.Matrix{w}, "Mu = +Inf"},
		{UmvONGC{K: 2, G0: filled(6, 3, 1)}, []mat.Matrix{w}, "G0 is 6×3, want 6×2"},
	} {
		if _, err := c.m.Fit(t.Context(), c.list, Options{}); err == nil || !strings.HasPrefix(err.Error(), "clustering: UmvONGC: "+c.want) {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
	if _, err := (ONGC{K: 2, Mu: -1}).Fit(t.Context(), w, Options{}); err == nil || !strings.HasPrefix(err.Error(), "clustering: ONGC: Mu = -1") {
		t.Errorf("got error %v", err)
	}
}

func TestUmvONGCStepAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for _, random := range []bool{false, true} {
		s := umvongcStateOf(t, UmvONGC{K: 3, Mu: 1, RandomStart: random}, viewsOf(t, 40, 3, rng))
		var p Point
		if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&p) }); n != 0 {
			t.Errorf("%v: %g allocations in a step, want 0", s.m, n)
		}
	}
}

// umvongcStateOf returns m's state on the views at its start.
func umvongcStateOf(t testing.TB, m UmvONGC, list []mat.Matrix) *umvongcState {
	v, _, err := m.validate(list)
	if err != nil {
		t.Fatal(err)
	}
	m.G0 = filled(v.n, m.K, 1)
	for i := range v.n {
		m.G0.Set(i, i%m.K, 2)
	}
	s := newUmvONGCState(m, v, nil)
	s.start(0, nil)
	return s
}

// BenchmarkONGCStep is one iteration on one view, dense and with ten entries a row.
func BenchmarkONGCStep(b *testing.B) {
	for _, n := range []int{500, 1000, 2000} {
		band := mat.NewDense(n, n, nil)
		for i := range n {
			for j := max(0, i-5); j < min(n, i+6); j++ {
				band.Set(i, j, 1)
			}
		}
		for _, c := range []struct {
			name string
			w    mat.Matrix
		}{{"dense", blobs(n, 1, 8)}, {"sparse", sparse(b, band)}} {
			b.Run(fmt.Sprintf("n=%d,k=10/%s", n, c.name), func(b *testing.B) {
				s := umvongcStateOf(b, UmvONGC{K: 10, Mu: 1}, []mat.Matrix{c.w})
				b.ReportAllocs()
				for b.Loop() {
					s.step()
				}
			})
		}
	}
}
