package display

import (
	"errors"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
)

type named int

func (n named) String() string { return "named" }

type badStringer struct{}

func (*badStringer) String() string { panic("no") }

type shown struct{ b Bundle }

func (s shown) Display() Bundle { return s.b }

type pointerShown struct{ text string }

func (s *pointerShown) Display() Bundle { return Text(s.text) }

// both is a matrix that also renders itself.
type both struct{ mat.Matrix }

func (both) Display() Bundle { return Text("self") }

func TestOfText(t *testing.T) {
	var nilDense *mat.Dense
	var nilPlot *plot.Plot
	var nilShown *pointerShown
	badAxis := plot.New()
	badAxis.X.Scale = plot.LogScale{}
	badAxis.X.Tick.Marker = plot.LogTicks{}
	badAxis.X.Min, badAxis.X.Max = -1, 1

	for _, tc := range []struct {
		name  string
		value any
		want  string
	}{
		{name: "nil", value: nil, want: "<nil>"},
		{name: "number", value: 1.5, want: "1.5"},
		{name: "slice", value: []int{1, 2}, want: "[1 2]"},
		{name: "error", value: errors.New("no such file"), want: "no such file"},
		{name: "stringer", value: named(3), want: "named"},
		{name: "panicking stringer", value: &badStringer{}, want: "%!v(PANIC=String method: no)"},
		{name: "displayer", value: shown{Text("s")}, want: "s"},
		{name: "displayer without text", value: shown{Bundle{}}, want: "{{map[] map[] }}"},
		{name: "displayer first", value: both{mat.NewDense(1, 1, nil)}, want: "self"},
		{name: "bundle", value: Text("t"), want: "t"},
		{name: "bundle without text", value: Bundle{Data: map[string]any{"text/html": "x"}}, want: ""},
		{name: "nil matrix", value: nilDense, want: "nil *mat.Dense"},
		{name: "nil plot", value: nilPlot, want: "nil *plot.Plot"},
		{name: "nil displayer", value: nilShown, want: "nil *display.pointerShown"},
		{name: "matrix around nothing", value: mat.Transpose{}, want: "mat.Transpose that cannot be shown: runtime error: " +
			"invalid memory address or nil pointer dereference"},
		{name: "impossible axis", value: badAxis, want: "*plot.Plot that cannot be shown: " +
			"Values must be greater than 0 for a log scale."},
		{name: "displayer by its pointer", value: pointerShown{"p"}, want: "p"},
		{name: "matrix by its pointer", value: *mat.NewDense(1, 2, []float64{1, 2}), want: "Dims(1, 2)\n[1  2]"},
		{name: "plot by its pointer", value: *plot.New(), want: "plot"},
		{name: "image by its pointer", value: *image.NewGray(image.Rect(2, 2, 10, 6)), want: "8 × 4 image.Gray"},
		{name: "empty image", value: image.NewGray(image.Rect(0, 0, 0, 5)), want: "0 × 5 *image.Gray"},
		{name: "image", value: image.NewGray(image.Rect(2, 2, 10, 6)), want: "8 × 4 *image.Gray"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Of(tc.value).Data["text/plain"]; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestOfCutsLongText(t *testing.T) {
	for _, tc := range []struct {
		name, value, wantEnd string
	}{
		{name: "at the limit", value: strings.Repeat("a", maxText), wantEnd: "aa"},
		{name: "one more", value: strings.Repeat("a", maxText+1), wantEnd: "aa\n… 1 bytes more"},
		{name: "within a rune", value: strings.Repeat("a", maxText-1) + "éb", wantEnd: "aa\n… 3 bytes more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Of(tc.value).Data["text/plain"].(string)
			if !strings.HasSuffix(got, tc.wantEnd) {
				t.Errorf("ends in %q, want %q", got[max(0, len(got)-40):], tc.wantEnd)
			}
		})
	}
}

func TestOfLeavesBundle(t *testing.T) {
	given := map[string]any{"text/html": "x"}
	Of(Bundle{Data: given})
	if len(given) != 1 {
		t.Errorf("the given bundle's data is now %v", given)
	}
}

func TestMatrix(t *testing.T) {
	counting := mat.NewDense(12, 11, nil)
	for i := range 12 {
		for j := range 11 {
			counting.Set(i, j, float64(100*i+j))
		}
	}
	for _, tc := range []struct {
		name           string
		value          any
		text           string
		cells, missing []string // parts of the HTML that are there, or not
	}{
		{
			name: "small", value: mat.NewDense(2, 2, []float64{1, 2.5, -3, 0}),
			text:  "Dims(2, 2)\n⎡  1  2.5⎤\n⎣ -3    0⎦",
			cells: []string{"<tr><th>1</th><td>-3.0000</td><td>0</td></tr>", "<td>2.5000</td>", "<p>2 × 2 *mat.Dense</p>"},
		},
		{
			name: "vector", value: mat.NewVecDense(3, []float64{1, 10, 100}),
			text:  "Dims(3, 1)\n⎡  1⎤\n⎢ 10⎥\n⎣100⎦",
			cells: []string{"<tr><th>2</th><td>100</td></tr>", "<p>3 × 1 *mat.VecDense</p>"},
		},
		{
			name: "elided", value: counting,
			text: "Dims(12, 11)\n" +
				"⎡   0     1     2     3     4  ...  ...     6     7     8     9    10⎤\n" +
				"⎢ 100   101   102   103   104             106   107   108   109   110⎥\n",
			cells: []string{
				"<th>4</th><th>⋯</th><th>6</th>", "<tr><th>⋮</th><td>⋮</td>", "<td>⋮</td><td>⋱</td><td>⋮</td>",
				"<td>704</td><td>⋯</td><td>706</td>", "<td>1110</td>", "<p>12 × 11 *mat.Dense</p>",
			},
			missing: []string{"<td>5</td>", "<th>5</th>", "<td>500</td>"},
		},
		{
			name: "small numbers beside one", value: mat.NewDense(1, 3, []float64{1, 0.25, 1e-9}),
			text:  "Dims(1, 3)\n[    1   0.25  1e-09]",
			cells: []string{"<td>1.0000</td><td>0.2500</td><td>1.0e-09</td>"},
		},
		{
			name: "hundreds", value: mat.NewDense(1, 2, []float64{123.456, 7}),
			text:  "Dims(1, 2)\n[123.5      7]",
			cells: []string{"<td>123.46</td><td>7.00</td>"},
		},
		{
			name: "huge", value: mat.NewDense(1, 2, []float64{1.5e9, 7.5}),
			text:  "Dims(1, 2)\n[1.5e+09      7.5]",
			cells: []string{"<td>1.5000e+09</td><td>7.5000e+00</td>"},
		},
		{
			name: "tiny", value: mat.NewDense(1, 2, []float64{1e-5, 0}),
			text:  "Dims(1, 2)\n[1e-05      0]",
			cells: []string{"<td>1.0000e-05</td><td>0</td>"},
		},
		{
			name: "not finite", value: mat.NewDense(1, 3, []float64{math.NaN(), math.Inf(-1), 2}),
			text:  "Dims(1, 3)\n[ NaN  -Inf     2]",
			cells: []string{"<td>NaN</td><td>-Inf</td><td>2</td>"},
		},
		{
			name: "by its value", value: *mat.NewDense(1, 1, []float64{2}),
			text:  "Dims(1, 1)\n[2]",
			cells: []string{"<td>2</td>", "<p>1 × 1 mat.Dense</p>"},
		},
		{
			name: "nothing", value: &mat.Dense{},
			text:  "Dims(0, 0)",
			cells: []string{"<p>0 × 0 *mat.Dense</p>"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := Of(tc.value)
			if got := b.Data["text/plain"].(string); !strings.HasPrefix(got, tc.text) {
				t.Errorf("text:\n%s\nwant\n%s", got, tc.text)
			}
			got := b.Data["text/html"].(string)
			for _, want := range tc.cells {
				if !strings.Contains(got, want) {
					t.Errorf("the table lacks %s:\n%s", want, got)
				}
			}
			for _, wrong := range tc.missing {
				if strings.Contains(got, wrong) {
					t.Errorf("the table has %s:\n%s", wrong, got)
				}
			}
		})
	}
}

// TestMatrixEscapesTypeName uses an anonymous struct: its type's name can hold any Go type.
func TestMatrixEscapesTypeName(t *testing.T) {
	v := struct {
		mat.Matrix
		ch <-chan int
	}{Matrix: mat.NewDense(1, 1, nil)}
	got := Of(v).Data["text/html"].(string)
	if !strings.Contains(got, "&lt;-chan int") || strings.Contains(got, "<-chan") {
		t.Errorf("the type's name is not escaped:\n%s", got)
	}
}

// large is a computed matrix that counts how often it is read.
type large struct{ reads *int }

func (large) Dims() (r, c int)      { return 100_000, 100_000 }
func (l large) At(i, j int) float64 { *l.reads++; return float64(i+j) / 2 }
func (l large) T() mat.Matrix       { return l }

func TestMatrixReadsOnlyWhatItShows(t *testing.T) {
	reads := 0
	Of(large{&reads})
	// Each shown number is read to choose its column's width, to choose a format and to write it, in text and HTML.
	if shown := 4 * margin * margin; reads > 4*shown {
		t.Errorf("%d reads to show %d numbers", reads, shown)
	}
}

func TestImage(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 3, 2))
	m.Set(1, 1, color.RGBA{R: 200, A: 255})
	b := Of(m)
	back, kind, err := image.Decode(strings.NewReader(string(b.Data["image/png"].([]byte))))
	if err != nil || kind != "png" {
		t.Fatalf("decoding gives %q, %v", kind, err)
	}
	if got, want := back.Bounds().Size(), image.Pt(3, 2); got != want {
		t.Errorf("size %v, want %v", got, want)
	}
	if r, _, _, _ := back.At(1, 1).RGBA(); r>>8 != 200 {
		t.Errorf("red is %d, want 200", r>>8)
	}
}
