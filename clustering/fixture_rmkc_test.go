package clustering_test

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/clustering/affinity"
)

// kernels are a field that is a list of matrices.
func (n *node) kernels(key string) []*mat.Dense {
	n.t.Helper()
	list := n.take(key)
	list.fields = map[string]*node{}
	var kernels []*mat.Dense
	for i, item := range list.list {
		name := strconv.Itoa(i)
		list.fields[name] = item
		kernels = append(kernels, list.matrix(name))
	}
	return kernels
}

func rmkcFixture(f *fixture) {
	f.root.want("algorithm", `"rmkc"`)
	f.root.want("order", `"E, K, alpha"`)
	f.root.take("note") // prose
	m := clustering.RMKC{K: 1, Rho: f.root.number("rho"), Gamma1: f.root.number("gamma1"), Gamma2: f.root.number("gamma2")}
	kernels := f.root.kernels("K")
	after := f.root.take("after")
	for _, key := range after.left() {
		iterations, err := strconv.Atoi(key)
		f.must(err)
		res, err := m.Fit(context.Background(), kernels, clustering.Options{MaxIter: iterations, Tol: -1})
		if res == nil || res.Rank > 0 { // the file may have a kernel of rank 0, which cannot be clustered
			f.must(err)
		}
		want := after.take(key)
		for _, quantity := range want.left() {
			switch quantity {
			case "K":
				k, err := res.Kernel()
				f.must(err)
				f.compare(want.take(quantity), k)
			case "alpha":
				f.compare(want.take(quantity), res.Weights)
			case "objective":
				f.compare(want.take(quantity), res.Learning.Objective)
			case "rank":
				f.compare(want.take(quantity), float64(res.Rank))
			case "E0":
				f.compare(want.take(quantity), clustering.RMKCNoise(m, kernels, iterations, 0))
			}
		}
	}
}

func rmkcAlphaFixture(f *fixture) {
	r := f.root.vector("r")
	for _, c := range f.root.take("cases").list {
		f.compare(c.take("alpha"), clustering.RMKCWeights(r, c.number("rho")))
		c.untaken()
	}
}

func rmkcKernelsFixture(f *fixture) {
	f.root.take("order") // prose: that of affinity.RMKCKernelNames
	kernels, err := affinity.RMKCKernels(f.root.matrix("X"))
	f.must(err)
	want := f.root.take("kernels")
	if len(want.list) != len(kernels) {
		f.t.Fatalf("%s: got %d kernels, want %d", want.path, len(kernels), len(want.list))
	}
	for i, item := range want.list {
		f.compare(item, kernels[i])
	}
}
