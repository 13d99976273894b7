package affinity

// Unsupervised large graph embedding: its graph.
//
//	A = Z diag(1ᵀZ)⁻¹ Zᵀ = B·Bᵀ
//
//	Z  n×m  row i has the closed form of CLRInitial for object i and its p nearest anchors; rows sum to 1
//	B  n×m  Z diag(1ᵀZ)^(-1/2)
//
// F. Nie, W. Zhu and X. Li, "Unsupervised Large Graph Embedding", AAAI 2017. Rows of A sum to 1, its eigenvalues are in [0,1]. The m = 2^h anchors
// are the means of the parts that balanced 2-means makes, h times one after the other ("BKHK" in the paper): the members of a part are
// ordered by d²(x,c1) − d²(x,c2) and cut in the middle, then the centres are the means, until nothing changes.
//
// The paper starts 2-means anywhere. Here the first centre is a random member, the second the one farthest from it. An anchor that is
// near no object has a zero column, and is left out of A.
//
// It takes some 10·n·d·h operations for the anchors of n objects with d columns, n·m·d for Z, and memory in proportion to n·p.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/objects"
)

const (
	ulgeNeighbors = 5
	ulgeLevels    = 8   // 256 anchors serve some thousands of objects well
	ulgeRounds    = 100 // of 2-means; ten are usual
)

// ULGE is the graph of an anchor for every few objects (Nie, Zhu and Li, AAAI 2017), for data whose n×n graph has no room: two objects are
// similar where they are near the same anchors. Its time and memory grow with n, not with n².
type ULGE struct {
	// Levels is the number h of halvings, which make 2^h <= n anchors, >= 1; 0 means the most, up to 8, that leave an anchor two objects at
	// least.
	Levels int
	// Anchors are the anchors as rows, with the columns of the data. nil: made of the data; otherwise Levels must be 0.
	Anchors *mat.Dense
	// Neighbors is the number p of anchors of an object, >= 1; 0 means 5. The anchor behind the last one gives the scale, so m anchors have
	// m−1 at most; more means m−1.
	Neighbors int
	// Seed makes the random starts of the halvings.
	Seed uint64
}

// Of returns the affinity of the rows of x, n×d.
func (u ULGE) Of(x mat.Matrix) (*Anchored, error) {
	rows, anchors, p, err := u.anchors(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: ULGE: %w", err)
	}
	z, err := closedForm(rows, anchors, p)
	if err != nil {
		return nil, fmt.Errorf("affinity: ULGE: %w", err)
	}
	return &Anchored{b: scaledColumns(z), z: z}, nil
}

// AnchorsOf returns the anchors that Of uses for x, as rows of a new matrix.
func (u ULGE) AnchorsOf(x mat.Matrix) (*mat.Dense, error) {
	_, anchors, _, err := u.anchors(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: ULGE: %w", err)
	}
	return mat.DenseCopyOf(anchors), nil
}

// anchors checks u and x and returns the objects, the anchors and the number of neighbours.
func (u ULGE) anchors(x mat.Matrix) (rows, anchors *mat.Dense, p int, err error) {
	if p, err = neighborsOr(u.Neighbors, ulgeNeighbors); err != nil {
		return nil, nil, 0, err
	}
	if rows, err = objects.Of(x); err != nil {
		return nil, nil, 0, err
	}
	n, d := rows.Dims()
	if u.Anchors != nil {
		return rows, u.Anchors, p, u.checkAnchors(d)
	}
	h := u.Levels
	switch {
	case h < 0:
		return nil, nil, 0, fmt.Errorf("Levels = %d, want at least 1", h)
	case h == 0:
		for h < ulgeLevels && 4<<h <= n {
			h++
		}
	case h > 62 || 1<<h > n:
		return nil, nil, 0, fmt.Errorf("Levels = %d makes more anchors than the %d objects", h, n)
	}
	anchors, err = halvings(rows, h, rand.New(rand.NewPCG(u.Seed, 0)))
	return rows, anchors, p, err
}

func (u ULGE) checkAnchors(d int) error {
	m, columns := u.Anchors.Dims()
	switch {
	case u.Levels != 0:
		return fmt.Errorf("Levels = %d and Anchors are given: give one of them", u.Levels)
	case m == 0 || columns == 0:
		return errors.New("Anchors is empty")
	case columns != d:
		return fmt.Errorf("Anchors is %d×%d, want %d columns as X has", m, columns, d)
	}
	return objects.CheckFinite("Anchors", u.Anchors)
}

// scaledColumns returns Z diag(1ᵀZ)^(-1/2).
func scaledColumns(z *Sparse) *Sparse {
	sums := make([]float64, z.c)
	for t, j := range z.cols {
		sums[j] += z.values[t]
	}
	b := &Sparse{r: z.r, c: z.c, start: z.start, cols: z.cols, values: make([]float64, len(z.values))}
	for t, j := range z.cols {
		b.values[t] = z.values[t] / math.Sqrt(sums[j])
	}
	return b
}

// halvings returns the means of the 2^h parts, 2^h <= n, in the order of the halvings.
func halvings(x *mat.Dense, h int, rng *rand.Rand) (*mat.Dense, error) {
	n, d := x.Dims()
	members := make([]int, n)
	for i := range members {
		members[i] = i
	}
	parts := [][]int{members}
	cut := newBisection(x)
	for range h {
		next := make([][]int, 0, 2*len(parts))
		for _, part := range parts {
			if err := cut.halve(part, rng); err != nil {
				return nil, err
			}
			half := (len(part) + 1) / 2
			next = append(next, part[:half], part[half:])
		}
		parts = next
	}
	anchors := mat.NewDense(len(parts), d, nil)
	for a, part := range parts {
		meanRow(anchors.RawRowView(a), x, part)
	}
	return anchors, nil
}

// bisection is balanced 2-means on parts of the rows of x.
type bisection struct {
	x             *mat.Dense
	first, second []float64 // the centres
	key           []float64 // by object
	before        []int
}

func newBisection(x *mat.Dense) *bisection {
	n, d := x.Dims()
	return &bisection{x: x, first: make([]float64, d), second: make([]float64, d), key: make([]float64, n), before: make([]int, 0, n)}
}

// halve orders a part, ascending, such that its first half, the larger one, is one of its two clusters, and each half is ascending.
func (b *bisection) halve(part []int, rng *rand.Rand) error {
	half := (len(part) + 1) / 2
	copy(b.first, b.x.RawRowView(part[rng.IntN(len(part))]))
	far := part[0]
	b.keys(part, func(row []float64) float64 { return objects.SquaredDistance(row, b.first) })
	for _, i := range part {
		if math.IsInf(b.key[i], 0) {
			return errOverflow
		}
		if b.key[i] > b.key[far] {
			far = i
		}
	}
	copy(b.second, b.x.RawRowView(far))
	for range ulgeRounds {
		b.keys(part, func(row []float64) float64 {
			return objects.SquaredDistance(row, b.first) - objects.SquaredDistance(row, b.second)
		})
		b.before = append(b.before[:0], part...)
		slices.SortFunc(part, func(i, j int) int { return cmp.Or(cmp.Compare(b.key[i], b.key[j]), cmp.Compare(i, j)) })
		slices.Sort(part[:half])
		slices.Sort(part[half:])
		if slices.Equal(part, b.before) {
			break
		}
		meanRow(b.first, b.x, part[:half])
		meanRow(b.second, b.x, part[half:])
	}
	return nil
}

// keys sets the key of each member of a part.
func (b *bisection) keys(part []int, of func(row []float64) float64) {
	parallelRows(len(part), func(t int) { b.key[part[t]] = of(b.x.RawRowView(part[t])) })
}

// meanRow sets dst to the mean of some rows, one at least.
func meanRow(dst []float64, x *mat.Dense, rows []int) {
	clear(dst)
	for _, i := range rows {
		for c, v := range x.RawRowView(i) {
			dst[c] += v
		}
	}
	for c := range dst {
		dst[c] /= float64(len(rows))
	}
}
