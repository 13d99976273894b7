// Package affinity turns data, one object a row, into the n×n matrices of similarities that clustering works on.
//
//	w, err := affinity.Gaussian{MeanDistance: 0.7}.Of(x)
//
// An affinity is a value with the parameters of its definition, and Of applies it. What Of returns is new, symmetric to the bit and
// nonnegative (but for the kernels [Linear], [Cosine] and [Polynomial] of an odd degree), and the same bits on every machine with the same math.Exp, whatever the number of processors; only [CLR], which goes
// through eigenvectors, has the same bits on the same kind of machine alone. Bad data are an error that names the first offending
// entry.
//
// # Three forms
//
// All three are a mat.Matrix, and the methods of package clustering take any of them.
//
//   - Dense, a *mat.Dense, of [Gaussian] and the kernels: all pairs of objects. n objects take 8n² bytes, and an n for which that is more than a
//     quarter of the memory limit is refused.
//   - [Sparse], of [KNN], [CLRInitial] and [CLR]: each object and its p nearest, found exactly. It takes time in proportion to n²
//     to find them, and memory in proportion to n·p. [NewSparse] makes one of a list of edges.
//   - [Anchored], of [ULGE]: B·Bᵀ with a sparse n×m factor, where m anchors stand for the objects. Time and memory grow with n
//     alone. [NewAnchored] makes one of any nonnegative factor.
//
// # Which one to choose
//
// Begin with [Gaussian] up to some thousands of objects: it is the definition most papers have, and it leaves nothing out. Its one
// choice is the width; a multiple of the mean distance does well where clusters are of a similar density. Where they are not, take
// [SelfTuningGaussian], whose width follows the density.
//
// Distances between far objects say little in many dimensions, and a graph of near neighbours is often the better one, and
// cheaper at each step of a method. [KNN] with weight 1 is the plainest; its choice is the number of neighbours, five to twenty. With
// few, a cluster falls apart into components; with many, clusters grow together. Take its Cosine for counts of words and other
// data whose length means nothing. [CLRInitial] has weights that fall to 0 at the last neighbour, needs no width, and does not
// change with the unit of the data: a good second try, and the usual graph of orthogonal nonnegative graph clustering.
//
// [CLR] goes on to change the graph until it has as many components as there are clusters to find. It is a clustering by itself, and
// computes eigenvectors up to thirty times. It suits data whose clusters a graph of neighbours nearly tells apart.
//
// [ULGE] is for the tens of thousands. Its choice is the number of anchors: more are nearer to the graph of all objects, and
// slower; some tens for each cluster are a beginning.
//
// The papers' own choices have names: [SNMFNcutGaussian], [SelfTuningGaussian], [ONGCGaussian], [ONGCGraph], [RMKCGaussian], [SCNMFGraph].
//
// # What it does not do
//
// It clusters nothing and chooses nothing by itself: compare graphs by what package score says of the clusters. Neighbours are found by
// comparing all pairs, not by a tree or a hash: with many columns that is as fast, and it is exact.
package affinity
