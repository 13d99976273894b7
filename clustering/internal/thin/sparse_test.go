package thin

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// rows is a sparse view of a dense matrix.
type rows struct{ *mat.Dense }

func (r rows) Row(i int) (cols []int, values []float64) {
	for j, v := range r.RawRowView(i) {
		if v != 0 {
			cols, values = append(cols, j), append(values, v)
		}
	}
	return cols, values
}

// TestSparseProducts compares with gonum's dense products. The sums have at most 11 terms of size 1.
func TestSparseProducts(t *testing.T) {
	const tol = 1e-14
	rng := rand.New(rand.NewPCG(4, 4))
	for _, c := range []struct{ n, m, k int }{{1, 1, 1}, {7, 11, 3}, {11, 7, 1}, {6, 6, 6}} {
		a := mat.NewDense(c.n, c.m, uniform(rng, c.n*c.m))
		for t := range a.RawMatrix().Data {
			if t%3 == 1 {
				a.RawMatrix().Data[t] = 0
			}
		}
		compare := func(what string, got []float64, a, x mat.Matrix) {
			var want mat.Dense
			want.Mul(a, x)
			n, _ := want.Dims()
			for l := range c.k {
				for i := range n {
					if g := got[l*n+i]; math.Abs(g-want.At(i, l)) > tol {
						t.Errorf("%v: %s[%d,%d] = %v, want %v", c, what, i, l, g, want.At(i, l))
					}
				}
			}
		}
		x, y := mat.NewDense(c.m, c.k, uniform(rng, c.m*c.k)), mat.NewDense(c.n, c.k, uniform(rng, c.n*c.k))
		ax, aty := uniform(rng, c.n*c.k), uniform(rng, c.m*c.k) // what is there does not matter
		SparseMulTo(ax, rows{a}, Transposed(x), c.k)
		compare("AX", ax, a, x)
		SparseTMulTo(aty, rows{a}, Transposed(y), c.k)
		compare("AᵀY", aty, a.T(), y)
	}
}
