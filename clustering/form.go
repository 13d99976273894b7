package clustering

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/thin"
)

// A form is how the entries of a checked affinity W, n×n, symmetric and nonnegative, are held. It is read only.
type form interface {
	// multiplier returns a function that sets dst to the transpose of W·H, where ht is H transposed, k×n. It allocates what it needs
	// now, and is for one goroutine at a time.
	multiplier(k int) func(dst, ht []float64)
	// degrees returns W·1.
	degrees() []float64
	// data is the Data of a Provenance.
	data() string
}

// formOf checks w and returns the form it is in; any but those of package affinity becomes dense.
func formOf(w mat.Matrix) (form, error) {
	switch w := w.(type) {
	case nil:
		return nil, errors.New("W is nil")
	case *mat.Dense:
		if w == nil {
			return nil, errors.New("W is nil")
		}
	case *affinity.Sparse:
		if w == nil {
			return nil, errors.New("W is nil")
		}
	case *affinity.Anchored:
		if w == nil {
			return nil, errors.New("W is nil")
		}
	}
	rows, cols := w.Dims()
	switch {
	case rows == 0 || cols == 0:
		return nil, errors.New("W is empty")
	case rows != cols:
		return nil, fmt.Errorf("W is %d×%d: an affinity is square", rows, cols)
	}
	switch w := w.(type) {
	case *mat.Dense:
		return newDenseForm(w)
	case *affinity.Sparse:
		return newSparseForm(w)
	case *affinity.Anchored:
		return anchoredForm{w}, nil // symmetric and nonnegative by itself
	}
	if err := memory.CheckSquare(rows, 1); err != nil {
		return nil, err
	}
	return newDenseForm(mat.DenseCopyOf(w))
}

// inner is the inner product Σ A[i,j]·B[i,j] of two affinities of the same size.
func inner(a, b form) float64 {
	if f, ok := a.(anchoredForm); ok {
		return f.inner(b)
	}
	if f, ok := b.(anchoredForm); ok {
		return f.inner(a)
	}
	if f, ok := a.(sparseForm); ok {
		return f.inner(b.(mat.Matrix))
	}
	if f, ok := b.(sparseForm); ok {
		return f.inner(a.(mat.Matrix))
	}
	return a.(denseForm).inner(b.(denseForm))
}

// A denseForm holds all entries.
type denseForm struct{ *mat.Dense }

func newDenseForm(w *mat.Dense) (denseForm, error) {
	if err := checkNonnegative("W", w); err != nil {
		return denseForm{}, err
	}
	return denseForm{w}, checkSymmetric("W", w)
}

func (f denseForm) multiplier(int) func(dst, ht []float64) {
	return func(dst, ht []float64) { thin.MulTo(dst, f.Dense, ht) }
}

func (f denseForm) degrees() []float64 {
	n, _ := f.Dims()
	d := make([]float64, n)
	for i := range d {
		d[i] = thin.Sum(f.RawRowView(i))
	}
	return d
}

func (f denseForm) data() string { return hash(f.Dense) }

func (f denseForm) inner(other denseForm) float64 {
	n, _ := f.Dims()
	sum := 0.0
	for i := range n {
		sum += thin.Dot(f.RawRowView(i), other.RawRowView(i))
	}
	return sum
}

// A sparseForm holds the entries that are not zero.
type sparseForm struct{ *affinity.Sparse }

func newSparseForm(w *affinity.Sparse) (sparseForm, error) { return sparseForm{w}, checkSparse("W", w) }

func (f sparseForm) multiplier(k int) func(dst, ht []float64) {
	return func(dst, ht []float64) { thin.SparseMulTo(dst, f.Sparse, ht, k) }
}

func (f sparseForm) degrees() []float64 {
	n, _ := f.Dims()
	d := make([]float64, n)
	for i := range d {
		_, values := f.Row(i)
		d[i] = thin.Sum(values)
	}
	return d
}

func (f sparseForm) data() string { return hashSparse(f.Sparse) }

func (f sparseForm) inner(other mat.Matrix) float64 {
	sum := 0.0
	f.DoNonZero(func(i, j int, v float64) { sum += float64(v * other.At(i, j)) })
	return sum
}

// An anchoredForm holds a factor B, n×m, of W = BBᵀ.
type anchoredForm struct{ *affinity.Anchored }

func (f anchoredForm) multiplier(k int) func(dst, ht []float64) {
	b := f.Factor()
	_, m := b.Dims()
	part := make([]float64, k*m)
	return func(dst, ht []float64) {
		thin.SparseTMulTo(part, b, ht, k)
		thin.SparseMulTo(dst, b, part, k)
	}
}

func (f anchoredForm) degrees() []float64 {
	n, _ := f.Dims()
	d, ones := make([]float64, n), make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	f.multiplier(1)(d, ones)
	return d
}

func (f anchoredForm) data() string { return hashSparse(f.Factor()) }

// anchorBlock is the number of columns of B that inner takes at a time.
const anchorBlock = 16

// inner is <A, BBᵀ> = Σ_l b_lᵀA b_l over the columns of B.
func (f anchoredForm) inner(a form) float64 {
	b := f.Factor()
	n, m := b.Dims()
	column, product := make([]float64, anchorBlock*n), make([]float64, anchorBlock*n)
	mul := a.multiplier(anchorBlock)
	sum := 0.0
	for first := 0; first < m; first += anchorBlock {
		clear(column)
		b.DoNonZero(func(i, l int, v float64) {
			if l >= first && l < first+anchorBlock {
				column[(l-first)*n+i] = v
			}
		})
		mul(product, column)
		sum += thin.Dot(column, product)
	}
	return sum
}
