package affinity

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Anchored is an n×n affinity in the factored form A = B·Bᵀ with a sparse B, n×m, that has few columns, one for each anchor. It is
// symmetric and positive semidefinite, and nonnegative as B is. Nothing n×n is ever made: the methods of package clustering that
// recognise it compute A·G as B·(Bᵀ·G). It is a mat.Matrix, so that it prints and multiplies like any other. It does not change
// after it was made.
type Anchored struct{ b, z *Sparse }

// NewAnchored returns B·Bᵀ, where objects are the rows of b, n×m. That b is nil, is empty or has an entry that is negative or not finite is an
// error.
func NewAnchored(b mat.Matrix) (*Anchored, error) {
	s, err := sparseOf(b, "B", "B")
	if err != nil {
		return nil, fmt.Errorf("affinity: NewAnchored: %w", err)
	}
	for i := range s.r {
		cols, values := s.Row(i)
		for t, v := range values {
			if v < 0 {
				return nil, fmt.Errorf("affinity: NewAnchored: B[%d,%d] = %g is negative", i, cols[t], v)
			}
		}
	}
	return &Anchored{b: s}, nil
}

// Factor returns B, n×m.
func (a *Anchored) Factor() *Sparse { return a.b }

// Z returns the weights of the anchors for the objects, n×m, with rows that sum to 1, of which [ULGE] made the affinity; nil for an
// affinity of [NewAnchored].
func (a *Anchored) Z() *Sparse { return a.z }

// Dims returns n and n.
func (a *Anchored) Dims() (r, c int) { return a.b.r, a.b.r }

// At returns one entry, the inner product of two rows of B. It panics as mat.Dense does where there is none.
func (a *Anchored) At(i, j int) float64 {
	if uint(i) >= uint(a.b.r) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(a.b.r) {
		panic(mat.ErrColAccess)
	}
	p, x := a.b.Row(i)
	q, y := a.b.Row(j)
	sum := 0.0
	for s, t := 0, 0; s < len(p) && t < len(q); {
		switch {
		case p[s] < q[t]:
			s++
		case p[s] > q[t]:
			t++
		default:
			sum += float64(x[s] * y[t])
			s, t = s+1, t+1
		}
	}
	return sum
}

// T returns the matrix itself: it is symmetric.
func (a *Anchored) T() mat.Matrix { return a }
