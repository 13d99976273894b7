package clustering

// Normalised spectral clustering.
//
//	max Tr HᵀWH   over H with HᵀDH = I, relaxed from the normalised cut; then k-means on the rows of H
//
//	W  n×n  affinity, symmetric, >= 0
//	D  n×n  diagonal, the degrees W·1
//	H  n×k  H = D^(-1/2) U, where U has the eigenvectors of D^(-1/2) W D^(-1/2) with the k largest eigenvalues
//
// A. Ng, M. Jordan and Y. Weiss, "On Spectral Clustering: Analysis and an Algorithm", NIPS 2001: k-means on the rows of U, each
// scaled to length 1. J. Shi and J. Malik, "Normalized Cuts and Image Segmentation", IEEE PAMI 22 (2000), 888-905: k-means on
// the rows of H.
//
// Where this departs from the papers:
//
//   - Ng, Jordan and Weiss set the diagonal of W to 0. Here W is taken as it is given.
//   - An object without neighbours has a row of zeros. It is in no cluster: -1.
//   - An eigenvector's entry of the largest size is positive, so that an embedding can be compared with another.
//
// The leading eigenvectors come from products of W with a few vectors, some hundreds of them (package eigen): 2n² operations each, 2 an
// entry of a sparse W. Only of a small W, or for a K that is a large part of n, all are computed.

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/eigen"
	"orthant/clustering/internal/thin"
)

// Spectral is normalised spectral clustering (Ng, Jordan and Weiss, NIPS 2001): k-means on the rows of the leading eigenvectors of
// the normalised affinity, each scaled to length 1. Options are those of [KMeans], which it ends in; ten restarts are usual.
type Spectral struct {
	// K is the number of clusters and of eigenvectors, 1..n.
	K int
	// ShiMalik takes the rows of the eigenvectors of the random walk D⁻¹W as they are (Shi and Malik, 2000).
	ShiMalik bool
}

// SpectralResult is what Spectral returns. Objective is that of k-means on the embedding.
type SpectralResult struct {
	Result
	// Embedding, n×K, is what k-means worked on; a row of zeros for an object without neighbours.
	Embedding *mat.Dense
	// Eigenvalues are the K+10 largest of D^(-1/2) W D^(-1/2), or all n where there are no more, descending, 1 the first; see
	// [Eigengap].
	Eigenvalues []float64
}

// Fit clusters the n objects whose affinity is w, n×n, symmetric and nonnegative. Degrees may be zero: such an object is labelled
// -1. See [KMeans] for the defaults of opts, and [Result] for what an error leaves.
func (m Spectral) Fit(ctx context.Context, w mat.Matrix, opts Options) (*SpectralResult, error) {
	g, connected, err := m.validate(w)
	if err != nil {
		return nil, fmt.Errorf("clustering: Spectral: %w", err)
	}
	values, embedding, err := m.embed(g)
	if err != nil {
		return nil, fmt.Errorf("clustering: Spectral: %w", err)
	}
	rows := rowsOf(embedding, connected)
	res, _, err := run(ctx, problem[*mat.Dense]{
		name: "Spectral", method: m.String(), data: g.w.data(), n: g.n, maxIter: kmeansMaxIter,
		newState: func() state[*mat.Dense] {
			return &spectralState{newKMeansState(KMeans{K: m.K}, rows), connected}
		},
	}, opts)
	if res == nil {
		return nil, err
	}
	return &SpectralResult{Result: *res, Embedding: embedding, Eigenvalues: values}, err
}

// Variant is m on w as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m Spectral) Variant(name string, w mat.Matrix, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, w, opts)) })
}

// String is m as a Go literal.
func (m Spectral) String() string { return describe(m) }

// Eigengap returns the number of clusters, 1..len(eigenvalues)-1, behind which descending eigenvalues fall the most, the smallest on
// ties: a guess that is good where clusters are far apart. Fewer than two eigenvalues are an error.
//
// Source: U. von Luxburg, "A Tutorial on Spectral Clustering", Statistics and Computing 17 (2007), section 8.3.
func Eigengap(eigenvalues []float64) (int, error) {
	if len(eigenvalues) < 2 {
		return 0, fmt.Errorf("clustering: Eigengap: %d eigenvalues: two at least have a gap between them", len(eigenvalues))
	}
	best := 1
	for k := range eigenvalues {
		if k > 0 && eigenvalues[k-1]-eigenvalues[k] > eigenvalues[best-1]-eigenvalues[best] {
			best = k
		}
	}
	return best, nil
}

// validate checks m and its input, and returns the objects that have neighbours.
func (m Spectral) validate(w mat.Matrix) (g *graph, connected []int, err error) {
	if g, err = newGraph(w); err != nil {
		return nil, nil, err
	}
	for i, d := range g.degree {
		if d > 0 {
			connected = append(connected, i)
		}
	}
	if err := checkK(m.K, g.n); err != nil {
		return nil, nil, err
	}
	if m.K > len(connected) {
		return nil, nil, fmt.Errorf("K = %d exceeds the %d objects that have neighbours, of %d", m.K, len(connected), g.n)
	}
	return g, connected, nil
}

const (
	// spectralMore is how many eigenvalues are shown behind those of the embedding.
	spectralMore = 10
	// spectralTol is the residual of eigenvectors, above what an affinity may be asymmetric by.
	spectralTol = 1e-9
)

// embed returns the leading eigenvalues and the embedding.
func (m Spectral) embed(g *graph) ([]float64, *mat.Dense, error) {
	root := make([]float64, g.n) // of 1/degree
	for i, d := range g.degree {
		if d > 0 {
			root[i] = 1 / math.Sqrt(d)
		}
	}
	pairs, err := eigen.Largest(g.n, min(m.K+spectralMore, g.n), normalized(g, root), eigen.Options{Tol: spectralTol})
	if err != nil {
		return nil, nil, err
	}
	u := thin.Dense(pairs.Vectors[:m.K*g.n], m.K)
	for i := range g.n {
		row := u.RawRowView(i)
		switch norm := floats.Norm(row, 2); {
		case m.ShiMalik, root[i] == 0: // 0 but for rounding, without neighbours
			floats.Scale(root[i], row)
		case norm > 0:
			floats.Scale(1/norm, row)
		}
	}
	return pairs.Values, u, nil
}

// normalized returns the product with D^(-1/2) W D^(-1/2), where root has the diagonal of D^(-1/2).
func normalized(g *graph, root []float64) func(dst, xt []float64) {
	multipliers := map[int]func(dst, ht []float64){} // by the number of columns
	var scaled []float64
	return func(dst, xt []float64) {
		k := len(xt) / g.n
		if multipliers[k] == nil {
			multipliers[k] = g.w.multiplier(k)
		}
		scaled = append(scaled[:0], xt...)
		thin.ScaleTo(scaled, root, scaled)
		multipliers[k](dst, scaled)
		thin.ScaleTo(dst, root, dst)
	}
}

// rowsOf copies some rows of a matrix into another.
func rowsOf(m *mat.Dense, which []int) *mat.Dense {
	_, k := m.Dims()
	rows := mat.NewDense(len(which), k, nil)
	for r, i := range which {
		rows.SetRow(r, m.RawRowView(i))
	}
	return rows
}

// spectralState is k-means on the embedding of the objects that have neighbours.
type spectralState struct {
	*kmeansState
	connected []int
}

func (s *spectralState) labelsTo(labels []int) {
	for i := range labels {
		labels[i] = Unassigned
	}
	for r, i := range s.connected {
		labels[i] = s.labels[r]
	}
}
