package clustering

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// consensusOf returns W̃ = Σ w_m W^m from the labels alone.
func consensusOf(p *Partitions, weights []float64) *mat.Dense {
	w := mat.NewDense(p.n, p.n, nil)
	for i := range p.n {
		for j := range p.n {
			for m, list := range p.labels {
				if list[i] == list[j] && list[i] != Unassigned {
					w.Set(i, j, w.At(i, j)+weights[m])
				}
			}
		}
	}
	return w
}

// distance2 is ‖W̃ − HSHᵀ‖² by its definition.
func distance2(w, h, s *mat.Dense) float64 {
	var hs, d mat.Dense
	hs.Mul(h, s)
	d.Mul(&hs, h.T())
	d.Sub(w, &d)
	return math.Pow(mat.Norm(&d, 2), 2)
}

// randomConsensus returns a state at a random start, and its weights made unequal.
func randomConsensus(p *Partitions, k int, rng *rand.Rand) *consensus {
	c := newConsensus(p, p.contingency(), &consensusStart{k: k})
	c.start(0, rng)
	for m := range c.weights {
		c.weights[m] = rng.Float64()
	}
	floats.Scale(1/floats.Sum(c.weights), c.weights)
	c.weigh()
	c.objective = c.value()
	return c
}

// TestConsensusStep compares a step, and the objective, with the formulas as they stand, on dense matrices.
func TestConsensusStep(t *testing.T) {
	const tol = 1e-12 // sums of some hundred terms, relative to ‖W̃‖² for the objective, which cancels
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		p := randomPartitions(6+rng.IntN(20), 1+rng.IntN(6), 1+rng.IntN(4), 0.2, rng)
		c := randomConsensus(p, 1+rng.IntN(4), rng)
		w := consensusOf(p, c.weights)
		size := math.Pow(mat.Norm(w, 2), 2)
		if got := c.norm2(); math.Abs(got-size) > tol*size {
			t.Fatalf("‖W̃‖² is %.15g, want %.15g", got, size)
		}
		for it := range 4 {
			kept := c.keep()
			if want := distance2(w, kept.h, kept.s); math.Abs(c.objective-want) > tol*max(size, want) {
				t.Fatalf("iteration %d: objective %.15g, by definition it is %.15g", it, c.objective, want)
			}
			h, s := kept.h, kept.s
			var wh, num, hwhs, den mat.Dense
			wh.Mul(w, h)
			num.Mul(&wh, s)
			hwhs.Mul(h.T(), &num)
			den.Mul(h, &hwhs)
			multiplyRoots(h, &num, &den)
			var whNew, hwh, hh, hhs, hhshh mat.Dense
			whNew.Mul(w, h)
			hwh.Mul(h.T(), &whNew)
			hh.Mul(h.T(), h)
			hhs.Mul(&hh, s)
			hhshh.Mul(&hhs, &hh)
			multiplyRoots(s, &hwh, &hhshh)
			c.step()
			after := c.keep()
			if !mat.EqualApprox(after.h, h, tol) || !mat.EqualApprox(after.s, s, tol*mat.Max(s)) {
				t.Fatalf("step %d is not that of the formulas", it)
			}
			var point Point
			c.measure(&point)
			hh.Sub(&hh, mat.NewDiagDense(c.k, slices.Repeat([]float64{1}, c.k)))
			if want := mat.Norm(&hh, 2); math.Abs(point.Orthogonality-want) > tol*max(1, want) {
				t.Fatalf("orthogonality %.15g, want %.15g", point.Orthogonality, want)
			}
		}
	}
}

// multiplyRoots is x ∘ √(num/den), 0 where den is.
func multiplyRoots(x, num, den *mat.Dense) {
	x.Apply(func(i, j int, v float64) float64 {
		if den.At(i, j) == 0 {
			return 0
		}
		return v * math.Sqrt(num.At(i, j)/den.At(i, j))
	}, x)
}

// TestContingency compares Q with inner products of dense matrices, to the bit: all numbers are whole.
func TestContingency(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 30 {
		p := randomPartitions(1+rng.IntN(20), 1+rng.IntN(5), 1+rng.IntN(5), 0.3, rng)
		q := p.contingency()
		for a := range p.Len() {
			for b := range p.Len() {
				unit := func(m int) *mat.Dense {
					w := make([]float64, p.Len())
					w[m] = 1
					return consensusOf(p, w)
				}
				var product mat.Dense
				product.MulElem(unit(a), unit(b))
				if got, want := q[a*p.Len()+b], mat.Sum(&product); got != want {
					t.Fatalf("%v: Q[%d,%d] = %g, want %g", p.Labels(), a, b, got, want)
				}
			}
		}
	}
}

// TestConsensusOfSNeverRises: for a fixed H the update of S does not let the objective rise. (That of H may: H is on its way to
// HᵀH = I.)
func TestConsensusOfSNeverRises(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 30 {
		p := randomPartitions(20, 5, 4, 0.2, rng)
		c := randomConsensus(p, 3, rng)
		for range 20 {
			before := c.value()
			multiplyRootTo(c.s, c.hwh, c.hshsh)
			if after := c.value(); after > before+ascentTol*max(before, c.norm2()) {
				t.Fatalf("the objective rises from %.15g to %.15g", before, after)
			}
			for a := range c.k {
				for b := range a {
					if c.s[a*c.k+b] != c.s[b*c.k+a] {
						t.Fatalf("S is not symmetric: %v", c.s)
					}
				}
			}
			c.step()
		}
	}
}

// TestConsensusStart: unit columns, an indicator matrix plus a constant or anything in (0,1], S = HᵀW̃H; a given H in run 0 alone.
func TestConsensusStart(t *testing.T) {
	p := must([]int{0, 0, 0, 1, 1, 1, -1}, []int{0, 0, 0, 1, 1, 1, -1}, []int{0, 0, 1, 1, 1, 1, -1})
	h0 := filled(7, 2, 0.5)
	h0.Set(0, 0, 2)
	for _, c := range []struct {
		name   string
		random bool
		h0     *mat.Dense
		run    int
		unit   bool
		values int // different entries in a column of H; 0: any
	}{
		{name: "spectral", unit: true, values: 2},
		{name: "random", random: true, unit: true},
		{name: "given", h0: h0},
		{name: "given, run 1", h0: h0, run: 1, unit: true, values: 2},
		{name: "given, run 1 random", random: true, h0: h0, run: 1, unit: true},
	} {
		begin, warnings := newConsensusStart(p, 2, c.random, c.h0, Options{Restarts: 2})
		if len(warnings) > 0 {
			t.Errorf("%s: warnings %q", c.name, warnings)
		}
		s := newConsensus(p, p.contingency(), begin)
		s.start(c.run, rand.New(rand.NewPCG(1, 1)))
		kept := s.keep()
		if !c.unit && !mat.Equal(kept.h, h0) {
			t.Errorf("%s: H is %v", c.name, mat.Formatted(kept.h))
		}
		var wh, want mat.Dense
		wh.Mul(consensusOf(p, []float64{1. / 3, 1. / 3, 1. / 3}), kept.h)
		want.Mul(kept.h.T(), &wh)
		if !mat.EqualApprox(kept.s, &want, 1e-13) { // sums of 49 terms
			t.Errorf("%s: S is %v, want %v", c.name, mat.Formatted(kept.s), mat.Formatted(&want))
		}
		for a := range 2 {
			column := mat.Col(nil, a, kept.h)
			if got := floats.Norm(column, 2); c.unit && math.Abs(got-1) > 1e-15 {
				t.Errorf("%s: column %d has the length %g", c.name, a, got)
			}
			slices.Sort(column)
			if column[0] <= 0 {
				t.Errorf("%s: column %d has the entry %g", c.name, a, column[0])
			}
			column = slices.Compact(column)
			if c.values > 0 && (len(column) != c.values || math.Abs(column[1]/column[0]-6) > 1e-12) { // 1.2 and 0.2
				t.Errorf("%s: column %d has the entries %v", c.name, a, column)
			}
		}
	}
}

// TestNMFCStartsAtTheSpectralClusters: that start is near the end; a random one is far from it.
func TestNMFCStartsAtTheSpectralClusters(t *testing.T) {
	truth := make([]int, 60)
	for i := range truth {
		truth[i] = i % 3
	}
	p, err := Perturb{Rate: 0.3, Count: 20}.Of(truth, 1)
	if err != nil {
		t.Fatal(err)
	}
	spectral, err := NMFC{K: 3}.Fit(t.Context(), p, Options{MaxIter: 20, Tol: -1})
	if err != nil {
		t.Fatal(err)
	}
	groups := make([][]int, 3)
	for i, l := range truth {
		groups[l] = append(groups[l], i)
	}
	checkGroups(t, spectral.Labels, groups)
	random, err := NMFC{K: 3, RandomStart: true}.Fit(t.Context(), p, Options{MaxIter: 20, Tol: -1})
	if err != nil {
		t.Fatal(err)
	}
	if random.Objective < spectral.Objective {
		t.Errorf("objective %g of a random start, %g of a spectral one", random.Objective, spectral.Objective)
	}
}

// TestNMFCWithoutMemoryForTheStart: the spectral start needs no N×N matrix, unless K is a large part of N; then it is random, and a
// warning says so.
func TestNMFCWithoutMemoryForTheStart(t *testing.T) {
	p := randomPartitions(200, 4, 3, 0, rand.New(rand.NewPCG(5, 1)))
	want, err := NMFC{K: 3, RandomStart: true}.Fit(t.Context(), p, Options{MaxIter: 5})
	if err != nil || len(want.Warnings) > 0 {
		t.Fatal(want, err)
	}
	t.Setenv("ORTHANT_MEMORY", "1M")
	got, err := NMFC{K: 3}.Fit(t.Context(), p, Options{MaxIter: 5})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(got.H, want.H) || len(got.Warnings) != 1 || !strings.HasPrefix(got.Warnings[0], "the start is random, not spectral: ") ||
		!strings.Contains(got.Warnings[0], "640000 bytes") {
		t.Errorf("warnings %q", got.Warnings)
	}
	large, err := NMFC{K: 3}.Fit(t.Context(), randomPartitions(400, 4, 3, 0, rand.New(rand.NewPCG(5, 1))), Options{MaxIter: 5})
	if err != nil || len(large.Warnings) > 0 {
		t.Errorf("400 objects: %v, %v", large, err)
	}
}
