package clustering

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// randomObjects returns n objects of m features in (0,1].
func randomObjects(n, m int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, m, nil)
	uniformTo(x.RawMatrix().Data, rng)
	return x
}

// scnmfStateOf returns m's state on x at its start from seed.
func scnmfStateOf(m SCNMF, x *mat.Dense, seed uint64) (*scnmfState, error) {
	d, _, err := m.validate(x)
	if err != nil {
		return nil, err
	}
	data, err := newSCNMFData(m, d)
	if err != nil {
		return nil, err
	}
	s := newSCNMFState(m, data)
	s.start(0, rand.New(rand.NewPCG(seed, 0)))
	return s, nil
}
