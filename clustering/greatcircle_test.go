package clustering

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// randomRow returns x >= 0 of length k with norm 1 and a gradient a. One entry of x in four is 0, but not all are.
func randomRow(k int, rng *rand.Rand) (x, a []float64) {
	x, a = make([]float64, k), make([]float64, k)
	for b := range x {
		a[b] = 3 * rng.NormFloat64()
		if rng.IntN(4) > 0 {
			x[b] = rng.Float64()
		}
	}
	x[rng.IntN(k)] = 1 - rng.Float64()/2
	unit(x)
	return x, a
}

// TestCayley compares (31) with gonum's solution of the equations, for x of any norm, and its norm with that of x.
func TestCayley(t *testing.T) {
	const (
		tol     = 1e-13 // 2000 draws in another language deviate by 6e-15; the equations' condition is below 100 here
		normTol = 1e-14
	)
	rng := rand.New(rand.NewPCG(1, 30))
	for draw := range 2000 {
		k := 2 + rng.IntN(9)
		x, a := randomRow(k, rng)
		size := 1.0
		if draw%2 == 1 {
			size = 0.5 + rng.Float64()
		}
		floats.Scale(size, x)
		tau := rng.Float64()
		left, right := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
		for b := range k {
			for c := range k {
				skew := tau / 2 * (a[b]*x[c] - x[b]*a[c])
				left.Set(b, c, skew)
				right.Set(b, c, -skew)
			}
			left.Set(b, b, 1)
			right.Set(b, b, 1)
		}
		var rhs, want mat.VecDense
		rhs.MulVec(right, mat.NewVecDense(k, x))
		var lu mat.LU
		lu.Factorize(left)
		if err := lu.SolveVecTo(&want, false, &rhs); err != nil {
			t.Fatal(err)
		}
		y := make([]float64, k)
		cayleyTo(y, x, a, tau)
		for b := range y {
			if d := math.Abs(y[b] - want.AtVec(b)); !(d <= tol) {
				t.Fatalf("draw %d: y[%d] = %.17g, the equations give %.17g", draw, b, y[b], want.AtVec(b))
			}
		}
		if d := math.Abs(floats.Norm(y, 2) - size); !(d <= normTol) {
			t.Fatalf("draw %d: the norm changes by %g", draw, d)
		}
	}
}

// TestGreatCircle: the circle is the Cayley curve at tan(θ/2) = τ‖g‖/2, and y >= 0 up to circleBound and not behind it.
func TestGreatCircle(t *testing.T) {
	const (
		tol     = 1e-10 // 4e-11 was measured where x and a are nearly parallel: g has lost digits there
		rounded = 1e-15
		beyond  = 1e-6 // how far behind the bound an entry must be negative
	)
	rng := rand.New(rand.NewPCG(2, 30))
	bounded := 0
	for draw := range 2000 {
		k := 2 + rng.IntN(9)
		x, a := randomRow(k, rng)
		for b := range x {
			if x[b] == 0 && a[b] > 0 {
				a[b] = 0 // as a step does
			}
		}
		dir, y, want := make([]float64, k), make([]float64, k), make([]float64, k)
		slope := descentTo(dir, x, a)
		if slope == 0 {
			continue
		}
		theta := rng.Float64() * math.Pi / 2
		circleTo(y, x, dir, theta)
		cayleyTo(want, x, a, 2*math.Tan(theta/2)/slope)
		if d := floats.Distance(y, want, math.Inf(1)); !(d <= tol) {
			t.Fatalf("draw %d: circle and Cayley curve are apart by %g", draw, d)
		}
		last := circleBound(x, dir)
		for _, part := range []float64{0, rng.Float64(), 1} {
			circleTo(y, x, dir, part*last)
			if least := slices.Min(y); !(least >= -rounded) {
				t.Fatalf("draw %d: an entry of %g at %g of the bound", draw, least, part)
			}
		}
		if last < math.Pi/2-beyond {
			bounded++
			circleTo(y, x, dir, last+beyond)
			if least := slices.Min(y); !(least < 0) {
				t.Fatalf("draw %d: no negative entry behind the bound %g", draw, last)
			}
		}
	}
	if bounded < 1000 {
		t.Errorf("only %d bounds were below π/2", bounded)
	}
}

// TestPaperTau: up to τ of (37) the condition (35) holds, at τ with equality in one entry, and a zero of x makes τ 0. (35) is
// written out with the corrected signs; y >= 0 follows, because what (34) adds is nonnegative.
func TestPaperTau(t *testing.T) {
	const tol = 1e-12 // relative to entries of size 1
	rng := rand.New(rand.NewPCG(3, 30))
	for draw := range 2000 {
		k := 1 + rng.IntN(9)
		x, _ := randomRow(k, rng)
		c1, c2 := make([]float64, k), make([]float64, k)
		for b := range x {
			c1[b], c2[b] = 5*rng.Float64(), 5*rng.Float64()
		}
		tau := paperTau(x, c1, c2)
		if slices.Contains(x, 0) {
			if tau != 0 {
				t.Fatalf("draw %d: τ = %g at a row with a zero", draw, tau)
			}
			continue
		}
		if !(tau > 0 && tau <= math.MaxFloat64) {
			t.Fatalf("draw %d: τ = %g", draw, tau)
		}
		a, y := make([]float64, k), make([]float64, k)
		floats.SubTo(a, c1, c2)
		p, x2 := floats.Dot(a, x), floats.Dot(c2, x)
		q := 1 + tau*tau/4*(floats.Dot(a, a)-p*p)
		p1 := floats.Dot(c1, c1) + floats.Dot(c2, c2) + 2*floats.Dot(c1, x)*x2
		least := math.Inf(1)
		for b := range x {
			least = min(least, x[b]-tau/q*(c1[b]+tau/2*p1*x[b]+x2*x[b]))
		}
		if math.Abs(least) > tol {
			t.Fatalf("draw %d: the least entry of (35) is %g, want 0", draw, least)
		}
		if cayleyTo(y, x, a, tau); slices.Min(y) < -tol {
			t.Fatalf("draw %d: y has the entry %g", draw, slices.Min(y))
		}
	}
	if tau := paperTau([]float64{1}, []float64{0}, []float64{0}); !math.IsInf(tau, 1) {
		t.Errorf("without a gradient τ = %g, want no bound", tau)
	}
}

// TestCubicMinimum compares with the cubic's values nearby.
func TestCubicMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 30))
	for range 1000 {
		slope, curvature, bound := math.Exp(4*rng.NormFloat64()), 10*rng.NormFloat64(), math.Exp(4*rng.NormFloat64())
		cubic := func(x float64) float64 { return -slope*x + curvature*x*x/2 + bound*x*x*x/6 }
		at := cubicMinimum(slope, curvature, bound)
		for _, factor := range []float64{0, 0.9, 0.999, 1.001, 1.1, 2} {
			if !(at > 0) || cubic(at*factor) < cubic(at) {
				t.Fatalf("slope %g, curvature %g, bound %g: %g times %g is lower", slope, curvature, bound, factor, at)
			}
		}
	}
	// Far down a slope that gets steeper: −1e-3 − 1e9 θ + θ²/2 = 0. The other form of the root would divide by 0.
	if got, want := cubicMinimum(1e-3, -1e9, 1), 2e9; math.Abs(got-want) > 1e-6*want {
		t.Errorf("the minimum is at %g, want %g", got, want)
	}
}
