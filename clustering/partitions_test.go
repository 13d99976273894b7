package clustering

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// randomPartitions returns m partitions of n objects into at most k clusters each, in which a label is missing with probability
// missing. Object 0 is in all of them.
func randomPartitions(n, m, k int, missing float64, rng *rand.Rand) *Partitions {
	labels := make([][]int, m)
	for l := range labels {
		labels[l] = make([]int, n)
		for i := range n {
			labels[l][i] = rng.IntN(k)
			if i > 0 && rng.Float64() < missing {
				labels[l][i] = Unassigned
			}
		}
	}
	p, err := NewPartitions(labels...)
	if err != nil {
		panic(err) // the labels are good
	}
	return p
}

// dense is L, N×K, from the labels alone.
func (p *Partitions) dense() *mat.Dense {
	l := mat.NewDense(p.n, p.columns(), nil)
	column := 0
	for _, list := range p.labels {
		for a := range slices.Max(list) + 1 {
			for i := range list {
				if list[i] == a {
					l.Set(i, column, 1)
				}
			}
			column++
		}
	}
	return l
}

func TestPartitions(t *testing.T) {
	p, err := NewPartitions([]int{7, 2, -1, 7}, []int{0, 0, 0, -1}, []int{-1, -1, -1, -1}, []int{3, 1, 2, 0})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]int{{1, 0, -1, 1}, {0, 0, 0, -1}, {-1, -1, -1, -1}, {3, 1, 2, 0}}
	if got := p.Labels(); !slices.EqualFunc(got, want, slices.Equal[[]int]) {
		t.Errorf("labels %v, want %v", got, want)
	}
	if p.Len() != 4 || p.Objects() != 4 || p.Clusters() != 7 {
		t.Errorf("%d partitions, %d objects, %d clusters; want 4, 4, 7", p.Len(), p.Objects(), p.Clusters())
	}
	if got, want := p.String(), "4 partitions of 4 objects, with 7 clusters, 6 labels missing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Labels()[0][0] = 9
	if p.labels[0][0] != 1 {
		t.Error("Labels is no copy")
	}
}

// TestPartitionsIndex compares the lists of columns and of objects with the indicator matrix.
func TestPartitionsIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		p := randomPartitions(1+rng.IntN(12), 1+rng.IntN(5), 1+rng.IntN(4), 0.3, rng)
		l := p.dense()
		ones := 0
		for i := range p.n {
			for _, j := range p.clustersOf(i) {
				ones++
				if l.At(i, j) != 1 || !slices.Contains(p.objectsOf(j), i) || p.labels[p.owner[j]][i] != j-p.first[p.owner[j]] {
					t.Fatalf("%v: object %d is not in column %d", p.Labels(), i, j)
				}
			}
			if !slices.IsSorted(p.clustersOf(i)) {
				t.Fatalf("columns %v of object %d", p.clustersOf(i), i)
			}
		}
		if float64(ones) != mat.Sum(l) {
			t.Fatalf("%v: %d entries, want %g", p.Labels(), ones, mat.Sum(l))
		}
		for j := range p.columns() {
			if got := float64(p.size(j)); got != mat.Sum(l.ColView(j)) || got == 0 || !slices.IsSorted(p.objectsOf(j)) {
				t.Fatalf("%v: column %d has the objects %v", p.Labels(), j, p.objectsOf(j))
			}
		}
		var want mat.Dense
		want.Mul(l, l.T())
		want.Scale(1/float64(p.Len()), &want)
		got, err := p.CoAssociation()
		if err != nil || !mat.EqualApprox(got, &want, 1e-15) { // one division or one product of a count
			t.Fatalf("%v: %v, co-association %v, want %v", p.Labels(), err, mat.Formatted(got), mat.Formatted(&want))
		}
	}
}

func TestPartitionsOfRuns(t *testing.T) {
	fit := func(restarts int) *KMeansResult {
		res, err := KMeans{K: 3}.Fit(t.Context(), points(20, 1, 1), Options{Restarts: restarts})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	a, b := fit(3), fit(2)
	p, err := PartitionsOfRuns(a, b)
	if err != nil || p.Len() != 5 || !slices.Equal(p.labels[2], a.Runs[2].Labels) || !slices.Equal(p.labels[4], b.Runs[1].Labels) {
		t.Errorf("got %v, %v", p, err)
	}
	var none *KMeansResult
	for name, c := range map[string]struct {
		in   []Fitted
		want string
	}{
		"no result":   {nil, "there are no partitions"},
		"nil":         {[]Fitted{a, nil}, "result 1 is nil"},
		"nil pointer": {[]Fitted{none, a}, "result 0 is nil"},
		"no runs":     {[]Fitted{&Result{}}, "there are no partitions"},
	} {
		if _, err := PartitionsOfRuns(c.in...); err == nil || !strings.HasPrefix(err.Error(), "clustering: PartitionsOfRuns: "+c.want) {
			t.Errorf("%s: got error %v, want %q", name, err, c.want)
		}
	}
}

func TestPartitionsOfBadInput(t *testing.T) {
	for _, c := range []struct {
		name   string
		labels [][]int
		want   string
	}{
		{"none", nil, "there are no partitions"},
		{"no objects", [][]int{{}, {}}, "the partitions have no objects"},
		{"lengths", [][]int{{0, 1}, {1, 0}, {0}}, "partition 2 has 1 label, partition 0 has 2"},
		{"below -1", [][]int{{0, 1}, {-1, -2}}, "partition 1: the label of object 1 is -2"},
		{"all missing", [][]int{{-1, -1}, {-1, -1}}, "all labels of all partitions are missing"},
	} {
		if _, err := NewPartitions(c.labels...); err == nil || !strings.HasPrefix(err.Error(), "clustering: NewPartitions: "+c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
	var none *Partitions
	for _, p := range []*Partitions{none, {}} {
		if _, err := p.CoAssociation(); err == nil || !strings.HasPrefix(err.Error(), "clustering: CoAssociation: the") {
			t.Errorf("got error %v", err)
		}
	}
	t.Setenv("ORTHANT_MEMORY", "1M")
	large, err := NewPartitions(make([]int, 200))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := large.CoAssociation(); err == nil || !strings.Contains(err.Error(), "320000 bytes") {
		t.Errorf("got error %v", err)
	}
}

func TestPartitionsHash(t *testing.T) {
	hash := func(labels ...[]int) string {
		p, err := NewPartitions(labels...)
		if err != nil {
			t.Fatal(err)
		}
		return p.hash()
	}
	want := hash([]int{0, 0, 1}, []int{0, 1, -1})
	if got := hash([]int{4, 4, 9}, []int{1, 3, -1}); got != want {
		t.Error("the hash depends on the numbers of the labels")
	}
	for _, other := range [][][]int{{{0, 1, 1}, {0, 1, -1}}, {{0, 0, 1}, {0, 1, 0}}, {{0, 0, 1, 0, 1, -1}}} {
		if hash(other...) == want {
			t.Errorf("%v has the same hash", other)
		}
	}
}

// TestPerturb counts what moved: the shares are within five standard deviations of the probabilities.
func TestPerturb(t *testing.T) {
	const n, k, m = 400, 4, 500
	truth := make([]int, n)
	for i := range truth {
		truth[i] = 10 * (i % k)
	}
	for _, g := range []Perturb{NewPerturb(), {Rate: 0.2, Selection: 0.9, Count: m}, {Rate: 1, Count: m}, {Selection: 1, Count: m}} {
		g.Count = m
		p, err := g.Of(truth, 3)
		if err != nil {
			t.Fatal(err)
		}
		kept, moved, could := 0, 0, 0
		to := [k][k]int{}
		for _, list := range p.labels {
			var stayed [k]int
			for i, l := range list {
				if l == i%k {
					stayed[l]++
				}
			}
			whole := slices.Index(stayed[:], n/k)
			if whole >= 0 {
				kept++
			}
			for i, l := range list {
				if i%k == whole {
					continue
				}
				could++
				if l != i%k {
					moved++
					to[i%k][l]++
				}
			}
		}
		within := func(what string, got, of int, want float64) {
			t.Helper()
			if sd := math.Sqrt(want * (1 - want) * float64(of)); math.Abs(float64(got)-want*float64(of)) > 5*sd {
				t.Errorf("%v: %s: %d of %d, want a part of %g", g, what, got, of, want)
			}
		}
		if g.Rate > 0 { // else all classes keep their objects
			within("partitions with a class that is kept", kept, m, g.Selection)
		}
		within("objects that moved", moved, could, g.Rate)
		for a := range k {
			from := to[a][0] + to[a][1] + to[a][2] + to[a][3]
			for b := range k {
				if a != b {
					within("objects moved to a class", to[a][b], from, 1./(k-1))
				}
			}
		}
	}
}

func TestPerturbIsSeeded(t *testing.T) {
	truth := []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 2}
	of := func(g Perturb, seed uint64) [][]int {
		p, err := g.Of(truth, seed)
		if err != nil {
			t.Fatal(err)
		}
		return p.labels
	}
	equal := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal[[]int]) }
	g := NewPerturb()
	if g.String() != "Perturb{Rate: 0.9, Selection: 0.5, Count: 30}" {
		t.Errorf("got %v", g)
	}
	all := of(g, 1)
	if !equal(all, of(g, 1)) || equal(all, of(g, 2)) {
		t.Error("the seed does not make the partitions")
	}
	g.Count = 7
	if !equal(all[:7], of(g, 1)) {
		t.Error("the first partitions depend on how many there are")
	}
	if one := of(Perturb{Rate: 1, Count: 2}, 1); equal(one[:1], one[1:]) {
		t.Error("two partitions are the same")
	}
	p, err := NewPerturb().Of([]int{5, 5, 5}, 1)
	if err != nil || p.Clusters() != 30 {
		t.Errorf("one class: %v, %v", p, err)
	}
}

func TestPerturbOfBadInput(t *testing.T) {
	good := []int{0, 1, 1}
	for _, c := range []struct {
		name  string
		g     Perturb
		truth []int
		want  string
	}{
		{"rate", Perturb{Rate: 1.1, Count: 1}, good, "Rate = 1.1"},
		{"rate NaN", Perturb{Rate: math.NaN(), Count: 1}, good, "Rate = NaN"},
		{"selection", Perturb{Selection: -0.1, Count: 1}, good, "Selection = -0.1"},
		{"count", Perturb{}, good, "Count = 0"},
		{"no objects", NewPerturb(), nil, "there are no objects"},
		{"negative class", NewPerturb(), []int{0, 2, -1}, "the class of object 2 is -1"},
	} {
		if _, err := c.g.Of(c.truth, 1); err == nil || !strings.HasPrefix(err.Error(), "clustering: Perturb: "+c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}
