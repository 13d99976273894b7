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
	f.after(func(opts clustering.Options) map[string]any {
		res, err := m.Fit(f.t.Context(), a, opts)
		f.must(err)
		return map[string]any{"F": res.F, "G": res.G, "objective": res.Objective}
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
	f.after(func(opts clustering.Options) map[string]any {
		res, err := m.Fit(f.t.Context(), views, opts)
		f.must(err)
		return map[string]any{"F": res.F, "G": res.G, "alpha": res.Weights, "objective": res.Objective}
	})
}
