package figure

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"orthant/clustering"
)

// Descent draws the objective of every restart over its iterations, the best restart in colour. Where runs are longer than
// 30 iterations the horizontal axis is logarithmic, log(1+t): methods move fast first and slowly later, and both show. So is
// the vertical axis where the objective is positive and falls by more than a factor of 100. res is any method's result.
func Descent(res clustering.Fitted) *Figure {
	if isNil(res) {
		return failed("Descent: the result is nil")
	}
	r := res.Common()
	if len(r.Runs) == 0 || r.Best < 0 || r.Best >= len(r.Runs) {
		return failed("Descent: the result has %d runs, of which number %d is the best", len(r.Runs), r.Best)
	}

	f := &Figure{Plot: newPlot()}
	f.Sized(640, 380)
	p := f.Plot
	p.Add(gridLines{})
	best := draw.LineStyle{Color: colours[0], Width: vg.Points(mainLine)}
	rest := draw.LineStyle{Color: color.NRGBA{A: 0x40}, Width: vg.Points(backLine)}
	longest := 0
	for i, run := range r.Runs {
		longest = max(longest, run.Trace.Len()-1)
		if i != r.Best {
			p.Add(&plotter.Line{XYs: points(run.Trace.Objective), LineStyle: rest})
		}
	}
	curve := points(r.Runs[r.Best].Trace.Objective)
	if len(curve) == 0 {
		return failed("Descent: the best run has no finite objective")
	}
	p.Add(&plotter.Line{XYs: curve, LineStyle: best})

	p.X.Label.Text = "iteration"
	p.Y.Label.Text = "objective"
	p.X.Min, p.X.Max = 0, float64(max(longest, 1))
	p.X.Tick.Marker = ticks{integers: true}
	if longest > logFrom {
		p.X.Scale, p.X.Tick.Marker = log1pScale{}, log1pTicks{}
	}
	setObjectiveAxis(&p.Y)
	p.Title.Text = "Objective over the iterations"
	if others := len(r.Runs) - 1; others > 0 {
		f.legend = []legendEntry{
			{name: fmt.Sprintf("best, restart %d", r.Best+1), mark: lineMark(best)},
			{name: fmt.Sprintf("the other %d", others), mark: lineMark(rest)},
		}
	}
	f.summary = descentSummary(r)
	f.Subtitle = f.summary
	return f
}

// setObjectiveAxis gives the data some room, and a logarithmic scale where it spans more than two decades: from a random
// start the first steps of many methods gain a thousand times what all others do.
func setObjectiveAxis(a *plot.Axis) {
	if a.Min > 0 && a.Max/a.Min > 100 {
		room := math.Pow(a.Max/a.Min, 0.03)
		a.Min, a.Max = a.Min/room, a.Max*room
		a.Scale, a.Tick.Marker = plot.LogScale{}, logTicks{}
		return
	}
	room := 0.03 * (a.Max - a.Min)
	a.Min, a.Max = a.Min-room, a.Max+room
}

// logFrom is the length of a run, in iterations, beyond which a linear axis hides what happens first.
const logFrom = 30

// isNil also recognises a nil pointer to a result, what a failed Fit leaves behind.
func isNil(res clustering.Fitted) (is bool) {
	if res == nil {
		return true
	}
	// A nil *T for a T that embeds Result panics when its Common is asked for.
	defer func() {
		if recover() != nil {
			is = true
		}
	}()
	return res.Common() == nil
}

// points is the curve of an objective, without what cannot be drawn (a diverged run ends in Inf or NaN).
func points(objective []float64) plotter.XYs {
	xys := make(plotter.XYs, 0, len(objective))
	for t, v := range objective {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			xys = append(xys, plotter.XY{X: float64(t), Y: v})
		}
	}
	return xys
}

// descentSummary says what the picture shows, in a line.
func descentSummary(r *clustering.Result) string {
	worst, ended := math.Inf(-1), map[clustering.Status]int{}
	for _, run := range r.Runs {
		worst = math.Max(worst, run.Objective)
		ended[run.Status]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, ", r.Method)
	if len(r.Runs) == 1 {
		fmt.Fprintf(&b, "one run: %s, %v after %d iterations", significant(r.Objective, 6), r.Status, r.Iterations)
		return b.String()
	}
	fmt.Fprintf(&b, "%d restarts: best %s, worst %s", len(r.Runs), significant(r.Objective, 6), significant(worst, 6))
	for _, s := range []clustering.Status{clustering.Converged, clustering.MaxIter, clustering.Canceled, clustering.Diverged} {
		if ended[s] > 0 {
			fmt.Fprintf(&b, "; %d %v", ended[s], s)
		}
	}
	return b.String()
}

// log1pScale is the scale of log(1+t), which unlike a logarithm has a place for the start.
type log1pScale struct{}

// Normalize returns where t lies between min and max, 0 to 1.
func (log1pScale) Normalize(min, max, t float64) float64 {
	return (math.Log1p(t) - math.Log1p(min)) / (math.Log1p(max) - math.Log1p(min))
}

// log1pTicks marks 0, 1, 3, 10, 30, 100, …
type log1pTicks struct{}

// Ticks returns the marks from min to max.
func (log1pTicks) Ticks(min, max float64) []plot.Tick {
	marks := []plot.Tick{{Value: 0, Label: "0"}}
	for decade := 1.0; decade <= max; decade *= 10 {
		for _, t := range []float64{decade, 3 * decade} {
			if t <= max {
				marks = append(marks, plot.Tick{Value: t, Label: number(t, 0)})
			}
		}
	}
	return marks
}
