package affinity

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/simplex"
)

// TestCLRInitialIsTheMinimum: each row is the projection of −e/2γ onto the simplex, with the γ of the paper's equation (22).
func TestCLRInitialIsTheMinimum(t *testing.T) {
	const n = 30
	for _, p := range []int{1, 5, 10, n - 2} {
		x := points(n, 4, uint64(p))
		a, err := CLRInitial{Neighbors: p}.directed(x)
		if err != nil {
			t.Fatal(err)
		}
		d := distances(x)
		for i := range n {
			near := newNearest(p + 1)
			for j := range n {
				if j != i {
					near.offer(j, d.At(i, j)*d.At(i, j))
				}
			}
			gamma := float64(p) * near.keys[p] / 2
			for _, e := range near.keys[:p] {
				gamma -= e / 2
			}
			var others []int
			var v []float64
			for j := range n {
				if j != i {
					others, v = append(others, j), append(v, -d.At(i, j)*d.At(i, j)/(2*gamma))
				}
			}
			simplex.Project(v, v, make([]float64, len(v)))
			sum := 0.0
			for k, j := range others {
				sum += a.At(i, j)
				if got := a.At(i, j); math.Abs(got-v[k]) > 1e-12 {
					t.Errorf("p = %d: A[%d,%d] = %.15g, want %.15g", p, i, j, got, v[k])
				}
			}
			if math.Abs(sum-1) > tol {
				t.Errorf("p = %d: row %d sums to %.17g", p, i, sum)
			}
		}
	}
}

// TestCLRInitialScale: the graph does not depend on the unit; a power of two changes no bit.
func TestCLRInitialScale(t *testing.T) {
	x := points(20, 3, 1)
	want, err := CLRInitial{}.Of(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{0x1p-400, 0x1p500} {
		var scaled mat.Dense
		scaled.Scale(unit, x)
		if w, err := (CLRInitial{}).Of(&scaled); err != nil || !mat.Equal(w, want) {
			t.Errorf("times %g: another graph, %v", unit, err)
		}
	}
}

// TestCLR: blobs come out as the components, K of them, where the initial graph has fewer.
func TestCLR(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, k, p int
	}{
		{"small", 45, 3, 20}, // the initial graph joins the blobs
		{"of four", 96, 4, 30},
		{"by Lanczos", 320, 4, 90},
		{"apart", 60, 3, 5}, // there are three components from the beginning
	} {
		t.Run(c.name, func(t *testing.T) {
			x := blobs(c.n, 3, c.k, 2)
			initial, err := CLRInitial{Neighbors: c.p}.Of(x)
			if err != nil {
				t.Fatal(err)
			}
			if got := initial.components(); (got == c.k) != (c.name == "apart") {
				t.Fatalf("the initial graph has %d components: this test is about another case", got)
			}
			res, err := CLR{K: c.k, Neighbors: c.p}.Of(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			if !res.Reached || res.Components != c.k {
				t.Errorf("%d components, reached: %v, want %d", res.Components, res.Reached, c.k)
			}
			t.Logf("%d rounds, lambda %g", res.Rounds, res.Lambda)
			res.Graph.DoNonZero(func(i, j int, _ float64) {
				if i%c.k != j%c.k {
					t.Errorf("%d and %d are joined", i, j)
				}
				if initial.At(i, j) == 0 {
					t.Errorf("%d and %d were not joined before", i, j)
				}
			})
			checkSparse(t, res.Graph)
			checkRank(t, res.Graph, c.k)
		})
	}
}

// checkRank holds the Laplacian of w to k eigenvalues of 0, by gonum's decomposition.
func checkRank(t *testing.T, w *Sparse, k int) {
	t.Helper()
	n, _ := w.Dims()
	l := mat.NewSymDense(n, nil)
	w.DoNonZero(func(i, j int, v float64) {
		l.SetSym(i, i, l.At(i, i)+v)
		l.SetSym(i, j, -v)
	})
	var eigen mat.EigenSym
	if !eigen.Factorize(l, false) {
		t.Fatal("no decomposition")
	}
	sum := 0.0
	for i, value := range eigen.Values(nil)[:k+1] {
		if sum += value; (sum > clrZero) != (i == k) {
			t.Errorf("the %d lowest eigenvalues sum to %g", i+1, sum)
		}
	}
}

// TestLowest compares both ways to find the low end of a spectrum.
func TestLowest(t *testing.T) {
	w, err := CLRInitial{}.Of(points(150, 3, 3))
	if err != nil {
		t.Fatal(err)
	}
	const k = 4
	got, err := lowest(w, k, nil) // by Lanczos
	if err != nil {
		t.Fatal(err)
	}
	l := mat.NewSymDense(150, nil)
	w.DoNonZero(func(i, j int, v float64) {
		l.SetSym(i, i, l.At(i, i)+v)
		l.SetSym(i, j, -v)
	})
	var eigen mat.EigenSym
	if !eigen.Factorize(l, false) {
		t.Fatal("no decomposition")
	}
	sum, values := 0.0, eigen.Values(nil)
	for _, v := range values[:k] {
		sum += v
	}
	if math.Abs(got.sum-sum) > 1e-12 || math.Abs(got.sumAbove-sum-values[k]) > 1e-12 {
		t.Errorf("got sums %.15g and %.15g, want %.15g and %.15g", got.sum, got.sumAbove, sum, sum+values[k])
	}
}

// TestCLRNotReached: there is a graph all the same, and the result says so.
func TestCLRNotReached(t *testing.T) {
	apart, whole := blobs(60, 3, 4, 5), points(12, 2, 6)
	equal := mat.NewDense(12, 2, nil)
	one := mat.NewDense(1, 1, []float64{3})
	for _, c := range []struct {
		name       string
		clr        CLR
		x          *mat.Dense
		components int
		reached    bool
	}{
		{"four from the beginning", CLR{K: 2, Neighbors: 4}, apart, 4, false},
		{"one round", CLR{K: 3, Neighbors: 8, MaxRounds: 1, Lambda: 1e-9}, whole, 1, false},
		{"one is there", CLR{K: 1, Neighbors: 8}, whole, 1, true},
		{"one object", CLR{K: 1}, one, 1, true},
		{"equal objects", CLR{K: 1, Neighbors: 3}, equal, 1, true},
	} {
		res, err := c.clr.Of(context.Background(), c.x)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if res.Components != c.components || res.Reached != c.reached {
			t.Errorf("%s: %d components, reached: %v, want %d, %v", c.name, res.Components, res.Reached, c.components, c.reached)
		}
	}
	n, _ := whole.Dims() // every object has a neighbour, so that n components are out of reach
	res, err := CLR{K: n}.Of(context.Background(), whole)
	if err != nil || res.Reached || res.Rounds != 30 || res.Lambda != 0.1*(1<<29) {
		t.Errorf("K = n: %+v, %v", res, err)
	}
}

func TestCLRCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := CLR{K: 2}.Of(ctx, points(20, 2, 1))
	if res != nil || !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "affinity: CLR: ") {
		t.Errorf("got %v, %v", res, err)
	}
}

// TestCLRByTheBook compares with the algorithm on dense matrices, written as the authors' programme is, with all eigenvectors.
func TestCLRByTheBook(t *testing.T) {
	for _, c := range []struct {
		name   string
		clr    CLR
		x      *mat.Dense
		halved bool
	}{
		{"doubled", CLR{K: 3, Neighbors: 20}, blobs(45, 3, 3, 2), false},
		{"halved", CLR{K: 2, Neighbors: 25, Lambda: 50}, blobs(60, 3, 3, 3), true},
		{"by Lanczos", CLR{K: 3, Neighbors: 8, MaxRounds: 6}, points(140, 3, 4), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := c.clr.Of(context.Background(), c.x)
			if err != nil {
				t.Fatal(err)
			}
			initial, err := CLRInitial{Neighbors: c.clr.Neighbors}.Of(c.x)
			if err != nil {
				t.Fatal(err)
			}
			want, lambda := byTheBook(t, c.clr, mat.DenseCopyOf(initial))
			if res.Lambda != lambda || (lambda < c.clr.Lambda) != c.halved {
				t.Errorf("lambda %g, want %g, halved: %v", res.Lambda, lambda, c.halved)
			}
			// Eigenvectors are exact to 1e-12 over the gap behind them, and a round multiplies that by lambda.
			if !mat.EqualApprox(res.Graph, want, 1e-8) {
				t.Error("another graph")
			}
		})
	}
}

func byTheBook(t *testing.T, clr CLR, a *mat.Dense) (*mat.Dense, float64) {
	n, _ := a.Dims()
	lowestOf := func(w *mat.Dense) (*mat.Dense, []float64) {
		l := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				l.SetSym(i, j, -w.At(i, j))
			}
			l.SetSym(i, i, mat.Sum(w.RowView(i)))
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(l, true) {
			t.Fatal("no decomposition")
		}
		var v mat.Dense
		eigen.VectorsTo(&v)
		return mat.DenseCopyOf(v.Slice(0, n, 0, clr.K)), eigen.Values(nil)
	}
	f, _ := lowestOf(a)
	lambda, rounds := clr.Lambda, clr.MaxRounds
	if lambda == 0 {
		lambda = 0.1
	}
	if rounds == 0 {
		rounds = 30
	}
	for round := 1; ; round++ {
		s, w := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i := range n {
			var support []int
			var v []float64
			for j := range n {
				if a.At(i, j) > 0 {
					var d mat.VecDense
					d.SubVec(f.RowView(i), f.RowView(j))
					support, v = append(support, j), append(v, a.At(i, j)-lambda/2*mat.Dot(&d, &d))
				}
			}
			simplex.Project(v, v, make([]float64, len(v)))
			for k, j := range support {
				s.Set(i, j, v[k])
			}
		}
		w.Add(s, s.T())
		w.Scale(0.5, w)
		next, values := lowestOf(w)
		sum := 0.0
		for _, v := range values[:clr.K] {
			sum += v
		}
		switch {
		case round == rounds:
			return w, lambda
		case sum > 1e-10:
			lambda *= 2
			f = next
		case sum+values[clr.K] < 1e-10:
			lambda /= 2
		default:
			return w, lambda
		}
	}
}
