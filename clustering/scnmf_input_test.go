package clustering

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// TestSCNMFScale: objects are scaled to norm 1, so their sizes do not count.
func TestSCNMFScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 33))
	x := randomObjects(10, 4, rng)
	scaled := mat.DenseCopyOf(x)
	for i := range 10 {
		for j := range 4 {
			scaled.Set(i, j, math.Ldexp(x.At(i, j), 90*i-400)) // powers of two: no rounding
		}
	}
	a, err := NewSCNMF(3).Fit(t.Context(), x, Options{MaxIter: 10})
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewSCNMF(3).Fit(t.Context(), scaled, Options{MaxIter: 10})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(a.V, b.V) {
		t.Error("objects of other sizes have another V")
	}
}

func TestSCNMFBadInput(t *testing.T) {
	x := randomObjects(6, 4, rand.New(rand.NewPCG(10, 33)))
	good := SCNMF{K: 2}
	nan, inf := math.NaN(), math.Inf(1)
	sparse := func(w *mat.Dense) *affinity.Sparse {
		g, err := affinity.SparseOf(w)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	zero := mat.DenseCopyOf(x)
	zero.SetRow(3, make([]float64, 4))
	zeroV := filled(6, 2, 1)
	zeroV.SetRow(4, make([]float64, 2))
	for _, c := range []struct {
		name string
		m    SCNMF
		x    mat.Matrix
		opts Options
		want string
	}{
		{name: "no X", m: good, x: nil, want: "X is nil"},
		{name: "nil X", m: good, x: (*mat.Dense)(nil), want: "X is nil"},
		{name: "empty X", m: good, x: &mat.Dense{}, want: "X is empty"},
		{name: "NaN", m: good, x: with(x, 2, 3, nan, false), want: "X[2,3] = NaN"},
		{name: "Inf", m: good, x: with(x, 5, 0, inf, false), want: "X[5,0] = +Inf"},
		{name: "negative", m: good, x: with(with(x, 4, 0, -1, false), 1, 2, -0.5, false), want: "X[1,2] = -0.5 is negative"},
		{name: "zero object", m: good, x: zero, want: "row 3 of X is zero"},
		{name: "K = 0", m: SCNMF{}, x: x, want: "K = 0, want at least 1"},
		{name: "K > n", m: SCNMF{K: 7}, x: x, want: "K = 7 exceeds the 6 objects"},
		{name: "negative lambda", m: SCNMF{K: 2, Lambda: -1}, x: x, want: "Lambda = -1"},
		{name: "NaN lambda", m: SCNMF{K: 2, Lambda: nan}, x: x, want: "Lambda = NaN"},
		{name: "infinite mu", m: SCNMF{K: 2, Mu: inf}, x: x, want: "Mu = +Inf"},
		{name: "negative mu", m: SCNMF{K: 2, Mu: -2}, x: x, want: "Mu = -2"},
		{name: "shape of the graph", m: SCNMF{K: 2, Graph: sparse(filled(6, 5, 1))}, x: x, want: "Graph is 6×5, want 6×6"},
		{name: "zero graph", m: SCNMF{K: 2, Graph: &affinity.Sparse{}}, x: x, want: "Graph is 0×0, want 6×6"},
		{name: "negative graph", m: SCNMF{K: 2, Graph: sparse(with(filled(6, 6, 1), 2, 4, -1, true))}, x: x, want: "Graph[2,4] = -1 is negative"},
		{name: "one edge of two", m: SCNMF{K: 2, Graph: sparse(with(filled(6, 6, 1), 4, 1, 0, false))}, x: x,
			want: "Graph[1,4] = 1 but Graph[4,1] = 0"},
		{name: "asymmetric graph", m: SCNMF{K: 2, Graph: sparse(with(filled(6, 6, 1), 4, 1, 2, false))}, x: x,
			want: "Graph[1,4] = 1 but Graph[4,1] = 2"},
		{name: "shape of U0", m: SCNMF{K: 2, U0: filled(6, 2, 1)}, x: x, want: "U0 is 6×2, want 4×2"},
		{name: "NaN in U0", m: SCNMF{K: 2, U0: with(filled(4, 2, 1), 1, 0, nan, false)}, x: x, want: "U0[1,0] = NaN"},
		{name: "zero U0", m: SCNMF{K: 2, U0: filled(4, 2, 0)}, x: x, want: "U0 is zero everywhere"},
		{name: "shape of V0", m: SCNMF{K: 2, V0: filled(6, 3, 1)}, x: x, want: "V0 is 6×3, want 6×2"},
		{name: "negative V0", m: SCNMF{K: 2, V0: with(filled(6, 2, 1), 5, 0, -2, false)}, x: x, want: "V0[5,0] = -2"},
		{name: "zero row of V0", m: SCNMF{K: 2, V0: zeroV}, x: x, want: "row 4 of V0 is zero"},
		{name: "MaxIter", m: good, x: x, opts: Options{MaxIter: -1}, want: "MaxIter = -1"},
		{name: "Tol", m: good, x: x, opts: Options{Tol: nan}, want: "Tol is NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := c.m.Fit(t.Context(), c.x, c.opts)
			if err == nil {
				t.Fatalf("got %v, want an error with %q", res, c.want)
			}
			if res != nil {
				t.Errorf("got a result together with %v", err)
			}
			if !strings.HasPrefix(err.Error(), "clustering: SCNMF: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to have %q", err, c.want)
			}
		})
	}
	var none context.Context
	if _, err := good.Fit(none, x, Options{}); err == nil || !strings.Contains(err.Error(), "context is nil") {
		t.Errorf("nil context: got %v", err)
	}
}

// TestSCNMFDegenerateInput: odd but valid input has a finite result, for either step and either kind of labels.
func TestSCNMFDegenerateInput(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 33))
	twice := randomObjects(8, 3, rng)
	for i := range 4 {
		twice.SetRow(4+i, twice.RawRowView(i))
	}
	disjoint := mat.DenseCopyOf(mat.NewDiagDense(5, []float64{1, 2, 3, 4, 5}))
	edgeless, err := affinity.NewSparse(8, 8, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		m        SCNMF
		x        *mat.Dense
		warnings int
	}{
		{name: "one object", m: NewSCNMF(1), x: filled(1, 3, 2)},
		{name: "one feature", m: NewSCNMF(2), x: mat.NewDense(4, 1, []float64{1, 2, 3, 4})},
		{name: "constant X", m: NewSCNMF(3), x: filled(7, 4, 0.5)},
		{name: "duplicates", m: NewSCNMF(3), x: twice},
		{name: "K = n", m: NewSCNMF(8), x: twice},
		{name: "orthogonal objects, K = n", m: NewSCNMF(5), x: disjoint},
		{name: "orthogonal objects", m: NewSCNMF(2), x: disjoint},
		{name: "no weights", m: SCNMF{K: 3}, x: twice},
		{name: "graph without edges", m: SCNMF{K: 3, Lambda: 1, Mu: 1, Graph: edgeless}, x: twice},
		{name: "wide", m: NewSCNMF(3), x: randomObjects(4, 50, rng)},
		{name: "large weights", m: SCNMF{K: 3, Lambda: 1e100, Mu: 1e100}, x: twice},
		{name: "tiny X", m: NewSCNMF(2), x: filled(4, 3, 5e-324)},
		{name: "large X", m: NewSCNMF(2), x: filled(4, 3, math.MaxFloat64)},
		{name: "zero column of U0", m: SCNMF{K: 2, Lambda: 1, U0: mat.NewDense(3, 2, []float64{1, 0, 1, 0, 1, 0})}, x: twice, warnings: 1},
	} {
		for _, paper := range []bool{false, true} {
			for _, byArgmax := range []bool{false, true} {
				m := c.m
				m.PaperStep, m.LabelsByArgmax = paper, byArgmax
				t.Run(c.name+"/"+m.String(), func(t *testing.T) {
					res, err := m.Fit(t.Context(), c.x, Options{Seed: 1, MaxIter: 100})
					if err != nil {
						t.Fatal(err)
					}
					if mat.Min(res.U) < 0 || mat.Min(res.V) < 0 {
						t.Errorf("U or V has a negative entry")
					}
					for _, x := range slices.Concat(res.U.RawMatrix().Data, res.V.RawMatrix().Data, res.Trace.Objective) {
						if math.IsNaN(x) || math.IsInf(x, 0) {
							t.Fatalf("%v has a %g", res, x)
						}
					}
					if worst := slices.Max(res.Trace.Feasibility); worst > unitTol {
						t.Errorf("a row's norm is off by %g", worst)
					}
					for i, l := range res.Labels {
						if l < 0 || l >= m.K {
							t.Errorf("object %d has label %d", i, l)
						}
						if m.K == 1 && res.V.At(i, 0) != 1 {
							t.Errorf("V[%d,0] = %g with K = 1", i, res.V.At(i, 0))
						}
					}
					if len(res.Warnings) != c.warnings {
						t.Errorf("warnings %q, want %d", res.Warnings, c.warnings)
					}
				})
			}
		}
	}
}

func TestSCNMFInputsAreNotChangedOrKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 33))
	x, u0, v0 := randomObjects(8, 3, rng), randomObjects(3, 2, rng), randomObjects(8, 2, rng)
	x1, u1, v1 := mat.DenseCopyOf(x), mat.DenseCopyOf(u0), mat.DenseCopyOf(v0)
	res, err := SCNMF{K: 2, Lambda: 1, U0: u0, V0: v0}.Fit(t.Context(), x, Options{MaxIter: 20})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(x, x1) || !mat.Equal(u0, u1) || !mat.Equal(v0, v1) {
		t.Error("the fit changed its input")
	}
	u, v := mat.DenseCopyOf(res.U), mat.DenseCopyOf(res.V)
	x.Zero()
	u0.Zero()
	v0.Zero()
	if !mat.Equal(res.U, u) || !mat.Equal(res.V, v) {
		t.Error("the result changes with its input")
	}
}

// TestSCNMFMemoryLimit: S is refused where it would be too large, and not asked for where it is not formed.
func TestSCNMFMemoryLimit(t *testing.T) {
	t.Setenv("ORTHANT_MEMORY", "1M") // a quarter is 262,144 bytes, S has 320,000
	wide, narrow := filled(200, 201, 1), filled(200, 2, 1)
	if _, err := NewSCNMF(2).Fit(t.Context(), wide, Options{MaxIter: 1}); err == nil || !strings.Contains(err.Error(), "320000 bytes") {
		t.Errorf("got error %v", err)
	}
	for _, c := range []struct {
		m SCNMF
		x *mat.Dense
	}{{m: NewSCNMF(2), x: narrow}, {m: SCNMF{K: 2}, x: wide}} {
		if _, err := c.m.Fit(t.Context(), c.x, Options{MaxIter: 1}); err != nil {
			t.Errorf("%v forms no S, and yet: %v", c.m, err)
		}
	}
}
