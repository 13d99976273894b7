package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"
)

// TestEmbedded checks shapes, class sizes, the first and the last value, and sums that the whole data enter.
func TestEmbedded(t *testing.T) {
	for _, c := range []struct {
		name        string
		load        func() *Dataset
		n, m        int
		sizes       []int
		first, last float64
		sum         float64
	}{
		{name: "iris", load: Iris, n: 150, m: 4, sizes: []int{50, 50, 50}, first: 5.1, last: 1.8, sum: 2078.7},
		{name: "wine", load: Wine, n: 178, m: 13, sizes: []int{59, 71, 48}, first: 14.23, last: 560, sum: 159975.30},
		{name: "breast cancer", load: BreastCancer, n: 569, m: 30, sizes: []int{212, 357}, first: 17.99, last: 0.07039, sum: 1056474.46},
		{name: "digits", load: Digits, n: 1797, m: 64, sizes: []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180},
			first: 0, last: 0, sum: 561718},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.load()
			if n, m := d.X.Dims(); n != c.n || m != c.m || len(d.Labels) != n || len(d.Features) != m {
				t.Fatalf("%d×%d, %d labels, %d features; want %d×%d", n, m, len(d.Labels), len(d.Features), c.n, c.m)
			}
			sizes := make([]int, len(d.Classes))
			for _, l := range d.Labels {
				sizes[l]++
			}
			if !slices.Equal(sizes, c.sizes) {
				t.Errorf("class sizes %v, want %v", sizes, c.sizes)
			}
			if first, last := d.X.At(0, 0), d.X.At(c.n-1, c.m-1); first != c.first || last != c.last {
				t.Errorf("first %g and last %g, want %g and %g", first, last, c.first, c.last)
			}
			if sum := mat.Sum(d.X); sum < c.sum-0.01 || sum > c.sum+0.01 {
				t.Errorf("sum %.2f, want %.2f", sum, c.sum)
			}
			if d.Name != c.name || !strings.Contains(d.Source, "UCI") {
				t.Errorf("name %q, source %q", d.Name, d.Source)
			}
			d.X.Zero()
			if mat.Sum(c.load().X) == 0 {
				t.Error("a change reaches the next caller")
			}
		})
	}
}

func TestFirst(t *testing.T) {
	iris := Iris()
	for _, c := range []struct{ n, want int }{{n: 3, want: 3}, {n: 150, want: 150}, {n: 999, want: 150}, {n: 0}, {n: -1}} {
		d := iris.First(c.n)
		if n, _ := d.X.Dims(); n != c.want || len(d.Labels) != c.want || d.Labels == nil {
			t.Errorf("First(%d) has %d rows and %d labels, want %d", c.n, n, len(d.Labels), c.want)
		}
		if c.want > 0 {
			d.X.Set(0, 0, -1)
			d.Labels[0] = 9
			if iris.X.At(0, 0) != 5.1 || iris.Labels[0] != 0 {
				t.Fatalf("First(%d) shares its numbers", c.n)
			}
		}
	}
	if got := iris.First(3).Name; got != "iris (first 3 of 150)" {
		t.Errorf("name %q", got)
	}
	if got := iris.First(150).Name; got != "iris" {
		t.Errorf("name %q", got)
	}
	if d := (&Dataset{X: mat.NewDense(2, 1, nil)}).First(1); d.Labels != nil {
		t.Error("labels where there were none")
	}
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCSV(t *testing.T) {
	for _, c := range []struct {
		name string
		csv  CSV
		text string
		want Dataset
		x    []float64
		cols int
	}{
		{name: "numbers", text: "1,2\n3,4.5e1\n", cols: 2, x: []float64{1, 2, 3, 45}},
		{name: "no newline at the end", text: "1,2", cols: 2, x: []float64{1, 2}},
		{name: "carriage returns, spaces, empty lines", text: "1, 2\r\n\r\n 3 ,4\r\n", cols: 2, x: []float64{1, 2, 3, 4}},
		{name: "byte order mark", text: "\ufeff1\n2\n", cols: 1, x: []float64{1, 2}},
		{name: "compressed", text: compressed(t, "1,2\n"), cols: 2, x: []float64{1, 2}},
		{name: "semicolons", csv: CSV{Comma: ';'}, text: "1;2\n", cols: 2, x: []float64{1, 2}},
		{name: "header", csv: CSV{Header: true}, text: "a, \"b, c\"\n1,2\n", cols: 2, x: []float64{1, 2},
			want: Dataset{Features: []string{"a", "b, c"}}},
		{name: "last column", csv: CSV{LabelColumn: -1}, text: "1,2,x\n3,4,y\n5,6,x\n", cols: 2, x: []float64{1, 2, 3, 4, 5, 6},
			want: Dataset{Labels: []int{0, 1, 0}, Classes: []string{"x", "y"}}},
		{name: "first column, numbers", csv: CSV{LabelColumn: 1}, text: "10,1\n9,2\n-1,3\n", cols: 1, x: []float64{1, 2, 3},
			want: Dataset{Labels: []int{2, 1, 0}, Classes: []string{"-1", "9", "10"}}},
		{name: "named column", csv: CSV{Header: true, LabelName: "kind"}, text: "a,kind,b\n1,q,2\n3,p,4\n", cols: 2, x: []float64{1, 2, 3, 4},
			want: Dataset{Features: []string{"a", "b"}, Labels: []int{1, 0}, Classes: []string{"p", "q"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := c.csv.Read(strings.NewReader(c.text), "input")
			if err != nil {
				t.Fatal(err)
			}
			if want := mat.NewDense(len(c.x)/c.cols, c.cols, c.x); !mat.Equal(d.X, want) {
				t.Errorf("X = %v, want %v", mat.Formatted(d.X), mat.Formatted(want))
			}
			c.want.X, c.want.Name, c.want.Source = d.X, "input", "input"
			if !reflect.DeepEqual(*d, c.want) {
				t.Errorf("got %+v, want %+v", *d, c.want)
			}
		})
	}
}

func TestCSVErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		csv  CSV
		text string
		want string
	}{
		{name: "empty", text: "", want: "no data lines"},
		{name: "header only", csv: CSV{Header: true}, text: "a,b\n", want: "no data lines"},
		{name: "label only", csv: CSV{LabelColumn: 1}, text: "1\n2\n", want: "no column but the label"},
		{name: "text", text: "1,2\n3,four\n", want: `line 2, column 2: "four" is not a number`},
		{name: "header not expected", text: "a,b\n1,2\n", want: `line 1, column 1: "a" is not a number; if the first line has names, set Header`},
		{name: "missing", text: "1,2\n\n3,\n", want: "line 3, column 2: the value is missing"},
		{name: "NaN", text: "1\nNaN\n", want: `line 2, column 1: "NaN" is not a finite number`},
		{name: "too large", text: "1e999\n", want: `line 1, column 1: "1e999" is not a finite number`},
		{name: "ragged", text: "1,2\n3,4,5\n", want: "line 2 has 3 columns, the first has 2"},
		{name: "other comma", text: "1;2\n", want: `"1;2" is not a number`},
		{name: "quote", text: "1,\"2\n", want: "missing \" in quoted-field"},
		{name: "missing label", csv: CSV{LabelColumn: 2}, text: "1,a\n2,\n", want: "line 2, column 2: the label is missing"},
		{name: "label beyond", csv: CSV{LabelColumn: 3}, text: "1,2\n", want: "LabelColumn = 3, but the first line has 2 columns"},
		{name: "label before", csv: CSV{LabelColumn: -3}, text: "1,2\n", want: "LabelColumn = -3"},
		{name: "no such name", csv: CSV{Header: true, LabelName: "c"}, text: "a,b\n1,2\n", want: `no column "c"; it has ["a" "b"]`},
		{name: "name without header", csv: CSV{LabelName: "c"}, text: "1,2\n", want: "needs Header"},
		{name: "two labels", csv: CSV{Header: true, LabelName: "a", LabelColumn: 1}, text: "a,b\n1,2\n", want: "give one of them"},
		{name: "bad comma", csv: CSV{Comma: '\n'}, text: "1,2\n", want: "invalid field or comment delimiter"},
		{name: "damaged gzip", text: compressed(t, "1,2\n3,4\n")[:20], want: "unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := c.csv.Read(strings.NewReader(c.text), "input.csv")
			if err == nil {
				t.Fatalf("got %v, want an error with %q", d, c.want)
			}
			if !strings.HasPrefix(err.Error(), "dataset: input.csv: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to have %q", err, c.want)
			}
		})
	}
	broken := errors.New("the disk is gone")
	if _, err := (CSV{}).Read(iotest.ErrReader(broken), "x"); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv.gz")
	if err := os.WriteFile(path, []byte(compressed(t, "1,2\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := CSV{}.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "mine" || d.Source != path {
		t.Errorf("name %q, source %q", d.Name, d.Source)
	}
	if _, err := (CSV{}).Load(path + ".not"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path+".not") {
		t.Errorf("got %v, want that there is no such file", err)
	}
}
