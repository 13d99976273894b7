package clustering

// Hybrid bipartite graph formulation: objects and clusters partitioned together.
//
//	min normalised cut of the graph with an edge of weight 1 where a cluster has an object, relaxed:
//	the K leading singular pairs of B = D₁^(-1/2) L D₂^(-1/2), then k-means on the rows of [D₁^(-1/2) U; D₂^(-1/2) V]
//
//	L   N×Kc  0/1: which object is in which cluster of all partitions together
//	D₁  N×N   diagonal, the number of clusters that an object is in: the number of partitions where none is missing
//	D₂  Kc×Kc diagonal, the sizes of the clusters
//	U, V      N×K and Kc×K
//
// X. Z. Fern and C. E. Brodley, "Solving Cluster Ensemble Problems by Bipartite Graph Partitioning", ICML 2004, in its spectral form,
// after I. S. Dhillon, "Co-clustering documents and words using bipartite spectral graph partitioning", KDD 2001.
//
// What the paper leaves open:
//
//   - The rows are scaled to length 1 before k-means. That takes D₁^(-1/2) and D₂^(-1/2) off again, so they are not put on.
//   - An object that is in no partition has no edge. It is in no cluster: -1.
//   - k-means works on objects and clusters together, so that one of its K clusters may have no object.
//   - If B has a rank below K, the columns behind it are 0.
//
// The Gram matrix of B takes N·M² operations for M partitions, its eigenvectors 9Kc³; if there are more clusters than objects it is
// that of the objects. An iteration of k-means takes 3(N+Kc)K².

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// HBGF joins partitions by a cut of the bipartite graph of objects and clusters (Fern and Brodley, ICML 2004, spectral form): k-means
// on the leading singular vectors of both sides. Options are those of [KMeans], which it ends in; ten restarts are usual.
type HBGF struct {
	// K is the number of clusters and of singular pairs, 1..N.
	K int
}

// HBGFResult is what HBGF returns. Objective is that of k-means on the objects and clusters together.
type HBGFResult struct {
	Result
	// Embedding, N×K, has the objects as k-means saw them: rows of length 1, and of zeros for an object in no partition.
	Embedding *mat.Dense
	// ClusterEmbedding has the clusters of all partitions as k-means saw them, one a row: those of the first partition in the
	// order of their labels, then those of the second, and so on.
	ClusterEmbedding *mat.Dense
	// ClusterLabels has one list per partition: the label that the best run gives to each of its clusters, 0..K-1.
	ClusterLabels [][]int
	// SingularValues are those of B, descending, 1 the first: as many as there are objects, or clusters if these are fewer.
	SingularValues []float64
}

// Fit joins the partitions p. Errors: nil or empty partitions, and K < 1 or above the number of objects that are in some partition.
// See [KMeans] for the defaults of opts, and [Result] for what an error leaves.
func (m HBGF) Fit(ctx context.Context, p *Partitions, opts Options) (*HBGFResult, error) {
	placed, err := p.checkPlaced(m.K)
	if err != nil {
		return nil, fmt.Errorf("clustering: HBGF: %w", err)
	}
	values, ut, vt, err := ncutBiadjacency(p).singularPairs(0, m.K)
	if err != nil {
		return nil, fmt.Errorf("clustering: HBGF: %w", err)
	}
	objects, clusters := unitDense(ut, m.K), unitDense(vt, m.K)
	var rows mat.Dense
	rows.Stack(rowsOf(objects, placed), clusters)
	res, labels, err := run(ctx, problem[[]int]{
		name: "HBGF", method: m.String(), data: p.hash(), n: p.n, maxIter: kmeansMaxIter, warnings: p.warnOfEquals(placed, m.K),
		newState: func() state[[]int] {
			return &hbgfState{&spectralState{newKMeansState(KMeans{K: m.K}, &rows), placed}}
		},
	}, opts)
	if res == nil {
		return nil, err
	}
	full := &HBGFResult{Result: *res, Embedding: objects, ClusterEmbedding: clusters, SingularValues: values}
	if labels != nil {
		full.ClusterLabels = p.byPartition(labels)
	}
	return full, err
}

// Variant is m on p as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m HBGF) Variant(name string, p *Partitions, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, p, opts)) })
}

// String is m as a Go literal.
func (m HBGF) String() string { return describe(m) }

// hbgfState is k-means on the placed objects and, behind them, the clusters.
type hbgfState struct{ *spectralState }

// keep copies the labels of the clusters.
func (s *hbgfState) keep() []int { return append([]int(nil), s.labels[len(s.connected):]...) }
