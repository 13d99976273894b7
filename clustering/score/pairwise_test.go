package score

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPairs counts pairs one by one.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	share := func(part, whole float64) float64 {
		if whole == 0 {
			return 1
		}
		return part / whole
	}
	for range 200 {
		n := 1 + rng.IntN(12)
		truth, labels := make([]int, n), make([]int, n)
		for i := range n {
			truth[i], labels[i] = rng.IntN(1+rng.IntN(4))-1, rng.IntN(1+rng.IntN(12))-1
		}
		both, put, belong := 0.0, 0.0, 0.0
		for i := range n {
			for j := range i {
				if labels[i] == labels[j] {
					put++
				}
				if truth[i] == truth[j] {
					belong++
					if labels[i] == labels[j] {
						both++
					}
				}
			}
		}
		want := Pairwise{share(both, put), share(both, belong), share(2*both, put+belong)}
		got, err := Pairs(truth, labels)
		f, errF := F(truth, labels)
		if err != nil || errF != nil || got != want || f != got.F {
			t.Fatalf("of %v and %v: %+v, %v, %v; want %+v", truth, labels, got, err, errF, want)
		}
		if p := got; p.Precision+p.Recall > 0 && belong+put > 0 && put > 0 && belong > 0 &&
			math.Abs(p.F-2*p.Precision*p.Recall/(p.Precision+p.Recall)) > tol {
			t.Fatalf("F of %+v is no harmonic mean", p)
		}
	}
	if _, err := Pairs([]int{0}, nil); err == nil || err.Error() != "score: Pairs: 1 true labels but 0 predicted ones" {
		t.Errorf("got error %v", err)
	}
}
