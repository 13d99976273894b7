package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A legendEntry is a name and what it is the name of, drawn into a box of thumbnailWidth by a line's height.
type legendEntry struct {
	name string
	mark func(c draw.Canvas)
}

const (
	thumbnailWidth = 18 // points
	entryGap       = 14 // points between entries
)

// drawLegend writes the entries at the top of c from left to right, in as many lines as they need, and returns what is left
// of c. gonum's own legend is a column on top of the data.
func drawLegend(c draw.Canvas, entries []legendEntry) draw.Canvas {
	if len(entries) == 0 {
		return c
	}
	style := smallPrint()
	style.Color = text
	extents := style.FontExtents()
	height := extents.Ascent + extents.Descent
	x, y := c.Min.X, c.Max.Y
	for _, e := range entries {
		width := vg.Points(thumbnailWidth+4) + style.Width(e.name)
		if x > c.Min.X && x+width > c.Max.X {
			x, y = c.Min.X, y-height-vg.Points(2)
		}
		e.mark(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - height},
			Max: vg.Point{X: x + vg.Points(thumbnailWidth), Y: y},
		}})
		c.FillText(style, vg.Point{X: x + vg.Points(thumbnailWidth+4), Y: y - extents.Ascent}, e.name)
		x += width + vg.Points(entryGap)
	}
	c.Max.Y = y - height - vg.Points(8)
	return c
}

// lineMark is the thumbnail of a line.
func lineMark(s draw.LineStyle) func(draw.Canvas) {
	return func(c draw.Canvas) { c.StrokeLine2(s, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y) }
}
