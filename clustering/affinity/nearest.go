package affinity

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/objects"
	"orthant/clustering/internal/thin"
)

// nearest collects the p candidates with the smallest keys, ascending. On ties the one that was offered first comes first.
type nearest struct {
	p     int
	index []int
	keys  []float64
}

func newNearest(p int) *nearest {
	return &nearest{p: p, index: make([]int, 0, p), keys: make([]float64, 0, p)}
}

func (s *nearest) offer(index int, key float64) {
	at := len(s.keys)
	switch {
	case at < s.p:
		s.index, s.keys = append(s.index, index), append(s.keys, key)
	case at == 0 || !(key < s.keys[at-1]):
		return
	default:
		at-- // the last one falls out
	}
	for ; at > 0 && s.keys[at-1] > key; at-- {
		s.index[at], s.keys[at] = s.index[at-1], s.keys[at-1]
	}
	s.index[at], s.keys[at] = index, key
}

// neighbours are for each of n objects its p nearest of some candidates, the nearest first, the lowest index first on ties.
type neighbours struct {
	n, p  int
	index []int     // n×p
	d2    []float64 // n×p: the squared distances
}

// row returns what belongs to object i.
func (s *neighbours) row(i int) (index []int, d2 []float64) {
	return s.index[i*s.p : (i+1)*s.p], s.d2[i*s.p : (i+1)*s.p]
}

// neighboursOf compares each row of x with all anchors, or with the other rows of x where anchors is nil. p is at most the number of these
// candidates. All distances are finite. cosine, for rows of length 1, compares them by their inner products, which
// are in the order of the distances but for rounding: the cosines' own ties are ties then.
func neighboursOf(x, anchors *mat.Dense, p int, cosine bool) (*neighbours, error) {
	n, _ := x.Dims()
	candidates := anchors
	if anchors == nil {
		candidates = x
	}
	m, _ := candidates.Dims()
	s := &neighbours{n: n, p: p, index: make([]int, n*p), d2: make([]float64, n*p)}
	over := make([]bool, n)
	parallelRows(n, func(i int) {
		near, xi := newNearest(p), x.RawRowView(i)
		for j := range m {
			if j == i && anchors == nil {
				continue
			}
			key := 0.0
			if cosine {
				key = -thin.Dot(xi, candidates.RawRowView(j))
			} else {
				key = objects.SquaredDistance(xi, candidates.RawRowView(j))
			}
			over[i] = over[i] || math.IsInf(key, 0)
			near.offer(j, key)
		}
		index, d2 := s.row(i)
		copy(index, near.index)
		copy(d2, near.keys)
		if cosine {
			for t, j := range index {
				d2[t] = objects.SquaredDistance(xi, candidates.RawRowView(j))
			}
		}
	})
	for _, o := range over {
		if o {
			return nil, errOverflow
		}
	}
	return s, nil
}

// directed returns the n×m matrix whose row i has values(i, ...) at the neighbours of object i, and no entry where the value is 0. values sets
// one number for each of the neighbours. It is called from several goroutines at a time.
func (s *neighbours) directed(m int, values func(i int, dst []float64)) *Sparse {
	parallelRows(s.n, func(i int) {
		index, d2 := s.row(i)
		values(i, d2)
		for t := range index { // insertion: rows are short
			for ; t > 0 && index[t-1] > index[t]; t-- {
				index[t-1], index[t] = index[t], index[t-1]
				d2[t-1], d2[t] = d2[t], d2[t-1]
			}
		}
	})
	a := newSparse(s.n, m, s.n*s.p)
	for i := range s.n {
		index, v := s.row(i)
		for t, j := range index {
			if v[t] != 0 {
				a.add(j, v[t])
			}
		}
		a.end(i)
	}
	return a
}

// unitRows returns x with each row scaled to length 1. A row of zeros has no direction, which is an error.
func unitRows(x *mat.Dense) (*mat.Dense, error) {
	u := mat.DenseCopyOf(x)
	n, _ := u.Dims()
	for i := range n {
		row, top := u.RawRowView(i), 0.0
		for _, v := range row {
			top = max(top, math.Abs(v))
		}
		if top == 0 {
			return nil, fmt.Errorf("row %d of X is zero: it has no cosine", i)
		}
		for j := range row {
			row[j] /= top // squares do not overflow then
		}
		length := math.Sqrt(thin.Dot(row, row))
		for j := range row {
			row[j] /= length
		}
	}
	return u, nil
}

// transposed returns the transpose as a matrix of its own.
func (s *Sparse) transposed() *Sparse {
	t := &Sparse{r: s.c, c: s.r, start: make([]int, s.c+1), cols: make([]int, len(s.cols)), values: make([]float64, len(s.values))}
	for _, j := range s.cols {
		t.start[j+1]++
	}
	for j := range s.c {
		t.start[j+1] += t.start[j]
	}
	next := append([]int(nil), t.start[:s.c]...)
	for i := range s.r { // ascending, so that the rows of t are
		cols, values := s.Row(i)
		for k, j := range cols {
			t.cols[next[j]], t.values[next[j]] = i, values[k]
			next[j]++
		}
	}
	return t
}

// symmetrized returns the matrix of f(a[i,j], a[j,i]), where f(x,y) = f(y,x) and f(0,0) = 0.
func symmetrized(a *Sparse, f func(x, y float64) float64) *Sparse {
	t := a.transposed()
	s := newSparse(a.r, a.r, 2*len(a.values))
	put := func(j int, x, y float64) {
		if v := f(x, y); v != 0 {
			s.add(j, v)
		}
	}
	for i := range a.r {
		p, x := a.Row(i)
		q, y := t.Row(i)
		for len(p) > 0 || len(q) > 0 {
			switch {
			case len(q) == 0 || len(p) > 0 && p[0] < q[0]:
				put(p[0], x[0], 0)
				p, x = p[1:], x[1:]
			case len(p) == 0 || q[0] < p[0]:
				put(q[0], 0, y[0])
				q, y = q[1:], y[1:]
			default:
				put(p[0], x[0], y[0])
				p, x, q, y = p[1:], x[1:], q[1:], y[1:]
			}
		}
		s.end(i)
	}
	return s
}

// mean is the symmetrisation (A + Aᵀ)/2.
func mean(x, y float64) float64 { return (x + y) / 2 }
