package figure

import (
	"fmt"
	"math"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Affinity draws the n×n affinity matrix w as a heat map, its rows and columns sorted by label (objects of the same
// label keep their order), with lines between the classes. Good features give dark blocks on the diagonal and a light
// rest. labels has n entries; negative ones, objects without a cluster, come last as "none".
//
// The colours reach from 0, or the smallest entry if that is negative, to the 99.5th percentile of the entries off the
// diagonal, because an affinity's diagonal is often far above everything else; what is larger has the darkest colour. Of more
// than 520 objects, each cell of the map is the mean over a group of neighbours.
func Affinity(w mat.Matrix, labels []int) *Figure {
	n, err := checkAffinity(w, labels)
	if err != nil {
		return failed("Affinity: %v", err)
	}
	order, classes := sortByLabel(labels)
	group := (n + mostCells - 1) / mostCells
	size := (n + group - 1) / group
	cells, err := condense(w, order, group, size)
	if err != nil {
		return failed("Affinity: %v", err)
	}
	scale := chooseScale(cells, size)

	f := &Figure{Plot: newPlot(), grid: size, bar: &colourBar{scale: scale}}
	side := (mostCells * 2 / size * size) / 2 // as many whole pixels of half a CSS pixel for each cell as fit into mostCells
	f.Sized(side+roomBeside, side+roomBelow)
	p := f.Plot
	p.Add(heatMap{cells: cells, size: size, scale: scale, side: float64(group * size)}, boundaries{classes})
	p.Title.Text = "Affinity, sorted by class"
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Min, a.Max = 0, float64(n)
		a.Label.Text = "class"
		a.Tick.Length = 0
		a.LineStyle.Width = 0
	}
	p.X.Tick.Marker = classTicks(classes, func(at float64) float64 { return at })
	p.Y.Tick.Marker = classTicks(classes, func(at float64) float64 { return float64(n) - at }) // row 0 is at the top
	f.summary = affinitySummary(w, labels, classes)
	f.Subtitle = f.summary
	return f
}

const (
	// mostCells is the number of rows of the largest map that is made, and the CSS pixels that the map is high at most: with
	// title and labels it then fits a laptop's screen.
	mostCells = 520
	// roomBeside and roomBelow are what labels, title and colour bar need, in CSS pixels.
	roomBeside, roomBelow = 136, 94
)

func checkAffinity(w mat.Matrix, labels []int) (n int, err error) {
	if w == nil {
		return 0, fmt.Errorf("the matrix is nil")
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a %T without content: %v", w, p)
		}
	}()
	r, c := w.Dims()
	switch {
	case r != c:
		return 0, fmt.Errorf("a matrix of %d×%d is not square", r, c)
	case r == 0:
		return 0, fmt.Errorf("the matrix is empty")
	case len(labels) != r:
		return 0, fmt.Errorf("%d labels for a matrix of %d×%d", len(labels), r, c)
	}
	return r, nil
}

// noClass names the objects without a cluster.
const noClass = "none"

// A class is a run of objects with the same label in sorted order.
type class struct {
	name       string
	begin, end int // positions begin <= i < end
}

// sortByLabel returns the objects in the order in which they are drawn, and the classes along it.
func sortByLabel(labels []int) (order []int, classes []class) {
	// Objects without a label come after every class.
	key := func(label int) uint { return uint(max(label, -1)) }
	order = make([]int, len(labels))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return key(labels[order[a]]) < key(labels[order[b]]) })
	for i, object := range order {
		if i > 0 && key(labels[object]) == key(labels[order[i-1]]) {
			classes[len(classes)-1].end++
			continue
		}
		name := noClass
		if labels[object] >= 0 {
			name = strconv.Itoa(labels[object])
		}
		classes = append(classes, class{name: name, begin: i, end: i + 1})
	}
	return order, classes
}

// condense returns w, in the given order of objects, as size×size cells, row by row: each the mean over group×group entries, or
// what there is of them at the end.
func condense(w mat.Matrix, order []int, group, size int) ([]float64, error) {
	cells, counts := make([]float64, size*size), make([]float64, size*size)
	row := make([]float64, len(order))
	for i, object := range order {
		mat.Row(row, object, w)
		for j, other := range order {
			v := row[other]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("entry (%d, %d) is %v", object, other, v)
			}
			cell := i/group*size + j/group
			cells[cell] += v
			counts[cell]++
		}
	}
	for c := range cells {
		cells[c] /= counts[c]
	}
	return cells, nil
}

// affinitySummary says in a line what the picture shows.
func affinitySummary(w mat.Matrix, labels []int, classes []class) string {
	named, none := len(classes), ""
	if last := classes[len(classes)-1]; last.name == noClass {
		named, none = named-1, fmt.Sprintf(", %d of them in none", last.end-last.begin)
	}
	noun := "classes"
	if named == 1 {
		noun = "class"
	}
	within, between := blockMeans(w, labels)
	return fmt.Sprintf("%d objects in %d %s%s; mean affinity %s within classes, %s between them",
		len(labels), named, noun, none, significant(within, 3), significant(between, 3))
}

// blockMeans returns the mean affinity of different objects of the same class and of objects of different classes, 0 for
// a mean over nothing.
func blockMeans(w mat.Matrix, labels []int) (within, between float64) {
	var sums, counts [2]float64
	row := make([]float64, len(labels))
	for i := range labels {
		mat.Row(row, i, w)
		for j, v := range row {
			same := 0
			if labels[i] == labels[j] && labels[i] >= 0 {
				same = 1
			}
			if i != j {
				sums[same] += v
				counts[same]++
			}
		}
	}
	mean := func(k int) float64 { return sums[k] / math.Max(counts[k], 1) }
	return mean(1), mean(0)
}

// classTicks names each class at its middle, or every second, third, … where there are many.
func classTicks(classes []class, place func(float64) float64) plot.ConstantTicks {
	const most = 16 // names side by side
	every := (len(classes) + most - 1) / most
	var marks plot.ConstantTicks
	for i := 0; i < len(classes); i += every {
		c := classes[i]
		marks = append(marks, plot.Tick{Value: place(float64(c.begin+c.end) / 2), Label: c.name})
	}
	return marks
}

// boundaries is a plotter of lines between classes and of a frame around all.
type boundaries struct{ classes []class }

// fewClasses is the number of classes up to which their boundaries may be as wide as other lines.
const fewClasses = 20

// Plot draws the lines. They cover whole image pixels, so that they are as sharp as the cells that they separate.
func (b boundaries) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	n := float64(b.classes[len(b.classes)-1].end)
	style, shift := draw.LineStyle{Color: colours[1], Width: 2 * pixel}, vg.Length(0)
	if len(b.classes) > fewClasses {
		style.Width, shift = pixel, pixel/2
	}
	for _, class := range b.classes[1:] {
		at := float64(class.begin)
		c.StrokeLine2(style, x(at)+shift, y(0), x(at)+shift, y(n))
		c.StrokeLine2(style, x(0), y(n-at)+shift, x(n), y(n-at)+shift)
	}
	frame(c, draw.LineStyle{Color: axis, Width: 2 * pixel}, vg.Rectangle{
		Min: vg.Point{X: x(0), Y: y(0)}, Max: vg.Point{X: x(n), Y: y(n)},
	})
}
