package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tol is the rounding of sums of a few logarithms.
const tol = 1e-14

func TestKnownValues(t *testing.T) {
	ln := math.Log
	for _, c := range []struct {
		name                       string
		truth, labels              []int
		accuracy, purity, nmi, ari float64
	}{
		{name: "equal", truth: []int{0, 0, 1, 1}, labels: []int{0, 0, 1, 1}, accuracy: 1, purity: 1, nmi: 1, ari: 1},
		{name: "renamed", truth: []int{0, 0, 1, 1}, labels: []int{7, 7, 3, 3}, accuracy: 1, purity: 1, nmi: 1, ari: 1},
		{name: "independent", truth: []int{0, 0, 1, 1}, labels: []int{0, 1, 0, 1}, accuracy: 0.5, purity: 0.5, nmi: 0, ari: -0.5},
		{name: "one object", truth: []int{4}, labels: []int{0}, accuracy: 1, purity: 1, nmi: 1, ari: 1},
		{name: "both one cluster", truth: []int{1, 1, 1}, labels: []int{0, 0, 0}, accuracy: 1, purity: 1, nmi: 1, ari: 1},
		{name: "one cluster", truth: []int{0, 0, 0, 1}, labels: []int{0, 0, 0, 0}, accuracy: 0.75, purity: 0.75, nmi: 0, ari: 0},
		{name: "one class", truth: []int{0, 0, 0, 0}, labels: []int{0, 0, 0, 1}, accuracy: 0.75, purity: 1, nmi: 0, ari: 0},
		{name: "single objects", truth: []int{0, 0, 1, 1}, labels: []int{0, 1, 2, 3}, accuracy: 0.5, purity: 1,
			nmi: ln(2) / ((ln(2) + ln(4)) / 2), ari: 0},
		{name: "both single objects", truth: []int{2, 1, 0}, labels: []int{0, 1, 2}, accuracy: 1, purity: 1, nmi: 1, ari: 1},
		// Greedy matching takes 3 for class 0 and leaves 0 for class 1.
		{name: "assignment beats greed", truth: []int{0, 0, 0, 0, 0, 1, 1}, labels: []int{0, 0, 0, 1, 1, 0, 0},
			accuracy: 4.0 / 7, purity: 5.0 / 7, nmi: nmiOf([][]float64{{3, 2}, {2, 0}}), ari: ariOf([][]float64{{3, 2}, {2, 0}})},
		// Unassigned objects are wrong, and one cluster where clusters are compared.
		{name: "unassigned", truth: []int{0, 0, 1, 1}, labels: []int{0, -1, 1, -1}, accuracy: 0.5, purity: 0.5,
			nmi: nmiOf([][]float64{{1, 1, 0}, {0, 1, 1}}), ari: ariOf([][]float64{{1, 1, 0}, {0, 1, 1}})},
		{name: "all unassigned", truth: []int{0, 0, 1, 1}, labels: []int{-1, -1, -1, -1}, accuracy: 0, purity: 0, nmi: 0, ari: 0},
		{name: "a class unassigned", truth: []int{0, 0, 1, 1}, labels: []int{0, 0, -1, -1}, accuracy: 0.5, purity: 0.5, nmi: 1, ari: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, m := range []struct {
				name    string
				measure func(truth, labels []int) (float64, error)
				want    float64
			}{{"Accuracy", Accuracy, c.accuracy}, {"Purity", Purity, c.purity}, {"NMI", NMI, c.nmi}, {"ARI", ARI, c.ari}} {
				got, err := m.measure(c.truth, c.labels)
				if err != nil || !(math.Abs(got-m.want) <= tol) {
					t.Errorf("%s = %.17g, %v; want %.17g", m.name, got, err, m.want)
				}
			}
		})
	}
}

// nmiOf is the definition by probabilities.
func nmiOf(table [][]float64) float64 {
	n, rows, columns := sums(table)
	information, entropies := 0.0, 0.0
	for a := range rows {
		for b := range columns {
			if x := table[a][b] / n; x > 0 {
				information += x * math.Log(x/(rows[a]/n*columns[b]/n))
			}
		}
	}
	for _, s := range append(rows, columns...) {
		entropies -= s / n * math.Log(s/n)
	}
	return information / (entropies / 2)
}

// ariOf is Hubert and Arabie's formula.
func ariOf(table [][]float64) float64 {
	n, rows, columns := sums(table)
	choose2 := func(x float64) float64 { return x * (x - 1) / 2 }
	index, a, b := 0.0, 0.0, 0.0
	for _, row := range table {
		for _, x := range row {
			index += choose2(x)
		}
	}
	for _, s := range rows {
		a += choose2(s)
	}
	for _, s := range columns {
		b += choose2(s)
	}
	expected := a * b / choose2(n)
	return (index - expected) / ((a+b)/2 - expected)
}

func sums(table [][]float64) (n float64, rows, columns []float64) {
	rows, columns = make([]float64, len(table)), make([]float64, len(table[0]))
	for a, row := range table {
		for b, x := range row {
			n += x
			rows[a] += x
			columns[b] += x
		}
	}
	return n, rows, columns
}

func TestNormalizers(t *testing.T) {
	truth, labels := []int{0, 0, 0, 1, 1, 2}, []int{0, 0, 1, 1, 1, 1}
	c, err := newContingency(truth, labels)
	if err != nil {
		t.Fatal(err)
	}
	a, b, information := entropy(c.rows, c.n), entropy(c.columns, c.n), c.mutualInformation()
	for _, k := range []struct {
		by   Normalizer
		name string
		mean float64
	}{
		{by: Arithmetic, name: "arithmetic", mean: (a + b) / 2},
		{by: Geometric, name: "geometric", mean: math.Sqrt(a * b)},
		{by: Max, name: "max", mean: max(a, b)},
		{by: Min, name: "min", mean: min(a, b)},
	} {
		got, err := NMIBy(k.by, truth, labels)
		if err != nil || math.Abs(got-information/k.mean) > tol {
			t.Errorf("%v: %.17g, %v; want %.17g", k.by, got, err, information/k.mean)
		}
		if k.by.String() != k.name {
			t.Errorf("%v is called %q", k.by, k.name)
		}
	}
	if _, err := NMIBy(9, truth, labels); err == nil || !strings.Contains(err.Error(), "Normalizer(9)") {
		t.Errorf("an unknown normaliser: error %v", err)
	}
}

// TestInvariants on random labellings: names do not matter, all measures stay in range, and a copy scores 1.
func TestInvariants(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		n := 1 + rng.IntN(30)
		truth, labels := make([]int, n), make([]int, n)
		for i := range n {
			truth[i], labels[i] = rng.IntN(4), rng.IntN(6)
		}
		names := rng.Perm(20)
		renamed := make([]int, n)
		for i, l := range labels {
			renamed[i] = names[l]
		}
		for name, measure := range map[string]func(truth, labels []int) (float64, error){
			"Accuracy": Accuracy, "Purity": Purity, "NMI": NMI, "ARI": ARI, "AMI": AMI, "F": F,
		} {
			s, err := measure(truth, labels)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := measure(truth, renamed); err != nil || math.Abs(r-s) > tol {
				t.Fatalf("%s of %v, %v: %g, after renaming %g, %v", name, truth, labels, s, r, err)
			}
			if s > 1+tol || s < 0 && name != "ARI" && name != "AMI" || s < -1 {
				t.Fatalf("%s of %v, %v is %g", name, truth, labels, s)
			}
			if r, err := measure(labels, slices.Clone(labels)); err != nil || math.Abs(r-1) > tol {
				t.Fatalf("%s of %v with itself is %g, %v", name, labels, r, err)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name          string
		truth, labels []int
		want          string
		symmetric     bool // allowed where the measure is symmetric
	}{
		{name: "lengths", truth: []int{0, 1}, labels: []int{0}, want: "2 true labels but 1 predicted ones"},
		{name: "empty", want: "no labels"},
		{name: "below -1", truth: []int{0, 0}, labels: []int{0, -2}, want: "labels[1] = -2"},
		{name: "truth below -1", truth: []int{-5, 0}, labels: []int{0, 0}, want: "truth[0] = -5"},
		{name: "no true class", truth: []int{0, -1}, labels: []int{0, 0}, want: "no right answer", symmetric: true},
	} {
		for name, measure := range map[string]func(truth, labels []int) (float64, error){
			"Accuracy": Accuracy, "Purity": Purity, "NMI": NMI, "ARI": ARI, "AMI": AMI, "F": F,
		} {
			_, err := measure(c.truth, c.labels)
			if c.symmetric && name != "Accuracy" && name != "Purity" {
				if err != nil {
					t.Errorf("%s, %s: %v", c.name, name, err)
				}
				continue
			}
			if err == nil || !strings.HasPrefix(err.Error(), "score: "+name+": ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: got error %v, want %q", c.name, name, err, c.want)
			}
		}
	}
	if _, err := Each(Accuracy, []int{0, 1}, [][]int{{0, 1}, {0}}); err == nil || !strings.Contains(err.Error(), "labelling 1") {
		t.Errorf("Each: got error %v", err)
	}
	if _, err := Summarize(nil); err == nil {
		t.Error("Summarize of nothing is no error")
	}
}

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		name   string
		scores []float64
		want   Summary
	}{
		{name: "one", scores: []float64{0.5}, want: Summary{Mean: 0.5, Max: 0.5, Min: 0.5, N: 1}},
		{name: "three", scores: []float64{1, 2, 3}, want: Summary{Mean: 2, Max: 3, Min: 1, SD: 1, N: 3}},
		{name: "negative", scores: []float64{-1, -3}, want: Summary{Mean: -2, Max: -1, Min: -3, SD: math.Sqrt2, N: 2}},
	} {
		if got, err := Summarize(c.scores); err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
}
