package affinity

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Sparse is an r×c matrix that holds only what is not zero, row by row (compressed sparse rows). It is a mat.Matrix, so that it
// prints and multiplies like any other; the methods of package clustering recognise it and read the rows alone, in time and
// memory in proportion to the number of entries. It does not change after it was made.
type Sparse struct {
	r, c   int
	start  []int // r+1: row i has the entries start[i]..start[i+1]
	cols   []int // ascending within a row
	values []float64
}

// SparseOf returns the entries of m that are not zero. That m is nil, is empty or has an entry that is not finite is an error.
func SparseOf(m mat.Matrix) (*Sparse, error) {
	s, err := sparseOf(m, "the matrix", "entry ")
	if err != nil {
		return nil, fmt.Errorf("affinity: SparseOf: %w", err)
	}
	return s, nil
}

// sparseOf is SparseOf with errors that have other names for the matrix and its entries, and no prefix.
func sparseOf(m mat.Matrix, matrix, entry string) (*Sparse, error) {
	s, sparse := m.(*Sparse)
	d, dense := m.(*mat.Dense)
	switch {
	case m == nil || sparse && s == nil || dense && d == nil:
		return nil, errors.New(matrix + " is nil")
	case sparse:
		return s, nil
	}
	r, c := m.Dims()
	if r == 0 || c == 0 {
		return nil, errors.New(matrix + " is empty")
	}
	s = newSparse(r, c, 0)
	for i := range r {
		for j := range c {
			v := m.At(i, j)
			if v == 0 {
				continue
			}
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s[%d,%d] = %g is not a finite number", entry, i, j, v)
			}
			s.add(j, v)
		}
		s.end(i)
	}
	return s, nil
}

// NewSparse returns the r×c matrix with values[t] at [rows[t],cols[t]], in any order, and zero elsewhere. An index outside the matrix, a
// place that is given twice, a value that is not finite, and lists of different lengths are errors.
func NewSparse(r, c int, rows, cols []int, values []float64) (*Sparse, error) {
	switch {
	case r < 1 || c < 1:
		return nil, fmt.Errorf("affinity: NewSparse: %d×%d: want one row and one column at least", r, c)
	case len(rows) != len(values) || len(cols) != len(values):
		return nil, fmt.Errorf("affinity: NewSparse: %d rows, %d columns and %d values: want as many of each", len(rows), len(cols), len(values))
	}
	for t, v := range values {
		if i, j := rows[t], cols[t]; i < 0 || i >= r || j < 0 || j >= c {
			return nil, fmt.Errorf("affinity: NewSparse: value %d is at [%d,%d] of a %d×%d matrix", t, i, j, r, c)
		} else if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("affinity: NewSparse: entry [%d,%d] = %g is not a finite number", i, j, v)
		}
	}
	order := make([]int, len(values))
	for t := range order {
		order[t] = t
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rows[a], rows[b]), cmp.Compare(cols[a], cols[b]))
	})
	s := newSparse(r, c, len(values))
	row := 0
	for k, t := range order {
		if k > 0 && rows[t] == rows[order[k-1]] && cols[t] == cols[order[k-1]] {
			return nil, fmt.Errorf("affinity: NewSparse: entry [%d,%d] is given twice", rows[t], cols[t])
		}
		for ; row < rows[t]; row++ {
			s.end(row)
		}
		if values[t] != 0 {
			s.add(cols[t], values[t])
		}
	}
	for ; row < r; row++ {
		s.end(row)
	}
	return s, nil
}

// newSparse returns a matrix whose rows are to be filled in order: add for each entry, in the order of the columns, then end.
func newSparse(r, c, entries int) *Sparse {
	return &Sparse{r: r, c: c, start: make([]int, r+1), cols: make([]int, 0, entries), values: make([]float64, 0, entries)}
}

func (s *Sparse) add(col int, v float64) { s.cols, s.values = append(s.cols, col), append(s.values, v) }

func (s *Sparse) end(row int) { s.start[row+1] = len(s.values) }

// Dims returns the numbers of rows and columns.
func (s *Sparse) Dims() (r, c int) { return s.r, s.c }

// At returns one entry, in time in the order of the logarithm of its row's length. It panics as mat.Dense does where there is none.
func (s *Sparse) At(i, j int) float64 {
	if uint(i) >= uint(s.r) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(s.c) {
		panic(mat.ErrColAccess)
	}
	cols, values := s.Row(i)
	if t, ok := slices.BinarySearch(cols, j); ok {
		return values[t]
	}
	return 0
}

// T returns the transpose, as a view.
func (s *Sparse) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// NNZ is the number of entries that are not zero.
func (s *Sparse) NNZ() int { return len(s.values) }

// Row returns the columns, ascending, and the values of the entries of row i. Both are only to be read.
func (s *Sparse) Row(i int) (cols []int, values []float64) {
	a, b := s.start[i], s.start[i+1]
	return s.cols[a:b:b], s.values[a:b:b]
}

// DoNonZero calls f for each entry, row by row.
func (s *Sparse) DoNonZero(f func(i, j int, v float64)) {
	for i := range s.r {
		s.DoRowNonZero(i, f)
	}
}

// DoRowNonZero calls f for each entry of row i.
func (s *Sparse) DoRowNonZero(i int, f func(i, j int, v float64)) {
	cols, values := s.Row(i)
	for t, j := range cols {
		f(i, j, values[t])
	}
}
