package simplex

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// tol is the rounding of a few sums of a few products of size 1, amplified by the condition of the matrices, 1e3 at most.
const tol = 1e-10

// TestProject checks the conditions that the nearest point satisfies: it is max(0, v-t), and its sum is 1.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(8)
		v, dst, sorted := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = float64(rng.IntN(5)-2) * rng.Float64() // zeros and ties among them
		}
		Project(dst, v, sorted)
		if math.Abs(floats.Sum(dst)-1) > 1e-14 {
			t.Fatalf("%v to %v, whose sum is %v", v, dst, floats.Sum(dst))
		}
		shift := math.Inf(-1)
		for i, x := range dst {
			if x > 0 {
				shift = v[i] - x
			}
		}
		for i, x := range dst {
			if math.Abs(x-max(0, v[i]-shift)) > 1e-14 {
				t.Fatalf("%v to %v: entry %d is not max(0, v - %v)", v, dst, i, shift)
			}
		}
		Project(v, v, sorted)
		if !floats.Equal(v, dst) {
			t.Fatalf("in place %v, want %v", v, dst)
		}
	}
}

// TestQP compares with the best of all supports, on matrices of any rank.
func TestQP(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 1 + rng.IntN(6)
		q, c := randomQP(rng, n)
		got := make([]float64, n)
		if err := NewQP(n).Solve(got, q, c); err != nil {
			t.Fatalf("%v, %v: %v", q, c, err)
		}
		for _, factor := range []float64{0x1p-70, 0x1p70} { // a power of two changes no digit
			scaled, sq, sc := make([]float64, n), make([]float64, n*n), make([]float64, n)
			floats.ScaleTo(sq, factor, q)
			floats.ScaleTo(sc, factor, c)
			if err := NewQP(n).Solve(scaled, sq, sc); err != nil || !floats.EqualApprox(scaled, got, tol) {
				t.Fatalf("%v, %v: %v; times %g %v, %v", q, c, got, factor, scaled, err)
			}
		}
		if math.Abs(floats.Sum(got)-1) > 1e-13 || floats.Min(got) < 0 {
			t.Fatalf("%v, %v: %v is not on the simplex", q, c, got)
		}
		if f, best := value(q, c, got), lowest(rng, q, c, n); f > best+tol {
			t.Fatalf("%v, %v: value %.15g of %v; there is %.15g", q, c, f, got, best)
		}
		gradient := make([]float64, n) // the conditions of Karush, Kuhn and Tucker
		least, most := math.Inf(1), math.Inf(-1)
		for i := range n {
			gradient[i] = floats.Dot(q[i*n:(i+1)*n], got) - c[i]
			least = min(least, gradient[i])
			if got[i] > 0 {
				most = max(most, gradient[i])
			}
		}
		if most-least > tol {
			t.Fatalf("%v, %v: %v has the gradient %v", q, c, got, gradient)
		}
	}
}

// randomQP returns Q = B'B with a B of few rows now and then, and any c.
func randomQP(rng *rand.Rand, n int) (q, c []float64) {
	rows := rng.IntN(n + 2)
	b := make([]float64, rows*n)
	for i := range b {
		b[i] = rng.NormFloat64()
	}
	q, c = make([]float64, n*n), make([]float64, n)
	for i := range n {
		c[i] = rng.NormFloat64()
		for j := range n {
			for r := range rows {
				q[i*n+j] += b[r*n+i] * b[r*n+j]
			}
		}
	}
	if n > 1 && rng.IntN(3) == 0 { // two that are the same
		for j := range n {
			q[j], q[j*n] = q[n+j], q[j*n+1]
		}
		q[0], c[0] = q[n+1], c[1]
		q[1], q[n] = q[0], q[0]
	}
	return q, c
}

func value(q, c, a []float64) float64 {
	n, f := len(a), 0.0
	for i := range n {
		f += a[i] * (floats.Dot(q[i*n:(i+1)*n], a) - 2*c[i])
	}
	return f
}

// lowest is the lowest value that a search finds: projected gradient from several starts, and all corners.
func lowest(rng *rand.Rand, q, c []float64, n int) float64 {
	best := math.Inf(1)
	norm := 1e-3
	for _, x := range q {
		norm += math.Abs(x)
	}
	a, v, sorted := make([]float64, n), make([]float64, n), make([]float64, n)
	for start := range n + 3 {
		for i := range a {
			a[i] = rng.Float64()
			if start < n {
				a[i] = 0
			}
		}
		if start < n {
			a[start] = 1
		}
		Project(a, a, sorted)
		best = min(best, value(q, c, a))
		for range 300 {
			for i := range n {
				v[i] = a[i] - (floats.Dot(q[i*n:(i+1)*n], a)-c[i])/norm
			}
			Project(a, v, sorted)
		}
		best = min(best, value(q, c, a))
	}
	return best
}

func TestQPPrefersEqualWeights(t *testing.T) {
	for _, test := range []struct {
		name string
		q, c []float64
		want []float64
	}{
		{"one variable", []float64{4}, []float64{-9}, []float64{1}},
		{"nothing to choose", make([]float64, 9), make([]float64, 3), []float64{1. / 3, 1. / 3, 1. / 3}},
		{"linear", make([]float64, 9), []float64{1, 3, 2}, []float64{0, 1, 0}},
		{"linear, two the best", make([]float64, 9), []float64{3, 1, 3}, []float64{0.5, 0, 0.5}},
		{"identical", []float64{2, 2, 2, 2}, []float64{1, 1}, []float64{0.5, 0.5}},
		{"two identical of three", []float64{1, 1, 0, 1, 1, 0, 0, 0, 1}, []float64{0, 0, 0}, []float64{0.25, 0.25, 0.5}},
		{"far from the matrix", []float64{1, 0, 0, 1}, []float64{1e6, 1e6 + 1}, []float64{0, 1}},
	} {
		got := make([]float64, len(test.c))
		if err := NewQP(len(test.c)).Solve(got, test.q, test.c); err != nil || !floats.EqualApprox(got, test.want, 1e-12) {
			t.Errorf("%s: %v, %v; want %v", test.name, got, err, test.want)
		}
	}
}

func TestQPWithManyVariables(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 60
	q, c := randomQP(rng, n)
	got := make([]float64, n)
	if err := NewQP(n).Solve(got, q, c); err != nil {
		t.Fatal(err)
	}
	if f, best := value(q, c, got), lowest(rng, q, c, n); f > best+tol {
		t.Errorf("value %.15g; there is %.15g", f, best)
	}
}

// TestQPKeepsNothing solves two programmes with one solver, and allocates nothing.
func TestQPKeepsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	p, got, want := NewQP(5), make([]float64, 5), make([]float64, 5)
	for range 20 {
		q, c := randomQP(rng, 5)
		if err := NewQP(5).Solve(want, q, c); err != nil {
			t.Fatal(err)
		}
		if err := p.Solve(got, q, c); err != nil || !floats.Equal(got, want) {
			t.Fatalf("got %v, %v; a new solver gives %v", got, err, want)
		}
		if n := testing.AllocsPerRun(5, func() { _ = p.Solve(got, q, c) }); n > 0 {
			t.Fatalf("%v allocations", n)
		}
	}
}
