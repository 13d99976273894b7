package clustering_test

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/clustering/affinity"
)

func scnmfFixture(f *fixture) {
	f.root.want("algorithm", `"scnmf"`)
	m := clustering.SCNMF{
		K:      int(f.root.number("p")),
		Lambda: f.root.number("lam"),
		Mu:     f.root.number("mu"),
	}
	x := mat.DenseCopyOf(f.root.matrix("X").T()) // the file's objects are columns
	m.U0, m.V0 = f.root.matrix("U0"), f.root.matrix("V0")
	graph, err := affinity.SparseOf(f.root.matrix("graph"))
	f.must(err)
	m.Graph = graph
	after := f.root.take("after")
	for _, key := range after.left() {
		iterations, err := strconv.Atoi(key)
		f.must(err)
		res, err := m.Fit(context.Background(), x, clustering.Options{MaxIter: iterations, Tol: -1})
		f.must(err)
		want := after.take(key)
		for _, quantity := range want.left() {
			switch quantity {
			case "U":
				f.compare(want.take(quantity), res.U)
			case "V":
				f.compare(want.take(quantity), res.V)
			case "objective":
				f.compare(want.take(quantity), res.Objective)
			}
		}
	}
	cayley := f.root.take("cayley")
	from, gradient := cayley.vector("x"), cayley.vector("a")
	f.compare(cayley.take("y"), clustering.Cayley(from, gradient, cayley.number("tau")))
	f.compare(cayley.take("tau_max"), clustering.CayleyBound(from, gradient))
}
