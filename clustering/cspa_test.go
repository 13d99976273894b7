package clustering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestCSPAIsSpectralOfTheCoAssociation compares with the method that makes the n×n matrix, to the bit of the labels.
func TestCSPAIsSpectralOfTheCoAssociation(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	more, less := 0, 0
	for range 40 {
		p := randomPartitions(12+rng.IntN(30), 6+rng.IntN(8), 3, 0.1, rng)
		if p.n < p.columns() {
			more++
		} else {
			less++
		}
		const k = 3
		w, err := p.CoAssociation()
		if err != nil {
			t.Fatal(err)
		}
		opts := Options{Seed: rng.Uint64(), Restarts: 5}
		want, err := Spectral{K: k}.Fit(t.Context(), w, opts)
		if err != nil {
			t.Fatal(err)
		}
		got, err := CSPA{K: k}.Fit(t.Context(), p, opts)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Eigenvalues) != min(p.n, p.columns()) {
			t.Errorf("%v: %d eigenvalues", p, len(got.Eigenvalues))
		}
		for c, x := range want.Eigenvalues {
			y := 0.0
			if c < len(got.Eigenvalues) {
				y = got.Eigenvalues[c]
			}
			if math.Abs(x-y) > 1e-13 {
				t.Errorf("%v: eigenvalue %d is %v, want %v", p, c, y, x)
			}
		}
		if want.Eigenvalues[k-1]-want.Eigenvalues[k] < 1e-3 || want.Eigenvalues[1]-want.Eigenvalues[2] < 1e-3 {
			continue // vectors that are not determined
		}
		if !mat.EqualApprox(got.Embedding, want.Embedding, vectorTol) {
			t.Errorf("%v: embedding %v, want %v", p, mat.Formatted(got.Embedding), mat.Formatted(want.Embedding))
		}
		if !sameGroups(got.Labels, want.Labels) || math.Abs(got.Objective-want.Objective) > 1e-9 {
			t.Errorf("%v: %v with labels %v, want %v with %v", p, got, got.Labels, want, want.Labels)
		}
	}
	if more == 0 || less == 0 {
		t.Errorf("%d inputs with fewer objects than clusters, %d others: both ways must be tested", more, less)
	}
}
