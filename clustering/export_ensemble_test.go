package clustering

import "gonum.org/v1/gonum/mat"

// INAWeights are the weights (8) of INA for L* = lstar, N×K, in the form L∘Ψ.
func INAWeights(p *Partitions, lstar *mat.Dense, lambda float64) *mat.Dense {
	psi := mat.NewDense(p.n, p.columns(), nil)
	sorted := make([]float64, p.Len())
	for i := range p.n {
		cols := p.clustersOf(i)
		row, kappa := make([]float64, len(cols)), make([]float64, len(cols))
		for t, j := range cols {
			row[t] = lstar.At(i, j)
		}
		if len(cols) > 0 {
			kappaTo(kappa, row, lambda, sorted)
		}
		for t, j := range cols {
			psi.Set(i, j, kappa[t])
		}
	}
	return psi
}

// WCCProgramme are Q, M×M, and c of the programme for WCC's weights at H and S.
func WCCProgramme(p *Partitions, h, s *mat.Dense) (q *mat.Dense, c []float64) {
	_, k := h.Dims()
	state := newWCCState(WCC{K: k}, p, p.contingency(), &consensusStart{k: k, h0: h})
	state.start(0, nil)
	copy(state.s, mat.DenseCopyOf(s).RawMatrix().Data)
	state.linear()
	return mat.NewDense(p.Len(), p.Len(), state.q), state.c
}
