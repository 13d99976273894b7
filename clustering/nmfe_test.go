package clustering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// neverRises fails where an objective rises by more than the rounding of its terms, which are of the given size.
func neverRises(t *testing.T, what any, objective []float64, size float64) {
	t.Helper()
	for it := 1; it < len(objective); it++ {
		if objective[it] > objective[it-1]+ascentTol*size {
			t.Fatalf("%v: the objective rises from %.15g to %.15g in iteration %d", what, objective[it-1], objective[it], it)
		}
	}
}

func TestNMFENeverRises(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 5 + rng.IntN(40)
		p := randomPartitions(n, 1+rng.IntN(8), 1+rng.IntN(6), 0.3*rng.Float64(), rng)
		m := NMFE{K: 1 + rng.IntN(5)}
		res, err := m.Fit(t.Context(), p, Options{Seed: seed, MaxIter: 300, Tol: -1})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Trace.Objective) != 301 {
			t.Fatalf("the trace has %d entries, want 301", len(res.Trace.Objective))
		}
		neverRises(t, fmt.Sprintf("%v, %v", m, p), res.Trace.Objective, float64(len(p.cols)))
	}
}

// TestNMFEObjective compares the objective from traces with its definition (4), at the start and later.
func TestNMFEObjective(t *testing.T) {
	const tol = 1e-13 // relative to ‖L‖², which cancels
	rng := rand.New(rand.NewPCG(1, 1))
	p := randomPartitions(30, 6, 4, 0.2, rng)
	s := newNMFEState(NMFE{K: 3}, p)
	s.start(0, rng)
	for it := range 10 {
		kept := s.keep()
		var d mat.Dense
		d.Mul(kept.h, kept.w.T())
		d.Sub(p.dense(), &d)
		want := math.Pow(mat.Norm(&d, 2), 2)
		var point Point
		if s.measure(&point); math.Abs(point.Objective-want) > tol*max(want, float64(len(s.y))) {
			t.Errorf("iteration %d: objective %.15g, by (4) it is %.15g", it, point.Objective, want)
		}
		s.step()
	}
}

// TestNMFEStep compares a step with the formulas (5) and (6) as they stand, on dense matrices.
func TestNMFEStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	p := randomPartitions(25, 5, 4, 0.2, rng)
	s := newNMFEState(NMFE{K: 3}, p)
	s.start(0, rng)
	for it := range 5 {
		before := s.keep()
		s.step()
		l, h, w := p.dense(), before.h, before.w
		var num, gram, den mat.Dense
		num.Mul(l.T(), h)
		gram.Mul(h.T(), h)
		den.Mul(w, &gram)
		num.DivElem(&num, &den)
		w.MulElem(w, &num) // (5)
		num.Reset()
		gram.Reset()
		den.Reset()
		num.Mul(l, w)
		gram.Mul(w.T(), w)
		den.Mul(h, &gram)
		num.DivElem(&num, &den)
		h.MulElem(h, &num) // (6)
		after := s.keep()
		if !mat.EqualApprox(after.h, h, 1e-12) || !mat.EqualApprox(after.w, w, 1e-12) { // sums of 30 terms of size 1
			t.Fatalf("step %d is not that of the formulas", it)
		}
	}
}

// TestNMFEContinues goes on from an earlier result: 5 + 5 iterations are 10.
func TestNMFEContinues(t *testing.T) {
	p := randomPartitions(30, 6, 4, 0.2, rand.New(rand.NewPCG(3, 1)))
	fit := func(m NMFE, iterations int) *NMFEResult {
		t.Helper()
		res, err := m.Fit(t.Context(), p, Options{Seed: 3, MaxIter: iterations, Tol: -1})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	whole, first := fit(NMFE{K: 3}, 10), fit(NMFE{K: 3}, 5)
	second := fit(NMFE{K: 3, H0: first.H, W0: first.W}, 5)
	if !mat.Equal(whole.H, second.H) || !mat.Equal(whole.W, second.W) {
		t.Error("5 iterations, and 5 more from their H and W, are not 10")
	}
}

// TestRelativeChange: rounding does not keep a run from its end.
func TestRelativeChange(t *testing.T) {
	for _, c := range []struct{ before, after, size, want float64 }{
		{3, 2, 10, 0.5},
		{2, 3, 10, 1. / 3},
		{2, 2, 10, 0},
		{0, 0, 0, 0},
		{1e-14, -1e-14, 1, 0},
		{1, 0, 1, 1 / rest},
		{1, -1e-16, 1, 1 / rest},
	} {
		if got := relativeChange(c.before, c.after, c.size); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("from %g to %g, of terms of %g: %g, want %g", c.before, c.after, c.size, got, c.want)
		}
	}
}

func TestFlushTo(t *testing.T) {
	x := []float64{ // transposed: 3 rows of 2
		1, 1e-141, 0,
		1e-141, 1e-200, 0,
	}
	want := []float64{1, 1e-141, 0, 0, 1e-200, 0}
	flushTo(x, make([]float64, 3))
	for i := range x {
		if x[i] != want[i] {
			t.Errorf("entry %d is %g, want %g", i, x[i], want[i])
		}
	}
}
