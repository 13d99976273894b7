package affinity

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A Sparse is a matrix for gonum too.
var (
	_ mat.Matrix         = (*Sparse)(nil)
	_ mat.NonZeroDoer    = (*Sparse)(nil)
	_ mat.RowNonZeroDoer = (*Sparse)(nil)
)

// holed returns an r×c matrix of which about half is zero, with a zero row and a zero column.
func holed(r, c int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			if i != r/2 && j != c/3 && rng.IntN(2) == 0 {
				m.Set(i, j, rng.NormFloat64())
			}
		}
	}
	return m
}

func TestSparse(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 5}, {6, 2}, {7, 9}} {
		m := holed(size[0], size[1], 3)
		s, err := SparseOf(m)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(s, m) || !mat.Equal(s.T(), m.T()) {
			t.Errorf("%v: got\n%v", size, mat.Formatted(s))
		}
		var rows, cols []int
		var values []float64
		s.DoNonZero(func(i, j int, v float64) {
			rows, cols, values = append(rows, i), append(cols, j), append(values, v)
			if v == 0 || v != m.At(i, j) {
				t.Errorf("%v: entry [%d,%d] is %g", size, i, j, v)
			}
		})
		if len(values) != s.NNZ() {
			t.Errorf("%v: NNZ is %d, there are %d", size, s.NNZ(), len(values))
		}
		slices.Reverse(rows)
		slices.Reverse(cols)
		slices.Reverse(values)
		if again, err := NewSparse(size[0], size[1], rows, cols, values); err != nil || !mat.Equal(again, m) {
			t.Errorf("%v: from a list: %v, %v", size, again, err)
		}
		if same, err := SparseOf(s); err != nil || same != s {
			t.Errorf("%v: a sparse matrix is copied", size)
		}
	}
}

func TestSparseOutside(t *testing.T) {
	s, err := SparseOf(holed(2, 3, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		i, j int
		want error
	}{{-1, 0, mat.ErrRowAccess}, {2, 0, mat.ErrRowAccess}, {0, -1, mat.ErrColAccess}, {1, 3, mat.ErrColAccess}} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("At(%d,%d) panics with %v, want %v", c.i, c.j, got, c.want)
				}
			}()
			s.At(c.i, c.j)
		}()
	}
}

func TestBadSparse(t *testing.T) {
	one := []int{0}
	for _, c := range []struct {
		name string
		make func() (*Sparse, error)
		want string
	}{
		{"nil", func() (*Sparse, error) { return SparseOf(nil) }, "SparseOf: the matrix is nil"},
		{"nil dense", func() (*Sparse, error) { return SparseOf((*mat.Dense)(nil)) }, "SparseOf: the matrix is nil"},
		{"nil sparse", func() (*Sparse, error) { return SparseOf((*Sparse)(nil)) }, "SparseOf: the matrix is nil"},
		{"empty", func() (*Sparse, error) { return SparseOf(new(mat.Dense)) }, "SparseOf: the matrix is empty"},
		{"NaN", func() (*Sparse, error) { return SparseOf(mat.NewDense(1, 2, []float64{1, math.NaN()})) }, "SparseOf: entry [0,1] = NaN"},
		{"no rows", func() (*Sparse, error) { return NewSparse(0, 1, nil, nil, nil) }, "NewSparse: 0×1"},
		{"lengths", func() (*Sparse, error) { return NewSparse(1, 1, one, one, nil) }, "1 rows, 1 columns and 0 values"},
		{"outside", func() (*Sparse, error) { return NewSparse(1, 2, []int{1}, one, []float64{1}) }, "value 0 is at [1,0] of a 1×2 matrix"},
		{"Inf", func() (*Sparse, error) { return NewSparse(1, 2, one, one, []float64{math.Inf(1)}) }, "entry [0,0] = +Inf"},
		{"twice", func() (*Sparse, error) { return NewSparse(1, 2, []int{0, 0}, []int{1, 1}, []float64{1, 2}) }, "entry [0,1] is given twice"},
	} {
		if s, err := c.make(); s != nil || err == nil || !strings.HasPrefix(err.Error(), "affinity: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v, want %q", c.name, s, err, c.want)
		}
	}
}
