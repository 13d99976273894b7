package figure

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/cmpimg"

	"orthant/clustering"
	"orthant/stdlib/display"
)

var update = flag.Bool("update", false, "rewrite the pictures in testdata; look at each of them")

// tolerance is cmpimg's delta: no pixel may be further from that of the golden picture than a tenth of the way from black
// to white, as the eye sees colours. Processors that fuse multiplication and addition round edges of letters and lines
// differently, and the palette may then hold other shades of them.
const tolerance = 0.1

// samePicture reports whether two PNGs look the same.
func samePicture(t *testing.T, got, want []byte) bool {
	t.Helper()
	same, err := cmpimg.EqualApprox("png", got, want, tolerance)
	if err != nil {
		t.Fatal(err)
	}
	return same
}

// keepPicture puts a picture that is not as it should be, and the difference, where go test -artifacts leaves them.
func keepPicture(t *testing.T, name string, got, want []byte) {
	t.Helper()
	a, b := decode(t, got), decode(t, want)
	difference := image.NewRGBA(a.Bounds().Union(b.Bounds()))
	cmpimg.Diff(difference, a, b)
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, difference); err != nil {
		t.Fatal(err)
	}
	for suffix, data := range map[string][]byte{"": got, "-difference": encoded.Bytes()} {
		path := filepath.Join(t.ArtifactDir(), name+suffix+".png")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Error(err)
		}
		t.Logf("%s is kept with -artifacts", path)
	}
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A decay is a result whose runs fall from start to end as exp(−rate·t).
func decay(method string, start float64, ends, rates []float64, iterations int) *clustering.Result {
	r := &clustering.Result{Method: method, Iterations: iterations, Status: clustering.MaxIter}
	for i, end := range ends {
		run := clustering.Run{Objective: end, Status: clustering.MaxIter, Iterations: iterations}
		for t := 0; t <= iterations; t++ {
			run.Trace.Objective = append(run.Trace.Objective, end+(start-end)*math.Exp(-rates[i]*float64(t)))
		}
		run.Objective = run.Trace.Objective[iterations]
		if run.Objective < ends[0] || i == 0 || run.Objective < r.Objective {
			r.Best, r.Objective = i, run.Objective
		}
		r.Runs = append(r.Runs, run)
	}
	return r
}

// blocks is a random affinity of classes with the given sizes, shuffled, and its labels.
func blocks(sizes ...int) (*mat.SymDense, []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	var labels []int
	for label, size := range sizes {
		for range size {
			labels = append(labels, label)
		}
	}
	rng.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	w := mat.NewSymDense(len(labels), nil)
	for i := range labels {
		for j := range i {
			v := 0.3 * rng.Float64()
			if labels[i] == labels[j] {
				v += 0.4
			}
			w.SetSym(i, j, v)
		}
		w.SetSym(i, i, 1)
	}
	return w, labels
}

func around(centre, spread float64) []float64 {
	return []float64{centre - spread, centre - spread/3, centre + spread/4, centre + spread}
}

func names(n int) (all []*Series) {
	for i := range n {
		s := &Series{Name: "a variant with a long name, number " + string(rune('1'+i))}
		for x := range 5 {
			s.Add(float64(x), around(0.2+0.1*float64(i)+0.02*float64(x*i), 0.04))
		}
		all = append(all, s)
	}
	return all
}

func TestPictures(t *testing.T) {
	w, labels := blocks(20, 14, 9, 17)
	unassigned := append([]int{}, labels...)
	for i := 3; i < len(labels); i += 7 {
		unassigned[i] = -1
	}
	many := make([]int, 40)
	for i := range many {
		many[i] = 3 + i%7
	}
	crowd, crowdLabels := blocks(many...)
	orth, free := &Series{Name: "orthogonal"}, &Series{Name: "non-orthogonal"}
	for i, alpha := range []float64{0.01, 0.1, 1} {
		orth.Add(alpha, around(0.78, 0.1))
		free.Add(alpha, around([]float64{0.76, 0.69, 0.11}[i], 0.08-0.04*float64(i)))
	}
	times := &Series{Name: "step"}
	times.Add(3, []float64{40})
	times.Add(1, []float64{11, 14})
	times.Add(2, []float64{25, 22, 20})

	for _, tc := range []struct {
		name   string
		figure *Figure
	}{
		{"descent", Descent(decay("NMF", 120, []float64{80, 84, 82, 90, 81.5}, []float64{.05, .02, .08, .04, .01}, 300))},
		{"descent-short", Descent(decay("NMF", 12, []float64{8, 9}, []float64{.5, .2}, 12))},
		{"descent-decades", Descent(decay("NMF", 4e6, []float64{800, 1200, 900}, []float64{.9, .5, .3}, 200))},
		{"descent-one-run", Descent(decay("NMF", -1, []float64{-3}, []float64{.1}, 100)).Level(-2.5, "true labels")},
		{"affinity", Affinity(w, labels)},
		{"affinity-unassigned", Affinity(w, unassigned).Titled("Clusters found").Sized(420, 380)},
		{"affinity-many-classes", Affinity(crowd, crowdLabels)},
		{"ablation", Ablation("α", "accuracy", orth, free).Level(0.106, "chance (0.106)")},
		{"ablation-variants", Ablation("λ", "NMI", names(6)...)},
		{"ablation-linear", Ablation("step", "iterations until convergence", times).Titled("Cost").Sized(400, 260)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.figure.Err(); err != nil {
				t.Fatal(err)
			}
			got, ok := tc.figure.Display().Data["image/png"].([]byte)
			if !ok {
				t.Fatalf("no picture: %v", tc.figure.Display().Data)
			}
			golden := filepath.Join("testdata", tc.name+".png")
			if *update {
				if err := os.WriteFile(golden, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !samePicture(t, got, want) {
				t.Errorf("the picture differs from %s", golden)
				keepPicture(t, tc.name, got, want)
			}
		})
	}
}

// TestComparisonCanFail guards the tolerance: a line of another colour or place must be seen.
func TestComparisonCanFail(t *testing.T) {
	picture := func(f *Figure) []byte { return f.Display().Data["image/png"].([]byte) }
	base := func() *Figure { return Descent(decay("NMF", 12, []float64{8, 9}, []float64{.5, .2}, 12)) }
	moved := base()
	moved.Plot.Y.Min -= 0.05
	for _, tc := range []struct {
		name   string
		figure *Figure
	}{
		{"another title", base().Titled("Objective over the iteration")},
		{"moved axis", moved},
		{"another size", base().Sized(630, 380)},
		{"one more level", base().Level(9, "level")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if samePicture(t, picture(tc.figure), picture(base())) {
				t.Error("taken for the same picture")
			}
		})
	}
}

func TestRefused(t *testing.T) {
	w, labels := blocks(3, 2)
	spoiled := mat.NewDense(2, 2, []float64{1, math.NaN(), 0, 1})
	empty := &clustering.Result{Method: "NMF"}
	diverged := decay("NMF", 1, []float64{2}, []float64{1}, 2)
	diverged.Runs[0].Trace.Objective = []float64{math.NaN(), math.Inf(1)}
	var nilResult *clustering.Result
	var nilFit *clustering.SNMFNcutResult
	var nilMatrix *mat.Dense
	for _, tc := range []struct {
		name   string
		figure *Figure
		want   string
	}{
		{"nil result", Descent(nil), "figure: Descent: the result is nil"},
		{"nil pointer to a result", Descent(nilResult), "figure: Descent: the result is nil"},
		{"nil pointer to a fit", Descent(nilFit), "figure: Descent: the result is nil"},
		{"no runs", Descent(empty), "figure: Descent: the result has 0 runs, of which number 0 is the best"},
		{"no finite objective", Descent(diverged), "figure: Descent: the best run has no finite objective"},
		{"nil matrix", Affinity(nil, nil), "figure: Affinity: the matrix is nil"},
		{"nil pointer to a matrix", Affinity(nilMatrix, nil), "figure: Affinity: a *mat.Dense without content: " +
			"runtime error: invalid memory address or nil pointer dereference"},
		{"empty matrix", Affinity(&mat.Dense{}, nil), "figure: Affinity: the matrix is empty"},
		{"not square", Affinity(mat.NewDense(2, 3, nil), labels), "figure: Affinity: a matrix of 2×3 is not square"},
		{"wrong labels", Affinity(w, labels[1:]), "figure: Affinity: 4 labels for a matrix of 5×5"},
		{"not a number", Affinity(spoiled, []int{0, 1}), "figure: Affinity: entry (0, 1) is NaN"},
		{"no series", Ablation("x", "y"), "figure: Ablation: no series"},
		{"nil series", Ablation("x", "y", nil), "figure: Ablation: series 0: is nil"},
		{"empty series", Ablation("x", "y", &Series{Name: "s"}), `figure: Ablation: series 0: "s" has no values`},
		{"uneven series", Ablation("x", "y", &Series{Name: "s", X: []float64{1}}),
			`figure: Ablation: series 0: "s" has 1 values and 0 lists of scores`},
		{"no scores", Ablation("x", "y", &Series{Name: "s", X: []float64{2}, Scores: [][]float64{nil}}),
			`figure: Ablation: series 0: "s" has no scores at 2`},
		{"infinite value", Ablation("x", "y", &Series{Name: "s", X: []float64{math.Inf(1)}, Scores: [][]float64{{1}}}),
			`figure: Ablation: series 0: "s" has the value +Inf`},
		{"score not a number", Ablation("x", "y", &Series{Name: "s", X: []float64{2}, Scores: [][]float64{{1, math.NaN()}}}),
			`figure: Ablation: series 0: "s" has the score NaN at 2`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.figure.Err(); err == nil || err.Error() != tc.want {
				t.Errorf("Err: got %v, want %s", err, tc.want)
			}
			if got := display.Of(tc.figure).Data["text/plain"]; got != tc.want {
				t.Errorf("shown: got %v, want %s", got, tc.want)
			}
			// What a cell may call next does not panic either.
			if err := tc.figure.Titled("t").Sized(100, 100).Level(1, "l").Save("unused.png"); err == nil || err.Error() != tc.want {
				t.Errorf("Save: got %v, want %s", err, tc.want)
			}
		})
	}
}

func TestSave(t *testing.T) {
	f := Descent(decay("NMF", 12, []float64{8, 9}, []float64{.5, .2}, 12))
	for _, tc := range []struct {
		name, begin, err string
	}{
		{name: "a.png", begin: "\x89PNG"},
		{name: "a.PNG", begin: "\x89PNG"},
		{name: "a.svg", begin: "<svg "},
		{name: "a.pdf", err: "must end in .png or .svg"},
		{name: "a", err: "must end in .png or .svg"},
		{name: "no/such/folder.png", err: "no such file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tc.name)
			err := f.Save(path)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("got error %v, want one with %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(data, []byte(tc.begin)) {
				t.Errorf("the file begins with %q, want %q", data[:8], tc.begin)
			}
		})
	}
	t.Run("impossible axis", func(t *testing.T) {
		f := Descent(decay("NMF", 12, []float64{8}, []float64{.5}, 12))
		f.Plot.Y.Max = math.NaN()
		for _, name := range []string{"a.png", "a.svg"} {
			if err := f.Save(filepath.Join(t.TempDir(), name)); err == nil || !strings.Contains(err.Error(), "range") {
				t.Errorf("%s: got error %v, want one about the range", name, err)
			}
		}
	})
}

// TestDrawLeavesFigure checks that showing a figure does not change it: the second picture is the first.
func TestDrawLeavesFigure(t *testing.T) {
	w, labels := blocks(5, 4)
	f := Affinity(w, labels)
	first, second := f.Display(), f.Display()
	if !bytes.Equal(first.Data["image/png"].([]byte), second.Data["image/png"].([]byte)) {
		t.Error("the second picture differs from the first")
	}
	if got, want := f.Plot.Title.Text, "Affinity, sorted by class"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}

func TestText(t *testing.T) {
	w := mat.NewSymDense(4, []float64{
		1, .5, .1, .1,
		.5, 1, .1, .1,
		.1, .1, 1, .7,
		.1, .1, .7, 1,
	})
	s := &Series{Name: "s"}
	s.Add(10, []float64{.5, .7})
	s.Add(0.1, []float64{.25})
	for _, tc := range []struct {
		name   string
		figure *Figure
		want   string
	}{
		{"descent", Descent(decay("NMF", 12, []float64{8, 9}, []float64{5, 5}, 12)),
			"Objective over the iterations\nNMF, 2 restarts: best 8, worst 9; 2 stopped at MaxIter"},
		{"one run", Descent(decay("NMF", 12, []float64{8}, []float64{5}, 12)),
			"Objective over the iterations\nNMF, one run: 8, stopped at MaxIter after 12 iterations"},
		{"affinity", Affinity(w, []int{0, 0, 1, 1}),
			"Affinity, sorted by class\n4 objects in 2 classes; mean affinity 0.6 within classes, 0.1 between them"},
		{"affinity with unassigned objects", Affinity(w, []int{0, 0, -1, -1}),
			"Affinity, sorted by class\n4 objects in 1 class, 2 of them in none; mean affinity 0.5 within classes, 0.22 between them"},
		{"ablation", Ablation("α", "accuracy", s),
			"Accuracy over α\naccuracy over α, mean (max/min)\ns:\n  0.1      0.250 (0.250/0.250)\n  10       0.600 (0.700/0.500)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.figure.String(); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestAblationKeepsCopies(t *testing.T) {
	scores := []float64{.5}
	s := &Series{}
	s.Add(1, scores)
	scores[0] = 7
	if got := s.Scores[0][0]; got != .5 {
		t.Errorf("the series now has %v", got)
	}
}

func TestCondense(t *testing.T) {
	// Five objects in groups of two: the last cell has one object.
	w := mat.NewDense(5, 5, nil)
	for i := range 5 {
		for j := range 5 {
			w.Set(i, j, float64(10*i+j))
		}
	}
	got, err := condense(w, []int{0, 1, 2, 3, 4}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{5.5, 7.5, 9, 25.5, 27.5, 29, 40.5, 42.5, 44}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("cell %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestLargeAffinityIsReduced(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 1,100 objects")
	}
	w, labels := blocks(400, 400, 300)
	f := Affinity(w, labels)
	if got, want := f.grid, 367; got != want { // ceil(1100/3)
		t.Errorf("%d cells in a row, want %d", got, want)
	}
	if _, ok := f.Display().Data["image/png"]; !ok {
		t.Error("there is no picture")
	}
}
