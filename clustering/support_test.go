package clustering

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// points returns n points in the plane around three centres, point i around centre i%3. A spread of 0.1 keeps the blobs apart, 1
// makes them overlap.
func points(n int, spread float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	centres := [3][2]float64{{0, 0}, {3, 0}, {0, 3}}
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		for c := range 2 {
			x.Set(i, c, centres[i%3][c]+spread*rng.NormFloat64())
		}
	}
	return x
}

// blobs returns the Gaussian affinity of points. It does not use package affinity, which tests of this package must not need.
func blobs(n int, spread float64, seed uint64) *mat.Dense {
	x := points(n, spread, seed)
	w := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			w.Set(i, j, math.Exp(-math.Pow(x.At(i, 0)-x.At(j, 0), 2)-math.Pow(x.At(i, 1)-x.At(j, 1), 2)))
		}
	}
	return w
}

// randomAffinity returns a dense symmetric matrix with entries in (0,1].
func randomAffinity(n int, rng *rand.Rand) *mat.Dense {
	w := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i + 1 {
			x := 1 - rng.Float64()
			w.Set(i, j, x)
			w.Set(j, i, x)
		}
	}
	return w
}

// stateOf returns m's state on w at its start from seed.
func stateOf(m SNMFNcut, w *mat.Dense, seed uint64) (*snmfncutState, error) {
	g, _, err := m.validate(w)
	if err != nil {
		return nil, err
	}
	s := newSNMFNcutState(m, g)
	s.start(0, rand.New(rand.NewPCG(seed, 0)))
	return s, nil
}
