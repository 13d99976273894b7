package clustering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
	"orthant/clustering/dataset"
	"orthant/clustering/internal/thin"
)

// randomSymmetric returns a matrix with the given eigenvalues and random eigenvectors.
func randomSymmetric(values []float64, rng *rand.Rand) *mat.Dense {
	n := len(values)
	g := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	var q mat.Dense
	qr.QTo(&q)
	b := mat.NewDense(n, n, nil)
	thin.AddSpectrumTo(b, values, thin.Transposed(&q))
	thin.Mirror(b)
	return b
}

// kept is Σ σvvᵀ over what s has found, dense.
func (s *spectrum) kept() *mat.Dense {
	k := mat.NewDense(s.n, s.n, nil)
	thin.AddSpectrumTo(k, s.values[:s.rank], s.vectors[:s.rank*s.n])
	thin.Mirror(k)
	return k
}

// both finds the eigenpairs of b in the two ways, and fails t unless they agree and s did not fall back on all eigenvalues.
func both(t *testing.T, s *spectrum, b *mat.Dense, tau float64) {
	t.Helper()
	const tol = 1e-10 // asked for; relative to the largest eigenvalue
	all := newSpectrum(s.n)
	all.full = true
	if !all.find(mat.DenseCopyOf(b), tau) {
		t.Fatal("lapack finds no eigenvalues")
	}
	before := s.complete
	if !s.find(mat.DenseCopyOf(b), tau) {
		t.Fatal("no eigenvalues")
	}
	if s.complete != before {
		t.Errorf("all eigenvalues were computed for the %d that are wanted", all.rank)
	}
	if s.rank != all.rank {
		t.Fatalf("rank %d, want %d", s.rank, all.rank)
	}
	scale := max(math.Abs(all.all[0]), math.Abs(all.all[s.n-1]))
	for a := range s.rank {
		if math.Abs(s.values[a]-all.values[a]) > tol*scale {
			t.Errorf("eigenvalue %d is %.15g, want %.15g", a, s.values[a], all.values[a])
		}
	}
	var d mat.Dense
	d.Sub(s.kept(), all.kept())
	if got := mat.Norm(&d, 2); got > tol*scale {
		t.Errorf("the sums of the wanted eigenpairs differ by %g", got)
	}
}

// TestSpectrumOfMatrices searches matrices whose eigenvalues are known, with what makes a search fail: equal eigenvalues, negative ones
// that are larger, and eigenvectors that the last matrix's are orthogonal to.
func TestSpectrumOfMatrices(t *testing.T) {
	const n = 240
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name  string
		value func(i int) float64
	}{
		{name: "a few", value: func(i int) float64 {
			if i < 9 {
				return 10 - float64(i)
			}
			return 0.5 * rng.Float64()
		}},
		{name: "equal", value: func(i int) float64 {
			if i < 17 {
				return 3
			}
			return 0.1
		}},
		{name: "larger negative ones", value: func(i int) float64 {
			if i < 4 {
				return 2 + float64(i)
			}
			return -20 * rng.Float64()
		}},
		{name: "none", value: func(int) float64 { return -rng.Float64() }},
		{name: "one of a geometric sequence", value: func(i int) float64 { return 1.5 * math.Pow(0.6, float64(i)) }},
		{name: "near the threshold", value: func(i int) float64 {
			switch {
			case i < 5:
				return 1.001
			case i < 10:
				return 0.999
			}
			return rng.Float64() / 2
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSpectrum(n)
			values := make([]float64, n)
			for range 3 { // each matrix has eigenvectors of its own
				for i := range values {
					values[i] = c.value(i)
				}
				both(t, s, randomSymmetric(values, rng), 1)
			}
		})
	}
}

// TestSpectrumFindsWhatIsNew changes a block-diagonal matrix so that its leading eigenvectors are orthogonal to all that was found before.
func TestSpectrumFindsWhatIsNew(t *testing.T) {
	const n, blocks = 200, 10
	s := newSpectrum(n)
	for step := range blocks {
		b := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				if i/(n/blocks) == j/(n/blocks) && i/(n/blocks) <= step {
					b.Set(i, j, 1+float64(i/(n/blocks)))
				}
			}
		}
		both(t, s, b, 1)
		if s.rank != step+1 {
			t.Errorf("rank %d, want %d", s.rank, step+1)
		}
	}
}

// TestSpectrumFallsBack: many eigenvalues, a threshold of 0 and small matrices are left to lapack, and then the search goes on.
func TestSpectrumFallsBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	values := make([]float64, 120)
	for i := range values {
		values[i] = 1.5 - float64(i)/100
	}
	b := randomSymmetric(values, rng)
	s := newSpectrum(120)
	for _, c := range []struct {
		tau            float64
		rank, complete int
	}{{tau: 1, rank: 50, complete: 1}, {tau: 0, rank: 120, complete: 2}, {tau: 2, rank: 9, complete: 3}, {tau: 2, rank: 9, complete: 3}} {
		if !s.find(mat.DenseCopyOf(b), c.tau) || s.rank != c.rank || s.complete != c.complete {
			t.Errorf("τ = %g: rank %d, want %d; all eigenvalues %d times, want %d", c.tau, s.rank, c.rank, s.complete, c.complete)
		}
	}
	b.Set(3, 7, math.NaN())
	if s.find(b, 2) && s.rank > 0 && !math.IsNaN(s.values[0]) {
		t.Error("NaN has eigenvalues")
	}
}

// TestSpectrumIsCertain: a result that lacks an eigenpair is not accepted, and the matrix is as it was.
func TestSpectrumIsCertain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	values := make([]float64, 100)
	for i := range values {
		values[i] = 5 / float64(1+i)
	}
	b := randomSymmetric(values, rng)
	s := newSpectrum(100)
	if !s.find(mat.DenseCopyOf(b), 1) || s.rank != 4 { // 5 5/2 5/3 5/4, and 1 itself is not above 1 but for rounding
		if s.rank != 5 {
			t.Fatalf("rank %d", s.rank)
		}
	}
	s.rank = 3
	c := mat.DenseCopyOf(b)
	if s.certain(c, 1) {
		t.Error("three eigenpairs of four are taken for all")
	}
	if !mat.Equal(b, c) {
		t.Error("the matrix has changed")
	}
}

// TestRMKCSpectrumOfWine learns from the kernels of wine in the two ways.
func TestRMKCSpectrumOfWine(t *testing.T) {
	const tol = 1e-10
	kernels := wine(t)
	for _, m := range []RMKC{
		{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1},
		{K: 3, Rho: 0.3, Gamma1: 0.01, Gamma2: 1},
		{K: 3, Rho: 0.7, Gamma1: 1, Gamma2: 0.01},
	} {
		t.Run(m.String(), func(t *testing.T) {
			a, b := newRMKCState(m, kernels), newRMKCState(m, kernels)
			b.eigen.full = true
			a.start(0, nil)
			b.start(0, nil)
			for it := range 30 {
				a.step()
				b.step()
				if a.eigen.rank != b.eigen.rank {
					t.Fatalf("iteration %d: rank %d, by lapack %d", it, a.eigen.rank, b.eigen.rank)
				}
				if math.Abs(a.objective-b.objective) > tol*b.objective {
					t.Errorf("iteration %d: objective %.15g, by lapack %.15g", it, a.objective, b.objective)
				}
				for i := range a.alpha {
					if math.Abs(a.alpha[i]-b.alpha[i]) > tol*b.alpha[i] {
						t.Errorf("iteration %d: weight %d is %.15g, by lapack %.15g", it, i, a.alpha[i], b.alpha[i])
					}
				}
				var d mat.Dense
				d.Sub(a.eigen.kept(), b.eigen.kept())
				if got := mat.Norm(&d, 2); got > tol*mat.Norm(b.eigen.kept(), 2) {
					t.Errorf("iteration %d: the kernels differ by %g", it, got)
				}
			}
			t.Logf("rank %d, all eigenvalues were computed in %d of 30 iterations", a.eigen.rank, a.eigen.complete)
		})
	}
}

// TestRMKCSameBitsOnAnyNumberOfProcessors: lapack's products run in parallel, for all eigenvalues and for few.
func TestRMKCSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	kernels := wine(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, m := range []RMKC{{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1}, {K: 3, Rho: 0.5, Gamma1: 0.1}} {
		var want string
		for _, p := range []int{1, 2, 3, 4} {
			runtime.GOMAXPROCS(p)
			s := newRMKCState(m, kernels)
			s.start(0, nil)
			for range 4 {
				s.step()
			}
			got := bits(s.objective, s.alpha, s.eigen.values[:s.eigen.rank], s.noise) + bits(s.eigen.vectors[:s.eigen.rank*s.n])
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%v: %d processors give another kernel", m, p)
			}
		}
	}
}

// wine are the eight kernels of the wine data.
func wine(t testing.TB) []*mat.Dense {
	t.Helper()
	kernels, err := affinity.RMKCKernels(dataset.Wine().X)
	if err != nil {
		t.Fatal(err)
	}
	return kernels
}

func BenchmarkRMKC(b *testing.B) {
	large := func() []*mat.Dense {
		kernels, err := affinity.RMKCKernels(dataset.Digits().First(500).X)
		if err != nil {
			b.Fatal(err)
		}
		return kernels
	}
	for _, c := range []struct {
		name    string
		m       RMKC
		kernels []*mat.Dense
	}{
		{name: "wine", m: NewRMKC(3), kernels: wine(b)},
		{name: "digits500", m: NewRMKC(10), kernels: large()},
		{name: "digits500/Gamma2=0.01", m: RMKC{K: 10, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.01}, kernels: large()},
	} {
		for _, full := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/full=%v", c.name, full), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s := newRMKCState(c.m, c.kernels)
					s.eigen.full = s.eigen.full || full
					s.start(0, nil)
					for range 30 {
						s.step()
					}
					b.ReportMetric(float64(s.eigen.rank), "rank")
					b.ReportMetric(float64(s.eigen.complete), "full")
				}
			})
		}
	}
}
