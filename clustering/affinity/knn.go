package affinity

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/objects"
	"orthant/clustering/internal/thin"
)

// defaultNeighbors is the usual number of neighbours: the graphs of Nie et al. (AAAI 2016) and of arXiv 2211.02883 have ten.
const defaultNeighbors = 10

// KNN is the graph that joins each object with its nearest neighbours, found exactly: W[i,j] > 0 where i is one of the Neighbors
// nearest of j, or j of i. Of neighbours at the same distance that of the lowest index comes first. No object is its own
// neighbour, so the diagonal is zero. The zero value is ten neighbours by Euclidean distance with weight 1.
type KNN struct {
	// Neighbors is the number of neighbours of an object before the graph is made symmetric, >= 1; 0 means 10. More than there are
	// other objects means all of them.
	Neighbors int
	// Cosine takes the largest cosines in place of the smallest distances; distances for Weighted are those of the rows scaled to
	// length 1. A row of zeros is an error then.
	Cosine bool
	// Mutual joins two objects only where each is among the neighbours of the other. There may be objects without neighbours.
	Mutual bool
	// Weighted gives an edge the weight that Gaussian has for it. Otherwise edges weigh 1.
	Weighted bool
	// Gaussian is the weight of an edge with Weighted: the width is that for all pairs of objects, not for the edges alone, the
	// diagonal is zero, and degrees for Normalized are those of the graph. Without Weighted it must be zero.
	Gaussian Gaussian
}

// SCNMFGraph is the graph of NMF under structure constraints (Jia, Li and Zhang, Neural Computing and Applications 2022): five
// neighbours by cosine, weight 1. The paper's details were not to be had; this is the usual choice.
func SCNMFGraph() KNN { return KNN{Neighbors: 5, Cosine: true} }

// ONGCGraph is [ONGCGaussian] on ten neighbours, a view's graph for orthogonal nonnegative graph clustering where that of all pairs
// is too large.
func ONGCGraph() KNN { return KNN{Neighbors: 10, Weighted: true, Gaussian: ONGCGaussian()} }

// Of returns the n×n graph of the rows of x, n×m, symmetric to the bit. A weight that is too small for a float64 is no entry. It takes
// n²m operations, on all processors, and memory in proportion to n·Neighbors; nothing n×n is made.
func (k KNN) Of(x mat.Matrix) (*Sparse, error) {
	w, err := k.of(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: KNN: %w", err)
	}
	return w, nil
}

func (k KNN) of(x mat.Matrix) (*Sparse, error) {
	k, err := k.resolve()
	if err != nil {
		return nil, err
	}
	rows, err := objects.Of(x)
	if err != nil {
		return nil, err
	}
	if k.Cosine {
		if rows, err = unitRows(rows); err != nil {
			return nil, err
		}
	}
	n, _ := rows.Dims()
	near, err := neighboursOf(rows, nil, min(k.Neighbors, n-1), k.Cosine)
	if err != nil {
		return nil, err
	}
	weight, err := k.weights(rows, near)
	if err != nil {
		return nil, err
	}
	combine := math.Max
	if k.Mutual {
		combine = math.Min
	}
	w := symmetrized(near.directed(n, weight), combine)
	if k.Weighted && k.Gaussian.Normalized {
		w.normalize()
	}
	return w, nil
}

// resolve checks the parameters and fills in the defaults.
func (k KNN) resolve() (KNN, error) {
	switch {
	case k.Neighbors < 0:
		return k, fmt.Errorf("Neighbors = %d, want at least 1", k.Neighbors)
	case k.Neighbors == 0:
		k.Neighbors = defaultNeighbors
	}
	if !k.Weighted && k.Gaussian != (Gaussian{}) {
		return k, errors.New("Gaussian is given, but without Weighted edges weigh 1")
	}
	var err error
	k.Gaussian, err = k.Gaussian.resolve()
	return k, err
}

// weights returns what turns the squared distances of an object's neighbours into weights, in place.
func (k KNN) weights(rows *mat.Dense, near *neighbours) (func(i int, d2 []float64), error) {
	if !k.Weighted {
		return func(_ int, d2 []float64) {
			for t := range d2 {
				d2[t] = 1
			}
		}, nil
	}
	w, err := k.widths(rows, near)
	if err != nil {
		return nil, err
	}
	return func(i int, d2 []float64) {
		for t, j := range near.index[i*near.p : (i+1)*near.p] {
			d2[t] = k.Gaussian.weight(w, i, j, d2[t])
		}
	}, nil
}

// widths returns the widths of Gaussian: those of its dense form, to the bit.
func (k KNN) widths(rows *mat.Dense, near *neighbours) (widths, error) {
	g := k.Gaussian
	if g.SelfTuning == 0 {
		average, largest := 0.0, 0.0
		if g.Width == 0 {
			average, largest = eachDistance(rows, nil)
		}
		r, err := g.width(average, largest)
		return widths{all: r}, err
	}
	n, _ := rows.Dims()
	if p := min(g.SelfTuning, n-1); p > near.p || k.Cosine { // by distance, as the widths are defined
		var err error
		if near, err = neighboursOf(rows, nil, p, false); err != nil {
			return widths{}, err
		}
	}
	own := make([]float64, n)
	for i := range own {
		if _, d2 := near.row(i); len(d2) > 0 {
			own[i] = math.Sqrt(d2[min(g.SelfTuning, len(d2))-1])
		}
	}
	return widths{own: own}, nil
}

// normalize replaces w, which nobody else has yet, by D^(−1/2) W D^(−1/2).
func (s *Sparse) normalize() {
	inverse := make([]float64, s.r)
	for i := range s.r {
		_, values := s.Row(i)
		if degree := thin.Sum(values); degree > 0 {
			inverse[i] = 1 / math.Sqrt(degree)
		}
	}
	for i := range s.r {
		for t := s.start[i]; t < s.start[i+1]; t++ {
			s.values[t] *= inverse[i] * inverse[s.cols[t]] // the product of the two first: symmetric to the last bit
		}
	}
}
