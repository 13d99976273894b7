package clustering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/simplex"
)

// sumTol is the rounding of a sum of weights that is 1 in exact arithmetic: of some ten terms, none above 1.
const sumTol = 1e-14

// TestINAProperties: J never rises, and the weights of an object are a point of the simplex on the partitions that it is in.
func TestINAProperties(t *testing.T) {
	for _, lambda := range []float64{0, 0.1, 1, 10, 100} {
		for _, inner := range []int{1, 10} {
			t.Run(fmt.Sprintf("lambda=%g,inner=%d", lambda, inner), func(t *testing.T) {
				for seed := range uint64(8) {
					rng := rand.New(rand.NewPCG(seed, 1))
					n := 5 + rng.IntN(30)
					p := randomPartitions(n, 1+rng.IntN(8), 1+rng.IntN(6), 0.4*rng.Float64(), rng)
					m := INA{K: 1 + rng.IntN(5), Lambda: lambda, Inner: inner}
					res, err := m.Fit(t.Context(), p, Options{Seed: seed, MaxIter: 150, Tol: -1})
					if err != nil {
						t.Fatal(err)
					}
					if len(res.Trace.Objective) != 151 {
						t.Fatalf("the trace has %d entries, want 151", len(res.Trace.Objective))
					}
					neverRises(t, fmt.Sprintf("%v, %v", m, p), res.Trace.Objective, (1+lambda)*float64(n))
					checkWeights(t, p, res.Psi)
					if worst := floats.Max(res.Trace.Feasibility); worst > sumTol {
						t.Errorf("%v: the weights sum to 1 but for %g", m, worst)
					}
				}
			})
		}
	}
}

// checkWeights fails unless the rows of psi are points of the simplex on the support of p.
func checkWeights(t *testing.T, p *Partitions, psi *mat.Dense) {
	t.Helper()
	for i := range p.n {
		want := 1.0
		if len(p.clustersOf(i)) == 0 {
			want = 0
		}
		if got := mat.Sum(psi.RowView(i)); math.Abs(got-want) > sumTol {
			t.Errorf("the weights of object %d sum to %.17g, want %g", i, got, want)
		}
		for m, list := range p.labels {
			if x := psi.At(i, m); x < 0 || list[i] == Unassigned && x != 0 {
				t.Errorf("the weight of object %d, with label %d, for partition %d is %g", i, list[i], m, x)
			}
		}
	}
}

// TestINAObjective compares the objective from traces with its definition (7).
func TestINAObjective(t *testing.T) {
	const tol = 1e-14 // relative to the terms, which cancel
	rng := rand.New(rand.NewPCG(1, 1))
	p := randomPartitions(30, 6, 4, 0.2, rng)
	s := newINAState(INA{K: 3, Lambda: 0.7}, p)
	s.start(0, rng)
	for it := range 10 {
		kept := s.keep()
		psi, err := p.Weighted(kept.psi)
		if err != nil {
			t.Fatal(err)
		}
		var d mat.Dense
		d.Mul(kept.h, kept.w.T())
		size := math.Pow(mat.Norm(&d, 2), 2) + 2*30
		d.Sub(psi, &d)
		want := math.Pow(mat.Norm(&d, 2), 2) + s.m.Lambda*math.Pow(mat.Norm(psi, 2), 2)
		var point Point
		if s.measure(&point); math.Abs(point.Objective-want) > tol*size {
			t.Errorf("iteration %d: objective %.15g, by (7) it is %.15g", it, point.Objective, want)
		}
		for m, got := range point.Weights {
			if mean := mat.Sum(kept.psi.ColView(m)) / 30; math.Abs(got-mean) > sumTol {
				t.Errorf("iteration %d: weight %d is %.15g, the mean is %.15g", it, m, got, mean)
			}
		}
		s.step()
	}
}

// TestINAWeightsAreTheMinimum compares (8) with a general solver of quadratic programmes: κ minimises ‖κ−L*‖² + λ‖κ‖² on the simplex.
func TestINAWeightsAreTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 500 {
		n, lambda := 1+rng.IntN(8), math.Exp(3*rng.NormFloat64())
		if rng.IntN(4) == 0 {
			lambda = 0
		}
		lstar, q := make([]float64, n), make([]float64, n*n)
		for i := range n {
			lstar[i] = 3 * float64(rng.IntN(3)) * rng.Float64() // zeros among them
			q[i*n+i] = 1 + lambda
		}
		kappa, want := make([]float64, n), make([]float64, n)
		kappaTo(kappa, lstar, lambda, make([]float64, n+2))
		if err := simplex.NewQP(n).Solve(want, q, lstar); err != nil {
			t.Fatal(err)
		}
		if !floats.EqualApprox(kappa, want, 1e-12) { // two ways to solve a system of condition 1
			t.Fatalf("λ = %g, L* = %v: κ = %v, want %v", lambda, lstar, kappa, want)
		}
	}
}

// TestINAWithLargeLambdaIsNMFE: the weights become equal, and H that of NMFE from the same start.
func TestINAWithLargeLambdaIsNMFE(t *testing.T) {
	const lambda = 1e10
	const tol = 1e-7 // 1/λ, and what 50 iterations make of it
	p := randomPartitions(30, 5, 4, 0, rand.New(rand.NewPCG(3, 1)))
	opts := Options{Seed: 3, MaxIter: 50, Tol: -1}
	ina, err := INA{K: 3, Lambda: lambda}.Fit(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	nmfe, err := NMFE{K: 3}.Fit(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(ina.Psi, filled(30, 5, 0.2), 1/lambda*10) {
		t.Errorf("weights %v, want all of them 1/5", mat.Formatted(ina.Psi))
	}
	if !mat.EqualApprox(ina.H, nmfe.H, tol) || !slices.Equal(ina.Labels, nmfe.Labels) {
		t.Error("another H than that of NMFE")
	}
	var w mat.Dense
	w.Scale(5, ina.W)
	if !mat.EqualApprox(&w, nmfe.W, tol) {
		t.Error("another W than that of NMFE, divided by the partitions")
	}
}

// TestINAFindsReliableClusters: where each partition is right about one class and wrong about the others, INA finds more of the
// classes than NMFE does; this is what the paper is about.
func TestINAFindsReliableClusters(t *testing.T) {
	const trials = 10
	truth := make([]int, 100)
	for i := range truth {
		truth[i] = i % 5
	}
	pairs := func(labels []int) (right int) { // pairs that are together, or apart, as in the truth
		for i := range labels {
			for j := range i {
				if (labels[i] == labels[j]) == (truth[i] == truth[j]) {
					right++
				}
			}
		}
		return right
	}
	ina, nmfe := 0, 0
	for seed := range uint64(trials) {
		p, err := NewPerturb().Of(truth, seed)
		if err != nil {
			t.Fatal(err)
		}
		a, err := NewINA(5).Fit(t.Context(), p, Options{Seed: seed, MaxIter: 200})
		if err != nil {
			t.Fatal(err)
		}
		b, err := NMFE{K: 5}.Fit(t.Context(), p, Options{Seed: seed, MaxIter: 200})
		if err != nil {
			t.Fatal(err)
		}
		ina += pairs(a.Labels)
		nmfe += pairs(b.Labels)
	}
	all := trials * 100 * 99 / 2
	t.Logf("right pairs: INA %.3f, NMFE %.3f", float64(ina)/float64(all), float64(nmfe)/float64(all))
	if ina <= nmfe {
		t.Errorf("of %d pairs INA has %d right, NMFE %d", all, ina, nmfe)
	}
}

func TestINAHistory(t *testing.T) {
	p := randomPartitions(20, 4, 3, 0.2, rand.New(rand.NewPCG(4, 1)))
	opts := Options{Seed: 2, Restarts: 4, MaxIter: 12, Tol: -1}
	res, err := INA{K: 3, Lambda: 0.2, History: true}.Fit(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.History) != 13 || len(res.Trace.Weights) != 13 {
		t.Fatalf("%d and %d entries, want 13", len(res.History), len(res.Trace.Weights))
	}
	present := 0.0
	for i := range p.n {
		if len(p.clustersOf(i)) > 0 {
			present++
		}
	}
	for it, psi := range res.History {
		checkWeights(t, p, psi)
		for m, got := range res.Trace.Weights[it] {
			if mean := mat.Sum(psi.ColView(m)) / present; math.Abs(got-mean) > sumTol {
				t.Errorf("iteration %d: the trace has %g for partition %d, the mean is %g", it, got, m, mean)
			}
		}
	}
	if !mat.Equal(res.History[12], res.Psi) || mat.Equal(res.History[11], res.Psi) {
		t.Error("the history does not end at the weights")
	}
	for i := range p.n {
		some := len(p.clustersOf(i))
		if got := slices.Max(res.History[0].RawRowView(i)); some > 0 && got != 1/float64(some) {
			t.Errorf("object %d in %d partitions begins with a weight %g", i, some, got)
		}
	}
	without, err := INA{K: 3, Lambda: 0.2}.Fit(t.Context(), p, opts)
	if err != nil || without.History != nil || !mat.Equal(without.H, res.H) {
		t.Errorf("without a history: %v, %v", without, err)
	}
	t.Setenv("ORTHANT_MEMORY", "1M")
	_, err = INA{K: 3, History: true}.Fit(t.Context(), p, Options{Workers: 1}) // 8·20·4·1001·2 bytes
	if err == nil || !strings.HasPrefix(err.Error(), "clustering: INA: History of 1000 iterations needs up to 1281280 bytes") {
		t.Errorf("got error %v", err)
	}
}

func TestWeighted(t *testing.T) {
	p := must([]int{0, 1, -1}, []int{1, 1, 0})
	got, err := p.Weighted(mat.NewDense(3, 2, []float64{0.25, 0.75, 0.5, 0.5, 9, 1}))
	want := mat.NewDense(3, 4, []float64{0.25, 0, 0, 0.75, 0, 0.5, 0, 0.5, 0, 0, 1, 0})
	if err != nil || !mat.Equal(got, want) {
		t.Errorf("got %v, %v", mat.Formatted(got), err)
	}
	var none *Partitions
	for _, c := range []struct {
		p    *Partitions
		psi  *mat.Dense
		want string
	}{
		{none, filled(3, 2, 1), "the partitions are nil"},
		{p, nil, "the weights are nil"},
		{p, filled(3, 4, 1), "the weights are 3×4, want 3×2"},
		{p, &mat.Dense{}, "the weights are 0×0, want 3×2"},
	} {
		if _, err := c.p.Weighted(c.psi); err == nil || !strings.HasPrefix(err.Error(), "clustering: Weighted: "+c.want) {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
}
