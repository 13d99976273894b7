package clustering

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
	"orthant/clustering/internal/thin"
)

// formTol is rounding: another form adds the same terms in another order.
const formTol = 1e-13

// holedAffinity is a random affinity of which about two thirds are zero.
func holedAffinity(n int, rng *rand.Rand) *mat.Dense {
	w := randomAffinity(n, rng)
	for i := range n {
		for j := range i + 1 {
			if rng.IntN(3) > 0 {
				w.Set(i, j, 0)
				w.Set(j, i, 0)
			}
		}
	}
	return w
}

// sparse is m as an affinity.Sparse.
func sparse(t testing.TB, m mat.Matrix) *affinity.Sparse {
	t.Helper()
	s, err := affinity.SparseOf(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// anchored is B·Bᵀ as an affinity.Anchored.
func anchored(t testing.TB, b mat.Matrix) *affinity.Anchored {
	t.Helper()
	a, err := affinity.NewAnchored(b)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// forms are the forms in which an affinity is given, each with the entries it has. Those of one n have the same number of objects.
func forms(t *testing.T, n int, rng *rand.Rand) map[string]mat.Matrix {
	w := holedAffinity(n, rng)
	b := mat.NewDense(n, anchorBlock+1, nil)
	for i := range b.RawMatrix().Data {
		b.RawMatrix().Data[i] = rng.Float64()
	}
	return map[string]mat.Matrix{"dense": w, "other": w.T(), "sparse": sparse(t, w), "full": randomAffinity(n, rng),
		"anchored": anchored(t, b)}
}

// TestForms: every form multiplies, sums and compares as its entries do.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for _, n := range []int{1, 2, 9} {
		all := forms(t, n, rng)
		for name, w := range all {
			f, err := formOf(w)
			if err != nil {
				t.Fatal(err)
			}
			const k = 3
			h := mat.NewDense(n, k, nil)
			for i := range h.RawMatrix().Data {
				h.RawMatrix().Data[i] = rng.NormFloat64()
			}
			dst := filled(n, k, 7).RawMatrix().Data // what is there does not matter
			f.multiplier(k)(dst, thin.Transposed(h))
			var want mat.Dense
			want.Mul(w, h)
			if !mat.EqualApprox(thin.Dense(dst, k), &want, formTol) {
				t.Errorf("%s, n=%d: WH is\n%v\nwant\n%v", name, n, mat.Formatted(thin.Dense(dst, k)), mat.Formatted(&want))
			}
			for i, d := range f.degrees() {
				if row := thin.Sum(mat.Row(nil, i, w)); math.Abs(d-row) > formTol {
					t.Errorf("%s, n=%d: degree %d is %g, want %g", name, n, i, d, row)
				}
			}
			for other, v := range all {
				g, err := formOf(v)
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for i := range n {
					for j := range n {
						sum += w.At(i, j) * v.At(i, j)
					}
				}
				if got := inner(f, g); math.Abs(got-sum) > formTol*max(1, sum) {
					t.Errorf("%s and %s, n=%d: inner product %g, want %g", name, other, n, got, sum)
				}
			}
		}
	}
}

// TestBadSparseAffinity: the same errors as for a dense one.
func TestBadSparseAffinity(t *testing.T) {
	w := holedAffinity(6, rand.New(rand.NewPCG(2, 7)))
	var none *affinity.Sparse
	for _, c := range []struct {
		name string
		w    *affinity.Sparse
		want string
	}{
		{name: "nil", w: none, want: "W is nil"},
		{name: "not square", w: sparse(t, filled(2, 3, 1)), want: "W is 2×3"},
		{name: "negative", w: sparse(t, with(w, 1, 4, -2, true)), want: "W[1,4] = -2 is negative"},
		{name: "asymmetric", w: sparse(t, with(with(w, 0, 3, 2, false), 3, 0, 1, false)), want: "W[0,3] = 2 but W[3,0] = 1"},
		{name: "nothing below", w: sparse(t, with(with(w, 0, 3, 2, false), 3, 0, 0, false)), want: "W[0,3] = 2 but W[3,0] = 0"},
		{name: "nothing above", w: sparse(t, with(with(w, 0, 3, 0, false), 3, 0, 2, false)), want: "W[3,0] = 2 but W[0,3] = 0"},
	} {
		if _, err := (SNMFNcut{K: 2}).Fit(t.Context(), c.w, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestFormsGiveTheSame is property (h): the form of an affinity changes nothing but rounding, and the hash, which is the form's.
func TestFormsGiveTheSame(t *testing.T) {
	const tol = 1e-9 // of 30 iterations
	rng := rand.New(rand.NewPCG(3, 7))
	for range 5 {
		holed := holedAffinity(25, rng)
		for i := range 25 {
			holed.Set(i, i, 1) // no object is alone
		}
		b := mat.NewDense(25, 6, nil)
		for i := range b.RawMatrix().Data {
			b.RawMatrix().Data[i] = rng.Float64()
		}
		opts := Options{Seed: 3, MaxIter: 30, Tol: -1}
		for name, fit := range map[string]func(w mat.Matrix) (*Result, *mat.Dense, error){
			"SNMFNcut": func(w mat.Matrix) (*Result, *mat.Dense, error) {
				res, err := SNMFNcut{K: 3, Alpha: 1}.Fit(t.Context(), w, opts)
				return &res.Result, res.H, err
			},
			"ONGC": func(w mat.Matrix) (*Result, *mat.Dense, error) {
				res, err := ONGC{K: 3, Mu: 1}.Fit(t.Context(), w, opts)
				return &res.Result, res.G, err
			},
			"Spectral": func(w mat.Matrix) (*Result, *mat.Dense, error) {
				res, err := Spectral{K: 3}.Fit(t.Context(), w, opts)
				return &res.Result, res.Embedding, err
			},
		} {
			for _, w := range []mat.Matrix{sparse(t, holed), anchored(t, b)} {
				a, h, err := fit(mat.DenseCopyOf(w))
				if err != nil {
					t.Fatal(err)
				}
				other, hs, err := fit(w)
				if err != nil {
					t.Fatal(err)
				}
				if !mat.EqualApprox(h, hs, tol) || math.Abs(a.Objective-other.Objective) > tol*math.Abs(a.Objective) {
					t.Errorf("%s on %T: objective %.15g, dense %.15g", name, w, other.Objective, a.Objective)
				}
				if a.Provenance.Data == other.Provenance.Data {
					t.Errorf("%s on %T: the hash is that of the dense form", name, w)
				}
			}
		}
	}
}
