package clustering

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// graphEnsembleMethods are the rows of the conformance table for HBGF, CSPA, MCLA and HGPA, on partitions that agree about little.
func graphEnsembleMethods() []method {
	p, err := Perturb{Rate: 0.6, Selection: 0.5, Count: 8}.Of(classesOf(12, 9, 11, 8), 5)
	if err != nil {
		panic(err) // the classes are good
	}
	hgpa := func(m HGPA) func(context.Context, Options) (*Result, []*mat.Dense, error) {
		return func(ctx context.Context, opts Options) (*Result, []*mat.Dense, error) {
			res, err := m.Fit(ctx, p, opts)
			if res == nil {
				return nil, nil, err
			}
			if res.Spans == nil {
				return &res.Result, []*mat.Dense{nil}, err
			}
			spans := mat.NewDense(1, p.Clusters(), nil)
			for j, span := range slices.Concat(res.Spans...) {
				spans.Set(0, j, float64(span))
			}
			return &res.Result, []*mat.Dense{spans}, err
		}
	}
	return []method{
		{name: "HBGF", fit: func(ctx context.Context, opts Options) (*Result, []*mat.Dense, error) {
			res, err := HBGF{K: 5}.Fit(ctx, p, opts)
			if res == nil {
				return nil, nil, err
			}
			return &res.Result, []*mat.Dense{res.Embedding, res.ClusterEmbedding}, err
		}},
		{name: "CSPA", fit: func(ctx context.Context, opts Options) (*Result, []*mat.Dense, error) {
			res, err := CSPA{K: 4}.Fit(ctx, p, opts)
			if res == nil {
				return nil, nil, err
			}
			return &res.Result, []*mat.Dense{res.Embedding}, err
		}},
		{name: "MCLA", fit: func(ctx context.Context, opts Options) (*Result, []*mat.Dense, error) {
			res, err := MCLA{K: 6}.Fit(ctx, p, opts)
			if res == nil {
				return nil, nil, err
			}
			return &res.Result, []*mat.Dense{res.Association, res.Similarity, res.Embedding}, err
		}},
		{name: "HGPA", fit: hgpa(HGPA{K: 4})},
		{name: "HGPA/RandomStart", fit: hgpa(HGPA{K: 4, RandomStart: true})},
	}
}

// classesOf are the classes of as many objects as the sizes say, mixed: class a has sizes[a] of them.
func classesOf(sizes ...int) []int {
	var classes []int
	for a, size := range sizes {
		for range size {
			classes = append(classes, a)
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(classes), func(i, j int) { classes[i], classes[j] = classes[j], classes[i] })
	return classes
}

// graphEnsembles fit with each of the methods.
func graphEnsembles(k int) map[string]func(context.Context, *Partitions, Options) (*Result, error) {
	return map[string]func(context.Context, *Partitions, Options) (*Result, error){
		"HBGF": func(ctx context.Context, p *Partitions, opts Options) (*Result, error) {
			return common(HBGF{K: k}.Fit(ctx, p, opts))
		},
		"CSPA": func(ctx context.Context, p *Partitions, opts Options) (*Result, error) {
			return common(CSPA{K: k}.Fit(ctx, p, opts))
		},
		"MCLA": func(ctx context.Context, p *Partitions, opts Options) (*Result, error) {
			return common(MCLA{K: k}.Fit(ctx, p, opts))
		},
		"HGPA": func(ctx context.Context, p *Partitions, opts Options) (*Result, error) {
			return common(HGPA{K: k}.Fit(ctx, p, opts))
		},
	}
}

// sameGroups reports whether two labellings are one but for the labels' numbers; -1 goes with -1 alone.
func sameGroups(a, b []int) bool {
	to, from := map[int]int{Unassigned: Unassigned}, map[int]int{Unassigned: Unassigned}
	for i := range a {
		x, ok := to[a[i]]
		y, back := from[b[i]]
		if ok != back || ok && (x != b[i] || y != a[i]) {
			return false
		}
		to[a[i]], from[b[i]] = b[i], a[i]
	}
	return len(a) == len(b)
}

// partitions are NewPartitions of labels that are good.
func partitions(t *testing.T, labels ...[]int) *Partitions {
	t.Helper()
	p, err := NewPartitions(labels...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGraphEnsemblesAgreeWithTheUnanimous: where all partitions are the same, the result is that one. Sizes are equal up to what HGPA
// allows.
func TestGraphEnsemblesAgreeWithTheUnanimous(t *testing.T) {
	for _, sizes := range [][]int{{7}, {1, 1}, {6, 6}, {5, 4, 4}, {3, 3, 3, 3}, {21, 20, 19, 20, 20}, {1, 1, 1, 1, 1, 1}} {
		truth := classesOf(sizes...)
		for _, m := range []int{1, 2, 9, 40} { // with 40 there are more clusters than objects
			labels := make([][]int, m)
			for l := range labels {
				labels[l] = make([]int, len(truth))
				for i, a := range truth { // under other numbers in each
					labels[l][i] = (a + l) % len(sizes)
				}
			}
			p := partitions(t, labels...)
			for name, fit := range graphEnsembles(len(sizes)) {
				res, err := fit(t.Context(), p, Options{Seed: 1, Restarts: 10})
				if err != nil {
					t.Fatal(err)
				}
				if !sameGroups(res.Labels, truth) {
					t.Errorf("%s, %d partitions of sizes %v: got %v, want %v", name, m, sizes, res.Labels, truth)
				}
			}
		}
	}
}

// TestGraphEnsemblesFindTheTruth behind partitions each of which is wrong about some objects, and does not say of others.
func TestGraphEnsemblesFindTheTruth(t *testing.T) {
	for seed := range uint64(5) {
		truth := classesOf(20, 20, 20)
		noisy, err := Perturb{Rate: 0.1, Selection: 0.5, Count: 30}.Of(truth, seed)
		if err != nil {
			t.Fatal(err)
		}
		labels, rng := noisy.Labels(), rand.New(rand.NewPCG(seed, 9))
		for _, list := range labels {
			for i := range list {
				if rng.Float64() < 0.1 {
					list[i] = Unassigned
				}
			}
		}
		for _, p := range []*Partitions{noisy, partitions(t, labels...)} {
			for name, fit := range graphEnsembles(3) {
				res, err := fit(t.Context(), p, Options{Seed: seed, Restarts: 10})
				if err != nil {
					t.Fatal(err)
				}
				if !sameGroups(res.Labels, truth) {
					t.Errorf("seed %d, %s of %v: got %v, want %v", seed, name, p, res.Labels, truth)
				}
			}
		}
	}
}

func TestGraphEnsemblesOfBadInput(t *testing.T) {
	none := []int{Unassigned, Unassigned, Unassigned}
	good := partitions(t, []int{0, 0, 1}, []int{0, 1, 1})
	sparse := partitions(t, []int{0, 0, Unassigned}, none)
	for _, c := range []struct {
		name string
		k    int
		p    *Partitions
		opts Options
		want string
	}{
		{"nil", 1, nil, Options{}, "the partitions are nil"},
		{"zero", 1, &Partitions{}, Options{}, "there are no partitions"},
		{"no clusters", 0, good, Options{}, "K = 0, want at least 1"},
		{"negative", -2, good, Options{}, "K = -2, want at least 1"},
		{"too many clusters", 4, good, Options{}, "K = 4 exceeds the 3 objects"},
		{"too few objects in partitions", 3, sparse, Options{}, "K = 3 exceeds the 2 objects in some partition, of 3"},
		{"options", 2, good, Options{Restarts: -1}, "Options.Restarts = -1"},
	} {
		for name, fit := range graphEnsembles(c.k) {
			res, err := fit(t.Context(), c.p, c.opts)
			if err == nil || !strings.HasPrefix(err.Error(), "clustering: "+name+": "+c.want) || res != nil {
				t.Errorf("%s, %s: got %v, error %v, want %q", c.name, name, res, err, c.want)
			}
		}
	}
}

// TestGraphEnsemblesOfDegenerateInput: whatever the partitions are, results are finite, and who is in no partition is in no cluster.
func TestGraphEnsemblesOfDegenerateInput(t *testing.T) {
	const no = Unassigned
	for _, c := range []struct {
		name    string
		k       int
		labels  [][]int
		want    []int           // but for the labels' numbers; nil: any
		warning map[string]bool // who warns
	}{
		{name: "one object", k: 1, labels: [][]int{{0}}, want: []int{0}},
		{name: "one object, three partitions", k: 1, labels: [][]int{{0}, {4}, {no}}, want: []int{0}},
		{name: "K = 1", k: 1, labels: [][]int{{0, 1, 2}, {0, 0, 1}}, want: []int{0, 0, 0}},
		{name: "K = 1 of components", k: 1, labels: [][]int{{0, 1, 2}, {0, 1, 2}}, want: []int{0, 0, 0}},
		{name: "K = n", k: 3, labels: [][]int{{0, 1, 2}, {1, 0, 2}}, want: []int{0, 1, 2}},
		{name: "one partition", k: 2, labels: [][]int{{3, 1, 3, 1, 3}}, want: []int{0, 1, 0, 1, 0}},
		{name: "missing everywhere", k: 2, labels: [][]int{{0, no, 0, 1, 1}, {1, no, 1, 0, 0}}, want: []int{0, no, 0, 1, 1}},
		{name: "a partition without labels", k: 2, labels: [][]int{{0, 0, 1, 1}, {no, no, no, no}}, want: []int{0, 0, 1, 1}},
		{name: "an all-one partition besides", k: 2, labels: [][]int{{0, 0, 1, 1}, {0, 0, 0, 0}}, want: []int{0, 0, 1, 1}},
		{name: "an all-one partition alone", k: 3, labels: [][]int{{0, 0, 0, 0, 0}},
			warning: map[string]bool{"HBGF": true, "CSPA": true, "MCLA": true, "HGPA": true}},
		{name: "fewer clusters than K", k: 4, labels: [][]int{{0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 1, no}},
			warning: map[string]bool{"HBGF": true, "CSPA": true, "HGPA": true}},
		{name: "K = n of few clusters", k: 6, labels: [][]int{{0, 0, 0, 1, 1, 1}},
			warning: map[string]bool{"HBGF": true, "CSPA": true, "MCLA": true, "HGPA": true}},
		{name: "single objects", k: 2, labels: [][]int{{0, 1, 2, 3, 4}}},
		{name: "one label each", k: 2, labels: [][]int{{0, no, no, no}, {no, 0, no, no}, {no, no, 0, no}}},
	} {
		p := partitions(t, c.labels...)
		for name, fit := range graphEnsembles(c.k) {
			res, err := fit(t.Context(), p, Options{Seed: 1})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
				continue
			}
			if c.want != nil && !sameGroups(res.Labels, c.want) {
				t.Errorf("%s, %s: got %v, want %v", c.name, name, res.Labels, c.want)
			}
			if math.IsNaN(res.Objective) || math.IsInf(res.Objective, 0) || res.Status != Converged {
				t.Errorf("%s, %s: %v", c.name, name, res)
			}
			if got := len(res.Warnings) > 0; got != c.warning[name] {
				t.Errorf("%s, %s: warnings %q", c.name, name, res.Warnings)
			}
			for i, l := range res.Labels {
				if nowhere := len(p.clustersOf(i)) == 0; l >= c.k || nowhere != (l == Unassigned) {
					t.Errorf("%s, %s: label %d of object %d", c.name, name, l, i)
				}
			}
		}
	}
}

// TestGraphEnsemblesMakeNothingSquare: 2000 objects, under a limit that no 2000×2000 matrix fits into.
func TestGraphEnsemblesMakeNothingSquare(t *testing.T) {
	t.Setenv("ORTHANT_MEMORY", "4M")
	truth := classesOf(1000, 1000)
	p, err := Perturb{Rate: 0.1, Count: 5}.Of(truth, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.CoAssociation(); err == nil {
		t.Fatal("there is room for a square matrix")
	}
	for name, fit := range graphEnsembles(2) {
		if res, err := fit(t.Context(), p, Options{}); err != nil {
			t.Errorf("%s: %v, %v", name, res, err)
		}
	}
	t.Setenv("ORTHANT_MEMORY", "1K")
	for name, fit := range graphEnsembles(2) {
		if res, err := fit(t.Context(), p, Options{}); err == nil || !strings.Contains(err.Error(), "memory limit of 1024 bytes") || res != nil {
			t.Errorf("%s: got %v, error %v", name, res, err)
		}
	}
}

func TestGraphEnsemblesAsVariants(t *testing.T) {
	p := partitions(t, []int{0, 0, 1, 1}, []int{1, 1, 0, 0})
	for _, c := range []struct {
		v    Variant
		want string
	}{
		{HBGF{K: 2}.Variant("", p, Options{}), "HBGF{K: 2}"},
		{CSPA{K: 2}.Variant("", p, Options{}), "CSPA{K: 2}"},
		{MCLA{K: 2}.Variant("", p, Options{}), "MCLA{K: 2}"},
		{HGPA{K: 2, RandomStart: true}.Variant("", p, Options{}), "HGPA{K: 2, RandomStart: true}"},
		{HGPA{K: 2}.Variant("balanced", p, Options{}), "balanced"},
	} {
		res, err := c.v.Run(t.Context(), 7)
		if err != nil || c.v.Name != c.want || res.Options.Seed != 7 || !sameGroups(res.Labels, []int{0, 0, 1, 1}) {
			t.Errorf("%q, want %q: %v, %v", c.v.Name, c.want, res, err)
		}
	}
}

// BenchmarkGraphEnsembles fits 30 partitions of about ten clusters each, from the partitions to the labels.
func BenchmarkGraphEnsembles(b *testing.B) {
	for _, n := range []int{500, 2000} {
		sizes := make([]int, 10)
		for a := range sizes {
			sizes[a] = n / 10
		}
		p, err := NewPerturb().Of(classesOf(sizes...), 1)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range []string{"HBGF", "CSPA", "MCLA", "HGPA"} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				fit := graphEnsembles(10)[name]
				for b.Loop() {
					if _, err := fit(b.Context(), p, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
