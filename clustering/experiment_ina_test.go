package clustering_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"orthant/clustering"
	"orthant/clustering/score"
)

// An ensembleMethod is a method of the tables of Zheng, Zhu, Gao and Mamitsuka.
type ensembleMethod struct {
	name string
	fit  func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant
}

// ensembleMethods are in the order of the reference's table.
var ensembleMethods = []ensembleMethod{
	{"INA, λ=1", inaWith(1)},
	{"λ=0.1", inaWith(0.1)},
	{"λ=10", inaWith(10)},
	{"NMFE", func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant {
		return clustering.NMFE{K: k}.Variant("", p, opts)
	}},
	{"CSPA", func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant {
		return clustering.CSPA{K: k}.Variant("", p, restarts(opts))
	}},
	{"HBGF", func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant {
		return clustering.HBGF{K: k}.Variant("", p, restarts(opts))
	}},
	{"NMFC, random start, 200", func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant {
		opts.MaxIter = 200
		return clustering.NMFC{K: k, RandomStart: true}.Variant("", p, opts)
	}},
	{"NMFC", func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant {
		return clustering.NMFC{K: k}.Variant("", p, opts)
	}},
	{"WCC", func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant {
		return clustering.WCC{K: k}.Variant("", p, opts)
	}},
}

func inaWith(lambda float64) func(int, *clustering.Partitions, clustering.Options) clustering.Variant {
	return func(k int, p *clustering.Partitions, opts clustering.Options) clustering.Variant {
		return clustering.INA{K: k, Lambda: lambda}.Variant("", p, opts)
	}
}

// restarts is opts with the usual number of starts of the k-means that a method ends in.
func restarts(opts clustering.Options) clustering.Options {
	opts.Restarts = 10
	return opts
}

// A perturbedSet is one of the sets of experiment 2, of which only the classes matter.
type perturbedSet struct {
	name      string
	file      string // "": of these sizes
	sizes     []int
	reference []float64 // of the first seven methods
}

// perturbedSets are the fourteen of the reference. The six last are those of CLUTO with fewer than 1000 objects and 4 to 10 classes.
var perturbedSets = []perturbedSet{
	{"breast tissue", "uci_breasttissue", nil, []float64{.875, .853, .726, .678, .725, .382, .320}},
	{"dermatology", "uci_dermatology", nil, []float64{.789, .712, .669, .661, .681, .452, .040}},
	{"ecoli", "uci_ecoli", nil, []float64{.558, .542, .485, .456, .544, .251, .074}},
	{"glass", "uci_glass", nil, []float64{.704, .629, .567, .542, .531, .354, .097}},
	{"lymphography", "uci_lymphography", nil, []float64{.573, .704, .522, .515, .520, .508, .139}},
	{"zoo", "", []int{41, 20, 5, 13, 4, 8, 10}, []float64{.553, .512, .454, .437, .510, .298, .305}},
	{"vehicle", "", []int{212, 217, 218, 199}, []float64{.961, .912, .945, .943, .960, .960, .006}},
	{"soybean-small", "", []int{10, 10, 10, 17}, []float64{.923, .916, .840, .828, .817, .758, .341}},
	{"tr11", "tr11", nil, []float64{.558, .529, .497, .468, .395, .209, .060}},
	{"tr12", "", []int{9, 29, 29, 30, 34, 35, 54, 93}, []float64{.692, .643, .586, .556, .614, .279, .092}},
	{"tr23", "", []int{6, 11, 15, 36, 45, 91}, []float64{.654, .640, .532, .517, .466, .345, .095}},
	{"tr31", "", []int{2, 21, 63, 111, 151, 227, 352}, []float64{.692, .617, .653, .636, .598, .429, .013}},
	{"tr41", "tr41", nil, []float64{.527, .478, .508, .488, .426, .248, .032}},
	{"tr45", "tr45", nil, []float64{.594, .548, .543, .522, .450, .237, .037}},
}

// truth returns the classes of the objects.
func (e *experiment) truth(s perturbedSet) []int {
	switch {
	case s.sizes != nil:
		var labels []int
		for l, size := range s.sizes {
			for range size {
				labels = append(labels, l)
			}
		}
		return labels
	case len(s.file) > 2 && s.file[:2] == "tr":
		return e.classes(s.file)
	}
	return e.dense(s.file).Labels
}

// trialDeviation is that of the score of one trial, in percent: the largest of the reference's is 17. The reference drew other
// partitions, and the mean of 20 trials.
const trialDeviation = 15.0

// allowed is three times the error of the difference between the reference's mean and one of so many trials.
func allowed(trials int) float64 { return 3 * trialDeviation * math.Sqrt(1/float64(trials)+1.0/20) }

// perturbationExperiment is experiment 2: partitions that are wrong in most places.
func perturbationExperiment(e *experiment) {
	trials, sets := e.of(20, 3), perturbedSets
	if !e.long {
		sets = []perturbedSet{sets[0], sets[7]}
	}
	e.printf("NMI of %d trials, mean ± deviation (the reference's mean), on 30 partitions of rate 0.9 and selection 0.5. \"t\" and\n"+
		"\"Wilcoxon\" are the probabilities of a difference between INA, λ=1, and NMFE as large as this. The reference has no WCC, and NMFC\n"+
		"from a random start alone.\n", trials)
	head := []string{"set"}
	for _, m := range ensembleMethods {
		head = append(head, m.name)
	}
	e.head(append(head, "t", "Wilcoxon")...)
	means := make([][]float64, len(ensembleMethods))
	for index, set := range sets {
		truth := e.truth(set)
		k := 0
		for _, l := range truth {
			k = max(k, l+1)
		}
		scores := e.trials(ensembleMethods, trials, k, truth, func(trial uint64) *clustering.Partitions {
			// A seed of its own, as the same seeds give all sets the same draws of good partitions, and their mean has the error of one.
			p, err := clustering.NewPerturb().Of(truth, uint64(index*trials)+trial)
			e.must(err)
			return p
		})
		cells := []string{fmt.Sprintf("%s (%d, %d)", set.name, len(truth), k)}
		for i, s := range scores {
			mean, deviation := stat.MeanStdDev(s, nil)
			means[i] = append(means[i], mean)
			cell := fmt.Sprintf("%.3f ± %.2f", mean, deviation)
			if i < len(set.reference) {
				cell += fmt.Sprintf(" (%.3f)", set.reference[i])
				e.within(set.name+", "+ensembleMethods[i].name, 100*mean, 100*set.reference[i], allowed(trials))
			}
			cells = append(cells, cell)
		}
		student, err := score.PairedT(scores[0], scores[3])
		e.must(err)
		wilcoxon, err := score.Wilcoxon(scores[0], scores[3])
		e.must(err)
		e.row(append(cells, fmt.Sprintf("%.2g", student.P), fmt.Sprintf("%.2g", wilcoxon.P))...)
	}
	cells := []string{"mean"}
	for i, m := range means {
		cell := fmt.Sprintf("%.3f", stat.Mean(m, nil))
		if i < len(sets[0].reference) {
			var reference []float64
			for _, set := range sets {
				reference = append(reference, set.reference[i])
			}
			cell += fmt.Sprintf(" (%.3f)", stat.Mean(reference, nil))
			e.within("mean, "+ensembleMethods[i].name, 100*stat.Mean(m, nil), 100*stat.Mean(reference, nil), allowed(trials)/math.Sqrt(float64(len(sets))))
		}
		cells = append(cells, cell)
	}
	e.row(append(cells, "", "")...)
}

// trials returns the NMI of each method in each trial.
func (e *experiment) trials(methods []ensembleMethod, count, k int, truth []int, partitions func(trial uint64) *clustering.Partitions) [][]float64 {
	e.Helper()
	scores := make([][]float64, len(methods))
	for trial := range uint64(count) {
		p := partitions(trial)
		for i, m := range methods {
			res, err := m.fit(k, p, clustering.Options{}).Run(context.Background(), trial)
			e.must(err)
			nmi, err := score.NMI(truth, res.Labels)
			e.must(err)
			scores[i] = append(scores[i], nmi)
		}
	}
	return scores
}
