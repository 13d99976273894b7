package polar

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// tol is rounding, of a condition that wellConditioned allows.
const tol = 1e-11

// random returns an n×k matrix whose singular values are given.
func random(n int, singular []float64, rng *rand.Rand) *mat.Dense {
	k := len(singular)
	normal := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		for i := range m.RawMatrix().Data {
			m.RawMatrix().Data[i] = rng.NormFloat64()
		}
		return m
	}
	var qr mat.QR
	var u, v, m mat.Dense
	qr.Factorize(normal(n, k))
	qr.QTo(&u)
	qr.Factorize(normal(k, k))
	qr.QTo(&v)
	m.Mul(u.Slice(0, n, 0, k), mat.NewDiagDense(k, singular))
	m.Mul(&m, v.T())
	return &m
}

// TestFactor: the factor has orthonormal columns, and FᵀM is symmetric and positive semidefinite, which no other such matrix of the
// nearest has (N. Higham, Functions of Matrices, SIAM 2008, theorem 8.1); where M has full rank it is the product of the singular
// vectors that gonum finds.
func TestFactor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, singular := range [][]float64{{2}, {3, 1, 1e-1}, {1, 1, 1, 1}, {5, 1, 1e-3}, {1, 1e-9}, {1e-100, 1e-101}, {1e100, 1e99}, {4, 2, 0}, {0, 0}} {
		t.Run(fmt.Sprint(singular), func(t *testing.T) {
			k := len(singular)
			for _, n := range []int{k, k + 1, 30} {
				m := random(n, singular, rng)
				dst := make([]float64, k*n)
				if err := New(n, k).To(dst, thin.Transposed(m)); err != nil {
					t.Fatal(err)
				}
				factor := thin.Dense(dst, k)
				var unit, h mat.Dense
				unit.Mul(factor.T(), factor)
				h.Mul(factor.T(), m)
				top := singular[0]
				for i := range k {
					for j := range k {
						want := 0.0
						if i == j {
							want = 1
						}
						if d := math.Abs(unit.At(i, j) - want); !(d <= tol) {
							t.Errorf("n=%d: FᵀF differs from I by %g at [%d,%d]", n, d, i, j)
						}
						if d := math.Abs(h.At(i, j) - h.At(j, i)); !(d <= tol*top) {
							t.Errorf("n=%d: FᵀM is not symmetric, by %g at [%d,%d]", n, d, i, j)
						}
					}
				}
				trace, sum := mat.Trace(&h), 0.0
				for _, s := range singular {
					sum += s
				}
				if !(math.Abs(trace-sum) <= tol*top) {
					t.Errorf("n=%d: Tr FᵀM is %g, want the sum of the singular values, %g", n, trace, sum)
				}
			}
		})
	}
}

func TestFactorAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, singular := range [][]float64{{2, 1, 1}, {2, 1, 0}} {
		mt := thin.Transposed(random(20, singular, rng))
		f, dst := New(20, 3), make([]float64, 60)
		if n := testing.AllocsPerRun(10, func() {
			if err := f.To(dst, mt); err != nil {
				t.Error(err)
			}
		}); n != 0 {
			t.Errorf("singular values %v: %g allocations", singular, n)
		}
	}
}
