// Package objects checks objects that are the rows of a matrix, n×d, and measures distances between them.
package objects

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Of returns x as a dense matrix, the caller's own if it is one. That x is nil, has no row or no column, or has an entry that is
// not finite, is an error that calls it X.
func Of(x mat.Matrix) (*mat.Dense, error) {
	d, dense := x.(*mat.Dense)
	if x == nil || dense && d == nil {
		return nil, errors.New("X is nil")
	}
	if n, m := x.Dims(); n == 0 || m == 0 {
		return nil, errors.New("X is empty")
	}
	if !dense {
		d = mat.DenseCopyOf(x)
	}
	return d, CheckFinite("X", d)
}

// CheckFinite is an error for the first entry, row by row, that is NaN or infinite.
func CheckFinite(name string, m *mat.Dense) error {
	n, _ := m.Dims()
	for i := range n {
		for j, v := range m.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s[%d,%d] = %g is not a finite number", name, i, j, v)
			}
		}
	}
	return nil
}

// SquaredDistance is Σ (x−y)², in four lanes that the processor can add at the same time.
func SquaredDistance(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(x); j += 4 {
		a, b := x[j:j+4:j+4], y[j:j+4:j+4]
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	for ; j < len(x); j++ {
		d := x[j] - y[j]
		s0 += float64(d * d)
	}
	return (s0 + s1) + (s2 + s3)
}
