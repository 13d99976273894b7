package clustering

// Meta-clustering: the clusters are clustered, and each object goes to the group of clusters that has it most often.
//
//	J_ab = |a ∩ b| / |a ∪ b|        clusters a, b of all partitions, as sets of objects
//	G    = K groups of clusters     by normalised spectral clustering of J
//	A_ig = mean of L_ij over the clusters j of group g; the label of object i is argmax_g A_ig
//
//	L  N×Kc  0/1: which object is in which cluster of all partitions together
//	J  Kc×Kc Jaccard similarity; 1 on the diagonal, 0 between two clusters of one partition
//	A  N×K   association, 0..1
//
// A. Strehl and J. Ghosh, "Cluster Ensembles - A Knowledge Reuse Framework for Combining Multiple Partitions", Journal of Machine
// Learning Research 3 (2002), 583-617.
//
// Where this departs from the paper, and why:
//
//   - The paper makes the groups with METIS, of nearly the same size. Here it is normalised spectral clustering (see Spectral),
//     which lets sizes be what they are: figures differ from those of the original.
//   - Of groups with the same association an object takes the first; the paper takes one at random. An object in no partition is
//     associated with nothing: -1.
//   - A group may win no object, as in the paper: there are at most K clusters.
//   - Where the partitions have fewer than K clusters together there are as many groups as clusters.
//
// J takes N·M² operations for M partitions, its eigenvectors 9Kc³. An iteration of k-means takes 3Kc·K², the labels of a run N·M.

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/thin"
)

// MCLA joins partitions by clustering their clusters (Strehl and Ghosh, JMLR 3, 2002). The original uses METIS, which balances the
// groups of clusters; this uses spectral clustering, which does not, so that figures differ. Options are those of [KMeans], which
// makes the groups; ten restarts are usual.
type MCLA struct {
	// K is the number of groups of clusters, 1..N, and the most clusters there can be in the end.
	K int
}

// MCLAResult is what MCLA returns. Objective is that of k-means on the clusters. Where matrices have a row per cluster, those of the
// first partition come first, in the order of their labels, then those of the second, and so on.
type MCLAResult struct {
	Result
	// Association, N×K, is the part of a group's clusters that have an object, 0..1; zeros for an object in no partition. There
	// are fewer columns only if all partitions together have fewer than K clusters.
	Association *mat.Dense
	// MetaClusters has one list per partition: the group, 0..K-1, that the best run put each of its clusters in.
	MetaClusters [][]int
	// Similarity has the Jaccard similarities of all clusters, square.
	Similarity *mat.Dense
	// Embedding, a row per cluster, is what k-means worked on.
	Embedding *mat.Dense
	// Eigenvalues are all of the normalised similarity, descending, 1 the first; see [Eigengap].
	Eigenvalues []float64
}

// Fit joins the partitions p. Errors: nil or empty partitions, and K < 1 or above the number of objects that are in some partition.
// See [KMeans] for the defaults of opts, and [Result] for what an error leaves.
func (m MCLA) Fit(ctx context.Context, p *Partitions, opts Options) (*MCLAResult, error) {
	groups, warnings, err := m.validate(p)
	if err != nil {
		return nil, fmt.Errorf("clustering: MCLA: %w", err)
	}
	similarity := p.jaccard()
	values, embedding, err := groupsOfClusters(similarity, groups)
	if err != nil {
		return nil, fmt.Errorf("clustering: MCLA: %w", err)
	}
	res, kept, err := run(ctx, problem[mclaKept]{
		name: "MCLA", method: m.String(), data: p.hash(), n: p.n, maxIter: kmeansMaxIter, warnings: warnings,
		newState: func() state[mclaKept] { return newMCLAState(p, groups, embedding) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &MCLAResult{Result: *res, Association: kept.association, MetaClusters: kept.groups,
		Similarity: similarity, Embedding: embedding, Eigenvalues: values}, err
}

// Variant is m on p as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m MCLA) Variant(name string, p *Partitions, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, p, opts)) })
}

// String is m as a Go literal.
func (m MCLA) String() string { return describe(m) }

// validate checks m and its input, and returns the number of groups.
func (m MCLA) validate(p *Partitions) (groups int, warnings []string, err error) {
	if _, err := p.checkPlaced(m.K); err != nil {
		return 0, nil, err
	}
	if groups = min(m.K, p.columns()); groups < m.K {
		warnings = append(warnings, fmt.Sprintf("K = %d exceeds the %s of all partitions: there are no more groups than clusters",
			m.K, count(groups, "cluster")))
	}
	return groups, warnings, memory.CheckSquare(p.columns(), 4) // J, its normalised form, the solver's copy, and the vectors
}

// jaccard is J.
func (p *Partitions) jaccard() *mat.Dense {
	j := mat.NewDense(p.columns(), p.columns(), nil)
	for i := range p.n {
		for _, a := range p.clustersOf(i) {
			row := j.RawRowView(a)
			for _, b := range p.clustersOf(i) {
				row[b]++ // |a ∩ b|
			}
		}
	}
	for a := range p.columns() {
		row := j.RawRowView(a)
		for b, both := range row {
			row[b] = both / (float64(p.size(a)+p.size(b)) - both) // no cluster is empty
		}
	}
	return j
}

// groupsOfClusters embeds the clusters whose similarity is given as Spectral does for k clusters.
func groupsOfClusters(similarity *mat.Dense, k int) ([]float64, *mat.Dense, error) {
	g, err := newGraph(similarity)
	if err != nil {
		return nil, nil, err
	}
	return Spectral{K: k}.embed(g)
}

// mclaKept is what the result shows of the best run.
type mclaKept struct {
	association *mat.Dense
	groups      [][]int
}

// mclaState is k-means on the clusters.
type mclaState struct {
	*kmeansState
	p           *Partitions
	association []float64 // K×N: A transposed; see package thin
}

func newMCLAState(p *Partitions, groups int, embedding *mat.Dense) *mclaState {
	return &mclaState{newKMeansState(KMeans{K: groups}, embedding), p, make([]float64, groups*p.n)}
}

// associate brings the association up to date with the groups. A quotient of whole numbers is rounded once, so that equal ones are
// equal bit by bit, and ties are ties.
func (s *mclaState) associate() {
	clear(s.association)
	for i := range s.p.n {
		for _, j := range s.p.clustersOf(i) {
			s.association[s.labels[j]*s.p.n+i]++
		}
	}
	for g, size := range s.sizes {
		for t := range s.p.n {
			s.association[g*s.p.n+t] /= float64(size) // k-means has no empty cluster
		}
	}
}

func (s *mclaState) labelsTo(labels []int) {
	s.associate()
	argmaxTo(labels, s.association)
}

func (s *mclaState) keep() mclaKept {
	s.associate()
	return mclaKept{association: thin.Dense(s.association, s.k), groups: s.p.byPartition(s.labels)}
}
