package clustering_test

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"orthant/clustering"
	"orthant/clustering/affinity"
	"orthant/clustering/score"
)

// A kernelSet is one of the sets that RMKC is tried on, with what the reference found.
type kernelSet struct {
	name      string
	k         int
	x         *mat.Dense
	labels    []int
	reference map[string]string // by column
	km, sc    float64           // the reference's accuracies of RMKC
}

func (e *experiment) kernelSets() []kernelSet {
	dense := func(name, file string, k int, km, sc float64, reference ...string) kernelSet {
		d := e.dense(file)
		return kernelSet{name, k, d.X, d.Labels, columns(reference), km, sc}
	}
	sets := []kernelSet{
		dense("wine", "wine", 3, 72.5, 71.9, "70.8/43.0", "63.0/37.6", "69.7/43.4", "72.5/39.5", "64.6/35.8", "54.1/24.6", "61.8/35.7", "71.9/43.5"),
	}
	if !e.long {
		return sets
	}
	text := func(name string, k int, km, sc float64, reference ...string) kernelSet {
		x := e.features(name)
		return kernelSet{name, k, x, e.classes(name), columns(reference), km, sc}
	}
	return append(sets,
		dense("JAFFE", "jaffe", 10, 78.7, 96.3, "79.4/86.5", "63.8/67.7", "71.4/79.4", "78.7/84.7", "95.4/94.2", "82.4/83.9", "94.5/94.2", "96.3/95.8"),
		dense("YALE", "yale", 15, 41.5, 48.1, "40.1/46.5", "34.5/41.1", "32.0/37.3", "41.5/48.7", "47.0/49.7", "40.1/46.3", "46.3/50.2", "48.1/51.9"),
		text("cstr", 4, 77.7, 86.5, "73.1/63.2", "51.0/31.8", "70.2/52.0", "77.7/64.9", "84.4/68.5", "61.9/48.5", "64.4/59.5", "86.5/70.3"),
		text("tr11", 9, 66.9, 66.9, "55.4/50.4", "34.2/25.9", "17.7/4.8", "66.9/65.8", "64.9/64.9", "51.5/46.8", "59.7/63.5", "66.9/63.4"),
	)
}

// kernelColumns are those of the reference's table: the best single kernel, the mean of the single ones, their sum, and RMKC.
var kernelColumns = []string{"KKM-b", "KKM-a", "KKM-ew", "RMKC-KM", "SC-b", "SC-a", "SC-ew", "RMKC-SC"}

func columns(cells []string) map[string]string {
	m := map[string]string{}
	for i, c := range cells {
		m[kernelColumns[i]] = c
	}
	return m
}

// A gridPoint is what one setting of RMKC gives.
type gridPoint struct {
	m                          clustering.RMKC
	rank                       int
	kmAcc, kmNMI, scAcc, scNMI float64
}

// means are the mean accuracy and NMI, by the geometric mean of the entropies, of a result's runs, in percent.
func (e *experiment) means(truth []int, res clustering.Fitted) (acc, nmi float64) {
	e.Helper()
	a, err := score.Each(score.Accuracy, truth, res.Common().RunLabels())
	e.must(err)
	b, err := score.Each(func(truth, labels []int) (float64, error) {
		return score.NMIBy(score.Geometric, truth, labels)
	}, truth, res.Common().RunLabels())
	e.must(err)
	return 100 * stat.Mean(a, nil), 100 * stat.Mean(b, nil)
}

// embedded are the means of ten clusterings of an embedding, each the best of ten starts of k-means.
func (e *experiment) embedded(set kernelSet, embedding *mat.Dense) (acc, nmi float64) {
	e.Helper()
	for seed := range uint64(10) {
		res, err := clustering.KMeans{K: set.k}.Fit(e.Context(), embedding, clustering.Options{Seed: seed, Restarts: 10})
		e.must(err)
		a, err := score.Accuracy(set.labels, res.Labels)
		e.must(err)
		b, err := score.NMIBy(score.Geometric, set.labels, res.Labels)
		e.must(err)
		acc, nmi = acc+10*a, nmi+10*b
	}
	return acc, nmi
}

// kernelsExperiment is the paper's table of kernel methods, over its grid of parameters.
func kernelsExperiment(e *experiment) {
	rhos, gammas1, gammas2 := []float64{.3, .5, .7}, []float64{1e-3, 1e-2, .1, 1, 10, 100, 1e3}, []float64{1e-2, .1, 1, 10, 100}
	if !e.long {
		rhos, gammas1, gammas2 = []float64{.3, .5}, []float64{1e-3, .1}, []float64{.1, 1}
	}
	e.printf("Accuracy/NMI (geometric) in %%, means of ten repeats (KM: of a start, SC: of the best of ten starts of k-means); eight kernels.\n" +
		"RMKC has the point of the grid that is best by the labels, as in the paper: (ρ, γ1, γ2; rank). \"Median\" is over the grid without\n" +
		"the points of rank 0. The reference's figures are below ours.\n")
	e.head(append(append([]string{"data"}, kernelColumns...), "median KM", "median SC", "rank 0", "rank below k")...)
	for _, set := range e.kernelSets() {
		kernels, err := affinity.RMKCKernels(set.x)
		e.must(err)
		cells := map[string]string{}
		e.singleKernels(set, kernels, cells)
		points, none := e.grid(set, kernels, rhos, gammas1, gammas2)
		km := slices.MaxFunc(points, func(a, b gridPoint) int { return cmp.Compare(a.kmAcc, b.kmAcc) })
		sc := slices.MaxFunc(points, func(a, b gridPoint) int { return cmp.Compare(a.scAcc, b.scAcc) })
		cells["RMKC-KM"] = fmt.Sprintf("%.1f/%.1f %s", km.kmAcc, km.kmNMI, km.setting())
		cells["RMKC-SC"] = fmt.Sprintf("%.1f/%.1f %s", sc.scAcc, sc.scNMI, sc.setting())
		var kms, scs []float64
		below := 0
		for _, p := range points {
			kms, scs = append(kms, p.kmAcc), append(scs, p.scAcc)
			if p.rank < set.k {
				below++
			}
		}
		slices.Sort(kms)
		slices.Sort(scs)
		ours, theirs := []string{set.name}, []string{""}
		for _, c := range kernelColumns {
			ours, theirs = append(ours, cells[c]), append(theirs, set.reference[c])
		}
		e.row(append(ours, fmt.Sprintf("%.1f", kms[len(kms)/2]), fmt.Sprintf("%.1f", scs[len(scs)/2]),
			fmt.Sprint(none), fmt.Sprintf("%d of %d", below, len(points)))...)
		e.row(append(theirs, "", "", "", "")...)
		e.within(set.name+", RMKC-KM", km.kmAcc, set.km, kernelSpread)
		e.within(set.name+", RMKC-SC", sc.scAcc, set.sc, kernelSpread)
	}
}

// kernelSpread is how many points the best of a grid may be from the reference's: the mean of ten restarts has an error of one or two, and
// the best of a hundred such means is the luckiest.
const kernelSpread = 4.0

func (p gridPoint) setting() string {
	return fmt.Sprintf("(%g, %g, %g; %d)", p.m.Rho, p.m.Gamma1, p.m.Gamma2, p.rank)
}

// singleKernels fills in the columns of kernels by themselves.
func (e *experiment) singleKernels(set kernelSet, kernels []*mat.Dense, cells map[string]string) {
	opts := clustering.Options{Seed: 1, Restarts: 10}
	sum := mat.NewDense(len(set.labels), len(set.labels), nil)
	type pair struct{ acc, nmi float64 }
	var km, sc []pair
	both := func(k *mat.Dense) (a, b pair) {
		res, err := clustering.KernelKMeans{K: set.k}.Fit(e.Context(), k, opts)
		e.must(err)
		a.acc, a.nmi = e.means(set.labels, res)
		spectral, err := clustering.Spectral{K: set.k}.Fit(e.Context(), k, clustering.Options{})
		e.must(err)
		b.acc, b.nmi = e.embedded(set, spectral.Embedding)
		return a, b
	}
	for _, k := range kernels {
		a, b := both(k)
		km, sc = append(km, a), append(sc, b)
		sum.Add(sum, k)
	}
	equalKM, equalSC := both(sum)
	for _, c := range []struct {
		name  string
		list  []pair
		equal pair
	}{{"KKM", km, equalKM}, {"SC", sc, equalSC}} {
		best := slices.MaxFunc(c.list, func(a, b pair) int { return cmp.Compare(a.acc, b.acc) })
		var mean pair
		for _, p := range c.list {
			mean.acc += p.acc / float64(len(c.list))
			mean.nmi += p.nmi / float64(len(c.list))
		}
		for name, p := range map[string]pair{"-b": best, "-a": mean, "-ew": c.equal} {
			cells[c.name+name] = fmt.Sprintf("%.1f/%.1f", p.acc, p.nmi)
		}
	}
}

// grid returns what RMKC gives at each point, and how many have rank 0.
func (e *experiment) grid(set kernelSet, kernels []*mat.Dense, rhos, gammas1, gammas2 []float64) (points []gridPoint, none int) {
	opts := clustering.Options{Seed: 1, Restarts: 10}
	for _, rho := range rhos {
		for _, gamma1 := range gammas1 {
			for _, gamma2 := range gammas2 {
				p := gridPoint{m: clustering.RMKC{K: set.k, Rho: rho, Gamma1: gamma1, Gamma2: gamma2, Spectral: true}}
				res, err := p.m.Fit(e.Context(), kernels, opts)
				if res != nil && res.Rank == 0 && err != nil && e.Context().Err() == nil {
					none++
					continue
				}
				e.must(err)
				p.rank = res.Rank
				p.scAcc, p.scNMI = e.embedded(set, res.Embedding)
				kernel, err := res.Kernel() // is clustered as by RMKC without Spectral
				e.must(err)
				km, err := clustering.KernelKMeans{K: set.k}.Fit(e.Context(), kernel, opts)
				e.must(err)
				p.kmAcc, p.kmNMI = e.means(set.labels, km)
				points = append(points, p)
			}
		}
	}
	return points, none
}
