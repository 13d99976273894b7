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

// TestRMKCOfDegenerateInput: odd but valid input has a finite result.
func TestRMKCOfDegenerateInput(t *testing.T) {
	psd := blobs(9, 1, 1)
	indefinite := mat.NewDense(2, 2, []float64{0, 1, 1, 0})
	for _, c := range []struct {
		name    string
		m       RMKC
		kernels []*mat.Dense
		rank    int // -1: any above 0
		weights []float64
	}{
		{name: "one kernel", m: NewRMKC(3), kernels: []*mat.Dense{psd}, rank: -1, weights: []float64{1}},
		{name: "one kernel, nothing costs", m: RMKC{K: 3, Rho: 0.5}, kernels: []*mat.Dense{psd}, rank: -1, weights: []float64{1}},
		{name: "identical kernels", m: NewRMKC(3), kernels: []*mat.Dense{psd, psd}, rank: -1, weights: []float64{0.25, 0.25}},
		{name: "zero kernel", m: NewRMKC(1), kernels: []*mat.Dense{filled(4, 4, 0)}, rank: 0, weights: []float64{1}},
		{name: "zero kernels, nothing costs", m: RMKC{K: 1, Rho: 0.5}, kernels: []*mat.Dense{filled(4, 4, 0), filled(4, 4, 0)}, rank: 0,
			weights: []float64{0.25, 0.25}},
		{name: "a zero kernel among others", m: NewRMKC(2), kernels: []*mat.Dense{psd, filled(9, 9, 0), psd}, rank: -1},
		{name: "one object", m: NewRMKC(1), kernels: []*mat.Dense{filled(1, 1, 2), filled(1, 1, 3)}, rank: 1},
		{name: "K = 1", m: NewRMKC(1), kernels: []*mat.Dense{psd, blobs(9, 1, 2)}, rank: -1},
		{name: "K = n", m: NewRMKC(9), kernels: []*mat.Dense{psd, blobs(9, 1, 2)}, rank: -1},
		{name: "all objects equal", m: NewRMKC(2), kernels: []*mat.Dense{filled(5, 5, 1), filled(5, 5, 0.9)}, rank: 1},
		{name: "negative", m: NewRMKC(2), kernels: []*mat.Dense{filled(5, 5, -1)}, rank: 0},
		{name: "indefinite", m: NewRMKC(2), kernels: []*mat.Dense{indefinite}, rank: 1, weights: []float64{1}},
		{name: "noise for nothing", m: RMKC{K: 2, Rho: 0.5, Gamma2: 0.1}, kernels: []*mat.Dense{psd, blobs(9, 1, 2)}, rank: -1},
		{name: "tiny", m: RMKC{K: 2, Rho: 0.5}, kernels: []*mat.Dense{filled(3, 3, 1e-150), filled(3, 3, 2e-150)}, rank: -1},
	} {
		for _, spectral := range []bool{false, true} {
			m := c.m
			m.Spectral = spectral
			t.Run(fmt.Sprintf("%s/spectral=%v", c.name, spectral), func(t *testing.T) {
				res, err := m.Fit(context.Background(), c.kernels, Options{Restarts: 3})
				if res == nil || (err != nil) != (c.rank == 0) {
					t.Fatalf("%v, %v; want rank %d", res, err, c.rank)
				}
				if c.rank >= 0 && res.Rank != c.rank || c.rank < 0 && res.Rank == 0 {
					t.Errorf("rank %d, want %d", res.Rank, c.rank)
				}
				if want := map[bool]int{true: 0, false: m.K}[c.rank == 0]; clusters(res.Labels) != want {
					t.Errorf("labels %v, want %d clusters", res.Labels, want)
				}
				for i, want := range c.weights {
					if math.Abs(res.Weights[i]-want) > 1e-12 {
						t.Errorf("weights %v, want %v", res.Weights, c.weights)
					}
				}
				numbers := slices.Concat(res.Weights, res.Values, res.Noise.RawMatrix().Data, res.Trace.Objective,
					res.Learning.Trace.Objective)
				if res.Embedding != nil {
					numbers = append(numbers, res.Embedding.RawMatrix().Data...)
				}
				for _, x := range numbers {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Fatalf("%v has a %g", res, x)
					}
				}
			})
		}
	}
}

func TestRMKCOfBadInput(t *testing.T) {
	k := blobs(6, 1, 1)
	good := NewRMKC(2)
	nan, inf := math.NaN(), math.Inf(1)
	set := func(f func(m *RMKC)) RMKC {
		m := good
		f(&m)
		return m
	}
	for _, c := range []struct {
		name    string
		m       RMKC
		kernels []*mat.Dense
		opts    Options
		want    string
	}{
		{name: "no kernels", m: good, want: "no kernels"},
		{name: "a nil kernel", m: good, kernels: []*mat.Dense{k, nil}, want: "kernels[1] is nil"},
		{name: "an empty kernel", m: good, kernels: []*mat.Dense{{}}, want: "kernels[0] is empty"},
		{name: "not square", m: good, kernels: []*mat.Dense{k, filled(6, 5, 1)}, want: "kernels[1] is 6×5: a kernel is square"},
		{name: "other objects", m: good, kernels: []*mat.Dense{k, k, filled(5, 5, 1)}, want: "kernels[2] is 5×5, kernels[0] is 6×6"},
		{name: "NaN", m: good, kernels: []*mat.Dense{k, with(k, 2, 4, nan, true)}, want: "kernels[1][2,4] = NaN"},
		{name: "Inf", m: good, kernels: []*mat.Dense{with(k, 3, 3, inf, true)}, want: "kernels[0][3,3] = +Inf"},
		{name: "asymmetric", m: good, kernels: []*mat.Dense{k, with(k, 1, 3, 2, false)}, want: "kernels[1][1,3] = 2 but kernels[1][3,1]"},
		{name: "overflow", m: good, kernels: []*mat.Dense{k, filled(6, 6, 1e200)},
			want: "the squares of the entries of kernels[1] overflow"},
		{name: "K = 0", m: set(func(m *RMKC) { m.K = 0 }), kernels: []*mat.Dense{k}, want: "K = 0"},
		{name: "K > n", m: set(func(m *RMKC) { m.K = 7 }), kernels: []*mat.Dense{k}, want: "K = 7 exceeds the 6 objects"},
		{name: "Rho = 0", m: set(func(m *RMKC) { m.Rho = 0 }), kernels: []*mat.Dense{k}, want: "Rho = 0, want"},
		{name: "Rho = 1", m: set(func(m *RMKC) { m.Rho = 1 }), kernels: []*mat.Dense{k}, want: "Rho = 1, want"},
		{name: "NaN Rho", m: set(func(m *RMKC) { m.Rho = nan }), kernels: []*mat.Dense{k}, want: "Rho = NaN"},
		{name: "Gamma1", m: set(func(m *RMKC) { m.Gamma1 = -1 }), kernels: []*mat.Dense{k}, want: "Gamma1 = -1"},
		{name: "infinite Gamma1", m: set(func(m *RMKC) { m.Gamma1 = inf }), kernels: []*mat.Dense{k}, want: "Gamma1 = +Inf"},
		{name: "Gamma2", m: set(func(m *RMKC) { m.Gamma2 = -2 }), kernels: []*mat.Dense{k}, want: "Gamma2 = -2"},
		{name: "NaN Gamma2", m: set(func(m *RMKC) { m.Gamma2 = nan }), kernels: []*mat.Dense{k}, want: "Gamma2 = NaN"},
		{name: "MaxIter", m: good, kernels: []*mat.Dense{k}, opts: Options{MaxIter: -1}, want: "MaxIter = -1"},
		{name: "Restarts", m: good, kernels: []*mat.Dense{k}, opts: Options{Restarts: -1}, want: "Restarts = -1"},
		{name: "Workers", m: good, kernels: []*mat.Dense{k}, opts: Options{Workers: -1}, want: "Workers = -1"},
	} {
		res, err := c.m.Fit(context.Background(), c.kernels, c.opts)
		if res != nil || err == nil || !strings.HasPrefix(err.Error(), "clustering: RMKC: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, error %v, want %q", c.name, res, err, c.want)
		}
	}
	var none context.Context
	if _, err := good.Fit(none, []*mat.Dense{k}, Options{}); err == nil || !strings.Contains(err.Error(), "context is nil") {
		t.Errorf("nil context: got %v", err)
	}
}

func TestRMKCInputsAreNotChangedOrKept(t *testing.T) {
	kernels := randomKernels(12, 3, rand.New(rand.NewPCG(10, 10)))
	var before []*mat.Dense
	for _, k := range kernels {
		before = append(before, mat.DenseCopyOf(k))
	}
	res, err := NewRMKC(2).Fit(context.Background(), kernels, Options{})
	if err != nil {
		t.Fatal(err)
	}
	learned, err := res.Kernel()
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range kernels {
		if !mat.Equal(k, before[i]) {
			t.Errorf("kernel %d was changed", i)
		}
		k.Zero()
	}
	if again, err := res.Kernel(); err != nil || !mat.Equal(again, learned) {
		t.Error("the result changes with its input")
	}
}

// TestRMKCHashesAllKernels: the provenance tells kernels apart, and their order.
func TestRMKCHashesAllKernels(t *testing.T) {
	a, b := blobs(6, 1, 1), blobs(6, 1, 2)
	seen := map[string]bool{}
	for _, kernels := range [][]*mat.Dense{{a}, {b}, {a, b}, {b, a}, {a, a}} {
		res, err := NewRMKC(1).Fit(t.Context(), kernels, Options{MaxIter: 1})
		if err != nil {
			t.Fatal(err)
		}
		seen[res.Provenance.Data] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d different hashes of 5 inputs", len(seen))
	}
}

func TestRMKCMemoryLimit(t *testing.T) {
	t.Setenv("ORTHANT_MEMORY", "1M")
	_, err := NewRMKC(2).Fit(context.Background(), []*mat.Dense{blobs(120, 1, 1)}, Options{})
	if err == nil || !strings.Contains(err.Error(), "460800 bytes") {
		t.Errorf("got error %v", err)
	}
	_, err = (&RMKCResult{Result: Result{Labels: make([]int, 200)}}).Kernel()
	if err == nil || !strings.Contains(err.Error(), "320000 bytes") {
		t.Errorf("got error %v", err)
	}
}
