package clustering

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// ascentTol is the rounding allowed to a quantity that may only rise or only fall, relative to the terms it is the sum of.
const ascentTol = 1e-12

// lagrangian is (21) at H for a given Λ.
func lagrangian(s *snmfncutState, lambda []float64) float64 {
	hwh := 0.0
	for a := range s.k {
		hwh += s.hwh[a*s.k+a]
	}
	return 2*(1+s.m.Alpha)*hwh - thin.Dot(s.hh, s.hh) - 2*thin.Dot(lambda, s.hdh)
}

// TestSNMFNcutAscendsForFixedLambda is Theorem 2 as it holds: with the Λ of before the step, the Lagrangian (21) does not fall.
// (With Λ recomputed it falls often; see TestSNMFNcutLagrangianFallsAlongARun.)
func TestSNMFNcutAscendsForFixedLambda(t *testing.T) {
	for _, alpha := range []float64{0, 0.01, 1, 10} {
		for _, unscaled := range []bool{false, true} {
			t.Run(fmt.Sprintf("alpha=%g,unscaled=%v", alpha, unscaled), func(t *testing.T) {
				for seed := range uint64(20) {
					rng := rand.New(rand.NewPCG(seed, 1))
					n := 3 + rng.IntN(20)
					m := SNMFNcut{K: 1 + rng.IntN(4), Alpha: alpha, Unscaled: unscaled}
					m.K = min(m.K, n)
					s, err := stateOf(m, randomAffinity(n, rng), seed)
					if err != nil {
						t.Fatal(err)
					}
					for it := range 100 {
						lambda := slices.Clone(s.lambda)
						before := lagrangian(s, lambda)
						size := s.g.norm2 + thin.Dot(s.hh, s.hh)
						s.step()
						if after := lagrangian(s, lambda); after < before-ascentTol*size {
							t.Fatalf("seed %d, step %d: the Lagrangian falls by %g from %g", seed, it, before-after, before)
						}
					}
				}
			})
		}
	}
}

// TestSNMFNcutLagrangianFallsAlongARun keeps the documentation honest: along a run, with Λ recomputed, Theorem 2 as printed does
// not hold.
func TestSNMFNcutLagrangianFallsAlongARun(t *testing.T) {
	s, err := stateOf(SNMFNcut{K: 3, Alpha: 1}, blobs(60, 1, 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	falls := 0
	for range 300 {
		before := lagrangian(s, s.lambda)
		s.step()
		if lagrangian(s, s.lambda) < before-ascentTol*s.g.norm2 {
			falls++
		}
	}
	if falls == 0 {
		t.Error("the Lagrangian never fell in 300 steps: the claim in snmfncut.go needs another look")
	}
}

func TestSNMFNcutNonOrthogonalNeverRises(t *testing.T) {
	for _, alpha := range []float64{0, 0.01, 0.1, 1, 10} {
		t.Run(fmt.Sprintf("alpha=%g", alpha), func(t *testing.T) {
			for seed := range uint64(10) {
				rng := rand.New(rand.NewPCG(seed, 2))
				w := randomAffinity(5+rng.IntN(20), rng)
				m := SNMFNcut{K: 1 + rng.IntN(5), Alpha: alpha, NonOrthogonal: true}
				res, err := m.Fit(context.Background(), w, Options{Seed: seed, MaxIter: 300, Tol: -1})
				if err != nil {
					t.Fatal(err)
				}
				j := res.Trace.Objective
				for it := 1; it < len(j); it++ {
					if j[it] > j[it-1]+ascentTol*max(math.Abs(j[0]), mat.Norm(w, 2)) {
						t.Fatalf("seed %d: J rises from %g to %g in iteration %d", seed, j[it-1], j[it], it)
					}
				}
				if len(j) != 301 {
					t.Fatalf("the trace has %d entries, want 301", len(j))
				}
			}
		})
	}
}

// TestSNMFNcutFixedPoint checks, where the iteration has come to rest, complementary slackness (18) and the identity
// Z_kk = 1 − Σ_{l≠k} Z_kl Λ_lk / Λ_kk for Z = HᵀDH, which is why the constraint holds only for clusters that do not overlap.
func TestSNMFNcutFixedPoint(t *testing.T) {
	const tol = 1e-6 // the run stops at steps of 1e-12; the identity is as exact as the point is fixed
	for _, alpha := range []float64{0.01, 1, 10} {
		for _, spread := range []float64{0.05, 1} {
			t.Run(fmt.Sprintf("alpha=%g,spread=%g", alpha, spread), func(t *testing.T) {
				w := blobs(45, spread, 3)
				m := SNMFNcut{K: 3, Alpha: alpha}
				res, err := m.Fit(context.Background(), w, Options{Seed: 1, MaxIter: 200_000, Tol: 1e-12, Restarts: 4})
				if err != nil {
					t.Fatal(err)
				}
				if res.Status != Converged {
					t.Fatalf("%v; the test needs a fixed point", res)
				}
				g, err := newGraph(w)
				if err != nil {
					t.Fatal(err)
				}
				var wh, gram, hg, dh, dhl, z mat.Dense
				d := mat.NewDiagDense(g.n, g.degree)
				wh.Mul(w, res.H)
				gram.Mul(res.H.T(), res.H)
				hg.Mul(res.H, &gram)
				dh.Mul(d, res.H)
				dhl.Mul(&dh, res.Lambda)
				z.Mul(res.H.T(), &dh)
				for i := range g.n {
					for k := range 3 {
						if slack := ((1+alpha)*wh.At(i, k) - hg.At(i, k) - dhl.At(i, k)) * res.H.At(i, k); math.Abs(slack) > tol {
							t.Errorf("(18) at [%d,%d] is %g, want 0", i, k, slack)
						}
					}
				}
				for k := range 3 {
					want := 1.0
					for l := range 3 {
						if l != k {
							want -= z.At(k, l) * res.Lambda.At(l, k) / res.Lambda.At(k, k)
						}
					}
					if got := z.At(k, k); math.Abs(got-want) > tol {
						t.Errorf("Z[%d,%d] = %.9g, the identity says %.9g", k, k, got, want)
					}
				}
				residual := res.Trace.Orthogonality[res.Iterations]
				if apart := spread < 0.1; apart != (residual < 1e-3) {
					t.Errorf("‖HᵀDH−I‖ = %g; blobs apart: %v", residual, apart)
				}
			})
		}
	}
}

// TestSNMFNcutObjective compares the objective from traces, and the residuals, with their definitions.
func TestSNMFNcutObjective(t *testing.T) {
	const tol = 1e-11 // relative to ‖W‖², which cancels
	w := blobs(30, 1, 4)
	g, err := newGraph(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []SNMFNcut{{K: 4, Alpha: 0.3}, {K: 4, Alpha: 0.3, NonOrthogonal: true}} {
		res, err := m.Fit(context.Background(), w, Options{MaxIter: 7, Tol: -1})
		if err != nil {
			t.Fatal(err)
		}
		var hh, r, l, dh, z mat.Dense
		hh.Mul(res.H, res.H.T())
		r.Sub(w, &hh)
		l.Sub(mat.NewDiagDense(g.n, g.degree), w)
		dh.Mul(&l, res.H)
		z.Mul(res.H.T(), &dh)
		want := math.Pow(mat.Norm(&r, 2), 2) + 2*m.Alpha*mat.Trace(&z)
		if math.Abs(res.Objective-want) > tol*g.norm2 {
			t.Errorf("%v: objective %.15g, by (3) it is %.15g", m, res.Objective, want)
		}
		dh.Mul(mat.NewDiagDense(g.n, g.degree), res.H)
		z.Mul(res.H.T(), &dh)
		feasibility := 0.0
		for k := range m.K {
			z.Set(k, k, z.At(k, k)-1)
			feasibility = max(feasibility, math.Abs(z.At(k, k)))
		}
		if m.NonOrthogonal {
			feasibility = 0
		}
		if got, want := res.Trace.Orthogonality[7], mat.Norm(&z, 2); math.Abs(got-want) > tol*want {
			t.Errorf("%v: orthogonality %g, want %g", m, got, want)
		}
		if got := res.Trace.Feasibility[7]; math.Abs(got-feasibility) > tol*max(1, feasibility) {
			t.Errorf("%v: feasibility %g, want %g", m, got, feasibility)
		}
	}
}

// TestSNMFNcutStart checks what the start is: in (0,1], scaled unless the method says otherwise, and a given one in run 0 only.
func TestSNMFNcutStart(t *testing.T) {
	w := blobs(20, 1, 5)
	h0 := mat.NewDense(20, 3, nil)
	for i := range 20 {
		h0.Set(i, i%3, 0.5)
	}
	for _, c := range []struct {
		name   string
		m      SNMFNcut
		scaled bool
	}{
		{name: "random", m: SNMFNcut{K: 3}, scaled: true},
		{name: "random unscaled", m: SNMFNcut{K: 3, Unscaled: true}},
		{name: "random non-orthogonal", m: SNMFNcut{K: 3, NonOrthogonal: true}},
		{name: "given", m: SNMFNcut{K: 3, H0: h0}, scaled: true},
		{name: "given unscaled", m: SNMFNcut{K: 3, H0: h0, Unscaled: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := stateOf(c.m, w, 1)
			if err != nil {
				t.Fatal(err)
			}
			for a := range 3 {
				if z := s.hdh[a*3+a]; (math.Abs(z-1) < 1e-12) != c.scaled {
					t.Errorf("column %d has hᵀDh = %g; scaled: %v", a, z, c.scaled)
				}
			}
			for i, x := range s.h {
				given := c.m.H0 != nil
				if given != (x == 0) && (!given || i%20%3 != i/20) {
					t.Fatalf("entry %d of the start is %g", i, x)
				}
				if !c.scaled && (x > 1 || given && x != 0 && x != 0.5) {
					t.Fatalf("entry %d of the start is %g", i, x)
				}
			}
			s.start(1, rand.New(rand.NewPCG(1, 0)))
			if slices.Contains(s.h, 0) {
				t.Error("the start of run 1 has a zero: only run 0 begins from H0")
			}
		})
	}
}

// TestSNMFNcutContinues goes on from an earlier result: 5 + 5 iterations are 10.
func TestSNMFNcutContinues(t *testing.T) {
	w := blobs(30, 1, 6)
	fit := func(m SNMFNcut, iterations int) *SNMFNcutResult {
		t.Helper()
		res, err := m.Fit(context.Background(), w, Options{Seed: 3, MaxIter: iterations, Tol: -1})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	whole := fit(SNMFNcut{K: 3, Alpha: 1}, 10)
	first := fit(SNMFNcut{K: 3, Alpha: 1}, 5)
	second := fit(SNMFNcut{K: 3, Alpha: 1, Unscaled: true, H0: first.H}, 5)
	if !mat.Equal(whole.H, second.H) {
		t.Error("5 iterations, and 5 more from their H, do not give the H of 10")
	}
}

func TestSNMFNcutStepAllocatesNothing(t *testing.T) {
	for _, m := range []SNMFNcut{{K: 3, Alpha: 1}, {K: 3, Alpha: 1, NonOrthogonal: true}} {
		s, err := stateOf(m, blobs(50, 1, 7), 1)
		if err != nil {
			t.Fatal(err)
		}
		var p Point
		if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&p) }); n != 0 {
			t.Errorf("%v: %g allocations in a step, want 0", m, n)
		}
	}
}

func BenchmarkSNMFNcutStep(b *testing.B) {
	for _, n := range []int{500, 1000, 2000} {
		b.Run(fmt.Sprintf("n=%d,k=10", n), func(b *testing.B) {
			s, err := stateOf(SNMFNcut{K: 10, Alpha: 1}, blobs(n, 1, 8), 1)
			if err != nil {
				b.Fatal(err)
			}
			var p Point
			b.ReportAllocs()
			for b.Loop() {
				s.step()
				s.measure(&p)
			}
		})
	}
}

// TestSNMFNcutFlush: negligible entries end as zeros, without a row losing its last entry.
func TestSNMFNcutFlush(t *testing.T) {
	s, err := stateOf(SNMFNcut{K: 3, Alpha: 1}, blobs(60, 0.05, 9), 2)
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		s.step()
	}
	zeros := 0
	for i := range s.n {
		top := max(s.h[i], s.h[s.n+i], s.h[2*s.n+i])
		if top == 0 {
			t.Errorf("row %d is zero", i)
		}
		for a := range s.k {
			switch h := s.h[a*s.n+i]; {
			case h == 0:
				zeros++
			case h < negligible*top:
				t.Errorf("H[%d,%d] = %g is negligible beside %g", i, a, h, top)
			}
		}
	}
	if zeros == 0 {
		t.Error("no entry was flushed: the test needs blobs further apart")
	}
}
