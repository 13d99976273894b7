package clustering

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// parallelTol is how far the entries of two columns, each scaled to largest entry 1, may differ for the columns to count as
// parallel: rounding of a caller's own scaling passes, the difference of any two useful starts does not.
const parallelTol = 1e-12

// checkStart checks a given start h0 of an n×k nonnegative factor; nil is none. The warnings name columns that can never
// become clusters of their own.
func checkStart(name string, h0 *mat.Dense, n, k int) (warnings []string, err error) {
	if h0 == nil {
		return nil, nil
	}
	if r, c := h0.Dims(); r != n || c != k {
		return nil, fmt.Errorf("%s is %d×%d, want %d×%d: one row per object, K columns", name, r, c, n, k)
	}
	if err := checkNonnegative(name, h0); err != nil {
		return nil, err
	}
	columns := thin.Transposed(h0)
	zero := 0
	for a := range k {
		if !normalizeMax(columns[a*n : (a+1)*n]) {
			zero++
			warnings = append(warnings, fmt.Sprintf("column %d of %s is zero and stays zero: the cluster stays empty", a, name))
		}
	}
	if zero == k {
		return nil, errors.New(name + " is zero everywhere, and multiplicative updates keep it so")
	}
	for a := range k {
		for b := a + 1; b < k; b++ {
			if parallel(columns[a*n:(a+1)*n], columns[b*n:(b+1)*n]) {
				warnings = append(warnings,
					fmt.Sprintf("columns %d and %d of %s are parallel and stay so: they cannot become two clusters", a, b, name))
			}
		}
	}
	return warnings, nil
}

// normalizeMax scales x >= 0 so that its largest entry is 1; false: x is zero.
func normalizeMax(x []float64) bool {
	top := 0.0
	for _, v := range x {
		top = max(top, v)
	}
	if top == 0 {
		return false
	}
	for i := range x {
		x[i] /= top
	}
	return true
}

// parallel reports whether x and y, both scaled by normalizeMax, are the same nonzero vector.
func parallel(x, y []float64) bool {
	zero := true
	for i := range x {
		if math.Abs(x[i]-y[i]) > parallelTol {
			return false
		}
		zero = zero && x[i] == 0
	}
	return !zero
}
