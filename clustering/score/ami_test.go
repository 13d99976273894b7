package score

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestExpectedInformation compares with the mean over all orders of the objects.
func TestExpectedInformation(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 30 {
		n := 1 + rng.IntN(7)
		truth, labels := make([]int, n), make([]int, n)
		for i := range n {
			truth[i], labels[i] = rng.IntN(3), rng.IntN(4)
		}
		sum, count := 0.0, 0.0
		permute(labels, func(order []int) {
			c, err := newContingency(truth, order)
			if err != nil {
				t.Fatal(err)
			}
			sum += c.mutualInformation()
			count++
		})
		c, err := newContingency(truth, labels)
		if err != nil {
			t.Fatal(err)
		}
		// The sum has up to 7! terms of rounding 1e-16 each.
		if got, want := c.expectedInformation(), sum/count; math.Abs(got-want) > 1e-12 {
			t.Errorf("of %v and %v: %.17g, want %.17g", truth, labels, got, want)
		}
	}
}

// permute calls f with all orders of x.
func permute(x []int, f func([]int)) {
	if len(x) == 0 {
		f(x)
		return
	}
	var at func(k int)
	at = func(k int) {
		if k == len(x) {
			f(x)
			return
		}
		for i := k; i < len(x); i++ {
			x[k], x[i] = x[i], x[k]
			at(k + 1)
			x[k], x[i] = x[i], x[k]
		}
	}
	at(0)
}

func TestAMI(t *testing.T) {
	many := make([]int, 1000) // factorials of 1000 are no float64s
	for i := range many {
		many[i] = i % 7
	}
	for _, c := range []struct {
		name          string
		by            Normalizer
		truth, labels []int
		want          float64
	}{
		{name: "equal", truth: []int{0, 0, 1, 1, 2}, labels: []int{5, 5, 3, 3, 0}, want: 1},
		{name: "many", truth: many, labels: many, want: 1},
		{name: "both one cluster", truth: []int{1, 1}, labels: []int{0, 0}, want: 1},
		{name: "both single objects", truth: []int{1, 0}, labels: []int{0, 1}, want: 1},
		{name: "one object", truth: []int{1}, labels: []int{-1}, want: 1},
		{name: "one cluster", truth: []int{0, 0, 1}, labels: []int{0, 0, 0}, want: 0},
		{name: "one cluster, geometric", by: Geometric, truth: []int{0, 0, 1}, labels: []int{0, 0, 0}, want: 0},
		{name: "one cluster, min", by: Min, truth: []int{0, 0, 1}, labels: []int{0, 0, 0}, want: 0},
		{name: "single objects", truth: []int{0, 0, 1, 1}, labels: []int{0, 1, 2, 3}, want: 0},
		{name: "single objects, min", by: Min, truth: []int{0, 0, 1, 1, 1, 2, 2}, labels: []int{0, 1, 2, 3, 4, 5, 6}, want: 0},
		// By hand: of the 6 orders of labels 2 agree with the truth up to names, with information log 2, the others have 0.
		{name: "independent", truth: []int{0, 0, 1, 1}, labels: []int{0, 1, 0, 1}, want: (0 - math.Ln2/3) / (math.Ln2 - math.Ln2/3)},
	} {
		got, err := AMIBy(c.by, c.truth, c.labels)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %.17g, %v; want %.17g", c.name, got, err, c.want)
		}
	}
	if _, err := AMIBy(9, []int{0}, []int{0}); err == nil || !strings.Contains(err.Error(), "score: AMI: Normalizer(9)") {
		t.Errorf("an unknown normaliser: error %v", err)
	}
}

// TestAMIIsAdjusted scores random labellings: unlike NMI, AMI is 0 on average.
func TestAMIIsAdjusted(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	const runs, n = 300, 60
	ami, nmi := 0.0, 0.0
	for range runs {
		truth, labels := make([]int, n), make([]int, n)
		for i := range n {
			truth[i], labels[i] = rng.IntN(3), rng.IntN(20)
		}
		a, err := AMI(truth, labels)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NMI(truth, labels)
		if err != nil {
			t.Fatal(err)
		}
		ami, nmi = ami+a/runs, nmi+b/runs
	}
	if math.Abs(ami) > 0.01 || nmi < 0.15 { // the standard error of the mean is about 0.003
		t.Errorf("on average AMI is %.4f, want 0, and NMI %.4f, want far more", ami, nmi)
	}
}
