package clustering

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// An ensemble is an ensemble method in one of its variants, for what is true of all of them. The matrices are the method's own, H first.
type ensemble struct {
	name string
	fit  func(ctx context.Context, p *Partitions, k int, opts Options) (*Result, []*mat.Dense, error)
}

// joins is the ensemble method that of makes for k clusters; extra are the matrices of its own result.
func joins[R any, P interface {
	*R
	Fitted
}](name string, of func(k int) func(context.Context, *Partitions, Options) (P, error), extra func(P) []*mat.Dense) ensemble {
	return ensemble{name: name, fit: func(ctx context.Context, p *Partitions, k int, opts Options) (*Result, []*mat.Dense, error) {
		return row(name, on(of(k), p), extra).fit(ctx, opts)
	}}
}

func ensembles() []ensemble {
	nmfe := joins("NMFE", func(k int) func(context.Context, *Partitions, Options) (*NMFEResult, error) { return NMFE{K: k}.Fit },
		func(r *NMFEResult) []*mat.Dense { return []*mat.Dense{r.H, r.W} })
	ina := func(name string, m INA) ensemble {
		return joins(name, func(k int) func(context.Context, *Partitions, Options) (*INAResult, error) { m.K = k; return m.Fit },
			func(r *INAResult) []*mat.Dense { return []*mat.Dense{r.H, r.W, r.Psi} })
	}
	nmfc := func(name string, m NMFC) ensemble {
		return joins(name, func(k int) func(context.Context, *Partitions, Options) (*NMFCResult, error) { m.K = k; return m.Fit },
			func(r *NMFCResult) []*mat.Dense { return []*mat.Dense{r.H, r.S} })
	}
	wcc := func(name string, m WCC) ensemble {
		return joins(name, func(k int) func(context.Context, *Partitions, Options) (*WCCResult, error) { m.K = k; return m.Fit },
			func(r *WCCResult) []*mat.Dense { return []*mat.Dense{r.H, r.S, rowOf(r.Weights)} })
	}
	return []ensemble{
		nmfe,
		ina("INA", INA{Lambda: 1}),
		ina("INA/lambda=0", INA{}),
		ina("INA/inner=3", INA{Lambda: 0.5, Inner: 3}),
		nmfc("NMFC", NMFC{}),
		nmfc("NMFC/RandomStart", NMFC{RandomStart: true}),
		wcc("WCC", WCC{}),
		wcc("WCC/RandomStart", WCC{Inner: 2, RandomStart: true}),
	}
}

// ensembleMethods are the rows of the conformance table.
func ensembleMethods() []method {
	p := randomPartitions(40, 5, 4, 0.1, rand.New(rand.NewPCG(11, 0)))
	var rows []method
	for _, e := range ensembles() {
		rows = append(rows, method{name: e.name, fit: func(ctx context.Context, opts Options) (*Result, []*mat.Dense, error) {
			return e.fit(ctx, p, 3, opts)
		}})
	}
	return rows
}

// must makes partitions of good labels.
func must(labels ...[]int) *Partitions {
	p, err := NewPartitions(labels...)
	if err != nil {
		panic(err)
	}
	return p
}

// TestEnsemblesOfDegenerateInput: odd but valid partitions have a finite result, and objects in no partition, and no others, are in no
// cluster.
func TestEnsemblesOfDegenerateInput(t *testing.T) {
	two := []int{0, 0, 0, 1, 1, 1}
	for _, c := range []struct {
		name     string
		p        *Partitions
		k        int
		groups   [][]int // objects that must share a label, and different groups must not
		warnings bool    // of the methods whose start is spectral
		except   string  // a method of which the groups are not true
	}{
		{name: "one object", p: must([]int{0}), k: 1, groups: [][]int{{0}}},
		{name: "one object, missing in one", p: must([]int{0}, []int{3}), k: 1, groups: [][]int{{0}}},
		{name: "one partition", p: must(two), k: 2, groups: [][]int{{0, 1, 2}, {3, 4, 5}}},
		{name: "identical", p: must(two, two, two), k: 2, groups: [][]int{{0, 1, 2}, {3, 4, 5}}},
		{name: "renamed", p: must(two, []int{5, 5, 5, 2, 2, 2}), k: 2, groups: [][]int{{0, 1, 2}, {3, 4, 5}}},
		{name: "all one cluster", p: must([]int{0, 0, 0, 0}, []int{4, 4, 4, 4}), k: 1, groups: [][]int{{0, 1, 2, 3}}},
		{name: "all one cluster, two wanted", p: must([]int{0, 0, 0, 0}), k: 2},
		{name: "K = 1", p: must(two, []int{0, 1, 2, 3, 4, 5}), k: 1, groups: [][]int{{0, 1, 2, 3, 4, 5}}},
		{name: "K = N", p: must(two, []int{0, 1, 2, 3, 4, 5}), k: 6},
		{name: "singletons", p: must([]int{0, 1, 2, 3}), k: 4, groups: [][]int{{0}, {1}, {2}, {3}}},
		{name: "in no partition", p: must([]int{0, 0, -1, 1, 1}, []int{1, 1, -1, -1, 0}), k: 2, groups: [][]int{{0, 1}, {3, 4}}},
		{name: "too few in a partition", p: must([]int{-1, 4, -1}), k: 2, warnings: true},
		{name: "halves", p: must([]int{0, 0, -1, -1}, []int{-1, -1, 0, 0}), k: 2, groups: [][]int{{0, 1}, {2, 3}},
			except: "WCC/RandomStart"}, // it may fit one of the partitions alone
	} {
		for _, e := range ensembles() {
			t.Run(c.name+"/"+e.name, func(t *testing.T) {
				res, matrices, err := e.fit(t.Context(), c.p, c.k, Options{Seed: 1, Restarts: 10})
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range matrices {
					for _, x := range m.RawMatrix().Data {
						if !(x >= 0 && x <= math.MaxFloat64) {
							t.Fatalf("%v: an entry is %g", res, x)
						}
					}
				}
				for _, run := range res.Runs {
					for _, x := range slices.Concat(run.Trace.Objective, run.Trace.Change, run.Trace.Orthogonality) {
						if math.IsNaN(x) || math.IsInf(x, 0) {
							t.Fatalf("%v: a %g is in the trace", res, x)
						}
					}
				}
				for i, l := range res.Labels {
					if in := len(c.p.clustersOf(i)) > 0; in != (l != Unassigned) {
						t.Errorf("object %d, in a partition: %v, has the label %d", i, in, l)
					}
				}
				if spectral := e.name == "NMFC" || e.name == "WCC"; (len(res.Warnings) > 0) != (c.warnings && spectral) {
					t.Errorf("warnings %q", res.Warnings)
				}
				if e.name != c.except {
					checkGroups(t, res.Labels, c.groups)
				}
			})
		}
	}
}

// checkGroups fails unless the objects of a group share a label that no other group has.
func checkGroups(t *testing.T, labels []int, groups [][]int) {
	t.Helper()
	for a, group := range groups {
		for _, i := range group {
			if labels[i] != labels[group[0]] {
				t.Errorf("labels %v split %v", labels, group)
			}
		}
		for _, other := range groups[:a] {
			if labels[group[0]] == labels[other[0]] {
				t.Errorf("labels %v join %v and %v", labels, other, group)
			}
		}
	}
}

// TestEnsemblesOfBadInput: an error that says what is wrong where, and no result.
func TestEnsemblesOfBadInput(t *testing.T) {
	p := must([]int{0, 0, 1, 1}, []int{0, 1, 2, 2})
	var none *Partitions
	nan := math.NaN()
	for _, c := range []struct {
		name string
		fit  func(ctx context.Context) (any, error)
		want string
	}{
		{"negative lambda", fitINA(INA{K: 2, Lambda: -1}, p), "INA: Lambda = -1"},
		{"NaN lambda", fitINA(INA{K: 2, Lambda: nan}, p), "INA: Lambda = NaN"},
		{"infinite lambda", fitINA(INA{K: 2, Lambda: math.Inf(1)}, p), "INA: Lambda = +Inf"},
		{"negative inner of INA", fitINA(INA{K: 2, Inner: -2}, p), "INA: Inner = -2 is negative"},
		{"H0 of INA", fitINA(INA{K: 2, H0: filled(4, 3, 1)}, p), "INA: H0 is 4×3, want 4×2"},
		{"W0 of INA", fitINA(INA{K: 2, W0: filled(4, 2, 1)}, p), "INA: W0 is 4×2, want 5×2: one row per cluster of the partitions"},
		{"H0 of NMFE", fitNMFE(NMFE{K: 2, H0: with(filled(4, 2, 1), 3, 1, nan, false)}, p), "NMFE: H0[3,1] = NaN"},
		{"W0 of NMFE", fitNMFE(NMFE{K: 2, W0: with(filled(5, 2, 1), 4, 0, -3, false)}, p), "NMFE: W0[4,0] = -3 is negative"},
		{"zero W0", fitNMFE(NMFE{K: 2, W0: filled(5, 2, 0)}, p), "NMFE: W0 is zero everywhere"},
		{"H0 of NMFC", fitNMFC(NMFC{K: 2, H0: filled(3, 2, 1)}, p), "NMFC: H0 is 3×2, want 4×2"},
		{"zero H0", fitNMFC(NMFC{K: 2, H0: filled(4, 2, 0)}, p), "NMFC: H0 is zero everywhere"},
		{"H0 of WCC", fitWCC(WCC{K: 2, H0: with(filled(4, 2, 1), 0, 1, math.Inf(1), false)}, p), "WCC: H0[0,1] = +Inf"},
		{"negative inner of WCC", fitWCC(WCC{K: 2, Inner: -1}, p), "WCC: Inner = -1 is negative"},
		{"empty partition", fitWCC(WCC{K: 2}, must([]int{0, 1}, []int{-1, -1})), "WCC: partition 1 has no labels"},
		{"options", fitINA(INA{K: 2, History: true}, p, Options{MaxIter: -1}), "INA: Options.MaxIter = -1"},
	} {
		if _, err := c.fit(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "clustering: "+c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
	for _, e := range ensembles() {
		method, _, _ := strings.Cut(e.name, "/")
		for _, c := range []struct {
			name string
			p    *Partitions
			k    int
			opts Options
			want string
		}{
			{"nil", none, 2, Options{}, "the partitions are nil"},
			{"zero value", &Partitions{}, 2, Options{}, "there are no partitions"},
			{"K = 0", p, 0, Options{}, "K = 0, want at least 1"},
			{"K < 0", p, -1, Options{}, "K = -1, want at least 1"},
			{"K > N", p, 5, Options{}, "K = 5 exceeds the 4 objects"},
			{"Tol", p, 2, Options{Tol: nan}, "Options.Tol is NaN"},
		} {
			res, _, err := e.fit(t.Context(), c.p, c.k, c.opts)
			if err == nil || !strings.HasPrefix(err.Error(), "clustering: "+method+": "+c.want) || res != nil {
				t.Errorf("%s, %s: got %v and error %v, want %q", e.name, c.name, res, err, c.want)
			}
		}
	}
}

func fitNMFE(m NMFE, p *Partitions) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) { return m.Fit(ctx, p, Options{}) }
}

func fitINA(m INA, p *Partitions, opts ...Options) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) { return m.Fit(ctx, p, append(opts, Options{})[0]) }
}

func fitNMFC(m NMFC, p *Partitions) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) { return m.Fit(ctx, p, Options{}) }
}

func fitWCC(m WCC, p *Partitions) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) { return m.Fit(ctx, p, Options{}) }
}

// TestEnsembleStepsAllocateNothing also starts a run over: a state serves many.
func TestEnsembleStepsAllocateNothing(t *testing.T) {
	p := randomPartitions(60, 6, 4, 0.1, rand.New(rand.NewPCG(3, 0)))
	q := p.contingency()
	spectral, _ := newConsensusStart(p, 3, false, nil, Options{})
	for name, s := range map[string]interface {
		start(int, *rand.Rand)
		step()
		measure(*Point)
	}{
		"NMFE": newNMFEState(NMFE{K: 3}, p),
		"INA":  newINAState(INA{K: 3, Lambda: 1}, p),
		"NMFC": newConsensus(p, q, spectral),
		"WCC":  newWCCState(WCC{K: 3}, p, q, spectral),
	} {
		rng, point := rand.New(rand.NewPCG(4, 0)), Point{}
		s.start(0, rng)
		if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&point) }); n != 0 {
			t.Errorf("%s: %g allocations in a step, want 0", name, n)
		}
	}
}

// TestEnsemblesKeepNothing: results do not change when another fit uses what the first was given.
func TestEnsemblesKeepNothing(t *testing.T) {
	p := randomPartitions(12, 4, 3, 0.1, rand.New(rand.NewPCG(5, 0)))
	h0, w0 := filled(12, 2, 0.5), filled(p.columns(), 2, 0.5)
	h0.Set(0, 0, 1)
	w0.Set(0, 0, 1)
	h1, w1, labels := mat.DenseCopyOf(h0), mat.DenseCopyOf(w0), p.Labels()
	ina, err := INA{K: 2, H0: h0, W0: w0}.Fit(t.Context(), p, Options{MaxIter: 10})
	if err != nil {
		t.Fatal(err)
	}
	wcc, err := WCC{K: 2, H0: h0}.Fit(t.Context(), p, Options{MaxIter: 10})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(h0, h1) || !mat.Equal(w0, w1) || !slices.EqualFunc(p.labels, labels, slices.Equal[[]int]) {
		t.Error("a fit changed its input")
	}
	before := matrices([]*mat.Dense{ina.H, ina.W, wcc.H, wcc.S})
	h0.Zero()
	w0.Zero()
	if matrices([]*mat.Dense{ina.H, ina.W, wcc.H, wcc.S}) != before {
		t.Error("a result changes with its input")
	}
}

func BenchmarkEnsembleStep(b *testing.B) {
	truth := make([]int, 2000)
	for i := range truth {
		truth[i] = i % 10
	}
	p, err := NewPerturb().Of(truth, 1)
	if err != nil {
		b.Fatal(err)
	}
	q, random := p.contingency(), &consensusStart{k: 10}
	for _, c := range []struct {
		name string
		s    interface {
			start(int, *rand.Rand)
			step()
		}
	}{
		{"NMFE", newNMFEState(NMFE{K: 10}, p)},
		{"INA", newINAState(INA{K: 10, Lambda: 1}, p)},
		{"NMFC", newConsensus(p, q, random)},
		{"WCC/inner=1", newWCCState(WCC{K: 10, Inner: 1}, p, q, random)},
	} {
		b.Run("N=2000,M=30,k=10/"+c.name, func(b *testing.B) {
			c.s.start(0, rand.New(rand.NewPCG(1, 1)))
			b.ReportAllocs()
			for b.Loop() {
				c.s.step()
			}
		})
	}
}

// TestEnsembleVariants: a variant is Fit with the variant's seed, under its name or that of the method.
func TestEnsembleVariants(t *testing.T) {
	p := randomPartitions(20, 4, 3, 0.1, rand.New(rand.NewPCG(6, 0)))
	opts := Options{Seed: 1, Restarts: 2, MaxIter: 5}
	seeded := opts
	seeded.Seed = 9
	for _, c := range []struct {
		name    string
		variant Variant
		fit     func() (*Result, error)
	}{
		{"NMFE{K: 2}", NMFE{K: 2}.Variant("", p, opts), func() (*Result, error) { return common(NMFE{K: 2}.Fit(t.Context(), p, seeded)) }},
		{"INA{K: 2, Lambda: 1, Inner: 1}", NewINA(2).Variant("", p, opts),
			func() (*Result, error) { return common(NewINA(2).Fit(t.Context(), p, seeded)) }},
		{"NMFC{K: 2}", NMFC{K: 2}.Variant("", p, opts), func() (*Result, error) { return common(NMFC{K: 2}.Fit(t.Context(), p, seeded)) }},
		{"weighted", WCC{K: 2}.Variant("weighted", p, opts),
			func() (*Result, error) { return common(WCC{K: 2}.Fit(t.Context(), p, seeded)) }},
	} {
		got, err := c.variant.Run(t.Context(), 9)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.fit()
		if err != nil {
			t.Fatal(err)
		}
		if c.variant.Name != c.name || bits(timeless(got)) != bits(timeless(want)) {
			t.Errorf("%q, want %q with the result of Fit from its seed", c.variant.Name, c.name)
		}
	}
}
