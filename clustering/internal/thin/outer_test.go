package thin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestAddOuter compares with gonum's product; below the diagonal nothing may change.
func TestAddOuter(t *testing.T) {
	const tol = 1e-14 // sums of at most 13 terms of size 1
	rng := rand.New(rand.NewPCG(6, 6))
	for _, c := range []struct{ n, k int }{{1, 1}, {5, 0}, {7, 3}, {9, 9}, {40, 12}} {
		t.Run(fmt.Sprintf("n=%d,k=%d", c.n, c.k), func(t *testing.T) {
			vt, d := uniform(rng, c.k*c.n), uniform(rng, c.k)
			before := mat.NewDense(c.n, c.n, uniform(rng, c.n*c.n))
			got := mat.DenseCopyOf(before)
			AddSpectrumTo(got, d, vt)
			want := mat.DenseCopyOf(before)
			if c.k > 0 {
				v := Dense(vt, c.k)
				var vd, outer mat.Dense
				vd.Mul(v, mat.NewDiagDense(c.k, d))
				outer.Mul(&vd, v.T())
				want.Add(want, &outer)
			}
			for i := range c.n {
				for j := range c.n {
					if j < i && got.At(i, j) != before.At(i, j) {
						t.Errorf("[%d,%d], below the diagonal, has changed", i, j)
					}
					if j >= i && math.Abs(got.At(i, j)-want.At(i, j)) > tol {
						t.Errorf("[%d,%d] = %g, want %g", i, j, got.At(i, j), want.At(i, j))
					}
				}
			}
		})
	}
}

func TestMirror(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{1, 2, mirrorBlock - 1, mirrorBlock, mirrorBlock + 1, 3*mirrorBlock + 5} {
		frame := mat.NewDense(n, n+3, uniform(rng, n*(n+3)))
		w := frame.Slice(0, n, 2, n+2).(*mat.Dense)
		before := mat.DenseCopyOf(w)
		Mirror(w)
		for i := range n {
			for j := range n {
				if got, want := w.At(i, j), before.At(min(i, j), max(i, j)); got != want {
					t.Fatalf("n=%d: [%d,%d] = %g, want %g", n, i, j, got, want)
				}
			}
		}
	}
}
