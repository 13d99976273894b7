package clustering

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// with returns a copy of m in which the entries at (i,j) and, if symmetric, (j,i) are x.
func with(m *mat.Dense, i, j int, x float64, symmetric bool) *mat.Dense {
	c := mat.DenseCopyOf(m)
	c.Set(i, j, x)
	if symmetric {
		c.Set(j, i, x)
	}
	return c
}

func filled(r, c int, x float64) *mat.Dense {
	m := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			m.Set(i, j, x)
		}
	}
	return m
}

// TestBadInput: an error that says what is wrong where, and no result.
func TestBadInput(t *testing.T) {
	w := blobs(6, 1, 1)
	good := SNMFNcut{K: 2}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		m    SNMFNcut
		w    mat.Matrix
		opts Options
		want string
	}{
		{name: "no W", m: good, w: nil, want: "W is nil"},
		{name: "nil W", m: good, w: (*mat.Dense)(nil), want: "W is nil"},
		{name: "empty W", m: good, w: &mat.Dense{}, want: "W is empty"},
		{name: "not square", m: good, w: filled(3, 4, 1), want: "W is 3×4"},
		{name: "NaN", m: good, w: with(w, 2, 4, nan, true), want: "W[2,4] = NaN"},
		{name: "Inf", m: good, w: with(w, 3, 3, inf, true), want: "W[3,3] = +Inf"},
		{name: "-Inf", m: good, w: with(w, 1, 5, -inf, true), want: "W[1,5] = -Inf is not a finite"},
		{name: "negative", m: good, w: with(w, 0, 5, -0.5, true), want: "W[0,5] = -0.5 is negative"},
		{name: "first of several", m: good, w: with(with(w, 4, 5, nan, true), 1, 2, -1, true), want: "W[1,2] = -1"},
		{name: "asymmetric", m: good, w: with(w, 1, 3, 2, false), want: "W[1,3] = 2 but W[3,1]"},
		{name: "asymmetric by 1e-9", m: good, w: with(filled(3, 3, 1), 0, 2, 1+1e-9, false), want: "W[0,2]"},
		{name: "overflow", m: good, w: filled(3, 3, 1e200), want: "overflow"},
		{name: "K = 0", m: SNMFNcut{}, w: w, want: "K = 0"},
		{name: "K < 0", m: SNMFNcut{K: -3}, w: w, want: "K = -3"},
		{name: "K > n", m: SNMFNcut{K: 7}, w: w, want: "K = 7 exceeds the 6 objects"},
		{name: "negative alpha", m: SNMFNcut{K: 2, Alpha: -1}, w: w, want: "Alpha = -1"},
		{name: "NaN alpha", m: SNMFNcut{K: 2, Alpha: nan}, w: w, want: "Alpha = NaN"},
		{name: "infinite alpha", m: SNMFNcut{K: 2, Alpha: inf}, w: w, want: "Alpha = +Inf"},
		{name: "shape of H0", m: SNMFNcut{K: 2, H0: filled(6, 3, 1)}, w: w, want: "H0 is 6×3, want 6×2"},
		{name: "empty H0", m: SNMFNcut{K: 2, H0: &mat.Dense{}}, w: w, want: "H0 is 0×0, want 6×2"},
		{name: "NaN in H0", m: SNMFNcut{K: 2, H0: with(filled(6, 2, 1), 4, 1, nan, false)}, w: w, want: "H0[4,1] = NaN"},
		{name: "negative H0", m: SNMFNcut{K: 2, H0: with(filled(6, 2, 1), 5, 0, -2, false)}, w: w, want: "H0[5,0] = -2"},
		{name: "zero H0", m: SNMFNcut{K: 2, H0: filled(6, 2, 0)}, w: w, want: "H0 is zero everywhere"},
		{name: "MaxIter", m: good, w: w, opts: Options{MaxIter: -1}, want: "MaxIter = -1"},
		{name: "Tol", m: good, w: w, opts: Options{Tol: nan}, want: "Tol is NaN"},
		{name: "Restarts", m: good, w: w, opts: Options{Restarts: -2}, want: "Restarts = -2"},
		{name: "Workers", m: good, w: w, opts: Options{Workers: -2}, want: "Workers = -2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := c.m.Fit(t.Context(), c.w, c.opts)
			if err == nil {
				t.Fatalf("got %v, want an error with %q", res, c.want)
			}
			if res != nil {
				t.Errorf("got a result together with %v", err)
			}
			if !strings.HasPrefix(err.Error(), "clustering: SNMFNcut: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to have %q", err, c.want)
			}
		})
	}
	var none context.Context
	if _, err := good.Fit(none, w, Options{}); err == nil || !strings.Contains(err.Error(), "context is nil") {
		t.Errorf("nil context: got %v", err)
	}
}

// TestDegenerateInput: odd but valid input has the outcome that follows from the updates, always finite.
func TestDegenerateInput(t *testing.T) {
	blocks := mat.NewDense(6, 6, nil) // two disconnected cliques, {0,1,2} and {3,4,5}
	for i := range 6 {
		for j := range 6 {
			if i/3 == j/3 {
				blocks.Set(i, j, 1)
			}
		}
	}
	isolated := mat.NewDense(7, 7, nil)
	isolated.Slice(0, 6, 0, 6).(*mat.Dense).Copy(blocks) // object 6 has no neighbour, not even itself
	for _, c := range []struct {
		name       string
		m          SNMFNcut
		w          *mat.Dense
		unassigned int
		groups     [][]int // objects that must share a label, and different groups must not
		warnings   int
	}{
		{name: "one object", m: SNMFNcut{K: 1, Alpha: 1}, w: filled(1, 1, 1), groups: [][]int{{0}}},
		{name: "one object without itself", m: SNMFNcut{K: 1, Alpha: 1}, w: filled(1, 1, 0), unassigned: 1},
		{name: "K = 1", m: SNMFNcut{K: 1, Alpha: 1}, w: blobs(9, 1, 1), groups: [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8}}},
		{name: "K = n", m: SNMFNcut{K: 6, Alpha: 0.1}, w: blobs(6, 1, 1)},
		{name: "W = 0", m: SNMFNcut{K: 2, Alpha: 1}, w: filled(4, 4, 0), unassigned: 4},
		{name: "constant W", m: SNMFNcut{K: 2, Alpha: 1}, w: filled(5, 5, 1)},
		{name: "identity", m: SNMFNcut{K: 3}, w: mat.DenseCopyOf(mat.NewDiagDense(3, []float64{1, 1, 1}))},
		{name: "two blocks", m: SNMFNcut{K: 2, Alpha: 0.1}, w: blocks, groups: [][]int{{0, 1, 2}, {3, 4, 5}}},
		{name: "isolated object", m: SNMFNcut{K: 2, Alpha: 0.1}, w: isolated, unassigned: 1, groups: [][]int{{0, 1, 2}, {3, 4, 5}}},
		{name: "constant H0", m: SNMFNcut{K: 3, H0: filled(6, 3, 0.5)}, w: blocks, warnings: 3, groups: [][]int{{0, 1, 2, 3, 4, 5}}},
		{name: "zero column of H0", m: SNMFNcut{K: 2, H0: mat.NewDense(3, 2, []float64{1, 0, 1, 0, 1, 0})}, w: filled(3, 3, 1),
			warnings: 1, groups: [][]int{{0, 1, 2}}},
		{name: "tiny W", m: SNMFNcut{K: 2}, w: filled(4, 4, 1e-30)},
		{name: "large W", m: SNMFNcut{K: 2}, w: filled(4, 4, 1e30)},
	} {
		for _, nonOrthogonal := range []bool{false, true} {
			m := c.m
			m.NonOrthogonal = nonOrthogonal
			t.Run(c.name+"/"+m.String(), func(t *testing.T) {
				res, err := m.Fit(t.Context(), c.w, Options{Seed: 1, Restarts: 5})
				if m.H0 != nil {
					res, err = m.Fit(t.Context(), c.w, Options{}) // the given start alone
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range append(res.H.RawMatrix().Data, res.Trace.Objective...) {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Fatalf("%v has a %g", res, x)
					}
				}
				if res.Unassigned != c.unassigned {
					t.Errorf("%d unassigned, want %d: %v", res.Unassigned, c.unassigned, res.Labels)
				}
				if len(res.Warnings) != c.warnings {
					t.Errorf("warnings %q, want %d", res.Warnings, c.warnings)
				}
				for a, group := range c.groups {
					for _, i := range group {
						if res.Labels[i] != res.Labels[group[0]] {
							t.Errorf("labels %v split %v", res.Labels, group)
						}
					}
					for _, other := range c.groups[:a] {
						if res.Labels[group[0]] == res.Labels[other[0]] {
							t.Errorf("labels %v join %v and %v", res.Labels, other, group)
						}
					}
				}
			})
		}
	}
}

func TestKOneMeetsTheConstraint(t *testing.T) {
	res, err := SNMFNcut{K: 1, Alpha: 1}.Fit(t.Context(), blobs(9, 1, 1), Options{MaxIter: 10_000, Tol: 1e-13})
	if err != nil {
		t.Fatal(err)
	}
	if r := res.Trace.Orthogonality[res.Iterations]; r > 1e-9 {
		t.Errorf("hᵀDh − 1 = %g, want 0", r)
	}
}

// TestRoundedSymmetryPasses: what rounding does to an affinity is not an error.
func TestRoundedSymmetryPasses(t *testing.T) {
	w := blobs(6, 1, 1)
	w.Set(1, 4, w.At(1, 4)*(1+1e-12))
	w.Set(0, 5, 4e-324)
	w.Set(5, 0, 9e-324)
	if _, err := (SNMFNcut{K: 2}).Fit(t.Context(), w, Options{MaxIter: 2}); err != nil {
		t.Error(err)
	}
}

// TestOtherMatrices: the type of a matrix does not matter, nor does a slice of a larger one.
func TestOtherMatrices(t *testing.T) {
	w := blobs(8, 1, 1)
	frame := filled(12, 12, -1)
	inner := frame.Slice(2, 10, 3, 11).(*mat.Dense)
	inner.Copy(w)
	upper := mat.NewSymDense(8, nil)
	for i := range 8 {
		for j := range i + 1 {
			upper.SetSym(i, j, w.At(i, j))
		}
	}
	want, err := SNMFNcut{K: 3}.Fit(t.Context(), w, Options{MaxIter: 20})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]mat.Matrix{"slice": inner, "symmetric": upper, "transposed": w.T()} {
		got, err := SNMFNcut{K: 3}.Fit(t.Context(), m, Options{MaxIter: 20})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.H, want.H) || got.Provenance.Data != want.Provenance.Data {
			t.Errorf("%s: another result than from a dense matrix", name)
		}
	}
}

func TestInputsAreNotChangedOrKept(t *testing.T) {
	w, h0 := blobs(8, 1, 1), filled(8, 2, 0.5)
	h0.Set(0, 0, 1)
	w1, h1 := mat.DenseCopyOf(w), mat.DenseCopyOf(h0)
	res, err := SNMFNcut{K: 2, H0: h0}.Fit(t.Context(), w, Options{MaxIter: 20})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(w, w1) || !mat.Equal(h0, h1) {
		t.Error("the fit changed its input")
	}
	before := mat.DenseCopyOf(res.H)
	w.Zero()
	h0.Zero()
	if !mat.Equal(res.H, before) {
		t.Error("the result changes with its input")
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Setenv("ORTHANT_MEMORY", "1M")
	upper := mat.NewSymDense(200, nil) // a dense copy has 320,000 bytes, a quarter of the limit is 262,144
	_, err := SNMFNcut{K: 2}.Fit(t.Context(), upper, Options{})
	if err == nil || !strings.Contains(err.Error(), "320000 bytes") || !strings.Contains(err.Error(), "sparse or anchored") {
		t.Errorf("got error %v", err)
	}
	if _, err := (SNMFNcut{K: 2}).Fit(t.Context(), filled(200, 200, 1), Options{MaxIter: 1}); err != nil {
		t.Errorf("a dense affinity is not copied, and yet: %v", err)
	}
}

func TestMatrixInequality(t *testing.T) {
	a, b := blobs(3, 1, 1), blobs(3, 1, 2)
	h := blobs(3, 1, 3)
	lhs, rhs, err := MatrixInequality(a, b, h, h)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(lhs-rhs) > 1e-14*rhs {
		t.Errorf("for H = H' the sides are %g and %g, want them equal", lhs, rhs)
	}
	for _, c := range []struct {
		name        string
		a, b, h, hp *mat.Dense
		want        string
	}{
		{name: "nil", a: nil, b: b, h: h, hp: h, want: "A is nil or empty"},
		{name: "negative", a: a, b: with(b, 0, 0, -1, false), h: h, hp: h, want: "B[0,0]"},
		{name: "asymmetric", a: with(a, 0, 1, 7, false), b: b, h: h, hp: h, want: "A[0,1] = 7"},
		{name: "size of A", a: filled(2, 2, 1), b: b, h: h, hp: h, want: "A is 2×2"},
		{name: "size of H'", a: a, b: b, h: h, hp: filled(4, 3, 1), want: "H' is 4×3"},
		{name: "zero in H'", a: a, b: b, h: h, hp: with(h, 2, 1, 0, false), want: "H'[2,1] is zero"},
	} {
		if _, _, err := MatrixInequality(c.a, c.b, c.h, c.hp); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestMatrixInequalityHolds draws the sides at random, of very different sizes.
func TestMatrixInequalityHolds(t *testing.T) {
	const tol = 1e-13 // rounding of sums of a few hundred positive terms
	rng := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		n, k := 1+rng.IntN(6), 1+rng.IntN(5)
		positive := func() *mat.Dense {
			m := mat.NewDense(n, k, nil)
			for i := range n {
				for j := range k {
					m.Set(i, j, math.Exp(3*rng.NormFloat64()))
				}
			}
			return m
		}
		lhs, rhs, err := MatrixInequality(randomAffinity(k, rng), randomAffinity(k, rng), positive(), positive())
		if err != nil {
			t.Fatal(err)
		}
		if lhs > rhs*(1+tol) {
			t.Fatalf("n=%d, k=%d: %g > %g", n, k, lhs, rhs)
		}
	}
}
