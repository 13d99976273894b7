package eigen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// tol is rounding: n products in a sum, with values of size 1.
const tol = 1e-12

// symmetric returns Q diag(values) Qᵀ with a random orthogonal Q.
func symmetric(values []float64, seed uint64) *mat.Dense {
	n := len(values)
	rng := rand.New(rand.NewPCG(seed, 1))
	random := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			random.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(random)
	var q, a mat.Dense
	qr.QTo(&q)
	a.Product(&q, mat.NewDiagDense(n, values), q.T())
	for i := range n {
		for j := range i {
			a.Set(i, j, a.At(j, i))
		}
	}
	return &a
}

// by returns the product with a.
func by(a *mat.Dense) func(dst, xt []float64) {
	return func(dst, xt []float64) { thin.MulTo(dst, a, xt) }
}

// spectra are eigenvalues that are hard in different ways.
func spectra() map[string][]float64 {
	rng := rand.New(rand.NewPCG(1, 0))
	make := func(n int, f func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = f(i)
		}
		return x
	}
	return map[string][]float64{
		"uniform":         make(300, func(int) float64 { return rng.Float64() }),
		"both signs":      make(300, func(int) float64 { return rng.NormFloat64() }),
		"negative":        make(250, func(int) float64 { return -1 - rng.Float64() }),
		"decaying":        make(300, func(i int) float64 { return math.Pow(0.8, float64(i)) }),
		"multiple":        make(300, func(i int) float64 { return float64(-(i / 6)) / 50 }),
		"two clusters":    make(300, func(i int) float64 { return float64(i%2) + 1e-7*float64(i) }),
		"one of all":      make(300, func(int) float64 { return 3 }),
		"of low rank":     make(300, func(i int) float64 { return max(0, 2-float64(i)) }),
		"zero":            make(300, func(int) float64 { return 0 }),
		"small":           make(20, func(i int) float64 { return float64(i % 5) }),
		"of order 1":      {7},
		"of order 1 at 0": {0},
		"tiny":            make(300, func(int) float64 { return 1e-200 * rng.Float64() }),
		"large":           make(300, func(int) float64 { return 1e150 * rng.NormFloat64() }),
	}
}

// TestLargest compares with the decomposition of gonum.
func TestLargest(t *testing.T) {
	for name, values := range spectra() {
		a := symmetric(values, 2)
		want := reference(t, a)
		for _, k := range []int{1, 3, 10, len(values)} {
			n := len(values)
			if k > n {
				continue
			}
			t.Run(fmt.Sprintf("%s/k=%d", name, k), func(t *testing.T) {
				p, err := Largest(n, k, by(a), Options{})
				if err != nil {
					t.Fatal(err)
				}
				checkPairs(t, p, a, want, k)
				if want := n <= fullOrder || k == n; p.Full != want {
					t.Errorf("the matrix was decomposed: %v, want %v", p.Full, want)
				}
			})
		}
	}
}

// reference returns gonum's eigenvalues, ascending.
func reference(t *testing.T, a *mat.Dense) []float64 {
	t.Helper()
	n, _ := a.Dims()
	scale := max(mat.Max(a), -mat.Min(a))
	if scale == 0 {
		scale = 1
	}
	scaled := mat.NewSymDense(n, nil) // gonum 0.17 panics for entries of 1e-200
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, a.At(i, j)/scale)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(scaled, false) {
		t.Fatal("no decomposition")
	}
	values := eigen.Values(nil)
	floats.Scale(scale, values)
	return values
}

// checkPairs holds pairs of a to what they are: those of gonum, orthonormal, with small residuals and the agreed sign.
func checkPairs(t *testing.T, p *Pairs, a *mat.Dense, want []float64, k int) {
	t.Helper()
	n := len(want)
	norm := max(math.Abs(want[0]), math.Abs(want[n-1]))
	for c := range k {
		if got, want := p.Values[c], want[n-1-c]; !(math.Abs(got-want) <= tol*norm) {
			t.Errorf("value %d is %.15g, want %.15g", c, got, want)
		}
	}
	product := make([]float64, k*n)
	thin.MulTo(product, a, p.Vectors)
	for c := range k {
		x := p.Vectors[c*n : (c+1)*n]
		if r := residual(product[c*n:(c+1)*n], x, p.Values[c]); !(r <= 2*defaultTol*norm) {
			t.Errorf("vector %d has residual %g of %g", c, r, norm)
		}
		for d := range c + 1 {
			want := 0.0
			if c == d {
				want = 1
			}
			if got := thin.Dot(x, p.Vectors[d*n:(d+1)*n]); math.Abs(got-want) > tol {
				t.Errorf("inner product of vectors %d and %d is %g", c, d, got)
			}
		}
		if top := slices.Max(x); top < -slices.Min(x) {
			t.Errorf("vector %d has its largest entry negative", c)
		}
	}
	if p.Residual > 2*defaultTol {
		t.Errorf("residual %g", p.Residual)
	}
}

// TestStart: a start shortens the way, and a wrong one does no harm.
func TestStart(t *testing.T) {
	const n, k = 400, 5
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i) / n
	}
	a := symmetric(values, 3)
	products := 0
	mul := func(dst, xt []float64) {
		products += len(xt) / n
		thin.MulTo(dst, a, xt)
	}
	cold, err := Largest(n, k, mul, Options{})
	if err != nil {
		t.Fatal(err)
	}
	far := products
	products = 0
	warm, err := Largest(n, k, mul, Options{Start: cold.Vectors})
	if err != nil {
		t.Fatal(err)
	}
	if 2*products > far {
		t.Errorf("%d products from the solution, %d from nowhere", products, far)
	}
	want := reference(t, a)
	checkPairs(t, warm, a, want, k)

	all, err := Largest(n, n, mul, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, start := range map[string][]float64{
		"other eigenvectors":      all.Vectors[100*n : (100+k)*n],
		"more than there is room": all.Vectors[100*n:],
		"zero":                    make([]float64, k*n),
		"one of many":             cold.Vectors[:n],
	} {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(start)
			p, err := Largest(n, k, mul, Options{Start: start})
			if err != nil {
				t.Fatal(err)
			}
			checkPairs(t, p, a, want, k)
			if !slices.Equal(start, before) {
				t.Error("the start was changed")
			}
		})
	}
}

func TestSameBits(t *testing.T) {
	a := symmetric(spectra()["uniform"], 4)
	first, err := Largest(300, 6, by(a), Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Largest(300, 6, by(a), Options{Rand: rand.New(rand.NewPCG(0, 0))})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.Vectors, again.Vectors) || !slices.Equal(first.Values, again.Values) {
		t.Error("the same start gives other bits")
	}
}

// TestNoGaps: hundreds of eigenvalues that are nearly the same are told apart by the full decomposition alone, unless there is no room
// for it.
func TestNoGaps(t *testing.T) {
	const n, k = 300, 8
	values := make([]float64, n)
	for i := range values {
		values[n-1-i] = 1 - math.Pow(10, -10+8*float64(i)/n)
	}
	a := symmetric(values, 7)
	p, err := Largest(n, k, by(a), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !p.Full {
		t.Error("the search has ended: the test needs smaller gaps")
	}
	checkPairs(t, p, a, values, k)
	t.Setenv("ORTHANT_MEMORY", "1M")
	if _, err := Largest(n, k, by(a), Options{}); err == nil || !strings.Contains(err.Error(), "not converged in 25 cycles") {
		t.Errorf("got error %v", err)
	}
}

func TestErrors(t *testing.T) {
	hard := make([]float64, 300) // the gap behind the third is 1e-9 of the norm
	for i := range hard {
		hard[i] = 1 - 1e-9*float64(i)*float64(i)
	}
	hard[299] = -1
	asymmetric := symmetric(spectra()["small"], 5)
	asymmetric.Set(0, 1, asymmetric.At(0, 1)+1)
	nan := func(dst, _ []float64) { dst[0] = math.NaN() }
	for _, c := range []struct {
		name string
		n, k int
		mul  func(dst, xt []float64)
		opts Options
		want string
	}{
		{name: "k = 0", n: 3, k: 0, want: "0 pairs of a matrix of order 3"},
		{name: "k > n", n: 3, k: 4, want: "4 pairs of a matrix of order 3"},
		{name: "no convergence", n: 300, k: 3, mul: by(symmetric(hard, 6)), opts: Options{Tol: 1e-14, Cycles: 1},
			want: "not converged in 1 cycles: residual "},
		{name: "NaN", n: 5, k: 1, mul: nan, want: "not finite"},
		{name: "NaN in a block", n: 300, k: 1, mul: nan, want: "not finite"},
		{name: "not symmetric", n: 20, k: 20, mul: by(asymmetric), want: "is it symmetric?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Largest(c.n, c.k, c.mul, c.opts)
			if p != nil || err == nil || !strings.HasPrefix(err.Error(), "eigen: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v, want an error with %q", p, err, c.want)
			}
		})
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Setenv("ORTHANT_MEMORY", "1M")
	if _, err := Largest(300, 300, nil, Options{}); err == nil || !strings.Contains(err.Error(), "memory limit") {
		t.Errorf("got error %v", err)
	}
}

// BenchmarkLargest measures ten pairs of a chain of n points, whose gaps are small, and of a dense matrix.
func BenchmarkLargest(b *testing.B) {
	for _, n := range []int{1000, 2000} {
		b.Run(fmt.Sprintf("chain/n=%d", n), func(b *testing.B) {
			mul := func(dst, xt []float64) {
				for c := 0; c < len(xt); c += n {
					x, y := xt[c:c+n], dst[c:c+n]
					for i := range y { // some 30 neighbours, as a graph of blobs has
						y[i] = 0
						for j := max(0, i-15); j <= min(n-1, i+15); j++ {
							y[i] += x[j]
						}
					}
				}
			}
			for b.Loop() {
				if _, err := Largest(n, 10, mul, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
