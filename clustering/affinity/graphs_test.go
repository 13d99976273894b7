package affinity

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// blobs returns n points in m columns, point i near the corner i%k of a cube, 10 apart.
func blobs(n, m, k int, seed uint64) *mat.Dense {
	x := points(n, m, seed)
	for i := range n {
		for c := range m {
			x.Set(i, c, x.At(i, c)+float64(10*(i%k>>c&1)))
		}
	}
	return x
}

// lattice returns points with whole coordinates, so that many distances are equal.
func lattice(n, m int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := mat.NewDense(n, m, nil)
	for i := range n {
		for c := range m {
			x.Set(i, c, float64(1+rng.IntN(3)))
		}
	}
	return x
}

// graphs has each way to make a graph, with parameters that suit forty objects.
var graphs = []struct {
	name string
	of   func(x mat.Matrix) (mat.Matrix, error)
}{
	{"Gaussian", func(x mat.Matrix) (mat.Matrix, error) { return Gaussian{}.Of(x) }},
	{"self-tuning", func(x mat.Matrix) (mat.Matrix, error) { return SelfTuningGaussian().Of(x) }},
	{"KNN", func(x mat.Matrix) (mat.Matrix, error) { return KNN{}.Of(x) }},
	{"SCNMF", func(x mat.Matrix) (mat.Matrix, error) { return SCNMFGraph().Of(x) }},
	{"ONGC", func(x mat.Matrix) (mat.Matrix, error) { return ONGCGraph().Of(x) }},
	{"mutual, self-tuning", func(x mat.Matrix) (mat.Matrix, error) {
		return KNN{Neighbors: 4, Mutual: true, Weighted: true, Gaussian: SelfTuningGaussian()}.Of(x)
	}},
	{"cosine, weighted", func(x mat.Matrix) (mat.Matrix, error) {
		return KNN{Neighbors: 6, Cosine: true, Weighted: true, Gaussian: Gaussian{SelfTuning: 3, Normalized: true}}.Of(x)
	}},
	{"CLR initial", func(x mat.Matrix) (mat.Matrix, error) { return CLRInitial{}.Of(x) }},
	{"CLR", func(x mat.Matrix) (mat.Matrix, error) {
		res, err := CLR{K: 2}.Of(context.Background(), x)
		if err != nil {
			return nil, err
		}
		return res.Graph, nil
	}},
	{"ULGE", func(x mat.Matrix) (mat.Matrix, error) { return ULGE{Levels: 3}.Of(x) }},
}

// TestGraphs holds what all graphs have in common: symmetric to the bit, nonnegative, the same on any number of processors, and the input
// is only read.
func TestGraphs(t *testing.T) {
	for _, g := range graphs {
		for name, x := range map[string]*mat.Dense{
			"blobs": blobs(41, 5, 3, 1), "ties": lattice(40, 3, 2), "large": blobs(150, 3, 4, 3),
		} {
			t.Run(g.name+"/"+name, func(t *testing.T) {
				before := mat.DenseCopyOf(x)
				w, err := g.of(x)
				if err != nil {
					t.Fatal(err)
				}
				if !mat.Equal(x, before) {
					t.Error("X was changed")
				}
				n, _ := x.Dims()
				if r, c := w.Dims(); r != n || c != n {
					t.Fatalf("%d×%d, want %d×%d", r, c, n, n)
				}
				for i := range n {
					for j := range n {
						if v := w.At(i, j); !(v >= 0 && v <= 1+tol) || v != w.At(j, i) {
							t.Fatalf("W[%d,%d] = %g, W[%d,%d] = %g", i, j, v, j, i, w.At(j, i))
						}
					}
				}
				checkSparse(t, w)
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
				for _, p := range []int{1, 2, 3, 4} {
					runtime.GOMAXPROCS(p)
					again, err := g.of(x)
					if err != nil {
						t.Fatal(err)
					}
					if !mat.Equal(again, w) {
						t.Errorf("%d processors give another graph", p)
					}
				}
			})
		}
	}
}

// checkSparse holds a sparse graph to its form: columns ascending, no zeros, no diagonal.
func checkSparse(t *testing.T, m mat.Matrix) {
	t.Helper()
	w, ok := m.(*Sparse)
	if !ok {
		return
	}
	for i := range w.r {
		cols, values := w.Row(i)
		for k, j := range cols {
			if j == i || values[k] == 0 || k > 0 && cols[k-1] >= j {
				t.Fatalf("row %d has the columns %v and the values %v", i, cols, values)
			}
		}
	}
}

// TestGraphsRefuse: each graph has the same words for data that are none.
func TestGraphsRefuse(t *testing.T) {
	for _, g := range graphs {
		for _, c := range []struct {
			name string
			x    mat.Matrix
			want string
		}{
			{"nil", nil, "X is nil"},
			{"nil matrix", (*mat.Dense)(nil), "X is nil"},
			{"empty", &mat.Dense{}, "X is empty"},
			{"NaN", mat.NewDense(3, 2, []float64{1, 2, 3, math.NaN(), 5, math.NaN()}), "X[1,1] = NaN is not a finite number"},
			{"Inf", mat.NewDense(8, 1, []float64{1, 2, math.Inf(-1), 3, 4, 5, 6, 7}), "X[2,0] = -Inf is not a finite number"},
			{"overflow", mat.NewDense(9, 1, []float64{1e200, 2, 3, 4, 5, 6, 7, 8, 9}), "a squared distance overflows: scale X"},
		} {
			if c.name == "overflow" && (g.name == "SCNMF" || g.name == "cosine, weighted") {
				continue // the rows are scaled
			}
			_, err := g.of(c.x)
			if err == nil || !strings.HasPrefix(err.Error(), "affinity: ") || !strings.HasSuffix(err.Error(), ": "+c.want) {
				t.Errorf("%s, %s: got error %v, want %q", g.name, c.name, err, c.want)
			}
		}
	}
}

// TestGraphParameters: an error that says what is wrong.
func TestGraphParameters(t *testing.T) {
	x := points(20, 2, 1)
	nan := mat.NewDense(2, 2, []float64{1, 2, 3, math.NaN()})
	clr := func(c CLR) func() error {
		return func() error { _, err := c.Of(context.Background(), x); return err }
	}
	knn := func(k KNN) func() error { return func() error { _, err := k.Of(x); return err } }
	ulge := func(u ULGE) func() error {
		return func() error {
			_, err := u.Of(x)
			if _, err2 := u.AnchorsOf(x); (err2 == nil) != (err == nil) && u.Neighbors >= 0 {
				t.Errorf("%+v: Of: %v, AnchorsOf: %v", u, err, err2)
			}
			return err
		}
	}
	for _, c := range []struct {
		of   func() error
		want string
	}{
		{knn(KNN{Neighbors: -2}), "affinity: KNN: Neighbors = -2, want at least 1"},
		{knn(KNN{Gaussian: Gaussian{Width: 1}}), "affinity: KNN: Gaussian is given, but without Weighted edges weigh 1"},
		{knn(KNN{Weighted: true, Gaussian: Gaussian{Width: -1}}), "affinity: KNN: Width = -1, want a finite number > 0"},
		{func() error { _, err := SCNMFGraph().Of(mat.NewDense(2, 2, []float64{1, 2, 0, 0})); return err },
			"affinity: KNN: row 1 of X is zero: it has no cosine"},
		{func() error {
			_, err := KNN{Weighted: true, Gaussian: RMKCGaussian(1)}.Of(mat.NewDense(3, 1, []float64{2, 2, 2}))
			return err
		}, "affinity: KNN: all rows of X are equal: the largest distance is 0"},
		{func() error { _, err := Gaussian{SelfTuning: -7}.Of(x); return err },
			"affinity: Gaussian: SelfTuning = -7, want the number of a neighbour, at least 1"},
		{func() error { _, err := Gaussian{SelfTuning: 7, Width: 1}.Of(x); return err },
			"affinity: Gaussian: MeanDistance = 0, MaxDistance = 0, Width = 1, SelfTuning = 7: give one of them"},
		{func() error { _, err := SelfTuningGaussian().WidthOf(x); return err },
			"affinity: Gaussian: SelfTuning = 7: each object has a width of its own"},
		{func() error { _, err := CLRInitial{Neighbors: -1}.Of(x); return err }, "affinity: CLRInitial: Neighbors = -1, want at least 1"},
		{clr(CLR{}), "affinity: CLR: K = 0, want at least 1"},
		{clr(CLR{K: 21}), "affinity: CLR: K = 21 exceeds the 20 objects"},
		{clr(CLR{K: 2, Neighbors: -1}), "affinity: CLR: Neighbors = -1, want at least 1"},
		{clr(CLR{K: 2, Lambda: math.NaN()}), "affinity: CLR: Lambda = NaN, want a finite number > 0"},
		{clr(CLR{K: 2, Lambda: -1}), "affinity: CLR: Lambda = -1, want a finite number > 0"},
		{clr(CLR{K: 2, MaxRounds: -1}), "affinity: CLR: MaxRounds = -1, want at least 1"},
		{ulge(ULGE{Neighbors: -1}), "affinity: ULGE: Neighbors = -1, want at least 1"},
		{ulge(ULGE{Levels: -1}), "affinity: ULGE: Levels = -1, want at least 1"},
		{ulge(ULGE{Levels: 5}), "affinity: ULGE: Levels = 5 makes more anchors than the 20 objects"},
		{ulge(ULGE{Levels: 64}), "affinity: ULGE: Levels = 64 makes more anchors than the 20 objects"},
		{ulge(ULGE{Levels: 1, Anchors: x}), "affinity: ULGE: Levels = 1 and Anchors are given: give one of them"},
		{ulge(ULGE{Anchors: new(mat.Dense)}), "affinity: ULGE: Anchors is empty"},
		{ulge(ULGE{Anchors: points(3, 4, 1)}), "affinity: ULGE: Anchors is 3×4, want 2 columns as X has"},
		{ulge(ULGE{Anchors: nan}), "affinity: ULGE: Anchors[1,1] = NaN is not a finite number"},
	} {
		if err := c.of(); err == nil || err.Error() != c.want {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
}

// TestSelfTuning compares with the definition.
func TestSelfTuning(t *testing.T) {
	x := points(12, 3, 5)
	d := distances(x)
	w, err := SelfTuningGaussian().Of(x)
	if err != nil {
		t.Fatal(err)
	}
	width := func(i int) float64 { return slices.Sorted(slices.Values(d.RawRowView(i)))[7] } // the first is i itself
	for i := range 12 {
		for j := range 12 {
			want := math.Exp(-d.At(i, j) * d.At(i, j) / (width(i) * width(j)))
			if i == j {
				want = 0
			}
			if got := w.At(i, j); math.Abs(got-want) > tol {
				t.Errorf("W[%d,%d] = %.16g, want %.16g", i, j, got, want)
			}
		}
	}
	// Two pairs of equal objects: the widths are 0, so that only the equal ones are similar.
	pairs := mat.NewDense(4, 1, []float64{1, 1, 2, 2})
	w, err = Gaussian{SelfTuning: 1}.Of(pairs)
	if want := mat.NewDense(4, 4, []float64{1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1}); err != nil || !mat.Equal(w, want) {
		t.Errorf("equal objects: %v, %v", w, err)
	}
}

// distances returns the distances of the rows of x, by another way than the package's.
func distances(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	d := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			var difference mat.VecDense
			difference.SubVec(x.RowView(i), x.RowView(j))
			d.Set(i, j, mat.Norm(&difference, 2))
		}
	}
	return d
}

// TestKNN compares with the definition, also where distances are equal.
func TestKNN(t *testing.T) {
	cosine := func(x *mat.Dense) *mat.Dense {
		n, _ := x.Dims()
		d := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				d.Set(i, j, -mat.Dot(x.RowView(i), x.RowView(j))/mat.Norm(x.RowView(i), 2)/mat.Norm(x.RowView(j), 2))
			}
		}
		return d
	}
	for _, c := range []struct {
		name string
		k    KNN
		x    *mat.Dense
		by   func(*mat.Dense) *mat.Dense
	}{
		{"three", KNN{Neighbors: 3}, points(40, 4, 1), distances},
		{"default", KNN{}, points(40, 4, 2), distances},
		{"ties", KNN{Neighbors: 4}, lattice(50, 2, 3), distances},
		{"mutual", KNN{Neighbors: 5, Mutual: true}, lattice(50, 3, 4), distances},
		{"cosine", KNN{Neighbors: 5, Cosine: true}, points(40, 6, 5), cosine},
		{"all", KNN{Neighbors: 100}, points(7, 2, 6), distances},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := c.k.Of(c.x)
			if err != nil {
				t.Fatal(err)
			}
			n, _ := c.x.Dims()
			d := c.by(c.x)
			p := min(cmp.Or(c.k.Neighbors, 10), n-1)
			near := func(i, j int) bool { // j is among the p first
				before := 0
				for l := range n {
					if l != i && l != j && (d.At(i, l) < d.At(i, j) || d.At(i, l) == d.At(i, j) && l < j) {
						before++
					}
				}
				return i != j && before < p
			}
			for i := range n {
				for j := range n {
					joined := near(i, j) || near(j, i)
					if c.k.Mutual {
						joined = near(i, j) && near(j, i)
					}
					if got := w.At(i, j); got != 0 && got != 1 || (got == 1) != joined {
						t.Errorf("W[%d,%d] = %g, joined: %v", i, j, got, joined)
					}
				}
			}
		})
	}
}

// TestKNNWeights: with all others as neighbours the graph is the dense affinity, to the bit.
func TestKNNWeights(t *testing.T) {
	x := points(30, 3, 7)
	units, err := unitRows(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []Gaussian{
		{}, {MeanDistance: 1, Half: true}, RMKCGaussian(0.1), {Width: 2, Normalized: true}, ONGCGaussian(), SelfTuningGaussian(), {SelfTuning: 40},
	} {
		for _, cosine := range []bool{false, true} {
			w, err := KNN{Neighbors: 29, Cosine: cosine, Weighted: true, Gaussian: g}.Of(x)
			if err != nil {
				t.Fatal(err)
			}
			data := x
			if cosine {
				data = units
			}
			g.ZeroDiagonal = true
			want, err := g.Of(data)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(w, want) {
				t.Errorf("%+v, cosine %v: another affinity", g, cosine)
			}
			few, err := KNN{Neighbors: 2, Cosine: cosine, Weighted: true, Gaussian: g}.Of(x)
			if err != nil {
				t.Fatal(err)
			}
			few.DoNonZero(func(i, j int, v float64) {
				if !g.Normalized && v != want.At(i, j) {
					t.Errorf("%+v, cosine %v, two neighbours: W[%d,%d] = %g, want %g", g, cosine, i, j, v, want.At(i, j))
				}
			})
		}
	}
}

func TestDegenerateGraphs(t *testing.T) {
	one, two := mat.NewDense(1, 2, []float64{3, 4}), mat.NewDense(2, 1, []float64{1, 5})
	equal := mat.NewDense(4, 1, []float64{2, 2, 2, 2})
	far := mat.NewDense(3, 1, []float64{0, 1, 1e6})
	third, h := math.Sqrt(1./3), math.Sqrt(1./8) // entries of factors
	for _, c := range []struct {
		name string
		of   func(x mat.Matrix) (*Sparse, error)
		x    *mat.Dense
		want []float64
	}{
		{"KNN, one object", KNN{}.Of, one, []float64{0}},
		{"KNN, two objects", KNN{}.Of, two, []float64{0, 1, 1, 0}},
		{"KNN, equal objects", KNN{Neighbors: 1}.Of, equal, []float64{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
		{"mutual, equal objects", KNN{Neighbors: 1, Mutual: true}.Of, equal, []float64{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"weighted, one object", ONGCGraph().Of, one, []float64{0}},
		{"weighted, equal objects", KNN{Weighted: true}.Of, equal, []float64{0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0}},
		{"self-tuning, one object", KNN{Weighted: true, Gaussian: SelfTuningGaussian()}.Of, one, []float64{0}},
		{"a weight that underflows", KNN{Weighted: true, Gaussian: Gaussian{Width: 1e-3}}.Of, two, []float64{0, 0, 0, 0}},
		{"CLR, one object", CLRInitial{}.Of, one, []float64{0}},
		{"CLR, two objects", CLRInitial{}.Of, two, []float64{0, 1, 1, 0}},
		{"CLR, three objects", CLRInitial{}.Of, far, []float64{0, 1, 0, 1, 0, 0.5, 0, 0.5, 0}},
		{"CLR, equal objects", CLRInitial{Neighbors: 2}.Of, equal,
			[]float64{0, .5, .5, .25, .5, 0, .5, .25, .5, .5, 0, 0, .25, .25, 0, 0}},
		{"CLR, too many neighbours", CLRInitial{Neighbors: 4}.Of, mat.NewDense(4, 1, []float64{0, 1, 1, 1}),
			[]float64{0, .25, .25, 0, .25, 0, .5, .5, .25, .5, 0, .5, 0, .5, .5, 0}},
		{"CLR, one neighbour", CLRInitial{Neighbors: 1}.Of, mat.NewDense(5, 1, []float64{0, 1, 3, 7, 15}),
			[]float64{0, 1, 0, 0, 0, 1, 0, .5, 0, 0, 0, .5, 0, .5, 0, 0, 0, .5, 0, .5, 0, 0, 0, .5, 0}},
		{"ULGE, one object", factor(ULGE{}), one, []float64{1}},
		{"ULGE, one anchor", factor(ULGE{Anchors: mat.NewDense(1, 1, []float64{9})}), far, []float64{third, third, third}},
		{"ULGE, two objects and anchors", factor(ULGE{Levels: 1}), two, []float64{1, 0, 0, 1}},
		{"ULGE, equal objects", factor(ULGE{Levels: 2, Neighbors: 2}), equal,
			[]float64{h, h, 0, 0, h, h, 0, 0, h, h, 0, 0, h, h, 0, 0}},
		{"ULGE, an anchor near nothing", factor(ULGE{Anchors: mat.NewDense(3, 1, []float64{1e9, 1, 5}), Neighbors: 1}), two,
			[]float64{0, 1, 0, 0, 0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := c.of(c.x)
			if err != nil {
				t.Fatal(err)
			}
			rows, cols := w.Dims()
			if rows*cols != len(c.want) {
				t.Fatalf("%d×%d, want %d entries", rows, cols, len(c.want))
			}
			if want := mat.NewDense(rows, cols, c.want); !mat.EqualApprox(w, want, tol) {
				t.Errorf("got\n%v, want\n%v", mat.Formatted(w), mat.Formatted(want))
			}
		})
	}
}

// factor makes the factor of u's affinity.
func factor(u ULGE) func(x mat.Matrix) (*Sparse, error) {
	return func(x mat.Matrix) (*Sparse, error) {
		a, err := u.Of(x)
		if err != nil {
			return nil, err
		}
		return a.Factor(), nil
	}
}

// TestNothingSquare: the graphs take a small part of the memory of an n×n matrix.
func TestNothingSquare(t *testing.T) {
	const n = 2000
	x := points(n, 2, 8)
	for _, g := range graphs {
		if g.name == "Gaussian" || g.name == "self-tuning" || g.name == "CLR" {
			continue // two are dense, and the eigenvectors of the third take a while
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := g.of(x); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 8*n*n/4 {
			t.Errorf("%s: %d bytes, a square matrix has %d", g.name, got, 8*n*n)
		}
	}
}

// BenchmarkGraphs measures the graphs of 2000 objects with 20 columns.
func BenchmarkGraphs(b *testing.B) {
	x := blobs(2000, 20, 8, 4)
	for _, g := range graphs {
		b.Run(g.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := g.of(x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
