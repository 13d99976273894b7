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

	"orthant/clustering/affinity"
	"orthant/clustering/dataset"
	"orthant/clustering/internal/objects"
)

const (
	// scnmfRiseTol is the rise of F, relative to its terms, that is rounding: the sums have some thousand terms of size 1.
	scnmfRiseTol = 1e-14
	// unitTol is how far a row's norm may be from 1: a few roundings.
	unitTol = 1e-14
)

// scnmfObjective is F of (16) by its definition.
func scnmfObjective(m SCNMF, d *scnmfData, u, v *mat.Dense) float64 {
	x := mat.NewDense(d.n, d.m, d.x)
	var fit, s, vv, diff mat.Dense
	fit.Mul(v, u.T())
	fit.Sub(x, &fit)
	s.Mul(x, x.T())
	vv.Mul(v, v.T())
	diff.Sub(&s, &vv)
	local := 0.0
	for i := range d.n {
		for j := range d.n {
			local += d.graph.At(i, j) * objects.SquaredDistance(v.RawRowView(i), v.RawRowView(j)) / 2
		}
	}
	return math.Pow(mat.Norm(&fit, 2), 2)/2 + m.Lambda/4*math.Pow(mat.Norm(&diff, 2), 2) + m.Mu/2*local
}

// scnmfSize is the size of the terms whose differences F is made of.
func scnmfSize(m SCNMF, n int) float64 { return float64(n) + m.Lambda*float64(n)*float64(n) }

// weightedGraph is a random symmetric graph of n objects, with loops.
func weightedGraph(n int, rng *rand.Rand) *affinity.Sparse {
	w := randomAffinity(n, rng)
	for i := range n {
		for j := range i {
			if rng.IntN(3) > 0 {
				w.Set(i, j, 0)
				w.Set(j, i, 0)
			}
		}
	}
	g, err := affinity.SparseOf(w)
	if err != nil {
		panic(err) // of a dense matrix that is there
	}
	return g
}

// TestSCNMFNeverRises on random objects, with S formed and not, and on flowers.
func TestSCNMFNeverRises(t *testing.T) {
	check := func(t *testing.T, m SCNMF, x mat.Matrix, opts Options) *SCNMFResult {
		t.Helper()
		res, err := m.Fit(context.Background(), x, opts)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := res.V.Dims()
		for _, run := range res.Runs {
			f := run.Trace.Objective
			for it := 1; it < len(f); it++ {
				if f[it] > f[it-1]+scnmfRiseTol*scnmfSize(m, n) {
					t.Fatalf("%v: F rises by %g from %g in iteration %d", m, f[it]-f[it-1], f[it-1], it)
				}
			}
			if worst := slices.Max(run.Trace.Feasibility); worst > unitTol {
				t.Fatalf("%v: a row's norm is off by %g", m, worst)
			}
		}
		if res.Trace.Objective[res.Iterations] > 0.99*res.Trace.Objective[0] {
			t.Fatalf("%v: F only falls from %g to %g", m, res.Trace.Objective[0], res.Objective)
		}
		if mat.Min(res.U) < 0 || mat.Min(res.V) < 0 {
			t.Fatalf("%v: a negative entry", m)
		}
		return res
	}
	for _, lambda := range []float64{0, 0.1, 1, 30} {
		for _, mu := range []float64{0, 0.2, 10} {
			t.Run(fmt.Sprintf("lambda=%g,mu=%g", lambda, mu), func(t *testing.T) {
				for seed := range uint64(8) {
					rng := rand.New(rand.NewPCG(seed, 32))
					n := 5 + rng.IntN(20)
					m := SCNMF{K: 2 + rng.IntN(4), Lambda: lambda, Mu: mu}
					if seed%2 == 1 {
						m.Graph = weightedGraph(n, rng)
					}
					check(t, m, randomObjects(n, 2+rng.IntN(30), rng), Options{Seed: seed, MaxIter: 200, Tol: -1})
				}
			})
		}
	}
	t.Run("iris", func(t *testing.T) {
		res := check(t, NewSCNMF(3), dataset.Iris().X, Options{MaxIter: 200, Tol: -1, Restarts: 3})
		if res.Objective > 1 { // 0.39 after 60 sweeps elsewhere
			t.Errorf("F = %g after 200 sweeps, want less than 1", res.Objective)
		}
	})
}

// TestSCNMFObjective compares the objective from traces with its definition, at starts and after sweeps.
func TestSCNMFObjective(t *testing.T) {
	const tol = 1e-14 // relative to the terms, as in scnmfRiseTol
	rng := rand.New(rand.NewPCG(1, 33))
	for _, size := range []struct{ n, m int }{{12, 5}, {12, 12}, {9, 30}, {1, 4}} {
		for _, m := range []SCNMF{{Lambda: 0.7, Mu: 0.3}, {Lambda: 2}, {Mu: 2}, {}, {Lambda: 0.7, Mu: 0.3, PaperStep: true}} {
			m.K = min(3, size.n)
			m.Graph = weightedGraph(size.n, rng)
			s, err := scnmfStateOf(m, randomObjects(size.n, size.m, rng), 5)
			if err != nil {
				t.Fatal(err)
			}
			if formed := s.d.s != nil; formed != (size.n < size.m && m.Lambda > 0) {
				t.Errorf("%d×%d, %v: S formed: %v", size.n, size.m, m, formed)
			}
			var p Point
			for it := range 10 {
				p.Iteration = it
				before := p.Objective
				s.measure(&p)
				kept := s.keep()
				if want := scnmfObjective(m, s.d, kept.u, kept.v); math.Abs(p.Objective-want) > tol*scnmfSize(m, size.n) {
					t.Fatalf("%d×%d, %v, iteration %d: F = %.15g, by (16) it is %.15g", size.n, size.m, m, it, p.Objective, want)
				}
				want := 0.0
				if it > 0 {
					want = relativeChange(before, p.Objective, s.d.norm2+m.Lambda*s.d.cosine2)
				}
				if p.Change != want {
					t.Fatalf("%v, iteration %d: the change is %g, want %g", m, it, p.Change, want)
				}
				s.step()
			}
		}
	}
}

// TestSCNMFGradient compares the gradient of a row, in both of its forms, with differences of F.
func TestSCNMFGradient(t *testing.T) {
	const (
		h   = 1e-6
		tol = 1e-7 // of central differences: h² times third derivatives, and rounding of F over h
	)
	rng := rand.New(rand.NewPCG(2, 33))
	for _, size := range []struct{ n, m int }{{10, 4}, {7, 20}} {
		m := SCNMF{K: 3, Lambda: 0.8, Mu: 0.4, Graph: weightedGraph(size.n, rng), PaperStep: true}
		s, err := scnmfStateOf(m, randomObjects(size.n, size.m, rng), 6)
		if err != nil {
			t.Fatal(err)
		}
		s.prepare() // without a step of U: the gradient is that at the start
		for i := range size.n {
			s.attraction(i)
			reduced := make([]float64, 3) // on the sphere, up to multiples of x
			for b := range reduced {
				reduced[b] = s.qx[b] - s.r[b]
			}
			s.paperStep(i) // sets a
			kept := s.keep()
			at := func(b int, d float64) float64 {
				v := mat.DenseCopyOf(kept.v)
				v.Set(i, b, v.At(i, b)+d)
				return scnmfObjective(m, s.d, kept.u, v)
			}
			want := make([]float64, 3)
			for b := range want {
				want[b] = (at(b, h) - at(b, -h)) / (2 * h)
			}
			for b := range want {
				if !(math.Abs(s.a[b]-want[b]) <= tol) {
					t.Errorf("n=%d: the gradient at [%d,%d] is %.10g, differences give %.10g", size.n, i, b, s.a[b], want[b])
				}
			}
			x := kept.v.RawRowView(i)
			dir, dirWant := make([]float64, 3), make([]float64, 3)
			slope, slopeWant := descentTo(dir, x, reduced), descentTo(dirWant, x, want)
			if math.Abs(slope-slopeWant) > tol {
				t.Errorf("n=%d, row %d: the slope is %.10g, differences give %.10g", size.n, i, slope, slopeWant)
			}
		}
	}
}

// TestSCNMFRowBound: along the great circle F stays below the cubic that the step makes small.
func TestSCNMFRowBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 33))
	rows := 0
	for seed := range uint64(40) {
		n := 4 + rng.IntN(10)
		m := SCNMF{K: 2 + rng.IntN(4), Lambda: 3 * rng.Float64(), Mu: 2 * rng.Float64()}
		m.K = min(m.K, n)
		s, err := scnmfStateOf(m, randomObjects(n, 2+rng.IntN(20), rng), seed)
		if err != nil {
			t.Fatal(err)
		}
		for range rng.IntN(6) {
			s.step()
		}
		s.prepare()
		kept := s.keep()
		for i := range n {
			s.attraction(i)
			c, moves := s.cubic(i)
			if !moves {
				continue
			}
			rows++
			at := func(theta float64) float64 {
				v := mat.DenseCopyOf(kept.v)
				circleTo(v.RawRowView(i), kept.v.RawRowView(i), s.dir, theta)
				return scnmfObjective(m, s.d, kept.u, v)
			}
			start := at(0)
			for theta := 0.05; theta < math.Pi/2; theta += 0.1 {
				above := start - c.slope*theta + c.curvature*theta*theta/2 + c.bound*theta*theta*theta/6
				if f := at(theta); f > above+scnmfRiseTol*scnmfSize(m, n) {
					t.Fatalf("seed %d, row %d: F = %.15g at θ = %g, above %.15g", seed, i, f, theta, above)
				}
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows moved", rows)
	}
}

// TestSCNMFWithAndWithoutS: that S is not formed changes no more than rounding, on both sides of where it is.
func TestSCNMFWithAndWithoutS(t *testing.T) {
	const tol = 1e-9 // rounding after 40 sweeps, which contract differences or hardly stretch them
	rng := rand.New(rand.NewPCG(4, 33))
	x := randomObjects(15, 40, rng)
	m := SCNMF{K: 4, Lambda: 1.5, Mu: 0.5}
	with, err := scnmfStateOf(m, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	without, err := scnmfStateOf(m, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	without.d.s = nil
	without.d.cosine2 = gramNorm2(transposed(without.d.x, 40), 40)
	if a, b := with.d.cosine2, without.d.cosine2; math.Abs(a-b) > 1e-14*a {
		t.Errorf("‖S‖² is %.17g and %.17g", a, b)
	}
	for range 40 {
		with.step()
		without.step()
	}
	var p, q Point
	with.measure(&p)
	without.measure(&q)
	a, b := with.keep(), without.keep()
	if !mat.EqualApprox(a.u, b.u, tol) || !mat.EqualApprox(a.v, b.v, tol) || math.Abs(p.Objective-q.Objective) > tol*p.Objective {
		t.Errorf("F = %.15g with S and %.15g without, or U and V differ", p.Objective, q.Objective)
	}
}

// transposed returns the transpose of a matrix with the given number of columns.
func transposed(data []float64, columns int) []float64 {
	n := len(data) / columns
	return mat.DenseCopyOf(mat.NewDense(n, columns, data).T()).RawMatrix().Data
}

// TestSCNMFPaperStepLocksRows: with (37) a row with a zero never moves again, and others do; the great circle moves all.
func TestSCNMFPaperStepLocksRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 33))
	const n, k = 20, 3
	x, v0 := randomObjects(n, 6, rng), randomObjects(n, k, rng)
	for i := 0; i < n; i += 2 {
		v0.Set(i, rng.IntN(k), 0)
	}
	for _, paper := range []bool{true, false} {
		m := SCNMF{K: k, Lambda: 1, Mu: 1, V0: v0, PaperStep: paper}
		res, err := m.Fit(context.Background(), x, Options{MaxIter: 20, Tol: -1})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			before := slices.Clone(v0.RawRowView(i))
			unit(before)
			locked := paper && i%2 == 0
			if same := slices.Equal(res.V.RawRowView(i), before); same != locked {
				t.Errorf("PaperStep %v, row %d from %.3f: it has stayed: %v", paper, i, before, same)
			}
		}
		if warned := len(res.Warnings) == 1 && strings.Contains(res.Warnings[0], "row 0 the first"); warned != paper {
			t.Errorf("PaperStep %v: warnings %q", paper, res.Warnings)
		}
	}
}

// TestSCNMFPaperStepEndsHigher: on flowers F does not rise with (37), and ends many times above what the great circle reaches.
func TestSCNMFPaperStepEndsHigher(t *testing.T) {
	x := dataset.Iris().X
	opts := Options{Seed: 1, MaxIter: 60, Tol: -1}
	m := NewSCNMF(3)
	circle, err := m.Fit(context.Background(), x, opts)
	if err != nil {
		t.Fatal(err)
	}
	m.PaperStep = true
	paper, err := m.Fit(context.Background(), x, opts)
	if err != nil {
		t.Fatal(err)
	}
	if f, g := circle.Trace.Objective[0], paper.Trace.Objective[0]; f != g {
		t.Errorf("the starts have F = %g and %g", f, g)
	}
	if !(paper.Objective > 10*circle.Objective) { // 25.0 and 0.39 elsewhere
		t.Errorf("F ends at %g with (37), at %g without", paper.Objective, circle.Objective)
	}
	f := paper.Trace.Objective
	for it := 1; it < len(f); it++ {
		if f[it] > f[it-1]+scnmfRiseTol*scnmfSize(m, 150) {
			t.Errorf("F rises by %g in iteration %d: no rise was ever seen with (37)", f[it]-f[it-1], it)
		}
	}
	if least := mat.Min(paper.V); least < 0 {
		t.Errorf("V has the entry %g", least)
	}
	if worst := slices.Max(paper.Trace.Feasibility); worst > unitTol {
		t.Errorf("a row's norm is off by %g", worst)
	}
}

// TestSCNMFLabels finds three groups of objects with features of their own, by either kind of labels.
func TestSCNMFLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 33))
	x := randomObjects(30, 9, rng)
	for i := range 30 {
		for j := range 9 {
			if j%3 != i%3 {
				x.Set(i, j, 0.05*x.At(i, j))
			}
		}
	}
	for _, byArgmax := range []bool{false, true} {
		m := NewSCNMF(3)
		m.LabelsByArgmax = byArgmax
		res, err := m.Fit(context.Background(), x, Options{Seed: 2, Restarts: 3})
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range res.Labels {
			if l != res.Labels[i%3] {
				t.Errorf("%v: object %d is not in the cluster of its group: %v", m, i, res.Labels)
				break
			}
		}
		if clusters(res.Labels) != 3 {
			t.Errorf("%v: %v", m, res)
		}
		for i, l := range res.Labels {
			if row := res.V.RawRowView(i); byArgmax && row[l] != slices.Max(row) {
				t.Errorf("object %d has label %d and the row %.3f", i, l, row)
			}
		}
	}
}

// TestSCNMFLabelsAreOfTheRows: every object is nearest to the mean of its cluster's rows of V, and the sum of squares is at most the
// median of single starts of KMeans on V. That one start alone is below it for five seeds has a chance of 1/32, that the best of ten
// is not, for one of them, of 1/200.
func TestSCNMFLabelsAreOfTheRows(t *testing.T) {
	const k = 8
	for seed := range uint64(5) {
		res, err := NewSCNMF(k).Fit(context.Background(), dataset.Iris().X, Options{Seed: seed, MaxIter: 30})
		if err != nil {
			t.Fatal(err)
		}
		single, err := KMeans{K: k}.Fit(context.Background(), res.V, Options{Restarts: 99})
		if err != nil {
			t.Fatal(err)
		}
		var sums []float64
		for _, run := range single.Runs {
			sums = append(sums, run.Objective)
		}
		slices.Sort(sums)
		centers, sizes := mat.NewDense(k, k, nil), make([]float64, k)
		for i, l := range res.Labels {
			sizes[l]++
			for b, v := range res.V.RawRowView(i) {
				centers.Set(l, b, centers.At(l, b)+v)
			}
		}
		got := 0.0
		for i, l := range res.Labels {
			least, nearest := math.Inf(1), 0
			for a := range k {
				distance := 0.0
				for b, v := range res.V.RawRowView(i) {
					distance += math.Pow(v-centers.At(a, b)/sizes[a], 2)
				}
				if distance < least {
					least, nearest = distance, a
				}
			}
			if nearest != l {
				t.Errorf("seed %d: object %d has label %d and is nearest to the mean of %d", seed, i, l, nearest)
			}
			got += least
		}
		if median := sums[49]; got > median {
			t.Errorf("seed %d: the labels' sum of squares is %g, the median of single starts %g", seed, got, median)
		}
	}
}

func TestSCNMFStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 33))
	x := randomObjects(6, 4, rng)
	u0, v0 := randomObjects(4, 2, rng), mat.NewDense(6, 2, []float64{3, 4, 0, 1e-200, 1e300, 1e300, 1, 1e-11, 1, 0, 2, 0})
	s, err := scnmfStateOf(SCNMF{K: 2, Lambda: 1, U0: u0, V0: v0}, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	kept := s.keep()
	if !mat.Equal(kept.u, u0) {
		t.Error("U does not start from U0")
	}
	half := math.Sqrt(0.5)
	if want := mat.NewDense(6, 2, []float64{0.6, 0.8, 0, 1, half, half, 1, 0, 1, 0, 1, 0}); !mat.EqualApprox(kept.v, want, unitTol) {
		t.Errorf("V starts from\n%v\nwant\n%v", mat.Formatted(kept.v), mat.Formatted(want))
	}
	s.start(1, rng)
	kept = s.keep()
	if mat.Equal(kept.u, u0) || kept.v.At(4, 1) == 0 || kept.v.At(5, 1) == 0 {
		t.Error("run 1 begins from U0 or V0, too")
	}
}

// TestSCNMFGraph: nil is the graph that the documentation says, a given one comes back, and its diagonal does not count.
func TestSCNMFGraph(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 33))
	x := randomObjects(12, 3, rng)
	opts := Options{MaxIter: 15, Tol: -1}
	m := NewSCNMF(3)
	chosen, err := m.Fit(t.Context(), x, opts)
	if err != nil {
		t.Fatal(err)
	}
	m.Graph = chosen.Graph
	given, err := m.Fit(t.Context(), x, opts)
	if err != nil {
		t.Fatal(err)
	}
	if given.Graph != m.Graph || !mat.Equal(given.V, chosen.V) {
		t.Error("the graph of a result, given, gives another result")
	}
	loops := mat.DenseCopyOf(chosen.Graph)
	for i := range 12 {
		loops.Set(i, i, float64(i))
	}
	if m.Graph, err = affinity.SparseOf(loops); err != nil {
		t.Fatal(err)
	}
	for _, paper := range []bool{false, true} {
		m.PaperStep = paper
		looped, err := m.Fit(t.Context(), x, opts)
		if err != nil {
			t.Fatal(err)
		}
		plain := m
		plain.Graph = chosen.Graph
		want, err := plain.Fit(t.Context(), x, opts)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(looped.V, want.V) || looped.Objective != want.Objective {
			t.Errorf("PaperStep %v: the diagonal of the graph has an effect", paper)
		}
		if plain.String() == m.String() {
			t.Errorf("%v describes two graphs", m)
		}
	}
	m.Mu, m.PaperStep = 0, false
	none, err := m.Fit(t.Context(), x, opts)
	if err != nil {
		t.Fatal(err)
	}
	if mat.Equal(none.V, chosen.V) {
		t.Error("the graph has no effect")
	}
}

func TestSCNMFStepAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 33))
	for _, m := range []SCNMF{NewSCNMF(3), {K: 3, Lambda: 1, Mu: 1, PaperStep: true}} {
		for _, x := range []*mat.Dense{randomObjects(30, 5, rng), randomObjects(10, 30, rng)} {
			s, err := scnmfStateOf(m, x, 1)
			if err != nil {
				t.Fatal(err)
			}
			var p Point
			if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&p) }); n != 0 {
				t.Errorf("%v: %g allocations in a step, want 0", m, n)
			}
		}
	}
}

func BenchmarkSCNMFSweep(b *testing.B) {
	for _, size := range []struct{ n, m int }{{500, 20}, {1000, 20}, {400, 1024}} {
		b.Run(fmt.Sprintf("n=%d,m=%d,k=10", size.n, size.m), func(b *testing.B) {
			s, err := scnmfStateOf(NewSCNMF(10), randomObjects(size.n, size.m, rand.New(rand.NewPCG(14, 33))), 1)
			if err != nil {
				b.Fatal(err)
			}
			var p Point
			b.ReportAllocs()
			for b.Loop() {
				s.step()
				s.measure(&p)
			}
		})
	}
}
