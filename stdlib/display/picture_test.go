package display

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func testPlot(t *testing.T, points int) *plot.Plot {
	t.Helper()
	p := plot.New()
	p.Title.Text = "a < b & c"
	p.X.Label.Text = "x"
	xys := make(plotter.XYs, points)
	for i := range xys {
		xys[i] = plotter.XY{X: float64(i), Y: math.Sin(float64(i))}
	}
	s, err := plotter.NewScatter(xys)
	if err != nil {
		t.Fatal(err)
	}
	p.Add(s)
	return p
}

func TestPlot(t *testing.T) {
	for _, tc := range []struct {
		name          string
		bundle        Bundle
		width, height int // CSS pixels
	}{
		{name: "as a value", bundle: Of(testPlot(t, 5)), width: 640, height: 400},
		{name: "sized", bundle: Plot(testPlot(t, 5), 4*vg.Inch, 2*vg.Inch), width: 384, height: 192},
		{name: "sized, shown", bundle: Of(Plot(testPlot(t, 5), 4*vg.Inch, 2*vg.Inch)), width: 384, height: 192},
	} {
		t.Run(tc.name, func(t *testing.T) {
			const text = `plot "a < b & c" of "" against "x"`
			if got := tc.bundle.Data["text/plain"]; got != text {
				t.Errorf("text %q, want %q", got, text)
			}
			config, err := png.DecodeConfig(bytes.NewReader(tc.bundle.Data["image/png"].([]byte)))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := image.Pt(config.Width, config.Height), image.Pt(2*tc.width, 2*tc.height); got != want {
				t.Errorf("the PNG has %v pixels, want %v", got, want)
			}
			want := map[string]any{"width": tc.width, "height": tc.height, "alt": text}
			if got := tc.bundle.Metadata["image/png"]; !reflect.DeepEqual(got, want) {
				t.Errorf("metadata %v, want %v", got, want)
			}
			svg := tc.bundle.Data["image/svg+xml"].(string)
			checkXML(t, svg)
			for _, part := range []string{
				`<svg role="img" aria-label="plot &#34;a &lt; b &amp; c&#34;`,
				`font-family:'Liberation Serif','Times New Roman',Times,serif;`,
				`>a &lt; b &amp; c</text>`,
			} {
				if !strings.Contains(svg, part) {
					t.Errorf("the SVG lacks %s", part)
				}
			}
			if !strings.HasPrefix(svg, "<svg ") {
				t.Errorf("the SVG begins with %.20q", svg)
			}
			if _, err := json.Marshal(tc.bundle); err != nil {
				t.Errorf("as JSON: %v", err)
			}
		})
	}
}

// TestPlotMargin checks that the labels at the ends of the axes do not touch the picture's edges.
func TestPlotMargin(t *testing.T) {
	p := plot.New()
	p.Title.Text = "title"
	p.BackgroundColor = color.RGBA{R: 255, G: 255, B: 200, A: 255}
	m, err := png.Decode(bytes.NewReader(Of(p).Data["image/png"].([]byte)))
	if err != nil {
		t.Fatal(err)
	}
	const empty = 4 * density // image pixels at each edge; letters may stick out of what gonum takes for their box
	inner := m.Bounds().Inset(empty)
	for y := range m.Bounds().Max.Y {
		for x := range m.Bounds().Max.X {
			got := color.RGBAModel.Convert(m.At(x, y))
			if !image.Pt(x, y).In(inner) && got != p.BackgroundColor {
				t.Fatalf("at (%d, %d), %v: got %v, want %v", x, y, m.Bounds(), got, p.BackgroundColor)
			}
		}
	}
}

func TestImagesInSVG(t *testing.T) {
	p := plot.New()
	p.Add(plotter.NewImage(image.NewGray(image.Rect(0, 0, 4, 4)), 0, 0, 1, 1))
	svg := Of(p).Data["image/svg+xml"].(string)
	_, data, ok := strings.Cut(svg, `xlink:href="data:image/png;base64,`)
	if !ok {
		t.Fatal("there is no PNG in the SVG")
	}
	data, _, _ = strings.Cut(data, `"`)
	if _, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); err != nil {
		t.Error(err)
	}
}

func TestPaletted(t *testing.T) {
	// Three areas, and beside one of them two single pixels of nearly its colour, one of another.
	colours := []color.RGBA{{R: 255, A: 255}, {G: 255, A: 255}, {A: 255}}
	few := image.NewRGBA(image.Rect(0, 0, 30, 20))
	for x := range 30 {
		for y := range 20 {
			few.SetRGBA(x, y, colours[x/10])
		}
	}
	few.SetRGBA(0, 0, color.RGBA{R: 250, A: 255})
	few.SetRGBA(1, 0, color.RGBA{R: 255, G: maxColourError + 1, A: 255})
	many := image.NewRGBA(image.Rect(0, 0, 20, 20))
	for i := range 400 {
		many.SetRGBA(i%20, i/20, color.RGBA{R: uint8(20 * (i % 13)), G: uint8(20 * (i / 13 % 13)), B: uint8(80 * (i / 169)), A: 255})
	}

	p, ok := paletted(few).(*image.Paletted)
	if !ok {
		t.Fatal("a picture of five colours does not become paletted")
	}
	for _, tc := range []struct {
		name string
		x, y int
		want color.RGBA
	}{
		{"area", 15, 5, colours[1]},
		{"near an area's colour", 0, 0, colours[0]},
		{"far from it", 1, 0, color.RGBA{R: 255, G: maxColourError + 1, A: 255}},
	} {
		if got := p.At(tc.x, tc.y); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
	if got := paletted(many); got != image.Image(many) {
		t.Errorf("400 colours that are far from each other become a %T", got)
	}
}

func checkXML(t *testing.T, s string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(s)); ; {
		switch _, err := d.Token(); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.Fatalf("not well-formed: %v", err)
		}
	}
}

func TestLargeSVGIsLeftOut(t *testing.T) {
	b := Of(testPlot(t, 20_000))
	if svg, ok := b.Data["image/svg+xml"].(string); ok {
		t.Errorf("%d bytes of SVG are sent", len(svg))
	}
	if _, ok := b.Data["image/png"]; !ok {
		t.Error("there is no PNG")
	}
}

// A panicking drawer stands for a plotter that a user wrote.
type panicking struct{}

func (panicking) Draw(draw.Canvas) { panic("boom") }

func TestPictureThatCannotBeDrawn(t *testing.T) {
	for _, tc := range []struct {
		name          string
		drawer        Drawer
		width, height vg.Length
		want          string
	}{
		{name: "panic", drawer: panicking{}, width: vg.Inch, height: vg.Inch,
			want: "display.panicking that cannot be shown: boom"},
		{name: "no width", drawer: plot.New(), width: 0, height: vg.Inch,
			want: "text\ncannot be drawn: a picture of 0 × 96 pixels"},
		{name: "negative height", drawer: plot.New(), width: vg.Inch, height: -vg.Inch,
			want: "text\ncannot be drawn: a picture of 96 × -96 pixels"},
		{name: "not a number", drawer: plot.New(), width: vg.Length(math.NaN()), height: vg.Inch,
			want: "text\ncannot be drawn: a picture of NaN × 96 pixels"},
		{name: "too large", drawer: plot.New(), width: 100 * vg.Inch, height: 1000 * vg.Inch,
			want: "text\ncannot be drawn: a picture of 9600 × 96000 pixels"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := Picture(tc.drawer, tc.width, tc.height, "text")
			if got := b.Data["text/plain"]; got != tc.want || len(b.Data) != 1 {
				t.Errorf("got %q in %d types, want %q in one", got, len(b.Data), tc.want)
			}
		})
	}
	if got, want := Plot(nil, vg.Inch, vg.Inch).Data["text/plain"], "nil *plot.Plot"; got != want {
		t.Errorf("nil plot: got %q, want %q", got, want)
	}
}
