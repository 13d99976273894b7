package thin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// uniform returns n numbers in [-1, 1).
func uniform(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 2*rng.Float64() - 1
	}
	return x
}

// TestPathsAgree holds every kernel of this build to the order of summation that doc.go promises, for all lengths of the
// unrolled loops' tails and for every alignment of the operands.
func TestPathsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			for n := range 70 {
				for offset := range 4 {
					x, y := uniform(rng, n+offset)[offset:], uniform(rng, n+1)[:n]
					if got, want := k.dot(x, y), promisedDot(x, y); math.Float64bits(got) != math.Float64bits(want) {
						t.Errorf("dot, length %d, offset %d: got %v, want %v", n, offset, got, want)
					}
					const stride = 80
					rows := uniform(rng, 3*stride+n)
					var four [4]float64
					k.dot4(four[:], x, rows, stride)
					for r, got := range four {
						want := promisedDot(x, rows[r*stride:r*stride+n])
						if math.Float64bits(got) != math.Float64bits(want) {
							t.Errorf("dot4, length %d, offset %d, row %d: got %v, want %v", n, offset, r, got, want)
						}
					}
					got, want := append([]float64(nil), y...), append([]float64(nil), y...)
					k.axpy(got, 0.3, x)
					for i := range want {
						product := 0.3 * x[i]
						want[i] += product
						if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
							t.Errorf("axpy, length %d, offset %d, entry %d: got %v, want %v", n, offset, i, got[i], want[i])
						}
					}
				}
			}
		})
	}
}

// promisedDot is the order of doc.go, written without a thought for speed.
func promisedDot(x, y []float64) float64 {
	var lane [4]float64
	whole := len(x) / 4 * 4
	for i := range x {
		product := x[i] * y[i]
		l := i % 4
		if i >= whole {
			l = 0
		}
		lane[l] += product
	}
	return (lane[1] + lane[3]) + (lane[0] + lane[2])
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		env, want string
		bad       bool
	}{
		{env: "", want: kernels[0].name},
		{env: "portable", want: "portable"},
		{env: "avx99", want: "portable", bad: true},
	} {
		got, err := choose(c.env)
		if got.name != c.want || (err != nil) != c.bad {
			t.Errorf("choose(%q) = %s, %v; want %s, error: %v", c.env, got.name, err, c.want, c.bad)
		}
	}
}

// TestProducts compares with gonum's general products. The sums have at most 40 terms of size 1.
func TestProducts(t *testing.T) {
	const tol = 1e-13
	rng := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct{ n, k int }{{1, 1}, {5, 1}, {5, 5}, {40, 3}, {13, 7}} {
		t.Run(fmt.Sprintf("n=%d,k=%d", c.n, c.k), func(t *testing.T) {
			wide := mat.NewDense(c.n, c.n+3, uniform(rng, c.n*(c.n+3)))
			w := wide.Slice(0, c.n, 2, c.n+2).(*mat.Dense) // a stride that is not n
			h := mat.NewDense(c.n, c.k, uniform(rng, c.n*c.k))
			s := mat.NewDense(c.k, c.k, nil)
			s.Mul(h.T(), h)
			d := uniform(rng, c.n)
			ht := Transposed(h)

			var want mat.Dense
			check := func(what string, got []float64) {
				t.Helper()
				r, k := want.Dims()
				for i := range r {
					for a := range k {
						if g := got[a*r+i]; math.Abs(g-want.At(i, a)) > tol {
							t.Errorf("%s[%d,%d] = %v, want %v", what, i, a, g, want.At(i, a))
						}
					}
				}
			}
			got := make([]float64, c.n*c.k)
			want.Mul(w, h)
			for _, k := range kernels {
				use(t, k)
				clear(got)
				MulTo(got, w, ht)
				check("WH by "+k.name, got)
			}

			want.Reset()
			want.Mul(h.T(), h)
			gram := make([]float64, c.k*c.k)
			GramTo(gram, ht, ht, c.k)
			check("HᵀH", gram)

			want.Reset()
			want.Mul(h, s)
			want.Add(&want, h)
			sum := append([]float64(nil), ht...)
			AddMulTo(sum, s.RawMatrix().Data, ht, c.k)
			check("H+HS", sum)

			want.Reset()
			want.Mul(mat.NewDiagDense(c.n, d), h)
			ScaleTo(got, d, ht)
			check("DH", got)

			want.CloneFrom(Dense(ht, c.k))
			check("H", ht)
		})
	}
}

// use makes k the active kernel until the test ends.
func use(t testing.TB, k kernel) {
	before := active
	t.Cleanup(func() { active = before })
	active = k
}

// BenchmarkMul measures the product that dominates a fit, on each path.
func BenchmarkMul(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{500, 2000} {
		const k = 10
		w, ht, dst := mat.NewDense(n, n, uniform(rng, n*n)), uniform(rng, n*k), make([]float64, n*k)
		for _, path := range kernels {
			b.Run(fmt.Sprintf("n=%d/%s", n, path.name), func(b *testing.B) {
				use(b, path)
				b.SetBytes(int64(8 * n * n))
				b.ReportAllocs()
				for b.Loop() {
					MulTo(dst, w, ht)
				}
			})
		}
	}
}
