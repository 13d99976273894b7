package clustering_test

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"orthant/clustering"
	"orthant/clustering/affinity"
	"orthant/clustering/score"
)

// choicesExperiment shows what our defaults rest on where a paper names no value and the labels had a say.
func choicesExperiment(e *experiment) {
	e.rmkcIterations()
	e.printf("\n")
	e.wccUpdates()
}

// rmkcIterations tries how long RMKC learns.
func (e *experiment) rmkcIterations() {
	e.printf("RMKC by the number of its iterations, with [NewRMKC]'s parameters: accuracy in %% of RMKC-KM (mean of ten starts)/of RMKC-SC (as in\n" +
		"the table of kernels), the largest weight's part of their sum, and the objective.\n")
	e.head("data", "iterations", "KM/SC", "largest weight", "objective")
	sets := e.kernelSets()
	for _, set := range sets[:min(len(sets), 3)] {
		kernels, err := affinity.RMKCKernels(set.x)
		e.must(err)
		for _, iterations := range []int{1, 3, 10, 30, 100, 300}[:e.of(6, 4)] {
			m := clustering.NewRMKC(set.k)
			m.Spectral = true
			opts := clustering.Options{Seed: 1, Restarts: 10, MaxIter: iterations, Tol: -1}
			res, err := m.Fit(e.Context(), kernels, opts)
			e.must(err)
			sc, _ := e.embedded(set, res.Embedding)
			kernel, err := res.Kernel()
			e.must(err)
			km, err := clustering.KernelKMeans{K: set.k}.Fit(e.Context(), kernel, clustering.Options{Seed: 1, Restarts: 10})
			e.must(err)
			acc, _ := e.means(set.labels, km)
			sum := 0.0
			for _, w := range res.Weights {
				sum += w
			}
			e.row(set.name, fmt.Sprint(iterations), fmt.Sprintf("%.1f/%.1f", acc, sc),
				fmt.Sprintf("%.2f", slices.Max(res.Weights)/sum), fmt.Sprintf("%.6g", res.Learning.Objective))
		}
	}
}

// wccUpdates tries how many updates WCC makes between two of its weights.
func (e *experiment) wccUpdates() {
	trials, inner := e.of(20, 2), []int{1, 10, 100, 1000}
	e.printf("WCC by the number of updates of H and S between two of its weights, 3000 updates in all: mean NMI of %d trials as in experiment 2.\n",
		trials)
	head := []string{"set"}
	for _, n := range inner {
		head = append(head, fmt.Sprint(n))
	}
	e.head(head...)
	for _, set := range []perturbedSet{perturbedSets[0], perturbedSets[3], perturbedSets[7], perturbedSets[10]}[:e.of(4, 1)] {
		truth := e.truth(set)
		k := slices.Max(truth) + 1
		cells := []string{set.name}
		for _, n := range inner {
			var scores []float64
			for trial := range uint64(trials) {
				p, err := clustering.NewPerturb().Of(truth, 1000+trial) // others than experiment 2 has
				e.must(err)
				res, err := clustering.WCC{K: k, Inner: n}.Fit(context.Background(), p, clustering.Options{Seed: trial, MaxIter: 3000 / n, Tol: -1})
				e.must(err)
				nmi, err := score.NMI(truth, res.Labels)
				e.must(err)
				scores = append(scores, nmi)
			}
			mean, deviation := stat.MeanStdDev(scores, nil)
			cells = append(cells, fmt.Sprintf("%.3f ± %.2f", mean, deviation))
		}
		e.row(cells...)
	}
}
