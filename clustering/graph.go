package clustering

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/thin"
)

const (
	// symmetryTol is the relative difference up to which two entries of an affinity count as equal: far above the rounding
	// of any way to compute them, far below what changes a clustering.
	symmetryTol = 1e-10
	// symmetryFloor is an absolute allowance for entries so small that float64 itself has no relative precision there.
	symmetryFloor = 1e-300
)

// A graph is a validated affinity matrix with what the methods need of it.
type graph struct {
	n      int
	w      *mat.Dense // n×n, symmetric, >= 0; the caller's own if it was a *mat.Dense, so read only
	degree []float64  // W·1, length n
	norm2  float64    // ‖W‖²
}

// newGraph checks w and takes it over without a copy if it is a *mat.Dense.
func newGraph(w mat.Matrix) (*graph, error) {
	d, err := square(w)
	if err != nil {
		return nil, err
	}
	if err := checkNonnegative("W", d); err != nil {
		return nil, err
	}
	if err := checkSymmetric("W", d); err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	g := &graph{n: n, w: d, degree: make([]float64, n)}
	for i := range n {
		row := d.RawRowView(i)
		g.degree[i] = thin.Sum(row)
		g.norm2 += thin.Dot(row, row)
	}
	if math.IsInf(g.norm2, 0) {
		return nil, errors.New("the squares of W's entries overflow: scale W")
	}
	return g, nil
}

// square returns w as a dense matrix if it is n×n with n >= 1.
func square(w mat.Matrix) (*mat.Dense, error) {
	d, dense := w.(*mat.Dense)
	if w == nil || dense && d == nil {
		return nil, errors.New("W is nil")
	}
	rows, cols := w.Dims()
	switch {
	case rows == 0 || cols == 0:
		return nil, errors.New("W is empty")
	case rows != cols:
		return nil, fmt.Errorf("W is %d×%d: an affinity is square", rows, cols)
	case dense:
		return d, nil
	}
	if err := memory.CheckSquare(rows, 1); err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(w), nil
}

// checkNonnegative is an error for the first entry, row by row, that is negative or not finite.
func checkNonnegative(name string, m *mat.Dense) error {
	rows, _ := m.Dims()
	for i := range rows {
		for j, x := range m.RawRowView(i) {
			if x >= 0 && x <= math.MaxFloat64 {
				continue
			}
			if x < 0 && !math.IsInf(x, -1) {
				return fmt.Errorf("%s[%d,%d] = %g is negative", name, i, j, x)
			}
			return fmt.Errorf("%s[%d,%d] = %g is not a finite number", name, i, j, x)
		}
	}
	return nil
}

// checkSymmetric is an error for the first pair, row by row, that differs by more than symmetryTol.
func checkSymmetric(name string, m *mat.Dense) error {
	raw := m.RawMatrix()
	for i := range raw.Rows {
		for j := i + 1; j < raw.Cols; j++ {
			a, b := raw.Data[i*raw.Stride+j], raw.Data[j*raw.Stride+i]
			if math.Abs(a-b) > symmetryTol*max(a, b)+symmetryFloor {
				return fmt.Errorf("%s[%d,%d] = %g but %s[%d,%d] = %g: an affinity is symmetric", name, i, j, a, name, j, i, b)
			}
		}
	}
	return nil
}
