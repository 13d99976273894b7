package display

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/png"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	// defaultWidth and defaultHeight are a plot's size where nothing else is said, 640 by 400 CSS pixels: as wide as
	// text is read well, and two of them fit a laptop's screen.
	defaultWidth  = 640 * cssPixel
	defaultHeight = 400 * cssPixel

	// cssPixel is what browsers take a pixel for, whatever the screen's resolution.
	cssPixel = vg.Inch / 96

	// plotMargin is left empty around a plot. Gonum draws to the edge of its canvas, and where a browser's letters are wider
	// than gonum's, or the page behind the picture is dark, the outermost labels are cut off or look so.
	plotMargin = 8 * cssPixel

	// density is the number of image pixels to a CSS pixel in either direction. With 2, a picture is sharp on the
	// screens that people have; the metadata says how large to show it.
	density = 2

	// maxPixels bounds a picture, in CSS pixels. It is the size of 25 full screens and takes 200 MB to draw.
	maxPixels = 50e6 / (density * density)

	// maxSVG is the largest SVG that is sent, in bytes. A front end prefers SVG to PNG, but a heat map or a scatter
	// of 100,000 points is tens of megabytes of it, which the notebook would store and the browser crawl through.
	maxSVG = 1 << 20
)

// A Drawer draws itself on a canvas of any size. A *plot.Plot is one; so is a figure of several plots.
type Drawer interface {
	Draw(draw.Canvas)
}

// Plot returns a plot as a value that is shown at the given size (as vg lengths: 6*vg.Inch; a CSS pixel is vg.Inch/96).
// A plot that is shown without saying a size is 640 by 400 pixels.
func Plot(p *plot.Plot, width, height vg.Length) Bundle {
	if p == nil {
		return Text("nil *plot.Plot")
	}
	return picture(p, framed{p}, width, height, describe(p))
}

// framed is a plot with a margin in its background colour.
type framed struct{ *plot.Plot }

// Draw draws the plot within the margin.
func (f framed) Draw(c draw.Canvas) {
	if f.BackgroundColor != nil {
		c.SetColor(f.BackgroundColor)
		c.Fill(c.Rectangle.Path())
	}
	f.Plot.Draw(draw.Crop(c, plotMargin, -plotMargin, plotMargin, -plotMargin))
}

func plotBundle(p *plot.Plot) Bundle { return Plot(p, defaultWidth, defaultHeight) }

// Picture draws d at the given size and returns it as image/png, in twice the resolution that the size needs, and,
// unless that is larger than a mebibyte, image/svg+xml. text is its text/plain and what a screen reader says.
// A drawer that panics, or a size that is not positive or beyond 12.5 million pixels, gives a bundle of text that says so.
func Picture(d Drawer, width, height vg.Length, text string) Bundle {
	return picture(d, d, width, height, text)
}

// picture is Picture for a value that d draws; what is said of a panic names the value's type.
func picture(v any, d Drawer, width, height vg.Length, text string) Bundle {
	w, h := float64(width/cssPixel), float64(height/cssPixel)
	if !(w >= 1 && h >= 1 && w*h <= maxPixels) { // also NaN
		return Text(fmt.Sprintf("%s\ncannot be drawn: a picture of %.0f × %.0f pixels", text, w, h))
	}
	b, _ := guarded(v, func(any) (Bundle, bool) {
		b := Bundle{
			Data: map[string]any{plainText: text, "image/png": drawPNG(d, width, height)},
			Metadata: map[string]any{"image/png": map[string]any{
				"width": int(math.Round(w)), "height": int(math.Round(h)), "alt": text,
			}},
		}
		if svg := drawSVG(d, width, height, text); len(svg) <= maxSVG {
			b.Data["image/svg+xml"] = svg
		}
		return b, true
	})
	return b
}

// drawPNG panics where d does.
func drawPNG(d Drawer, width, height vg.Length) []byte {
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(96*density))
	d.Draw(draw.New(c))
	m := c.Image()
	if rgba, ok := m.(*image.RGBA); ok {
		return encodePNG(paletted(rgba))
	}
	return encodePNG(m)
}

// drawSVG panics where d does.
func drawSVG(d Drawer, width, height vg.Length, text string) string {
	c := vgsvg.New(width, height)
	d.Draw(draw.New(c))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		panic(err) // a bytes.Buffer does not fail
	}
	// The XML declaration has no place within an HTML document, where front ends put the picture.
	_, svg, _ := strings.Cut(buf.String(), "<svg")
	svg = `<svg role="img" aria-label="` + html.EscapeString(text) + `"` + svg
	return svgRepairs.Replace(svg)
}

// svgRepairs corrects what gonum's SVG says.
//
// It names a second choice for each of the fonts that gonum/plot measures text with. Few machines have Liberation, and without
// a second choice a browser would set everything in its default font, whose letters are wider. These have the very same
// widths: Liberation was made to match them.
//
// And it calls PNG images what they are: gonum says image/jpg, which browsers forgive and other programs do not.
var svgRepairs = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;",
	"font-family:Liberation Serif;", "font-family:'Liberation Serif','Times New Roman',Times,serif;",
	"font-family:Liberation Mono;", "font-family:'Liberation Mono','Courier New',Courier,monospace;",
	`xlink:href="data:image/jpg;base64,`, `xlink:href="data:image/png;base64,`,
)

// describe says in a line which plot it is.
func describe(p *plot.Plot) string {
	var b strings.Builder
	b.WriteString("plot")
	if t := p.Title.Text; t != "" {
		fmt.Fprintf(&b, " %q", t)
	}
	if x, y := p.X.Label.Text, p.Y.Label.Text; x != "" || y != "" {
		fmt.Fprintf(&b, " of %q against %q", y, x)
	}
	return b.String()
}

// imageBundle returns an image in its own pixels. typ is the name of its type.
func imageBundle(m image.Image, typ string) Bundle {
	size := m.Bounds().Size()
	text := fmt.Sprintf("%d × %d %s", size.X, size.Y, typ)
	if m.Bounds().Empty() {
		return Text(text)
	}
	return Bundle{Data: map[string]any{plainText: text, "image/png": encodePNG(m)}}
}

// encodePNG panics if m is not an image that PNG can hold.
func encodePNG(m image.Image) []byte {
	var buf bytes.Buffer
	if err := png.Encode(&buf, m); err != nil {
		panic(err)
	}
	return buf.Bytes()
}
