package clustering_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/clustering/affinity"
	"orthant/clustering/internal/simplex"
	"orthant/clustering/score"
)

// fixtureTol is the agreement asked for: |got − want| <= fixtureTol·max(1, |want|). A relative perturbation of the inputs by
// 1e-13 moves an iterate by 1e-12 at most in 50 iterations, so that another order of summation passes and another formula
// does not.
const fixtureTol = 1e-9

// fixtures says what each file under testdata/fixtures is about. The sizes and the values are the files'.
var fixtures = map[string]func(*fixture){
	"affinity":               affinityFixture,
	"inequality7":            inequalityFixture,
	"metrics":                metricsFixture,
	"simplex":                simplexFixture,
	"snmfncut_nonorth_a0.05": snmfncutFixture,
	"snmfncut_orth_a0.05":    snmfncutFixture,
	"snmfncut_orth_a1":       snmfncutFixture,
}

func TestFixture(t *testing.T) {
	paths, err := filepath.Glob("testdata/fixtures/*")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			check, ok := fixtures[name]
			if !ok {
				t.Fatalf("no test reads %s", path)
			}
			f := openFixture(t, path)
			check(f)
			f.finish()
		})
	}
	for name := range fixtures {
		if !seen[name] {
			t.Errorf("testdata/fixtures/%s.json is missing", name)
		}
	}
}

func affinityFixture(f *fixture) {
	g := affinity.Gaussian{MeanDistance: f.root.number("factor")}
	x := f.root.matrix("X")
	for _, key := range f.root.left() {
		switch key {
		case "r":
			r, err := g.WidthOf(x)
			f.must(err)
			f.compare(f.root.take(key), r)
		case "W":
			w, err := g.Of(x)
			f.must(err)
			f.compare(f.root.take(key), w)
		}
	}
}

func inequalityFixture(f *fixture) {
	lhs, rhs, err := clustering.MatrixInequality(
		f.root.matrix("A"), f.root.matrix("B"), f.root.matrix("H"), f.root.matrix("Hp"))
	f.must(err)
	f.compare(f.root.take("lhs"), lhs)
	f.compare(f.root.take("rhs"), rhs)
}

func metricsFixture(f *fixture) {
	truth, labels := f.root.labels("true"), f.root.labels("pred")
	for _, key := range f.root.left() {
		switch key {
		case "accuracy":
			got, err := score.Accuracy(truth, labels)
			f.must(err)
			f.compare(f.root.take(key), got)
		case "nmi":
			nmi := f.root.take(key)
			for _, by := range nmi.left() {
				for _, n := range []score.Normalizer{score.Arithmetic, score.Geometric, score.Max, score.Min} {
					if n.String() == by {
						got, err := score.NMIBy(n, truth, labels)
						f.must(err)
						f.compare(nmi.take(by), got)
					}
				}
			}
		}
	}
}

func simplexFixture(f *fixture) {
	v := f.root.vector("v")
	projection := make([]float64, len(v))
	simplex.Project(projection, v, make([]float64, len(v)))
	f.compare(f.root.take("projection"), projection)

	qp := f.root.take("qp")
	q, c := qp.matrix("Q"), qp.vector("c")
	x := make([]float64, len(c))
	f.must(simplex.NewQP(len(c)).Solve(x, q.RawMatrix().Data, c))
	f.compare(qp.take("x"), x)
}

func snmfncutFixture(f *fixture) {
	f.root.want("algorithm", `"snmf-ncut"`)
	f.root.take("note") // prose
	m := clustering.SNMFNcut{
		Alpha:         f.root.number("alpha"),
		NonOrthogonal: !f.root.boolean("orthogonal"),
		Unscaled:      !f.root.boolean("normalise_init"),
		H0:            f.root.matrix("H0"),
	}
	_, m.K = m.H0.Dims()
	w := f.root.matrix("W")
	after := f.root.take("after")
	for _, key := range after.left() {
		iterations, err := strconv.Atoi(key)
		f.must(err)
		res, err := m.Fit(context.Background(), w, clustering.Options{MaxIter: iterations, Tol: -1})
		f.must(err)
		want := after.take(key)
		for _, quantity := range want.left() {
			switch quantity {
			case "H":
				f.compare(want.take(quantity), res.H)
			case "objective":
				f.compare(want.take(quantity), res.Objective)
			case "Lambda":
				f.compare(want.take(quantity), res.Lambda)
			}
		}
	}
}

// A fixture is a file of inputs and expected numbers, every one of which has to be taken.
type fixture struct {
	t        *testing.T
	root     *node
	compared int
	worst    float64 // the largest |got − want| / max(1, |want|)
}

// A node is a JSON value with the path that leads to it. It knows which of its fields have been taken.
type node struct {
	t      *testing.T
	path   string
	text   string           // of a number, a string or a boolean; "" otherwise
	list   []*node          // of an array
	keys   []string         // of an object, in the file's order
	fields map[string]*node // of an object
	taken  bool
}

func openFixture(t *testing.T, path string) *fixture {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	root := parse(t, in, "")
	if _, err := in.Token(); err != io.EOF {
		t.Fatalf("%s: more after the value: %v", path, err)
	}
	root.taken = true
	return &fixture{t: t, root: root}
}

// parse reads one value. encoding/json's maps would lose the file's order.
func parse(t *testing.T, in *json.Decoder, path string) *node {
	t.Helper()
	token := func() json.Token {
		tok, err := in.Token()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return tok
	}
	n := &node{t: t, path: path}
	switch tok := token(); tok {
	case json.Delim('['):
		for i := 0; in.More(); i++ {
			n.list = append(n.list, parse(t, in, fmt.Sprintf("%s[%d]", path, i)))
		}
		token()
	case json.Delim('{'):
		n.fields = map[string]*node{}
		for in.More() {
			key := token().(string)
			if n.fields[key] != nil {
				t.Fatalf("%s.%s: twice", path, key)
			}
			n.keys = append(n.keys, key)
			n.fields[key] = parse(t, in, path+"."+key)
		}
		token()
	default:
		if s, ok := tok.(string); ok {
			n.text = strconv.Quote(s)
		} else {
			n.text = fmt.Sprint(tok)
		}
	}
	return n
}

// left are the keys that have not been taken, in the file's order.
func (n *node) left() []string {
	var keys []string
	for _, key := range n.keys {
		if !n.fields[key].taken {
			keys = append(keys, key)
		}
	}
	return keys
}

// take returns a field, which must be there.
func (n *node) take(key string) *node {
	n.t.Helper()
	field := n.fields[key]
	if field == nil {
		n.t.Fatalf("%s.%s: missing", n.path, key)
	}
	field.taken = true
	return field
}

func (n *node) float() float64 {
	n.t.Helper()
	x, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		n.t.Fatalf("%s: %v", n.path, err)
	}
	return x
}

func (n *node) number(key string) float64 {
	n.t.Helper()
	return n.take(key).float()
}

func (n *node) boolean(key string) bool {
	n.t.Helper()
	b, err := strconv.ParseBool(n.take(key).text)
	if err != nil {
		n.t.Fatalf("%s.%s: %v", n.path, key, err)
	}
	return b
}

func (n *node) want(key, text string) {
	n.t.Helper()
	if got := n.take(key).text; got != text {
		n.t.Fatalf("%s.%s is %s, this test is for %s", n.path, key, got, text)
	}
}

func (n *node) labels(key string) []int {
	n.t.Helper()
	var labels []int
	for _, item := range n.take(key).list {
		label, err := strconv.Atoi(item.text)
		if err != nil {
			n.t.Fatalf("%s: %v", item.path, err)
		}
		labels = append(labels, label)
	}
	return labels
}

func (n *node) vector(key string) []float64 {
	n.t.Helper()
	var x []float64
	for _, item := range n.take(key).list {
		x = append(x, item.float())
	}
	return x
}

func (n *node) matrix(key string) *mat.Dense {
	n.t.Helper()
	rows := n.take(key).list
	if len(rows) == 0 || len(rows[0].list) == 0 {
		n.t.Fatalf("%s.%s: not a matrix", n.path, key)
	}
	m := mat.NewDense(len(rows), len(rows[0].list), nil)
	for i, row := range rows {
		if len(row.list) != len(rows[0].list) {
			n.t.Fatalf("%s: %d columns, want %d", row.path, len(row.list), len(rows[0].list))
		}
		for j, item := range row.list {
			m.Set(i, j, item.float())
		}
	}
	return m
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// compare holds got, a float64, a []float64 or a *mat.Dense, to want.
func (f *fixture) compare(want *node, got any) {
	f.t.Helper()
	switch got := got.(type) {
	case float64:
		f.number(want, got)
	case []float64:
		if len(want.list) != len(got) {
			f.t.Fatalf("%s: got %d numbers, want %d", want.path, len(got), len(want.list))
		}
		for i, item := range want.list {
			f.number(item, got[i])
		}
	case *mat.Dense:
		if got == nil {
			f.t.Fatalf("%s: got no matrix", want.path)
		}
		rows, cols := got.Dims()
		if len(want.list) != rows {
			f.t.Fatalf("%s: got %d rows, want %d", want.path, rows, len(want.list))
		}
		for i, row := range want.list {
			if len(row.list) != cols {
				f.t.Fatalf("%s: got %d columns, want %d", row.path, cols, len(row.list))
			}
			for j, item := range row.list {
				f.number(item, got.At(i, j))
			}
		}
	default:
		f.t.Fatalf("%s: cannot compare a %T", want.path, got)
	}
}

// number holds one number to want.
func (f *fixture) number(want *node, got float64) {
	f.t.Helper()
	w := want.float()
	deviation := math.Abs(got-w) / max(1, math.Abs(w))
	if !(deviation <= fixtureTol) { // NaN fails
		f.t.Errorf("%s = %.17g, want %.17g", want.path, got, w)
	}
	f.compared++
	f.worst = max(f.worst, deviation)
}

// finish fails the test for fields that nothing has taken.
func (f *fixture) finish() {
	f.t.Helper()
	f.root.untaken()
	if f.compared == 0 {
		f.t.Error("no number was compared")
	}
	f.t.Logf("%d numbers compared, largest deviation %.2g", f.compared, f.worst)
}

func (n *node) untaken() {
	n.t.Helper()
	for _, key := range n.keys {
		field := n.fields[key]
		if !field.taken {
			n.t.Errorf("%s: unknown field, not compared", field.path)
			continue
		}
		field.untaken()
	}
}
