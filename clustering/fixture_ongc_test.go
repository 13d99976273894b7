package clustering_test

import (
	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
)

func ongcFixture(f *fixture) {
	f.root.want("algorithm", `"ongc"`)
	m := clustering.ONGC{K: f.root.integer("k"), Mu: f.root.number("mu")}
	a := f.root.matrix("A")
	m.G0 = f.root.matrix("G0")
	f.after(func(iterations int, want *node) {
		res, err := m.Fit(f.t.Context(), a, clustering.Options{MaxIter: iterations, Tol: -1})
		f.must(err)
		for _, quantity := range want.left() {
			switch quantity {
			case "F":
				f.compare(want.take(quantity), res.F)
			case "G":
				f.compare(want.take(quantity), res.G)
			case "objective":
				f.compare(want.take(quantity), res.Objective)
			}
		}
	})
}

func umvongcFixture(f *fixture) {
	f.root.want("algorithm", `"umv-ongc"`)
	m := clustering.UmvONGC{K: f.root.integer("k"), Mu: f.root.number("mu")}
	var views []mat.Matrix
	for _, a := range f.root.matrices("A") {
		views = append(views, a)
	}
	m.G0 = f.root.matrix("G0")
	f.root.want("alpha0", `"1/m"`)
	f.root.want("order", `"F, G, alpha"`)
	f.after(func(iterations int, want *node) {
		res, err := m.Fit(f.t.Context(), views, clustering.Options{MaxIter: iterations, Tol: -1})
		f.must(err)
		for _, quantity := range want.left() {
			switch quantity {
			case "F":
				f.compare(want.take(quantity), res.F)
			case "G":
				f.compare(want.take(quantity), res.G)
			case "alpha":
				f.compare(want.take(quantity), res.Weights)
			case "objective":
				f.compare(want.take(quantity), res.Objective)
			}
		}
	})
}
