// Command logo draws the kernel's logo: logo-svg.svg, logo-64x64.png and logo-32x32.png, into the working directory.
//
// It shows an orthant, the corner of space in which no coordinate is negative: three axes, the three quarter planes
// between them, and one cluster of samples on each axis, which is what orthogonality does to a nonnegative factor.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log"
	"math"
	"os"

	"golang.org/x/image/vector"
)

func main() {
	log.SetFlags(0)
	for _, f := range files {
		content, err := f.draw()
		if err != nil {
			log.Fatalf("logo: %s: %v", f.name, err)
		}
		if err := os.WriteFile(f.name, content, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// files lists what Jupyter looks for beside kernel.json. Lab prefers the SVG, then the larger PNG.
var files = []struct {
	name string
	draw func() ([]byte, error)
}{
	{"logo-svg.svg", svg},
	{"logo-64x64.png", func() ([]byte, error) { return raster(64) }},
	{"logo-32x32.png", func() ([]byte, error) { return raster(32) }},
}

// size is the width and height of the drawing in its own units.
const size = 64

// A point is a place on the drawing; y grows downwards.
type point struct{ x, y float64 }

// A shape is a filled polygon or, with a radius, a filled circle around its only point.
type shape struct {
	fill   color.NRGBA
	points []point
	radius float64
}

// The colours: three shades of one blue for the planes, as if lit from the left, and a warm one for the samples.
var (
	floor   = color.NRGBA{0x0b, 0x4f, 0x6c, 0xff}
	left    = color.NRGBA{0x5b, 0xc8, 0xe6, 0xff}
	right   = color.NRGBA{0x1c, 0x8f, 0xb8, 0xff}
	axis    = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	samples = color.NRGBA{0xff, 0xb7, 0x3c, 0xff}
)

// shapes returns the drawing, from back to front.
func shapes() []shape {
	origin := point{size / 2, size / 2}
	const (
		reach = 30.0 // of the planes along each axis
		stem  = 21.5 // of the axes
		width = 2.6  // of the axes
		dot   = 4.6  // radius of a sample
	)
	// The axes as they look from the diagonal of the orthant: 120 degrees apart, the third one upwards.
	along := func(degrees, length float64) point {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return point{origin.x + length*cos, origin.y - length*sin}
	}
	directions := []float64{90, 210, 330}
	plane := func(fill color.NRGBA, a, b float64) shape {
		p, q := along(a, reach), along(b, reach)
		return shape{fill: fill, points: []point{origin, p, {p.x + q.x - origin.x, p.y + q.y - origin.y}, q}}
	}
	all := []shape{plane(left, 90, 210), plane(right, 90, 330), plane(floor, 210, 330)}
	for _, d := range directions {
		all = append(all, line(axis, origin, along(d, stem), width))
	}
	all = append(all, shape{fill: axis, points: []point{origin}, radius: width / 2})
	for _, d := range directions {
		all = append(all, shape{fill: samples, points: []point{along(d, stem)}, radius: dot})
	}
	return all
}

// line returns a straight line as a thin rectangle.
func line(fill color.NRGBA, from, to point, width float64) shape {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	dx, dy := (to.y-from.y)/length*width/2, (from.x-to.x)/length*width/2
	return shape{fill: fill, points: []point{
		{from.x + dx, from.y + dy}, {to.x + dx, to.y + dy}, {to.x - dx, to.y - dy}, {from.x - dx, from.y - dy},
	}}
}

// svg writes the drawing as SVG, coordinates to a hundredth.
func svg() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", size, size, size, size)
	fmt.Fprintf(&b, "  <title>orthant</title>\n")
	for _, s := range shapes() {
		fill := fmt.Sprintf("#%02x%02x%02x", s.fill.R, s.fill.G, s.fill.B)
		if s.radius > 0 {
			fmt.Fprintf(&b, "  <circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"/>\n", s.points[0].x, s.points[0].y, s.radius, fill)
			continue
		}
		fmt.Fprintf(&b, "  <polygon points=\"")
		for i, p := range s.points {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%.2f,%.2f", p.x, p.y)
		}
		fmt.Fprintf(&b, "\" fill=\"%s\"/>\n", fill)
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// raster writes the drawing as a PNG of n×n pixels on a transparent ground.
func raster(n int) ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	scale := float64(n) / size
	for _, s := range shapes() {
		r := vector.NewRasterizer(n, n)
		trace(r, s, scale)
		r.Draw(img, img.Bounds(), image.NewUniform(s.fill), image.Point{})
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img)
	return b.Bytes(), err
}

// trace puts the outline of a shape into a rasterizer. A circle becomes four cubic curves.
func trace(r *vector.Rasterizer, s shape, scale float64) {
	at := func(p point) (float32, float32) { return float32(p.x * scale), float32(p.y * scale) }
	r.DrawOp = draw.Over
	if s.radius > 0 {
		// The distance of the control points at which a cubic curve is a quarter circle to three digits.
		const kappa = 0.5523
		c, d, k := s.points[0], s.radius, s.radius*kappa
		curve := func(a, b, end point) {
			ax, ay := at(a)
			bx, by := at(b)
			ex, ey := at(end)
			r.CubeTo(ax, ay, bx, by, ex, ey)
		}
		r.MoveTo(at(point{c.x + d, c.y}))
		curve(point{c.x + d, c.y + k}, point{c.x + k, c.y + d}, point{c.x, c.y + d})
		curve(point{c.x - k, c.y + d}, point{c.x - d, c.y + k}, point{c.x - d, c.y})
		curve(point{c.x - d, c.y - k}, point{c.x - k, c.y - d}, point{c.x, c.y - d})
		curve(point{c.x + k, c.y - d}, point{c.x + d, c.y - k}, point{c.x + d, c.y})
	} else {
		r.MoveTo(at(s.points[0]))
		for _, p := range s.points[1:] {
			r.LineTo(at(p))
		}
	}
	r.ClosePath()
}
