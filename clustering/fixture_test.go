package clustering_test

import (
	"path/filepath"
	"strings"
	"testing"

	"orthant/clustering"
	"orthant/clustering/affinity"
	"orthant/clustering/internal/simplex"
	"orthant/clustering/score"
)

// fixtures says what each file under testdata/fixtures is about. The sizes and the values are the files'.
var fixtures = map[string]func(*fixture){
	"affinity":               affinityFixture,
	"graphs":                 graphsFixture,
	"ina":                    inaFixture,
	"ina_kappa":              inaKappaFixture,
	"inequality7":            inequalityFixture,
	"metrics":                metricsFixture,
	"nmfc":                   nmfcFixture,
	"nmfe":                   nmfeFixture,
	"ongc_single":            ongcFixture,
	"rmkc":                   rmkcFixture,
	"rmkc_alpha":             rmkcAlphaFixture,
	"rmkc_kernels":           rmkcKernelsFixture,
	"scnmf":                  scnmfFixture,
	"simplex":                simplexFixture,
	"snmfncut_nonorth_a0.05": snmfncutFixture,
	"snmfncut_orth_a0.05":    snmfncutFixture,
	"snmfncut_orth_a1":       snmfncutFixture,
	"umvongc":                umvongcFixture,
	"wcc":                    wccFixture,
}

func TestFixture(t *testing.T) {
	paths, err := filepath.Glob("testdata/fixtures/*")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			check, ok := fixtures[name]
			if !ok {
				t.Fatalf("no test reads %s", path)
			}
			f := openFixture(t, path)
			check(f)
			f.finish()
		})
	}
	for name := range fixtures {
		if !seen[name] {
			t.Errorf("testdata/fixtures/%s.json is missing", name)
		}
	}
}

func affinityFixture(f *fixture) {
	g := affinity.Gaussian{MeanDistance: f.root.number("factor")}
	x := f.root.matrix("X")
	for _, key := range f.root.left() {
		switch key {
		case "r":
			r, err := g.WidthOf(x)
			f.must(err)
			f.compare(f.root.take(key), r)
		case "W":
			w, err := g.Of(x)
			f.must(err)
			f.compare(f.root.take(key), w)
		}
	}
}

func inequalityFixture(f *fixture) {
	lhs, rhs, err := clustering.MatrixInequality(
		f.root.matrix("A"), f.root.matrix("B"), f.root.matrix("H"), f.root.matrix("Hp"))
	f.must(err)
	f.compare(f.root.take("lhs"), lhs)
	f.compare(f.root.take("rhs"), rhs)
}

func metricsFixture(f *fixture) {
	truth, labels := f.root.labels("true"), f.root.labels("pred")
	for _, key := range f.root.left() {
		switch key {
		case "accuracy":
			got, err := score.Accuracy(truth, labels)
			f.must(err)
			f.compare(f.root.take(key), got)
		case "nmi":
			nmi := f.root.take(key)
			for _, by := range nmi.left() {
				for _, n := range []score.Normalizer{score.Arithmetic, score.Geometric, score.Max, score.Min} {
					if n.String() == by {
						got, err := score.NMIBy(n, truth, labels)
						f.must(err)
						f.compare(nmi.take(by), got)
					}
				}
			}
		}
	}
}

func simplexFixture(f *fixture) {
	v := f.root.vector("v")
	projection := make([]float64, len(v))
	simplex.Project(projection, v, make([]float64, len(v)))
	f.compare(f.root.take("projection"), projection)

	qp := f.root.take("qp")
	q, c := qp.matrix("Q"), qp.vector("c")
	x := make([]float64, len(c))
	f.must(simplex.NewQP(len(c)).Solve(x, q.RawMatrix().Data, c))
	f.compare(qp.take("x"), x)
}

func snmfncutFixture(f *fixture) {
	f.root.want("algorithm", `"snmf-ncut"`)
	f.root.take("note") // prose
	m := clustering.SNMFNcut{
		Alpha:         f.root.number("alpha"),
		NonOrthogonal: !f.root.boolean("orthogonal"),
		Unscaled:      !f.root.boolean("normalise_init"),
		H0:            f.root.matrix("H0"),
	}
	_, m.K = m.H0.Dims()
	w := f.root.matrix("W")
	f.after(func(opts clustering.Options) map[string]any {
		res, err := m.Fit(f.t.Context(), w, opts)
		f.must(err)
		return map[string]any{"H": res.H, "objective": res.Objective, "Lambda": res.Lambda}
	})
}
