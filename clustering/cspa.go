package clustering

// Cluster-based similarity partitioning: how often two objects are together is their affinity.
//
//	min normalised cut of W̃ = LLᵀ/M, relaxed: k-means on the rows of the eigenvectors of D^(-1/2) W̃ D^(-1/2) with the
//	K largest eigenvalues, each row scaled to length 1
//
//	L  N×Kc  0/1: which object is in which cluster of all M partitions together
//	W̃  N×N   the co-association; see Partitions.CoAssociation
//	D  N×N   diagonal, the degrees W̃·1
//
// A. Strehl and J. Ghosh, "Cluster Ensembles - A Knowledge Reuse Framework for Combining Multiple Partitions", Journal of Machine
// Learning Research 3 (2002), 583-617.
//
// Where this departs from the paper, and why:
//
//   - The paper cuts the graph with METIS, which makes parts of nearly the same size. Here it is normalised spectral clustering
//     (see Spectral), which lets sizes be what they are: figures differ from those of the original.
//   - D^(-1/2) W̃ D^(-1/2) = CCᵀ with C = D^(-1/2) L/√M: its eigenvectors are the left singular vectors of C, from a matrix of the
//     size of the clusters. W̃ is never made. The result is that of Spectral on W̃.
//   - An object that is in no partition has no neighbours. It is in no cluster: -1.
//   - Where W̃ has a rank below K, the columns behind it are 0. They are vectors of its null space, which say nothing.
//
// The Gram matrix of C takes N·M² operations, its eigenvectors 9Kc³; if there are more clusters than objects it is that of the
// objects. An iteration of k-means takes 3NK².

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// CSPA joins partitions by spectral clustering of their co-association (Strehl and Ghosh, JMLR 3, 2002). The original uses METIS,
// which balances the sizes of the clusters; this does not, so that figures differ. Options are those of [KMeans], which it ends in;
// ten restarts are usual.
type CSPA struct {
	// K is the number of clusters and of eigenvectors, 1..N.
	K int
}

// CSPAResult is what CSPA returns. Objective is that of k-means on the embedding.
type CSPAResult struct {
	Result
	// Embedding, N×K, is what k-means worked on; a row of zeros for an object in no partition.
	Embedding *mat.Dense
	// Eigenvalues are those of D^(-1/2) W̃ D^(-1/2), descending, 1 the first: as many as there are objects, or clusters if these
	// are fewer; all others are 0. See [Eigengap].
	Eigenvalues []float64
}

// Fit joins the partitions p. Errors: nil or empty partitions, and K < 1 or above the number of objects that are in some partition.
// See [KMeans] for the defaults of opts, and [Result] for what an error leaves.
func (m CSPA) Fit(ctx context.Context, p *Partitions, opts Options) (*CSPAResult, error) {
	placed, err := p.checkPlaced(m.K)
	if err != nil {
		return nil, fmt.Errorf("clustering: CSPA: %w", err)
	}
	values, ut, _, err := coassociationRoot(p).singularPairs(0, m.K)
	if err != nil {
		return nil, fmt.Errorf("clustering: CSPA: %w", err)
	}
	for c, x := range values {
		values[c] = x * x
	}
	embedding := unitDense(ut, m.K)
	rows := rowsOf(embedding, placed)
	res, _, err := run(ctx, problem[*mat.Dense]{
		name: "CSPA", method: m.String(), data: p.hash(), n: p.n, maxIter: kmeansMaxIter, warnings: p.warnOfEquals(placed, m.K),
		newState: func() state[*mat.Dense] {
			return &spectralState{newKMeansState(KMeans{K: m.K}, rows), placed}
		},
	}, opts)
	if res == nil {
		return nil, err
	}
	return &CSPAResult{Result: *res, Embedding: embedding, Eigenvalues: values}, err
}

// Variant is m on p as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m CSPA) Variant(name string, p *Partitions, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, p, opts)) })
}

// String is m as a Go literal.
func (m CSPA) String() string { return describe(m) }

// coassociationRoot is C = D^(-1/2) L/√M, for which CCᵀ = D^(-1/2) W̃ D^(-1/2).
func coassociationRoot(p *Partitions) *biadjacency {
	left, right := make([]float64, p.n), make([]float64, p.columns())
	for i := range left {
		together := 0 // M times the degree of object i, itself included
		for _, j := range p.clustersOf(i) {
			together += p.size(j)
		}
		left[i] = inverseRoot(float64(together) / float64(p.Len()))
	}
	for j := range right {
		right[j] = 1 / math.Sqrt(float64(p.Len()))
	}
	return newBiadjacency(p, left, right)
}
