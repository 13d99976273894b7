package thin

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestBasisProducts compares with gonum's products. The sums have at most 600 terms of size 1.
func TestBasisProducts(t *testing.T) {
	const tol = 1e-12
	rng := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct{ n, p, q int }{{1, 1, 1}, {7, 3, 2}, {chunk, 1, 4}, {2*chunk + 9, 5, 3}, {13, 2, 9}} {
		x, y := mat.NewDense(c.n, c.p, uniform(rng, c.n*c.p)), mat.NewDense(c.n, c.q, uniform(rng, c.n*c.q))
		s := mat.NewDense(c.p, c.q, uniform(rng, c.p*c.q))

		var want mat.Dense
		want.Mul(x.T(), y)
		inner := uniform(rng, c.p*c.q) // what is there does not matter
		InnerTo(inner, Transposed(x), Transposed(y), c.n)
		for i, got := range inner {
			if w := want.At(i/c.q, i%c.q); math.Abs(got-w) > tol {
				t.Errorf("%v: XᵀY[%d,%d] = %v, want %v", c, i/c.q, i%c.q, got, w)
			}
		}

		want.Reset()
		want.Mul(x, s)
		combined := uniform(rng, c.n*c.q)
		CombineTo(combined, Transposed(x), s.RawMatrix().Data, c.n)
		if got := Dense(combined, c.q); !mat.EqualApprox(got, &want, tol) {
			t.Errorf("%v: XS is not gonum's", c)
		}
		want.Add(&want, y)
		sum := Transposed(y)
		AddCombineTo(sum, Transposed(x), s.RawMatrix().Data, c.n)
		if got := Dense(sum, c.q); !mat.EqualApprox(got, &want, tol) {
			t.Errorf("%v: Y+XS is not gonum's", c)
		}
	}
}
