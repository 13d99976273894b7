package clustering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// TestWCCProgramme compares c with inner products of dense matrices, and the objective with wᵀQw − 2cᵀw + ‖HSHᵀ‖².
func TestWCCProgramme(t *testing.T) {
	const tol = 1e-12 // sums of some hundred terms
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		p := randomPartitions(6+rng.IntN(20), 1+rng.IntN(6), 1+rng.IntN(4), 0.2, rng)
		k := 1 + rng.IntN(4)
		s := newWCCState(WCC{K: k, Inner: 2}, p, p.contingency(), &consensusStart{k: k})
		s.start(0, rng)
		s.step()
		s.linear()
		kept := s.keep()
		var hs, hsh mat.Dense
		hs.Mul(kept.h, kept.s)
		hsh.Mul(&hs, kept.h.T())
		linear := 0.0
		for m, got := range s.c {
			unit := make([]float64, p.Len())
			unit[m] = 1
			var product mat.Dense
			product.MulElem(consensusOf(p, unit), &hsh)
			if want := mat.Sum(&product); math.Abs(got-want) > tol*max(1, want) {
				t.Fatalf("c[%d] = %.15g, want %.15g", m, got, want)
			}
			linear += got * s.weights[m]
		}
		want := s.norm2() - 2*linear + math.Pow(mat.Norm(&hsh, 2), 2)
		if math.Abs(s.objective-want) > tol*max(1, s.norm2()) {
			t.Fatalf("objective %.15g, want %.15g", s.objective, want)
		}
		if d := distance2(consensusOf(p, kept.weights), kept.h, kept.s); math.Abs(s.objective-d) > tol*max(1, s.norm2()) {
			t.Fatalf("objective %.15g, by definition it is %.15g", s.objective, d)
		}
	}
}

// TestWCCWeights: they are on the simplex, no other weights are better for the same H and S, and the step to them does not let the
// objective rise.
func TestWCCWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 20 {
		p := randomPartitions(15, 2+rng.IntN(5), 4, 0.1, rng)
		s := newWCCState(WCC{K: 3, Inner: 1}, p, p.contingency(), &consensusStart{k: 3})
		s.start(0, rng)
		other := make([]float64, p.Len())
		for range 10 {
			before := make([]float64, p.Len())
			copy(before, s.weights)
			s.step()
			if math.Abs(floats.Sum(s.weights)-1) > sumTol || floats.Min(s.weights) < 0 {
				t.Fatalf("weights %v", s.weights)
			}
			value := func(w []float64) float64 {
				v := -2 * thin.Dot(s.c, w)
				for m := range w {
					v += w[m] * thin.Dot(s.q[m*len(w):(m+1)*len(w)], w)
				}
				return v
			}
			best, size := value(s.weights), floats.Max(s.q)
			if v := value(before); v < best-ascentTol*size {
				t.Fatalf("weights %v with %.15g, those before had %.15g", s.weights, best, v)
			}
			for range 50 {
				for m := range other {
					other[m] = rng.ExpFloat64() // normalised, uniform on the simplex
				}
				floats.Scale(1/floats.Sum(other), other)
				if v := value(other); v < best-ascentTol*size {
					t.Fatalf("weights %v with %.15g, %v have %.15g", s.weights, best, other, v)
				}
			}
		}
	}
}

// TestWCCDistrustsNoise: partitions that are all alike have more weight than one at random.
func TestWCCDistrustsNoise(t *testing.T) {
	truth := []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}
	p := must(truth, truth, truth, []int{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2})
	res, err := WCC{K: 3}.Fit(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkGroups(t, res.Labels, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}})
	if noise := res.Weights[3]; noise > 1e-6 || math.Abs(res.Weights[0]-res.Weights[2]) > 1e-6 {
		t.Errorf("weights %v, want those of the first three equal, and the last 0", res.Weights)
	}
	first, last := res.Trace.Weights[0], res.Trace.Weights[res.Iterations]
	if !floats.Equal(last, res.Weights) || !floats.Equal(first, []float64{0.25, 0.25, 0.25, 0.25}) {
		t.Errorf("the trace goes from %v to %v, the result has %v", first, last, res.Weights)
	}
}
