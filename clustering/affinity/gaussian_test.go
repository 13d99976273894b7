package affinity

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// tol is rounding: the definitions below sum in another order.
const tol = 1e-14

func points(n, m int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

// TestConventions compares each preset with its formula, written out.
func TestConventions(t *testing.T) {
	x := points(9, 5, 1)
	n, m := x.Dims()
	distance := func(i, j int) float64 {
		s := 0.0
		for c := range m {
			s += math.Pow(x.At(i, c)-x.At(j, c), 2)
		}
		return math.Sqrt(s)
	}
	mean, largest := 0.0, 0.0
	for i := range n {
		for j := range n {
			mean += distance(i, j) / float64(n*(n-1))
			largest = max(largest, distance(i, j))
		}
	}
	graph := mat.NewDense(n, n, nil)
	degree := make([]float64, n)
	for i := range n {
		for j := range n {
			if i != j {
				graph.Set(i, j, math.Exp(-math.Pow(distance(i, j), 2)/(2*mean*mean)))
				degree[i] += graph.At(i, j)
			}
		}
	}
	for _, c := range []struct {
		name  string
		g     Gaussian
		width float64
		want  func(i, j int) float64
	}{
		{name: "zero value", g: Gaussian{}, width: 0.7 * mean,
			want: func(i, j int) float64 { return math.Exp(-math.Pow(distance(i, j)/(0.7*mean), 2)) }},
		{name: "SNMF-Ncut", g: SNMFNcutGaussian(), width: 0.7 * mean,
			want: func(i, j int) float64 { return math.Exp(-math.Pow(distance(i, j)/(0.7*mean), 2)) }},
		{name: "ONGC", g: ONGCGaussian(), width: mean,
			want: func(i, j int) float64 { return graph.At(i, j) / math.Sqrt(degree[i]*degree[j]) }},
		{name: "RMKC", g: RMKCGaussian(0.1), width: 0.1 * largest,
			want: func(i, j int) float64 { return math.Exp(-math.Pow(distance(i, j)/(0.1*largest), 2) / 2) }},
		{name: "width", g: Gaussian{Width: 2}, width: 2,
			want: func(i, j int) float64 { return math.Exp(-math.Pow(distance(i, j), 2) / 4) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := c.g.Of(x)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				for j := range n {
					if got, want := w.At(i, j), c.want(i, j); math.Abs(got-want) > tol {
						t.Errorf("W[%d,%d] = %.16g, want %.16g", i, j, got, want)
					}
					if w.At(i, j) != w.At(j, i) {
						t.Errorf("W[%d,%d] and W[%[2]d,%[1]d] differ", i, j)
					}
				}
			}
			r, err := c.g.WidthOf(x)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r-c.width) > tol*c.width {
				t.Errorf("width %.16g, want %.16g", r, c.width)
			}
		})
	}
}

func TestDegenerate(t *testing.T) {
	equal := mat.NewDense(4, 2, []float64{3, 1, 3, 1, 3, 1, 3, 1})
	for _, c := range []struct {
		name string
		g    Gaussian
		x    *mat.Dense
		want []float64
	}{
		{name: "one row", x: mat.NewDense(1, 2, []float64{5, 6}), want: []float64{1}},
		{name: "one row, no diagonal", g: ONGCGaussian(), x: mat.NewDense(1, 2, []float64{5, 6}), want: []float64{0}},
		{name: "all rows equal", x: equal, want: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{name: "far apart for the width", g: Gaussian{Width: 1e-200}, x: mat.NewDense(2, 1, []float64{0, 1}), want: []float64{1, 0, 0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := c.g.Of(c.x)
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range w.RawMatrix().Data {
				if got != c.want[i] {
					t.Errorf("entry %d is %g, want %g", i, got, c.want[i])
				}
			}
		})
	}
}

func TestBadInput(t *testing.T) {
	x := points(3, 2, 1)
	set := func(v float64) *mat.Dense {
		c := mat.DenseCopyOf(x)
		c.Set(1, 0, v)
		return c
	}
	for _, c := range []struct {
		name string
		g    Gaussian
		x    mat.Matrix
		want string
	}{
		{name: "no X", x: nil, want: "X is nil"},
		{name: "nil X", x: (*mat.Dense)(nil), want: "X is nil"},
		{name: "empty X", x: &mat.Dense{}, want: "X is empty"},
		{name: "NaN", x: set(math.NaN()), want: "X[1,0] = NaN"},
		{name: "Inf", x: set(math.Inf(1)), want: "X[1,0] = +Inf"},
		{name: "overflow", x: set(1e200), want: "overflows"},
		{name: "two widths", g: Gaussian{Width: 1, MeanDistance: 1}, x: x, want: "give one of them"},
		{name: "negative width", g: Gaussian{Width: -1}, x: x, want: "Width = -1"},
		{name: "NaN width", g: Gaussian{MeanDistance: math.NaN()}, x: x, want: "MeanDistance = NaN"},
		{name: "infinite width", g: Gaussian{MaxDistance: math.Inf(1)}, x: x, want: "MaxDistance = +Inf"},
		{name: "all equal", g: RMKCGaussian(1), x: mat.NewDense(3, 1, []float64{2, 2, 2}), want: "all rows of X are equal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := c.g.Of(c.x)
			if w != nil || err == nil || !strings.HasPrefix(err.Error(), "affinity: Gaussian: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Setenv("ORTHANT_MEMORY", "1M")
	_, err := Gaussian{}.Of(points(200, 1, 1))
	if err == nil || !strings.Contains(err.Error(), "n=200 needs 320000 bytes") {
		t.Errorf("got error %v", err)
	}
}

// TestSameBitsOnAnyNumberOfProcessors: the mean distance is a sum over all rows.
func TestSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	x := points(101, 7, 2)
	want, err := Gaussian{}.Of(x)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, p := range []int{1, 2, 3, 4} {
		runtime.GOMAXPROCS(p)
		got, err := Gaussian{}.Of(x)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got, want) {
			t.Errorf("%d processors give another affinity", p)
		}
	}
}

func TestInputIsNotChanged(t *testing.T) {
	x := points(10, 3, 3)
	before := mat.DenseCopyOf(x)
	if _, err := ONGCGaussian().Of(x); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(x, before) {
		t.Error("X was changed")
	}
}

func BenchmarkGaussian(b *testing.B) {
	x := points(1000, 20, 4)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Gaussian{}).Of(x); err != nil {
			b.Fatal(err)
		}
	}
}
