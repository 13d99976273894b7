// Package clustering holds clustering methods from the literature in one form, made to be called from a notebook cell and
// to be read.
//
// A method is a value: a struct with the parameters of its paper. What it works on is an argument, how long and how often
// it runs is an [Options], the same for all methods, and every result embeds a [Result]:
//
//	digits := dataset.Digits().First(500)
//	w, err := affinity.Gaussian{MeanDistance: 0.7}.Of(digits.X)
//	if err != nil {
//		return err
//	}
//	res, err := clustering.SNMFNcut{K: 10, Alpha: 0.1}.Fit(ctx, w, clustering.Options{Seed: 1, Restarts: 20})
//	if err != nil {
//		return err
//	}
//	acc, err := score.Accuracy(digits.Labels, res.Labels)
//
// # The methods
//
// Of an affinity: [SNMFNcut], symmetric factorisation joined with the normalised cut; [ONGC], orthonormal nonnegative graph clustering,
// and [UmvONGC], the same of several views at once; [Spectral], which the others are compared with.
//
// Of objects: [SCNMF], factorisation under structure constraints; [KMeans].
//
// Of kernels: [RMKC], robust multiple kernel clustering; [KernelKMeans], of one.
//
// Of partitions ([Partitions]): [INA], which weighs the partitions for each object, and [NMFE]; [NMFC] and [WCC], factorisations of the
// co-association; [CSPA], [MCLA], [HGPA] and [HBGF], by graphs of objects and clusters.
//
// EXPERIMENTS.md has what they come to on the papers' data.
//
// # One run loop
//
// All methods are driven by one loop, so the following holds for each of them.
//
//   - Restarts run in parallel on Options.Workers goroutines. Each has a seed of its own, made from Options.Seed and the
//     number of the restart. The same binary gives the same bits for the same seed, whatever the number of workers.
//   - A fit whose context is cancelled returns the best result so far together with an error that wraps ctx.Err(): the
//     result is nil only when the input was refused.
//   - Options.Observe sees the iterations while they happen, one call at a time.
//   - Nothing panics across the API. Inputs are only read, and results keep no reference to them.
//   - Bad input is an error that names the matrix, the sizes and the first offending index. It is never a NaN in a result.
//
// # Conventions
//
// Matrices are row-major and rows are objects. Labels count from 0; the label of an object is the column of the largest
// entry in its row of the indicator matrix, the lowest such column on ties, and -1 for a row that is entirely zero. In a
// multiplicative update x·(num/den), den = 0 makes the entry 0; no epsilon is ever added to a denominator, because that
// would move the fixed points.
//
// # What it does not do
//
// It draws nothing, prints nothing, and knows nothing of notebooks: package figure draws results, package affinity makes the
// graphs, package score compares labels, package dataset brings data.
package clustering
