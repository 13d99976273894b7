package figure

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"orthant/stdlib/display"
)

const (
	// cssPixel is the pixel of Sized: what browsers take a pixel for.
	cssPixel = vg.Inch / 96
	// pixel is the pixel of the images that package display makes.
	pixel = cssPixel / 2
)

// pixels returns how many image pixels a length is.
func pixels(l vg.Length) int { return int(math.Round(float64(l / pixel))) }

// A Figure is a plot with a size, a title line and a legend above the data. It is made by the functions of this package,
// is not safe for concurrent use, and is drawn anew each time it is shown or saved.
type Figure struct {
	// Plot is what is drawn below title and legend. Its axes, and whatever is added to it, may be changed freely; its
	// Title is written at the left in the figure's style.
	Plot *plot.Plot
	// Subtitle is a line of small print below the title.
	Subtitle string

	width, height vg.Length
	summary       string        // text/plain: what a reader of the text learns instead of seeing the picture
	legend        []legendEntry // from left to right
	grid          int           // the data area is a square of grid×grid cells of the same size; 0: any rectangle
	bar           *colourBar    // at the right; may be nil
	err           error         // the figure cannot be drawn
}

// failed is the figure of input that cannot be drawn. The error names the function and the values.
func failed(format string, args ...any) *Figure {
	return &Figure{Plot: newPlot(), err: fmt.Errorf("figure: "+format, args...)}
}

// Titled sets the title and returns f.
func (f *Figure) Titled(title string) *Figure {
	f.Plot.Title.Text = title
	return f
}

// Sized sets the size of the whole figure in CSS pixels (96 to the inch) and returns f.
func (f *Figure) Sized(width, height int) *Figure {
	f.width, f.height = vg.Length(width)*cssPixel, vg.Length(height)*cssPixel
	return f
}

// Level draws a dashed horizontal line at y, with a name in the legend, and returns f. It extends the vertical axis if it
// has to. Chance accuracy, the objective of the true labels or a published figure are levels.
func (f *Figure) Level(y float64, name string) *Figure {
	l := level{y: y}
	f.Plot.Add(l)
	f.legend = append(f.legend, legendEntry{name: name, mark: l.thumbnail})
	return f
}

// Err returns why the figure cannot be drawn, nil if it can.
func (f *Figure) Err() error { return f.err }

// String returns in words and numbers what the figure shows.
func (f *Figure) String() string {
	if f.err != nil {
		return f.err.Error()
	}
	if t := f.Plot.Title.Text; t != "" {
		return t + "\n" + f.summary
	}
	return f.summary
}

// Display returns the figure as PNG, SVG and text.
func (f *Figure) Display() display.Bundle {
	if f.err != nil {
		return display.Text(f.err.Error())
	}
	return display.Picture(f, f.width, f.height, f.String())
}

// formats are the formats that Save knows, by the file name's extension. Of gonum's others, PDF and EPS can write neither α
// nor a minus sign; SVG is what other programs convert without loss.
var formats = map[string]string{".png": "image/png", ".svg": "image/svg+xml"}

// Save writes the figure to a file whose name ends in .png (in twice the resolution of the size) or .svg.
func (f *Figure) Save(path string) error {
	if f.err != nil {
		return f.err
	}
	mime, ok := formats[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return fmt.Errorf("figure: saving %s: the name must end in .png or .svg", path)
	}
	b := f.Display()
	switch picture := b.Data[mime].(type) {
	case []byte:
		return os.WriteFile(path, picture, 0o666)
	case string:
		return os.WriteFile(path, []byte(picture), 0o666)
	}
	return fmt.Errorf("figure: saving %s: %v", path, b.Data["text/plain"])
}

// Draw draws the figure on all of c. Like plot.Plot's Draw it panics on an axis that has no range; Display and Save do not.
func (f *Figure) Draw(c draw.Canvas) {
	p := *f.Plot // drawing adjusts axis ranges, and title and background are not the plot's to draw
	if p.BackgroundColor != nil {
		c.SetColor(p.BackgroundColor)
		c.Fill(c.Rectangle.Path())
	}
	c = draw.Crop(c, margin, -margin, margin, -margin)
	c = drawText(c, p.Title.TextStyle, p.Title.Text, 3)
	c = drawText(c, smallPrint(), f.Subtitle, 5)
	c = drawLegend(c, f.legend)
	p.Title.Text = ""
	p.BackgroundColor = nil

	if f.bar != nil {
		c.Max.X -= f.bar.width()
	}
	if f.grid > 0 {
		c = squared(&p, c, f.grid)
	}
	p.Draw(c)
	if f.bar != nil {
		data := p.DataCanvas(c)
		data.Min.X, data.Max.X = c.Max.X, c.Max.X+f.bar.width()
		f.bar.draw(data)
	}
}

// drawText writes text at the top left of c, in as many lines as it needs, and returns what is left below it and a gap of so
// many points.
func drawText(c draw.Canvas, style draw.TextStyle, s string, gap float64) draw.Canvas {
	if s == "" {
		return c
	}
	style.XAlign, style.YAlign = draw.XLeft, draw.YBottom
	extents := style.FontExtents()
	for _, line := range wrap(style, s, c.Max.X-c.Min.X) {
		c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y - extents.Ascent}, line)
		c.Max.Y -= extents.Ascent + extents.Descent
	}
	c.Max.Y -= vg.Points(gap)
	return c
}

// wrap breaks s at spaces into lines that are not wider than width, if their words are not.
func wrap(style draw.TextStyle, s string, width vg.Length) (lines []string) {
	for _, word := range strings.Fields(s) {
		if last := len(lines) - 1; last >= 0 && style.Width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// squared returns the part of c, at its top left, on which the data area of p is a square that begins at a whole image pixel
// and has a whole number of them for each of grid cells in a row, if there is one for each.
func squared(p *plot.Plot, c draw.Canvas, grid int) draw.Canvas {
	data := p.DataCanvas(c).Rectangle.Size()
	side := min(data.X, data.Y)
	if n := int(side / pixel); n >= grid {
		side = vg.Length(n/grid*grid) * pixel
	}
	// Labels that stick out at the ends of an axis push the data area in, by an amount that depends on its size.
	for range 4 {
		c.Max.X -= data.X - side
		c.Min.Y += data.Y - side
		data = p.DataCanvas(c).Rectangle.Size()
	}

	corner := p.DataCanvas(c).Min
	off := vg.Point{
		X: vg.Length(pixels(corner.X))*pixel - corner.X,
		Y: vg.Length(pixels(corner.Y))*pixel - corner.Y,
	}
	c.Rectangle = c.Rectangle.Add(off)
	return c
}
