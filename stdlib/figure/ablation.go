package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Series is how one variant of a method scores over the values of a parameter.
type Series struct {
	// Name is the variant's name in the legend.
	Name string
	// X are the parameter's values, in any order.
	X []float64
	// Scores[i] are the scores at X[i], at least one: those of each restart, or of each repetition of an experiment.
	Scores [][]float64
}

// Add appends the scores at x, of which it keeps a copy.
func (s *Series) Add(x float64, scores []float64) {
	s.X = append(s.X, x)
	s.Scores = append(s.Scores, slices.Clone(scores))
}

// Ablation draws how the score of each variant depends on a parameter: a mark at the mean over the restarts and a thin
// line from the lowest to the highest, as tables of mean (max/min) say it. param and score name the axes. The horizontal
// axis is logarithmic where all values are positive and span a factor of 20 or more; the vertical one goes from 0 to 1
// where all scores do. Use Level to add a chance level.
func Ablation(param, score string, series ...*Series) *Figure {
	if len(series) == 0 {
		return failed("Ablation: no series")
	}
	drawn := make([]ranges, len(series))
	var xs []float64
	for i, s := range series {
		r, err := summarise(s)
		if err != nil {
			return failed("Ablation: series %d: %v", i, err)
		}
		r.dodge = vg.Points(dodge) * vg.Length(float64(i)-float64(len(series)-1)/2)
		r.colour, r.mark = colours[i%len(colours)], marks[i%len(marks)]
		drawn[i] = r
		for _, p := range r.points {
			xs = append(xs, p.x)
		}
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)

	f := &Figure{Plot: newPlot(), Subtitle: "mean over restarts, thin lines from the lowest to the highest"}
	f.Sized(640, 400)
	p := f.Plot
	p.Add(gridLines{})
	for i := range drawn {
		p.Add(&drawn[i])
		f.legend = append(f.legend, legendEntry{name: series[i].Name, mark: drawn[i].thumbnail})
	}
	p.Title.Text = fmt.Sprintf("%s over %s", capital(score), param)
	p.X.Label.Text, p.Y.Label.Text = param, score
	setParameterAxis(&p.X, xs)
	setScoreAxis(&p.Y)
	f.summary = ablationSummary(param, score, drawn, series)
	return f
}

const (
	dodge    = 5    // points between the ranges of neighbouring series at the same parameter
	decades  = 20   // the factor from which an axis is logarithmic: values that are meant as 1, 10, 100, or nearly
	sidePart = 0.06 // of the axis is left free at either end, for the marks of several series
)

// A scored is a series' scores at one value of the parameter.
type scored struct{ x, mean, low, high float64 }

// ranges is a plotter of one series.
type ranges struct {
	points []scored // by x
	dodge  vg.Length
	colour color.Color
	mark   draw.GlyphDrawer
}

// summarise checks a series and sorts it by parameter.
func summarise(s *Series) (ranges, error) {
	switch {
	case s == nil:
		return ranges{}, fmt.Errorf("is nil")
	case len(s.X) == 0:
		return ranges{}, fmt.Errorf("%q has no values", s.Name)
	case len(s.X) != len(s.Scores):
		return ranges{}, fmt.Errorf("%q has %d values and %d lists of scores", s.Name, len(s.X), len(s.Scores))
	}
	r := ranges{points: make([]scored, len(s.X))}
	for i, x := range s.X {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return ranges{}, fmt.Errorf("%q has the value %v", s.Name, x)
		}
		if len(s.Scores[i]) == 0 {
			return ranges{}, fmt.Errorf("%q has no scores at %g", s.Name, x)
		}
		sum := 0.0
		for _, v := range s.Scores[i] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return ranges{}, fmt.Errorf("%q has the score %v at %g", s.Name, v, x)
			}
			sum += v
		}
		r.points[i] = scored{
			x: x, mean: sum / float64(len(s.Scores[i])), low: slices.Min(s.Scores[i]), high: slices.Max(s.Scores[i]),
		}
	}
	slices.SortStableFunc(r.points, func(a, b scored) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	return r, nil
}

// setParameterAxis sets range, scale and ticks for the sorted values xs, with room at either end. The ticks are the values
// themselves if their labels have room.
func setParameterAxis(a *plot.Axis, xs []float64) {
	low, high := xs[0], xs[len(xs)-1]
	switch {
	case low == high:
		a.Min, a.Max = low-1, high+1
	case low > 0 && high/low >= decades:
		room := math.Pow(high/low, sidePart)
		a.Min, a.Max = low/room, high*room
		a.Scale, a.Tick.Marker = plot.LogScale{}, logTicks{}
	default:
		room := sidePart * (high - low)
		a.Min, a.Max = low-room, high+room
	}
	positions := make([]float64, len(xs))
	for i, x := range xs {
		positions[i] = a.Norm(x)
	}
	if apart(positions) {
		a.Tick.Marker = valueTicks(xs)
	}
}

// setScoreAxis shows scores that are shares as such: from 0 to 1, so that figures can be compared.
func setScoreAxis(a *plot.Axis) {
	if a.Min >= 0 && a.Max <= 1 {
		a.Min, a.Max = 0, 1
		return
	}
	room := 0.05 * (a.Max - a.Min)
	a.Min, a.Max = a.Min-room, a.Max+room
}

// DataRange returns what the series needs of the axes.
func (r *ranges) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = r.points[0].x, r.points[len(r.points)-1].x
	ymin, ymax = math.Inf(1), math.Inf(-1)
	for _, p := range r.points {
		ymin, ymax = math.Min(ymin, p.low), math.Max(ymax, p.high)
	}
	return xmin, xmax, ymin, ymax
}

// Plot draws the series.
func (r *ranges) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	thin := draw.LineStyle{Color: r.colour, Width: vg.Points(0.8)}
	means := make([]vg.Point, len(r.points))
	for i, s := range r.points {
		x := trX(s.x) + r.dodge
		means[i] = vg.Point{X: x, Y: trY(s.mean)}
		c.StrokeLines(thin, c.ClipLinesXY([]vg.Point{{X: x, Y: trY(s.low)}, {X: x, Y: trY(s.high)}})...)
		for _, end := range []float64{s.low, s.high} {
			if y := trY(end); c.ContainsY(y) {
				c.StrokeLine2(thin, x-vg.Points(2), y, x+vg.Points(2), y)
			}
		}
	}
	c.StrokeLines(draw.LineStyle{Color: r.colour, Width: vg.Points(mainLine)}, c.ClipLinesXY(means)...)
	for _, at := range means {
		if c.Contains(at) {
			c.DrawGlyph(r.glyph(), at)
		}
	}
}

func (r *ranges) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: r.colour, Radius: vg.Points(3), Shape: r.mark}
}

func (r *ranges) thumbnail(c draw.Canvas) {
	lineMark(draw.LineStyle{Color: r.colour, Width: vg.Points(mainLine)})(c)
	c.DrawGlyph(r.glyph(), c.Center())
}

// ablationSummary is the figure as a table.
func ablationSummary(param, score string, drawn []ranges, series []*Series) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s over %s, mean (max/min)", score, param)
	for i, r := range drawn {
		fmt.Fprintf(&b, "\n%s:", series[i].Name)
		for _, p := range r.points {
			fmt.Fprintf(&b, "\n  %-8s %.3f (%.3f/%.3f)", significant(p.x, 4), p.mean, p.high, p.low)
		}
	}
	return b.String()
}

// capital returns s with a capital first letter.
func capital(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}
