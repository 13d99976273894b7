package objects

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestOf(t *testing.T) {
	x := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	if d, err := Of(x); err != nil || d != x {
		t.Errorf("a *mat.Dense is not returned as it is: %v, %v", d, err)
	}
	if d, err := Of(x.T()); err != nil || !mat.Equal(d, x.T()) {
		t.Errorf("got %v, %v", d, err)
	}
	for _, c := range []struct {
		x    mat.Matrix
		want string
	}{
		{nil, "X is nil"},
		{(*mat.Dense)(nil), "X is nil"},
		{new(mat.Dense), "X is empty"},
		{mat.NewDense(1, 2, []float64{1, math.NaN()}), "X[0,1] = NaN is not a finite number"},
		{mat.NewDense(2, 1, []float64{math.MaxFloat64, math.Inf(-1)}), "X[1,0] = -Inf is not a finite number"},
	} {
		if _, err := Of(c.x); err == nil || err.Error() != c.want {
			t.Errorf("got error %v, want %s", err, c.want)
		}
	}
}

// TestSquaredDistance compares with the plain sum, whose order differs.
func TestSquaredDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 20 {
		x, y, want := make([]float64, n), make([]float64, n), 0.0
		for j := range x {
			x[j], y[j] = rng.NormFloat64(), rng.NormFloat64()
			want += (x[j] - y[j]) * (x[j] - y[j])
		}
		if got := SquaredDistance(x, y); math.Abs(got-want) > 1e-14*want {
			t.Errorf("of %d columns: %.17g, want %.17g", n, got, want)
		}
	}
}
