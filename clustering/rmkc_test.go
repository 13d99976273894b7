package clustering

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/dataset"
	"orthant/clustering/internal/eigen"
	"orthant/clustering/score"
)

// randomKernels are of the same n objects: Gaussian and linear ones, some with corrupted rows, and matrices that are not semidefinite.
func randomKernels(n, count int, rng *rand.Rand) []*mat.Dense {
	x := points(n, 0.6, rng.Uint64())
	var kernels []*mat.Dense
	for i := range count {
		k := mat.NewDense(n, n, nil)
		switch i % 3 {
		case 0:
			width := 0.5 + 3*rng.Float64()
			for a := range n {
				for b := range n {
					k.Set(a, b, math.Exp(-(math.Pow(x.At(a, 0)-x.At(b, 0), 2)+math.Pow(x.At(a, 1)-x.At(b, 1), 2))/width))
				}
			}
		case 1:
			k.Scale(0.1, gram(x))
		case 2:
			k.Copy(randomAffinity(n, rng))
		}
		for range rng.IntN(3) {
			j := rng.IntN(n)
			for l := range n {
				v := rng.Float64()
				k.Set(j, l, v)
				k.Set(l, j, v)
			}
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// TestRMKCProperties: the kernel is positive semidefinite and of the rank that is told, the weights are feasible, the objective never rises
// after the start.
func TestRMKCProperties(t *testing.T) {
	const (
		objectiveTol = 1e-11 // rounding of sums of n²m squares
		weightTol    = 1e-12
		psdTol       = 1e-12 // relative to the largest eigenvalue
	)
	ranks := map[int]bool{}
	for _, rho := range []float64{0.3, 0.5, 0.7} {
		for _, g1 := range []float64{0, 1e-3, 0.1, 10, 1e3} {
			for _, g2 := range []float64{0, 1e-2, 0.3, 5} {
				rng := rand.New(rand.NewPCG(uint64(1e4*g1), uint64(100*g2)))
				n := 3 + rng.IntN(20)
				m := RMKC{K: 1, Rho: rho, Gamma1: g1, Gamma2: g2}
				res, err := m.Fit(context.Background(), randomKernels(n, 1+rng.IntN(5), rng), Options{MaxIter: 60, Tol: -1})
				if res == nil || err != nil && res.Rank > 0 {
					t.Fatalf("%v: %v", m, err)
				}
				trace := res.Learning.Trace
				f := trace.Objective
				for it := 2; it < len(f); it++ {
					if f[it] > f[it-1]+objectiveTol*f[1] {
						t.Fatalf("%v: the objective rises from %.15g to %.15g in iteration %d", m, f[it-1], f[it], it)
					}
				}
				for it, weights := range trace.Weights {
					sum := 0.0
					for _, a := range weights {
						if a < 0 {
							t.Fatalf("%v: weights %v", m, weights)
						}
						sum += math.Pow(a, rho)
					}
					if math.Abs(sum-1) > weightTol || trace.Feasibility[it] > weightTol {
						t.Fatalf("%v: Σα^ρ = %.15g in iteration %d, %g in the trace", m, sum, it, trace.Feasibility[it])
					}
				}
				if len(f) != 61 || len(trace.Weights) != 61 {
					t.Fatalf("%v: %d objectives, %d weights, want 61", m, len(f), len(trace.Weights))
				}
				k, err := res.Kernel()
				if err != nil {
					t.Fatal(err)
				}
				var pairs mat.EigenSym
				pairs.Factorize(upper(k), false)
				rank, largest := 0, mat.Max(mat.NewVecDense(n, pairs.Values(nil)))
				for _, sigma := range pairs.Values(nil) {
					if sigma < -psdTol*largest {
						t.Fatalf("%v: eigenvalue %g", m, sigma)
					}
					if sigma > 1e-9*largest && sigma > 0 {
						rank++
					}
				}
				if g2 > 0 && (rank != res.Rank || len(res.Values) != res.Rank) { // with γ2 = 0 values as small as rounding are kept
					t.Fatalf("%v: the kernel has rank %d, %d is told, with the eigenvalues %v", m, rank, res.Rank, res.Values)
				}
				ranks[res.Rank] = true
			}
		}
	}
	if len(ranks) < 4 {
		t.Errorf("the ranks were %v: the test sees too little", ranks)
	}
}

func upper(k *mat.Dense) *mat.SymDense {
	n, _ := k.Dims()
	return mat.NewSymDense(n, mat.DenseCopyOf(k).RawMatrix().Data)
}

// literal is one iteration as the paper writes it, with all matrices: (6), (8), (15), (16), (17).
func literal(m RMKC, kernels, e []*mat.Dense, k *mat.Dense, alpha []float64) (objective float64) {
	n, _ := k.Dims()
	b, total := mat.NewDense(n, n, nil), 0.0
	clean := make([]*mat.Dense, len(kernels))
	for i, kernel := range kernels {
		d := make([]float64, n)
		for j := range n {
			d[j] = 1 / (2 * mat.Norm(e[i].RowView(j), 2))
		}
		e[i].Apply(func(j, l int, _ float64) float64 {
			a := 2 * (kernel.At(j, l) - k.At(j, l))
			return m.Gamma1 * d[l] * a / ((2+m.Gamma1*d[j])*(2+m.Gamma1*d[l]) - 4)
		}, e[i])
		clean[i] = mat.DenseCopyOf(kernel)
		clean[i].Sub(clean[i], e[i])
		clean[i].Sub(clean[i], e[i].T())
		var part mat.Dense
		part.Scale(alpha[i], clean[i])
		b.Add(b, &part)
		total += alpha[i]
	}
	b.Scale(1/total, b)
	var pairs mat.EigenSym
	pairs.Factorize(upper(b), true)
	var v mat.Dense
	pairs.VectorsTo(&v)
	k.Zero()
	rank := 0
	for a, sigma := range pairs.Values(nil) {
		if sigma > 0 && sigma*sigma > m.Gamma2/total {
			var outer mat.Dense
			outer.Outer(sigma, v.ColView(a), v.ColView(a))
			k.Add(k, &outer)
			rank++
		}
	}
	r, sum := make([]float64, len(kernels)), 0.0
	for i := range kernels {
		var d mat.Dense
		d.Sub(k, clean[i])
		r[i] = math.Pow(mat.Norm(&d, 2), 2)
		for j := range n {
			r[i] += m.Gamma1 * mat.Norm(e[i].RowView(j), 2)
		}
		sum += math.Pow(r[i], m.Rho/(m.Rho-1))
	}
	for i := range r {
		alpha[i] = math.Pow(r[i], 1/(m.Rho-1)) / math.Pow(sum, 1/m.Rho)
		objective += alpha[i] * r[i]
	}
	return objective + m.Gamma2*float64(rank)
}

// TestRMKCIsThePaper compares with the iteration as printed.
func TestRMKCIsThePaper(t *testing.T) {
	const tol = 1e-9 // 12 iterations, with a division by the norms of what becomes small
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n, count := 8+rng.IntN(10), 2+rng.IntN(4)
		kernels := randomKernels(n, count, rng)
		m := RMKC{K: 2, Rho: 0.3 + 0.1*float64(rng.IntN(5)), Gamma1: 0.02 + rng.Float64(), Gamma2: 0.01 * rng.Float64()}
		k, alpha := mat.NewDense(n, n, nil), make([]float64, count)
		for i, kernel := range kernels {
			k.Add(k, kernel)
			alpha[i] = math.Pow(float64(count), -1/m.Rho)
		}
		k.Scale(1/float64(count), k)
		var e []*mat.Dense
		for _, kernel := range kernels {
			var d mat.Dense
			d.Sub(kernel, k)
			d.Scale(0.5, &d)
			e = append(e, &d)
		}
		objective := 0.0
		for range 12 {
			objective = literal(m, kernels, e, k, alpha)
		}
		res, err := m.Fit(context.Background(), kernels, Options{MaxIter: 12, Tol: -1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(res.Learning.Objective-objective) > tol*objective {
			t.Errorf("%v: objective %.15g, want %.15g", m, res.Learning.Objective, objective)
		}
		got, err := res.Kernel()
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(got, k, tol) {
			t.Errorf("%v: another kernel", m)
		}
		for i := range kernels {
			if math.Abs(res.Weights[i]-alpha[i]) > tol*alpha[i] {
				t.Errorf("%v: weight %d is %.15g, want %.15g", m, i, res.Weights[i], alpha[i])
			}
			for j := range n {
				if want := mat.Norm(e[i].RowView(j), 2); math.Abs(res.Noise.At(j, i)-want) > tol {
					t.Errorf("%v: noise of object %d in kernel %d is %.15g, want %.15g", m, j, i, res.Noise.At(j, i), want)
				}
			}
		}
	}
}

// TestRMKCWeights: no random feasible weights are better, zeros are the limit, and nothing leaves the range of a float64.
func TestRMKCWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		rho := 0.05 + 0.9*rng.Float64()
		r := make([]float64, 1+rng.IntN(6))
		for i := range r {
			r[i] = math.Exp(3 * rng.NormFloat64())
		}
		value := func(alpha []float64) (sum float64) {
			for i, a := range alpha {
				sum += a * r[i]
			}
			return sum
		}
		best := value(RMKCWeights(r, rho))
		for range 50 {
			other, sum := make([]float64, len(r)), 0.0
			for i := range other {
				other[i] = rng.ExpFloat64()
				sum += math.Pow(other[i], rho)
			}
			for i := range other {
				other[i] /= math.Pow(sum, 1/rho)
			}
			if value(other) < best*(1-1e-12) {
				t.Fatalf("ρ = %g, r = %v: %v is better than %v", rho, r, other, RMKCWeights(r, rho))
			}
		}
	}
	for _, c := range []struct {
		name string
		r    []float64
		rho  float64
		want []float64
	}{
		{name: "one", r: []float64{5}, rho: 0.3, want: []float64{1}},
		{name: "equal", r: []float64{7, 7}, rho: 0.5, want: []float64{0.25, 0.25}},
		{name: "a zero", r: []float64{7, 0, 1e-300}, rho: 0.5, want: []float64{0, 1, 0}},
		{name: "zeros", r: []float64{0, 3, 0}, rho: 0.5, want: []float64{0.25, 0, 0.25}},
		{name: "nearly zero", r: []float64{1e-300, 1}, rho: 0.7, want: []float64{1, 0}},
		{name: "tiny", r: []float64{1e-300, 1e-300}, rho: 0.5, want: []float64{0.25, 0.25}},
		{name: "huge", r: []float64{1e300, 1e300}, rho: 0.5, want: []float64{0.25, 0.25}},
	} {
		got := RMKCWeights(c.r, c.rho)
		for i := range got {
			if !(math.Abs(got[i]-c.want[i]) < 1e-13) {
				t.Errorf("%s: got %v, want %v", c.name, got, c.want)
			}
		}
	}
}

// TestRMKCStages: the clustering is KernelKMeans on the learned kernel, and the learning does not depend on seed and restarts.
func TestRMKCStages(t *testing.T) {
	kernels := randomKernels(30, 4, rand.New(rand.NewPCG(5, 5)))
	m := NewRMKC(3)
	opts := Options{Seed: 9, Restarts: 7}
	res, err := m.Fit(context.Background(), kernels, opts)
	if err != nil {
		t.Fatal(err)
	}
	k, err := res.Kernel()
	if err != nil {
		t.Fatal(err)
	}
	want, err := KernelKMeans{K: 3}.Fit(context.Background(), k, opts)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(res.Labels, want.Labels) || res.Objective != want.Objective || len(res.Runs) != 7 {
		t.Errorf("%v, kernel k-means on the learned kernel gives %v", res, want)
	}
	if !slices.Equal(res.Learning.Labels, res.Labels) || res.Learning.Unassigned != 0 ||
		!slices.Equal(res.Learning.Runs[0].Labels, res.Labels) {
		t.Errorf("the learning has the labels %v, want those of the result, %v", res.Learning.Labels, res.Labels)
	}
	other, err := m.Fit(context.Background(), kernels, Options{Seed: 10})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(other.Vectors, res.Vectors) || !slices.Equal(other.Learning.Trace.Objective, res.Learning.Trace.Objective) {
		t.Error("the learning depends on the seed")
	}
	if res.Learning.Status != Converged && res.Learning.Iterations != rmkcMaxIter {
		t.Errorf("the learning ended as %v", res.Learning)
	}
}

// njw is the embedding of k by all of its eigenvectors.
func njw(k *mat.Dense, columns int) *mat.Dense {
	n, _ := k.Dims()
	degree, largest := make([]float64, n), 0.0
	for i := range n {
		degree[i] = mat.Sum(k.RowView(i))
		largest = max(largest, degree[i])
	}
	normal := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			normal.SetSym(i, j, k.At(i, j)/math.Sqrt(max(degree[i], 1e-12*largest)*max(degree[j], 1e-12*largest)))
		}
	}
	var pairs mat.EigenSym
	pairs.Factorize(normal, true)
	var v mat.Dense
	pairs.VectorsTo(&v)
	want := mat.NewDense(n, columns, nil)
	for c := range columns {
		column := mat.Col(nil, n-1-c, &v)
		eigen.Orient(column)
		want.SetCol(c, column)
	}
	for i := range n {
		row := want.RawRowView(i)
		norm := mat.Norm(want.RowView(i), 2)
		for c := range row {
			row[c] /= norm
		}
	}
	return want
}

// TestRMKCEmbedsNegativeRows: a row of the learned kernel may have a negative sum, which is raised to 1e-12 of the largest.
func TestRMKCEmbedsNegativeRows(t *testing.T) {
	const tol = 1e-4 // the normalised kernel has entries of 1e12 beside those of size 1, which keep four digits in the reference
	k := gram(mat.NewDense(5, 2, []float64{3, 0, 2, 1, 1, 2, -0.5, -0.25, 0.5, -1}))
	var pairs mat.EigenSym
	pairs.Factorize(upper(k), true)
	var v mat.Dense
	pairs.VectorsTo(&v)
	res := &RMKCResult{Values: []float64{pairs.Values(nil)[4], pairs.Values(nil)[3]}, Vectors: mat.NewDense(5, 2, nil)}
	res.Vectors.SetCol(0, mat.Col(nil, 4, &v))
	res.Vectors.SetCol(1, mat.Col(nil, 3, &v))
	if sum := mat.Sum(k.RowView(3)); sum >= 0 {
		t.Fatalf("row 3 has the sum %g: the test needs a negative one", sum)
	}
	got, err := RMKC{K: 2}.embed(res)
	if err != nil {
		t.Fatal(err)
	}
	if want := njw(k, 2); !mat.EqualApprox(got, want, tol) {
		t.Errorf("the embedding is\n%.6f\nwant\n%.6f", mat.Formatted(got), mat.Formatted(want))
	}
}

// TestRMKCSpectral compares the embedding with the eigenvectors of the whole normalised kernel.
func TestRMKCSpectral(t *testing.T) {
	const tol = 1e-8 // an eigenvector is as exact as rounding over the gap
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 25
		m := RMKC{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.02, Spectral: true}
		res, err := m.Fit(context.Background(), randomKernels(n, 4, rng), Options{Restarts: 5})
		if err != nil {
			t.Fatal(err)
		}
		k, err := res.Kernel()
		if err != nil {
			t.Fatal(err)
		}
		want := njw(k, min(3, res.Rank))
		if !mat.EqualApprox(res.Embedding, want, tol) {
			t.Errorf("seed %d: the embedding is\n%.6f\nwant\n%.6f", seed, mat.Formatted(res.Embedding), mat.Formatted(want))
		}
		if wanted := res.Rank < 3; wanted != (len(res.Warnings) == 1) {
			t.Errorf("rank %d: warnings %q", res.Rank, res.Warnings)
		}
	}
}

func TestRMKCOfLowRank(t *testing.T) {
	kernels := randomKernels(20, 3, rand.New(rand.NewPCG(7, 7)))
	low, err := RMKC{K: 4, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.5, Spectral: true}.Fit(context.Background(), kernels, Options{})
	if err != nil || low.Rank == 0 || low.Rank >= 4 {
		t.Fatalf("%v, %v: the test needs a rank of 1..3", low, err)
	}
	if _, columns := low.Embedding.Dims(); columns != low.Rank {
		t.Errorf("%d columns for rank %d", columns, low.Rank)
	}
	if len(low.Warnings) != 1 || !strings.Contains(low.Warnings[0], fmt.Sprintf("has rank %d", low.Rank)) {
		t.Errorf("warnings %q", low.Warnings)
	}
	for _, spectral := range []bool{false, true} {
		m := RMKC{K: 4, Rho: 0.5, Gamma1: 0.1, Gamma2: 1e6, Spectral: spectral}
		none, err := m.Fit(context.Background(), kernels, Options{Restarts: 3})
		if err == nil || !strings.HasPrefix(err.Error(), "clustering: RMKC: the learned kernel has rank 0") ||
			!strings.Contains(err.Error(), "Gamma2 = 1e+06 is too large") {
			t.Errorf("rank 0: got error %v", err)
		}
		if none == nil || none.Rank != 0 || none.Unassigned != 20 || len(none.Labels) != 20 || none.Labels[3] != Unassigned ||
			none.Vectors != nil {
			t.Fatalf("rank 0: got %v", none)
		}
		if k, err := none.Kernel(); err != nil || mat.Norm(k, 2) != 0 {
			t.Errorf("rank 0: %v, %v", k, err)
		}
	}
}

// TestRMKCOnWine compares with the means of ten starts that an independent implementation has on the wine data.
func TestRMKCOnWine(t *testing.T) {
	const tol = 0.01 // ten starts of another random generator
	truth := dataset.Wine().Labels
	for _, c := range []struct {
		m        RMKC
		rank     int
		acc, nmi float64
	}{
		{m: RMKC{K: 3, Rho: 0.3, Gamma1: 1e-3, Gamma2: 1}, rank: 1, acc: 0.725, nmi: 0.395},
		{m: RMKC{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1, Spectral: true}, rank: 2, acc: 0.719, nmi: 0.435},
	} {
		res, err := c.m.Fit(context.Background(), wine(t), Options{Restarts: 10})
		if err != nil {
			t.Fatal(err)
		}
		acc, nmi := 0.0, 0.0
		for _, labels := range res.RunLabels() {
			a, err1 := score.Accuracy(truth, labels)
			b, err2 := score.NMIBy(score.Geometric, truth, labels)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			acc, nmi = acc+a/10, nmi+b/10
		}
		if res.Rank != c.rank || math.Abs(acc-c.acc) > tol || math.Abs(nmi-c.nmi) > tol {
			t.Errorf("%v: rank %d, accuracy %.3f, NMI %.3f, want %d, %.3f, %.3f", c.m, res.Rank, acc, nmi, c.rank, c.acc, c.nmi)
		}
	}
}

// TestRMKCFindsNoise corrupts one object in one of four kernels.
func TestRMKCFindsNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	kernels := []*mat.Dense{blobs(30, 0.3, 1), blobs(30, 0.3, 1), blobs(30, 0.3, 1), blobs(30, 0.3, 1)}
	for l := range 30 {
		v := rng.Float64()
		kernels[2].Set(7, l, v)
		kernels[2].Set(l, 7, v)
	}
	res, err := RMKC{K: 3, Rho: 0.5, Gamma1: 0.5, Gamma2: 0.01}.Fit(context.Background(), kernels, Options{Restarts: 10})
	if err != nil {
		t.Fatal(err)
	}
	for j := range 30 {
		for i := range 4 {
			if (j != 7 || i != 2) && res.Noise.At(j, i) > 0.5*res.Noise.At(7, 2) {
				t.Errorf("noise of object %d in kernel %d is %g, of the corrupted one %g", j, i, res.Noise.At(j, i), res.Noise.At(7, 2))
			}
		}
		if res.Labels[j] != res.Labels[j%3] {
			t.Errorf("labels %v", res.Labels)
		}
	}
}

// TestRMKCCut: Observe sees the learning first, and a fit can be cut short in either stage.
func TestRMKCCut(t *testing.T) {
	kernels := randomKernels(30, 3, rand.New(rand.NewPCG(9, 9)))
	for _, spectral := range []bool{false, true} {
		m := RMKC{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.05, Spectral: spectral}
		var stages []int
		if _, err := m.Fit(context.Background(), kernels, Options{MaxIter: 4, Tol: -1, ObserveEvery: -1, Observe: func(p Point) {
			stages = append(stages, p.Run)
			if (p.Run == RMKCLearning) != (len(p.Weights) == 3) {
				t.Errorf("run %d: weights %v", p.Run, p.Weights)
			}
		}}); err != nil {
			t.Fatal(err)
		}
		if want := []int{-1, -1, -1, -1, -1, 0, 0, 0, 0, 0}; !slices.Equal(stages, want) {
			t.Errorf("observed were the runs %v, want %v", stages, want)
		}
		for _, stage := range []int{RMKCLearning, 0} {
			ctx, cancel := context.WithCancel(context.Background())
			res, err := m.Fit(ctx, kernels, Options{MaxIter: 50, Tol: -1, ObserveEvery: -1, Observe: func(p Point) {
				if p.Run == stage && p.Iteration == 3 {
					cancel()
				}
			}})
			cancel()
			if !errors.Is(err, context.Canceled) || res == nil || res.Status != Canceled || res.Rank == 0 || res.Noise == nil {
				t.Fatalf("canceled in stage %d: %v, %v", stage, res, err)
			}
			learning := 50
			if stage == RMKCLearning {
				learning = 3
			}
			if res.Learning.Iterations != learning || res.Iterations != 3 || (res.Unassigned == 30) != (stage == RMKCLearning) {
				t.Errorf("canceled in stage %d: %v, learning %v", stage, res, res.Learning)
			}
		}
	}
}

// TestRMKCStepAllocatesNothing: with lapack alone; its parallel products, for n above 100 or so, allocate goroutines.
func TestRMKCStepAllocatesNothing(t *testing.T) {
	s := newRMKCState(NewRMKC(3), randomKernels(30, 4, rand.New(rand.NewPCG(11, 11))))
	s.start(0, nil)
	var p Point
	if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&p) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
