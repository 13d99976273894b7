package affinity

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/objects"
)

// CLRInitial is the graph that constrained Laplacian rank clustering starts with (Nie, Wang, Jordan and Huang, AAAI 2016, section 4.1): the
// row of an object solves min Σ_j e_j·a_j + γ‖a‖² over the simplex, with the γ that leaves the Neighbors nearest objects,
//
//	a_j = (e_(p+1) − e_j) / Σ_(h<=p) (e_(p+1) − e_h)    e ascending squared distances, p = Neighbors
//
// and the graph is (A + Aᵀ)/2. It has no width to choose, and does not change when the data are scaled. Where the p+1 nearest are
// equally far, the p of the lowest indices have 1/p each.
type CLRInitial struct {
	// Neighbors is the number p of neighbours of an object before the graph is made symmetric, >= 1; 0 means 10. The neighbour behind
	// the last one gives the scale, so n objects have n−2 at most; more means n−2.
	Neighbors int
}

// Of returns the n×n graph of the rows of x, n×m, symmetric to the bit, with a zero diagonal. Two objects are joined with weight 1, and
// one has no neighbour. It takes n²m operations, on all processors, and memory in proportion to n·Neighbors.
func (c CLRInitial) Of(x mat.Matrix) (*Sparse, error) {
	a, err := c.directed(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: CLRInitial: %w", err)
	}
	return symmetrized(a, mean), nil
}

// directed is the graph before it is made symmetric. Its rows sum to 1.
func (c CLRInitial) directed(x mat.Matrix) (*Sparse, error) {
	p, err := neighborsOr(c.Neighbors, defaultNeighbors)
	if err != nil {
		return nil, err
	}
	rows, err := objects.Of(x)
	if err != nil {
		return nil, err
	}
	return closedForm(rows, nil, p)
}

// neighborsOr checks a number of neighbours and replaces 0 by the default.
func neighborsOr(p, otherwise int) (int, error) {
	switch {
	case p < 0:
		return 0, fmt.Errorf("Neighbors = %d, want at least 1", p)
	case p == 0:
		return otherwise, nil
	}
	return p, nil
}

// closedForm returns the matrix of the formula of CLRInitial for the rows of x and their p nearest anchors, or as many as there are
// but one. nil anchors are the other rows of x. A single candidate has the weight 1.
func closedForm(x, anchors *mat.Dense, p int) (*Sparse, error) {
	m, _ := x.Dims()
	there := m - 1 // candidates for an object
	if anchors != nil {
		m, _ = anchors.Dims()
		there = m
	}
	near, err := neighboursOf(x, anchors, min(p+1, there), false)
	if err != nil {
		return nil, err
	}
	return near.directed(m, func(_ int, e []float64) {
		switch len(e) {
		case 0:
		case 1:
			e[0] = 1
		default:
			weighClosed(e)
		}
	}), nil
}

// weighClosed replaces p+1 ascending squared distances by the p weights of the formula and a zero.
func weighClosed(e []float64) {
	p := len(e) - 1
	last, sum := e[p], 0.0
	if e[0] < last {
		for j := range p {
			e[j] = (last - e[j]) / last // at most 1: the sum does not overflow
			sum += e[j]
		}
		for j := range p {
			e[j] /= sum
		}
	} else {
		for j := range p {
			e[j] = 1 / float64(p)
		}
	}
	e[p] = 0
}
