package clustering

// The graph of the objects on one side and the clusters of all partitions on the other, an edge where a cluster has an object: what
// the graph and hypergraph methods of ensemble clustering have in common. Its singular vectors come from the Gram matrix of the
// smaller side, so that nothing is n×n where there are fewer clusters than objects.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/eigen"
	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/thin"
)

const (
	// rankTol is the singular value, where the largest is 1, below which one counts as 0. The Gram matrix has its square, with
	// an error of 1e-15 or so; the vectors of a pair above are right to 1e-5 at least, and to rounding for all that matter.
	rankTol = 1e-5
	// rowFloor is the length below which a row of singular vectors is rounding of zero: where the graph has more components
	// than vectors were asked for. In all others the first vector alone has the root of a row's part of all degrees.
	rowFloor = 1e-10
)

// biadjacency is B = diag(left) L diag(right), N×K, with the entries of L that are not zero: a thin.Rows.
type biadjacency struct {
	p           *Partitions
	left, right []float64 // N and K
	values      []float64 // parallel to p.cols
}

func newBiadjacency(p *Partitions, left, right []float64) *biadjacency {
	b := &biadjacency{p: p, left: left, right: right, values: make([]float64, len(p.cols))}
	for i := range p.n {
		for t := p.rows[i]; t < p.rows[i+1]; t++ {
			b.values[t] = left[i] * right[p.cols[t]]
		}
	}
	return b
}

// ncutBiadjacency is B = D₁^(-1/2) L D₂^(-1/2): D₁ has the number of clusters of each object, D₂ the number of objects of each
// cluster. Its singular values are at most 1, and as many are 1 as the graph has components with edges.
func ncutBiadjacency(p *Partitions) *biadjacency {
	left, right := make([]float64, p.n), make([]float64, p.columns())
	for i := range left {
		left[i] = inverseRoot(float64(len(p.clustersOf(i))))
	}
	for j := range right {
		right[j] = inverseRoot(float64(p.size(j)))
	}
	return newBiadjacency(p, left, right)
}

// inverseRoot is 1/√x, and 0 for an object that is nowhere.
func inverseRoot(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / math.Sqrt(x)
}

// Row has the entries of object i.
func (b *biadjacency) Row(i int) (cols []int, values []float64) {
	return b.p.clustersOf(i), b.values[b.p.rows[i]:b.p.rows[i+1]]
}

// gram is BᵀB, K×K, or BBᵀ, N×N, whichever is smaller; BᵀB if they are alike.
func (b *biadjacency) gram() *mat.SymDense {
	if b.p.n < b.p.columns() {
		return b.gramOfObjects()
	}
	g := mat.NewSymDense(b.p.columns(), nil)
	raw := g.RawSymmetric()
	for i := range b.p.n {
		cols, values := b.Row(i)
		for s, j := range cols {
			row := raw.Data[j*raw.Stride:]
			for t := s; t < len(cols); t++ { // the columns ascend: this is the upper triangle
				row[cols[t]] += float64(values[s] * values[t])
			}
		}
	}
	return g
}

func (b *biadjacency) gramOfObjects() *mat.SymDense {
	g := mat.NewSymDense(b.p.n, nil)
	raw := g.RawSymmetric()
	for j, r := range b.right {
		members := b.p.objectsOf(j)
		for s, i := range members {
			row, x := raw.Data[i*raw.Stride:], float64(b.left[i]*r)*r
			for _, o := range members[s:] {
				row[o] += float64(x * b.left[o])
			}
		}
	}
	return g
}

// singularPairs returns all min(N, K) singular values of B, descending, and the vectors of k of them from the one with the number
// first: U, N×k, and V, K×k, transposed as package thin has them. The entry of the largest size of each column of U is positive. Of
// a value that is 0, or that there is not, the vectors are 0. Equal rows of L have equal rows of U, bit by bit, and equal columns of
// L equal rows of V. It takes N·M² operations or so, or the squares of the sizes of the clusters if K > N, and 9·min(N,K)³.
func (b *biadjacency) singularPairs(first, k int) (values, ut, vt []float64, err error) {
	n, columns := b.p.n, b.p.columns()
	side := min(n, columns)
	if err := memory.CheckSquare(side, 3); err != nil { // B's Gram matrix, the solver's copy, and the vectors
		return nil, nil, nil, err
	}
	var pairs mat.EigenSym
	if !pairs.Factorize(b.gram(), true) {
		return nil, nil, nil, errors.New("the singular values of the graph of objects and clusters were not found")
	}
	values = pairs.Values(nil)
	slices.Reverse(values)
	for c, x := range values {
		values[c] = math.Sqrt(max(0, x))
	}
	var vectors mat.Dense
	pairs.VectorsTo(&vectors)
	ut, vt = make([]float64, k*n), make([]float64, k*columns)
	known := vt
	if n < columns {
		known = ut
	}
	for c := range k {
		if at := first + c; at < side && values[at] > rankTol {
			mat.Col(known[c*side:(c+1)*side], side-1-at, &vectors)
		}
	}
	b.finish(ut, vt, k)
	return values, ut, vt, nil
}

// finish makes both sides' vectors, of length 1 or 0, from those of the smaller side, and gives them their signs.
func (b *biadjacency) finish(ut, vt []float64, k int) {
	n, columns := b.p.n, b.p.columns()
	if n < columns {
		thin.SparseTMulTo(vt, b, ut, k)
		unitRows(vt, columns)
	}
	thin.SparseMulTo(ut, b, vt, k)
	unitRows(ut, n)
	for c := range k {
		eigen.Orient(ut[c*n : (c+1)*n])
	}
	thin.SparseTMulTo(vt, b, ut, k)
	unitRows(vt, columns)
}

// unitRows scales the rows of x, each of length n, to norm 1; rows of zeros stay.
func unitRows(x []float64, n int) {
	for ; len(x) > 0; x = x[n:] {
		if norm := floats.Norm(x[:n], 2); norm > 0 {
			floats.Scale(1/norm, x[:n])
		}
	}
}

// unitDense returns the matrix whose transpose is ht, k×n, with each row scaled to norm 1, those that are rounding of zero to 0.
func unitDense(ht []float64, k int) *mat.Dense {
	h := thin.Dense(ht, k)
	n, _ := h.Dims()
	for i := range n {
		row := h.RawRowView(i)
		if norm := floats.Norm(row, 2); norm > rowFloor {
			floats.Scale(1/norm, row)
		} else {
			clear(row)
		}
	}
	return h
}

// checkPlaced is an error for partitions that cannot be joined into k clusters by a method that leaves out the objects that are in no
// partition. It returns the others, ascending.
func (p *Partitions) checkPlaced(k int) (placed []int, err error) {
	if err := p.checkFor(k); err != nil {
		return nil, err
	}
	for i := range p.n {
		if len(p.clustersOf(i)) > 0 {
			placed = append(placed, i)
		}
	}
	if k > len(placed) {
		return nil, fmt.Errorf("K = %d exceeds the %s in some partition, of %d", k, count(len(placed), "object"), p.n)
	}
	return placed, nil
}

// warnOfEquals is a warning where fewer kinds of objects are to be told apart than there are to be clusters.
func (p *Partitions) warnOfEquals(placed []int, k int) []string {
	sorted := slices.Clone(placed)
	compare := func(i, o int) int { return slices.Compare(p.clustersOf(i), p.clustersOf(o)) }
	slices.SortFunc(sorted, compare)
	kinds := len(slices.CompactFunc(sorted, func(i, o int) bool { return compare(i, o) == 0 }))
	if kinds >= k {
		return nil
	}
	return []string{fmt.Sprintf("K = %d, but the partitions tell no more than %s of objects apart: how equal ones are split says nothing",
		k, count(kinds, "kind"))}
}

// components numbers the components of the graph of objects and clusters, in the order of their first objects, and returns how many
// there are. An object in no partition has -1 and is none.
func (p *Partitions) components(placed []int) (numbers []int, components int) {
	numbers = make([]int, p.n)
	for i := range numbers {
		numbers[i] = Unassigned
	}
	seen := make([]bool, p.columns())
	var queue []int
	for _, i := range placed {
		if numbers[i] != Unassigned {
			continue
		}
		numbers[i] = components
		for queue = append(queue[:0], i); len(queue) > 0; {
			last := len(queue) - 1
			o := queue[last]
			queue = queue[:last]
			for _, j := range p.clustersOf(o) {
				if seen[j] {
					continue
				}
				seen[j] = true
				for _, next := range p.objectsOf(j) {
					if numbers[next] == Unassigned {
						numbers[next] = components
						queue = append(queue, next)
					}
				}
			}
		}
		components++
	}
	return numbers, components
}

// byPartition copies a list with an entry per cluster into one list per partition.
func (p *Partitions) byPartition(list []int) [][]int {
	lists := make([][]int, p.Len())
	for m := range lists {
		lists[m] = slices.Clone(list[p.first[m]:p.first[m+1]])
	}
	return lists
}
