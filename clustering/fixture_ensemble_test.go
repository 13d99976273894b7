package clustering_test

import (
	"context"
	"strconv"

	"orthant/clustering"
)

// partitions takes the field of that name.
func (n *node) partitions() *clustering.Partitions {
	n.t.Helper()
	lists := n.take("partitions")
	labels := make([][]int, len(lists.list))
	for m, list := range lists.list {
		for _, item := range list.list {
			l, err := strconv.Atoi(item.text)
			if err != nil {
				n.t.Fatalf("%s: %v", item.path, err)
			}
			labels[m] = append(labels[m], l)
		}
	}
	p, err := clustering.NewPartitions(labels...)
	if err != nil {
		n.t.Fatalf("%s: %v", lists.path, err)
	}
	return p
}

// ensembleOrder is how the files say which matrix is updated first.
const ensembleOrder = `"W then H (then kappa)"`

func nmfeFixture(f *fixture) {
	f.root.want("algorithm", `"nmfe"`)
	f.root.want("order", ensembleOrder)
	p := f.root.partitions()
	m := clustering.NMFE{K: f.root.integer("k"), H0: f.root.matrix("H0"), W0: f.root.matrix("W0")}
	f.after(func(opts clustering.Options) map[string]any {
		res, err := m.Fit(context.Background(), p, opts)
		f.must(err)
		return map[string]any{"H": res.H, "W": res.W, "objective": res.Objective}
	})
}

func inaFixture(f *fixture) {
	f.root.want("algorithm", `"ina"`)
	f.root.want("order", ensembleOrder)
	p := f.root.partitions()
	m := clustering.INA{
		K: f.root.integer("k"), Lambda: f.root.number("lam"), Inner: f.root.integer("inner"),
		H0: f.root.matrix("H0"), W0: f.root.matrix("W0"),
	}
	f.after(func(opts clustering.Options) map[string]any {
		res, err := m.Fit(context.Background(), p, opts)
		f.must(err)
		psi, err := p.Weighted(res.Psi)
		f.must(err)
		return map[string]any{"H": res.H, "W": res.W, "Psi": psi, "objective": res.Objective}
	})
}

func inaKappaFixture(f *fixture) {
	p := f.root.partitions()
	psi := clustering.INAWeights(p, f.root.matrix("Lstar"), f.root.number("lam"))
	f.compare(f.root.take("Psi"), psi)
}

func nmfcFixture(f *fixture) {
	f.root.want("algorithm", `"nmfc"`)
	f.root.want("S0", `"H0^T Wt H0"`)
	p := f.root.partitions()
	m := clustering.NMFC{K: f.root.integer("k"), H0: f.root.matrix("H0")}
	f.after(func(opts clustering.Options) map[string]any {
		res, err := m.Fit(context.Background(), p, opts)
		f.must(err)
		return map[string]any{"H": res.H, "S": res.S, "objective": res.Objective}
	})
}

func wccFixture(f *fixture) {
	f.root.want("algorithm", `"wcc"`)
	f.root.want("S0", `"H0^T Wt H0, Wt with equal weights"`)
	p := f.root.partitions()
	m := clustering.WCC{K: f.root.integer("k"), H0: f.root.matrix("H0"), Inner: f.root.integer("inner")}
	res, err := m.Fit(context.Background(), p, clustering.Options{MaxIter: f.root.integer("outer"), Tol: -1})
	f.must(err)
	q, c := clustering.WCCProgramme(p, res.H, res.S)
	got := map[string]any{"H": res.H, "S": res.S, "Q": q, "c": c, "w": res.Weights, "objective": res.Objective}
	for _, quantity := range f.root.left() {
		if value, ok := got[quantity]; ok {
			f.compare(f.root.take(quantity), value)
		}
	}
}
