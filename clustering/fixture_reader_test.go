package clustering_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
)

// fixtureTol is the agreement asked for: |got − want| <= fixtureTol·max(1, |want|). A relative perturbation of the inputs by
// 1e-13 moves an iterate by 1e-12 at most in 50 iterations, so that another order of summation passes and another formula
// does not.
const fixtureTol = 1e-9

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

func (n *node) integer(key string) int {
	n.t.Helper()
	i, err := strconv.Atoi(n.take(key).text)
	if err != nil {
		n.t.Fatalf("%s.%s: %v", n.path, key, err)
	}
	return i
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
	return n.take(key).dense()
}

// matrices are those of a list.
func (n *node) matrices(key string) []*mat.Dense {
	n.t.Helper()
	var list []*mat.Dense
	for _, item := range n.take(key).list {
		list = append(list, item.dense())
	}
	return list
}

func (n *node) dense() *mat.Dense {
	n.t.Helper()
	rows := n.list
	if len(rows) == 0 || len(rows[0].list) == 0 {
		n.t.Fatalf("%s: not a matrix", n.path)
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

// after makes a fit for each number of iterations in the field of that name, and compares the quantities that it gives with the file's.
func (f *fixture) after(fit func(opts clustering.Options) map[string]any) {
	f.t.Helper()
	after := f.root.take("after")
	for _, key := range after.left() {
		iterations, err := strconv.Atoi(key)
		f.must(err)
		got := fit(clustering.Options{MaxIter: iterations, Tol: -1})
		want := after.take(key)
		for _, quantity := range want.left() {
			if value, ok := got[quantity]; ok {
				f.compare(want.take(quantity), value)
			}
		}
	}
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
