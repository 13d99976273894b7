package figure

import (
	"image"
	"image/color"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A heatScale gives numbers colours: white for the lowest, dark blue for the highest and everything above it.
type heatScale struct {
	low, high float64
	clipped   bool // there are numbers above high
}

// shades is the number of colours. Neighbours differ by less than the eye sees, and a PNG of fewer colours is smaller.
const shades = 96

// heat is the colours from low to high. Their lightness falls linearly, so that equal differences look equal, to every
// kind of colour vision and in print.
var heat = heatColours()

func heatColours() []color.Color {
	m, err := moreland.NewLuminance([]color.Color{
		color.RGBA{R: 0x06, G: 0x1c, B: 0x4a, A: 0xff},
		color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff},
		color.RGBA{R: 0x8c, G: 0xc4, B: 0xe4, A: 0xff},
		color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff},
	})
	if err != nil {
		panic(err) // the colours are constant and in order
	}
	m.SetMin(0)
	m.SetMax(1)
	return palette.Reverse(m).Palette(shades).Colors()
}

// chooseScale looks at an affinity's cells, size×size of them.
func chooseScale(cells []float64, size int) heatScale {
	off := make([]float64, 0, len(cells))
	low := 0.0
	for c, v := range cells {
		low = min(low, v)
		if c/size != c%size {
			off = append(off, v)
		}
	}
	if len(off) == 0 {
		off = cells // one object
	}
	sort.Float64s(off)
	const share = 0.995
	s := heatScale{low: low, high: off[int(share*float64(len(off)-1))]}
	if s.high <= s.low {
		s.high = off[len(off)-1] // almost all entries are 0
	}
	if s.high <= s.low {
		s.high = s.low + 1
	}
	for _, v := range cells {
		s.clipped = s.clipped || v > s.high
	}
	return s
}

// index returns where in heat the colour of v is.
func (s heatScale) index(v float64) uint8 {
	i := int((v - s.low) / (s.high - s.low) * float64(len(heat)-1))
	return uint8(min(max(i, 0), len(heat)-1))
}

// A heatMap is a plotter of size×size cells, row by row, the first row at the top, on the square from 0 to side.
type heatMap struct {
	cells []float64
	size  int
	scale heatScale
	side  float64
}

// Plot draws the map.
func (h heatMap) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	box := vg.Rectangle{Min: vg.Point{X: x(0), Y: y(0)}, Max: vg.Point{X: x(h.side), Y: y(h.side)}}
	paint(c, box, h.size, h.size, func(row, column int) uint8 { return h.scale.index(h.cells[row*h.size+column]) })
}

// paint fills a box with rows×columns cells of the colours heat[index(row, column)], row 0 at the top. It draws whole image
// pixels, each with the colour of the cell at its middle. gonum's plotter.Image would interpolate, which blurs the cells and
// makes the PNG four times as large.
func paint(c draw.Canvas, box vg.Rectangle, rows, columns int, index func(row, column int) uint8) {
	width, height := pixels(box.Size().X), pixels(box.Size().Y)
	if width <= 0 || height <= 0 {
		return // no room is left beside title and labels
	}
	m := image.NewPaletted(image.Rect(0, 0, width, height), heat)
	for i := range height {
		row := (2*i + 1) * rows / (2 * height)
		for j := range width {
			m.SetColorIndex(j, i, index(row, (2*j+1)*columns/(2*width)))
		}
	}
	corner := vg.Point{X: vg.Length(pixels(box.Min.X)) * pixel, Y: vg.Length(pixels(box.Min.Y)) * pixel}
	size := vg.Point{X: vg.Length(width) * pixel, Y: vg.Length(height) * pixel}
	c.DrawImage(vg.Rectangle{Min: corner, Max: corner.Add(size)}, m)
}

// A colourBar is the key to a heat map.
type colourBar struct{ scale heatScale }

const (
	barGap   = 12 // points between the map and the bar
	barWidth = 9  // points
	barText  = 34 // points for the numbers
)

func (*colourBar) width() vg.Length { return vg.Points(barGap + barWidth + barText) }

// frame draws the outline of a box.
func frame(c draw.Canvas, style draw.LineStyle, box vg.Rectangle) {
	c.StrokeLines(style, []vg.Point{
		box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}, box.Min, {X: box.Max.X, Y: box.Min.Y},
	})
}

// draw draws the bar at the left of c, as high as c.
func (b *colourBar) draw(c draw.Canvas) {
	left := vg.Length(pixels(c.Min.X+vg.Points(barGap))) * pixel
	right := left + vg.Points(barWidth)
	box := vg.Rectangle{Min: vg.Point{X: left, Y: c.Min.Y}, Max: vg.Point{X: right, Y: c.Max.Y}}
	paint(c, box, len(heat), 1, func(row, _ int) uint8 { return uint8(len(heat) - 1 - row) })
	line := draw.LineStyle{Color: axis, Width: 2 * pixel}
	frame(c, line, box)

	style := smallPrint()
	style.Color = text
	style.YAlign = draw.YCenter
	tick := func(y vg.Length, label string) {
		c.StrokeLine2(line, right, y, right+vg.Points(3), y)
		c.FillText(style, vg.Point{X: right + vg.Points(5), Y: y}, label)
	}
	top := c.Max.Y
	if b.scale.clipped {
		tick(top, "≥ "+significant(b.scale.high, 2))
		top -= 2 * style.FontExtents().Height // the numbers below keep clear of it
	}
	for _, t := range (ticks{}).Ticks(b.scale.low, b.scale.high) {
		y := c.Min.Y + vg.Length((t.Value-b.scale.low)/(b.scale.high-b.scale.low))*(c.Max.Y-c.Min.Y)
		if y <= top {
			tick(y, t.Label)
		}
	}
}
