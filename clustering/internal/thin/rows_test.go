package thin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestRowProducts compares with gonum, on every kernel. The sums have at most 40 terms of size 1.
func TestRowProducts(t *testing.T) {
	const tol = 1e-13
	rng := rand.New(rand.NewPCG(6, 6))
	for _, c := range []struct{ k, n int }{{1, 1}, {3, 5}, {4, 4}, {10, 20}, {7, 40}} {
		t.Run(fmt.Sprintf("k=%d,n=%d", c.k, c.n), func(t *testing.T) {
			rows, x, v := mat.NewDense(c.k, c.n, uniform(rng, c.k*c.n)), uniform(rng, c.n), uniform(rng, c.k)
			var dots mat.VecDense
			dots.MulVec(rows, mat.NewVecDense(c.n, x))
			var sum mat.Dense
			sum.RankOne(rows, 1, mat.NewVecDense(c.k, v), mat.NewVecDense(c.n, x))
			for _, path := range kernels {
				use(t, path)
				got := make([]float64, c.k)
				DotsTo(got, rows.RawMatrix().Data, x)
				for a := range got {
					if want := dots.AtVec(a); math.Abs(got[a]-want) > tol {
						t.Errorf("%s: row %d times x is %v, want %v", path.name, a, got[a], want)
					}
				}
				added := append([]float64(nil), rows.RawMatrix().Data...)
				AddOuterTo(added, v, x)
				for i := range added {
					if want := sum.RawMatrix().Data[i]; math.Abs(added[i]-want) > tol {
						t.Errorf("%s: entry %d of the sum is %v, want %v", path.name, i, added[i], want)
					}
				}
			}
		})
	}
}
