package clustering_test

import (
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// graphsFixture has graphs of the same objects. Its Gaussian is affinity.ONGCGaussian where factor is 1 and normalise is true.
func graphsFixture(f *fixture) {
	x := f.root.matrix("X")
	for _, key := range f.root.left() {
		want := f.root.take(key)
		switch key {
		case "clr_initial":
			a, err := affinity.CLRInitial{Neighbors: int(want.number("p"))}.Of(x)
			f.must(err)
			f.compare(want.take("A"), mat.DenseCopyOf(a))
		case "gaussian":
			g := affinity.ONGCGaussian()
			g.MeanDistance = want.number("factor")
			g.Normalized = want.boolean("normalise")
			a, err := g.Of(x)
			f.must(err)
			f.compare(want.take("A"), a)
		case "ulge":
			a, err := affinity.ULGE{Anchors: want.matrix("anchors"), Neighbors: int(want.number("p"))}.Of(x)
			f.must(err)
			f.compare(want.take("Z"), mat.DenseCopyOf(a.Z()))
			f.compare(want.take("A"), mat.DenseCopyOf(a))
		}
	}
}
