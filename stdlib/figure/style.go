package figure

import (
	"image/color"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colours are those of Okabe and Ito, in an order that keeps neighbours far apart in lightness. Their yellow is left out:
// it cannot be seen on white.
var colours = []color.Color{
	color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // vermilion
	color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // bluish green
	color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // reddish purple
	color.RGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, // orange
	color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // sky blue
	color.RGBA{A: 0xff},
}

// marks tell series apart without colour, in the order of colours.
var marks = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{},
	hollow{draw.RingGlyph{}, draw.CircleGlyph{}}, hollow{draw.SquareGlyph{}, draw.BoxGlyph{}},
	hollow{draw.TriangleGlyph{}, draw.PyramidGlyph{}}, draw.CrossGlyph{},
}

// A hollow glyph is an outline that is white inside, so that lines do not show through.
type hollow struct{ outline, inside draw.GlyphDrawer }

// DrawGlyph draws the glyph.
func (h hollow) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.SetColor(color.White)
	h.inside.DrawGlyph(c, s, at)
	c.SetColor(s.Color)
	h.outline.DrawGlyph(c, s, at)
}

var (
	ink    = color.Gray{Y: 0x22} // titles
	text   = color.Gray{Y: 0x44} // labels
	axis   = color.Gray{Y: 0x88} // axis lines and ticks
	faint  = color.Gray{Y: 0xe4} // grid lines
	subtle = color.Gray{Y: 0x66} // levels and small print
)

// Sizes, in points of 1/72 inch; a CSS pixel is 0.75 of them. The tick labels are as large as a notebook's small print.
const (
	titleSize = 11
	labelSize = 9.5
	tickSize  = 8.5
	margin    = 6

	mainLine = 1.6 // what the figure is about
	backLine = 0.7 // what it is compared with
	thinLine = 0.5 // axes, grid, boundaries
)

// newPlot returns an empty plot in the style of this package.
func newPlot() *plot.Plot {
	p := plot.New()
	setFont(&p.Title.TextStyle, titleSize, ink)
	p.Title.TextStyle.Font.Weight = font.WeightBold
	setFont(&p.Legend.TextStyle, labelSize, text)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		setFont(&a.Label.TextStyle, labelSize, text)
		setFont(&a.Tick.Label, tickSize, text)
		a.LineStyle = draw.LineStyle{Color: axis, Width: vg.Points(thinLine)}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = vg.Points(3)
		a.Label.Padding = vg.Points(3)
		a.Padding = 0
		a.Tick.Marker = ticks{}
	}
	return p
}

func setFont(s *draw.TextStyle, size float64, c color.Color) {
	s.Font.Variant = "Sans"
	s.Font.Size = vg.Points(size)
	s.Color = c
}

// smallPrint is the style of subtitles and legends.
func smallPrint() draw.TextStyle {
	s := newPlot().X.Tick.Label
	s.Color = subtle
	s.XAlign, s.YAlign = draw.XLeft, draw.YBottom
	return s
}
