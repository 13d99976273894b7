package clustering

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// RMKCWeights is (17).
func RMKCWeights(r []float64, rho float64) []float64 {
	alpha := make([]float64, len(r))
	rmkcWeightsTo(alpha, r, make([]float64, len(r)), rho)
	return alpha
}

// RMKCNoise is the whole E_i of the given kernel after some iterations, which no fit ever holds: (6) from the K and the norms s that the
// last iteration began with.
func RMKCNoise(m RMKC, kernels []*mat.Dense, iterations, i int) *mat.Dense {
	s := newRMKCState(m, kernels)
	s.start(0, rand.New(rand.NewPCG(0, 0)))
	for range iterations {
		s.step()
	}
	e := mat.NewDense(s.n, s.n, nil)
	norms := s.next[i*s.n:] // step exchanged them, and k with b
	for j := range s.n {
		for l := range s.n {
			if t := 4*(norms[j]+norms[l]) + m.Gamma1; t > 0 {
				e.Set(j, l, 4*norms[j]*(kernels[i].At(j, l)-s.b.At(min(j, l), max(j, l)))/t)
			}
		}
	}
	return e
}
