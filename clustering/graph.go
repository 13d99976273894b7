package clustering

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
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
	w      form
	degree []float64 // W·1, length n
	norm2  float64   // ‖W‖²
}

// newGraph checks w and takes it over without a copy if it is of a form that the methods know.
func newGraph(w mat.Matrix) (*graph, error) {
	f, err := formOf(w)
	if err != nil {
		return nil, err
	}
	n, _ := w.Dims()
	g := &graph{n: n, w: f, degree: f.degrees(), norm2: inner(f, f)}
	if math.IsInf(g.norm2, 0) {
		return nil, errors.New("the squares of W's entries overflow: scale W")
	}
	return g, nil
}

// checkNonnegative is an error for the first entry, row by row, that is negative or not finite.
func checkNonnegative(name string, m *mat.Dense) error {
	rows, _ := m.Dims()
	for i := range rows {
		for j, x := range m.RawRowView(i) {
			if err := checkEntry(name, i, j, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEntry is an error for an entry that is negative or not finite.
func checkEntry(name string, i, j int, x float64) error {
	if x >= 0 && x <= math.MaxFloat64 {
		return nil
	}
	if x < 0 && !math.IsInf(x, -1) {
		return fmt.Errorf("%s[%d,%d] = %g is negative", name, i, j, x)
	}
	return fmt.Errorf("%s[%d,%d] = %g is not a finite number", name, i, j, x)
}

// checkSymmetric is an error for the first pair, row by row, that differs by more than symmetryTol.
func checkSymmetric(name string, m *mat.Dense) error {
	raw := m.RawMatrix()
	for i := range raw.Rows {
		for j := i + 1; j < raw.Cols; j++ {
			if err := checkPair(name, i, j, raw.Data[i*raw.Stride+j], raw.Data[j*raw.Stride+i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPair is an error if a at [i,j] and b at [j,i], both nonnegative, differ by more than symmetryTol.
func checkPair(name string, i, j int, a, b float64) error {
	if math.Abs(a-b) > symmetryTol*max(a, b)+symmetryFloor {
		return fmt.Errorf("%s[%d,%d] = %g but %s[%d,%d] = %g: an affinity is symmetric", name, i, j, a, name, j, i, b)
	}
	return nil
}

// checkSparse is checkNonnegative and checkSymmetric for a square sparse matrix.
func checkSparse(name string, m *affinity.Sparse) error {
	n, _ := m.Dims()
	for i := range n {
		cols, values := m.Row(i)
		for t, j := range cols {
			if err := checkEntry(name, i, j, values[t]); err != nil {
				return err
			}
			mirror := m.At(j, i)
			if j < i && mirror != 0 {
				continue // checked as [j,i]
			}
			if err := checkPair(name, i, j, values[t], mirror); err != nil {
				return err
			}
		}
	}
	return nil
}
