package simplex

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// rounding is what is taken for 0, relative to the largest entries: an eigenvalue of Q, along whose eigenvector the function is
// linear then, and a slope. Q and c are inner products of many terms, with a rounding of some 1e-15.
const rounding = 1e-12

// errSteps is the error of a minimisation that has not ended in far more steps than there are variables.
var errSteps = errors.New("simplex: the quadratic programme was not solved: its matrix may not be positive semidefinite")

// A QP minimises a'Qa - 2c'a over the simplex by an active-set method: it solves the problem without the inequalities on a
// support, drops what would become negative, and adds what would lower the function, until neither is there (the conditions
// of Karush, Kuhn and Tucker, which suffice as the function is convex). Where the minimum is not unique, the point found on
// a support is the one nearest to equal weights. The zero value is not usable; a QP has room for one number of variables and
// must not be used by two goroutines at a time.
type QP struct {
	n                          int
	size                       float64 // of the largest entry of Q; 1 where that is 0
	support                    []int
	a, target, gradient, slope []float64
	projected                  blas64.Symmetric // Q on the support, projected to where the sum does not change; then its eigenvectors
	values, work               []float64
}

// NewQP returns a solver for n variables, n >= 1.
func NewQP(n int) *QP {
	q := &QP{n: n}
	for _, p := range []*[]float64{&q.a, &q.target, &q.gradient, &q.slope, &q.values} {
		*p = make([]float64, n)
	}
	q.support = make([]int, 0, n)
	q.projected = blas64.Symmetric{Uplo: blas.Upper, Data: make([]float64, n*n)}
	var size [1]float64
	q.projected.N, q.projected.Stride = n, n
	lapack64.Syev(lapack.EVCompute, q.projected, q.values, size[:], -1)
	q.work = make([]float64, int(size[0]))
	return q
}

// Solve sets dst, of n entries, to a minimum. q is the symmetric positive semidefinite n x n matrix Q by rows, c has n entries.
// The error says that q was not semidefinite.
func (p *QP) Solve(dst, q, c []float64) error {
	p.support = p.support[:0]
	for i := range p.n {
		p.support = append(p.support, i)
		p.a[i] = 1 / float64(p.n)
	}
	if p.size = floats.Norm(q, math.Inf(1)); p.size == 0 {
		p.size = 1
	}
	level := rounding * (floats.Norm(q, math.Inf(1)) + floats.Norm(c, math.Inf(1)))
	for range 100 * p.n {
		if p.towards(q, c, level) {
			continue // the support has become smaller
		}
		if !p.grow(q, c, level) {
			copy(dst, p.a)
			return nil
		}
	}
	return errSteps
}

// towards moves to the minimum on the support, or as far as nothing becomes negative; then it takes what has become 0 off the
// support and returns true.
func (p *QP) towards(q, c []float64, level float64) bool {
	step := 1.0 // of the way to the target
	if !p.minimum(q, c, level) {
		step = math.Inf(1)
	}
	for k, i := range p.support {
		if d := p.target[k] - p.a[i]; d < 0 {
			step = min(step, p.a[i]/-d)
		}
	}
	left := p.support[:0]
	for k, i := range p.support {
		d := p.target[k] - p.a[i]
		if step != 1 && d < 0 && p.a[i]/-d <= step {
			p.a[i] = 0
			continue
		}
		p.a[i] = max(0, p.a[i]+step*d)
		left = append(left, i)
	}
	smaller := len(left) < len(p.support)
	p.support = left
	return smaller
}

// minimum sets target to the minimum without the inequalities on the support, where there is more than one to that nearest to
// equal weights. Where the function falls without end, target is a point in the direction where it falls, and false is returned.
func (p *QP) minimum(q, c []float64, level float64) bool {
	s := len(p.support)
	p.projected.N, p.projected.Stride = s, s
	p.restrict(q, c)
	values := p.values[:s]
	lapack64.Syev(lapack.EVCompute, p.projected, values, p.work, len(p.work))
	vectors := p.projected.Data // eigenvector k is column k
	added, falls := p.target[:s], p.gradient[:s]
	for i := range s {
		added[i], falls[i] = 0, 0
	}
	for k, value := range values {
		component := 0.0
		for i := range s {
			component += vectors[i*s+k] * p.slope[i]
		}
		for i := range s {
			if value > rounding*p.size {
				added[i] += component / value * vectors[i*s+k]
			} else {
				falls[i] += component * vectors[i*s+k]
			}
		}
	}
	if steep := floats.Norm(falls, math.Inf(1)); steep > level {
		for k, i := range p.support {
			p.target[k] = p.a[i] + falls[k]/steep
		}
		return false
	}
	for k := range s {
		added[k] += 1 / float64(s)
	}
	return true
}

// restrict sets projected to PQP and slope to P(c - Qu) on the support, where u has equal weights and P takes off the mean: the
// quadratic function of what is added to u without a change of the sum. What changes the sum, along which PQP is 0, is given a
// large eigenvalue instead, so that no other eigenvector mixes with it.
func (p *QP) restrict(q, c []float64) {
	s := len(p.support)
	rows := p.gradient[:s] // the means of the rows of Q
	all := 0.0
	for k, i := range p.support {
		rows[k] = 0
		for _, j := range p.support {
			rows[k] += q[i*p.n+j] / float64(s)
		}
		all += rows[k] / float64(s)
	}
	mean := 0.0
	for k, i := range p.support {
		for l, j := range p.support {
			p.projected.Data[k*s+l] = q[i*p.n+j] - rows[k] - rows[l] + all + p.size
		}
		p.slope[k] = c[i] - rows[k]
		mean += p.slope[k] / float64(s)
	}
	for k := range p.support {
		p.slope[k] -= mean
	}
}

// grow adds to the support the variable by which the function falls the most, and reports whether there is one.
func (p *QP) grow(q, c []float64, level float64) bool {
	for i := range p.n {
		p.gradient[i] = floats.Dot(q[i*p.n:(i+1)*p.n], p.a) - c[i]
	}
	least := math.Inf(1) // on the support all are equal, but for rounding
	for _, i := range p.support {
		least = min(least, p.gradient[i])
	}
	best := -1
	for i, g := range p.gradient {
		if g < least-level {
			best, least = i, g+level
		}
	}
	if best < 0 {
		return false
	}
	p.support = append(p.support, best)
	return true
}
