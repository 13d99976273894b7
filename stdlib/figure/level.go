package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A level is a plotter of a dashed horizontal line across the whole plot.
type level struct{ y float64 }

func (level) style() draw.LineStyle {
	return draw.LineStyle{Color: subtle, Width: vg.Points(0.9), Dashes: []vg.Length{vg.Points(4), vg.Points(3)}}
}

// Plot draws the line.
func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	c.StrokeLine2(l.style(), c.Min.X, y(l.y), c.Max.X, y(l.y))
}

// DataRange says that the line needs its height and no width.
func (l level) DataRange() (xmin, xmax, ymin, ymax float64) {
	return math.Inf(1), math.Inf(-1), l.y, l.y
}

func (l level) thumbnail(c draw.Canvas) { lineMark(l.style())(c) }

// gridLines is a plotter of a faint line at each labelled tick of the vertical axis.
type gridLines struct{}

// Plot draws the lines.
func (gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	style := draw.LineStyle{Color: faint, Width: vg.Points(thinLine)}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if h := y(t.Value); !t.IsMinor() && c.ContainsY(h) {
			c.StrokeLine2(style, c.Min.X, h, c.Max.X, h)
		}
	}
}
