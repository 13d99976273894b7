package display

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// margin is how many rows and columns are shown at either end of a matrix that is longer than two margins. Ten columns
// of numbers fit the width of a notebook, ten rows leave room for what the cell says about them.
const margin = 5

// matrixBundle returns a matrix as an HTML table and as gonum formats it, both elided in the middle when large. It
// reads only what it shows, so a matrix may be sparse or computed. typ is the name of its type.
func matrixBundle(m mat.Matrix, typ string) Bundle {
	r, c := m.Dims()
	text := fmt.Sprintf("%.4g", mat.Formatted(m, mat.Excerpt(margin)))
	// gonum states the shape only of what it elides.
	if shape := fmt.Sprintf("Dims(%d, %d)", r, c); !strings.HasPrefix(text, shape) {
		text = strings.TrimSuffix(shape+"\n"+text, "\n")
	}
	return Bundle{Data: map[string]any{plainText: text, "text/html": matrixHTML(m, typ)}}
}

// gap stands in a list of indices for those that are left out.
const gap = -1

// excerpt returns the indices below n that are shown, with a gap where some are not.
func excerpt(n int) []int {
	var shown []int
	for i := range n {
		switch {
		case n <= 2*margin || i < margin || i >= n-margin:
			shown = append(shown, i)
		case i == margin:
			shown = append(shown, gap)
		}
	}
	return shown
}

func matrixHTML(m mat.Matrix, typ string) string {
	r, c := m.Dims()
	rows, cols := excerpt(r), excerpt(c)
	format := chooseFormat(m, rows, cols)

	var b strings.Builder
	b.WriteString(`<table style="text-align:right;font-variant-numeric:tabular-nums">`)
	b.WriteString("\n<thead><tr><th></th>")
	for _, j := range cols {
		fmt.Fprintf(&b, "<th>%s</th>", index(j, "⋯"))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, i := range rows {
		fmt.Fprintf(&b, "<tr><th>%s</th>", index(i, "⋮"))
		for _, j := range cols {
			var cell string
			switch {
			case i == gap && j == gap:
				cell = "⋱"
			case i == gap:
				cell = "⋮"
			case j == gap:
				cell = "⋯"
			default:
				cell = format.cell(m.At(i, j))
			}
			fmt.Fprintf(&b, "<td>%s</td>", cell)
		}
		b.WriteString("</tr>\n")
	}
	fmt.Fprintf(&b, "</tbody></table>\n<p>%d × %d %s</p>", r, c, html.EscapeString(typ))
	return b.String()
}

func index(i int, elided string) string {
	if i == gap {
		return elided
	}
	return strconv.Itoa(i)
}

// A numberFormat is how the numbers of one table are written, so that their decimal points stand below each other.
type numberFormat struct {
	verb     byte    // 'f' or 'e', as in strconv
	decimals int     // digits after the point
	least    float64 // smaller numbers than this would look like zero; they are written with an exponent
}

const (
	digits     = 5   // significant digits of the table's largest number: measurements rarely have more to say
	maxInteger = 1e9 // integers are written in full below this
	maxFixed   = 1e6 // tables that reach this have exponents throughout
	minFixed   = 1e-3
)

// chooseFormat looks at what the table shows of m and chooses the format.
func chooseFormat(m mat.Matrix, rows, cols []int) numberFormat {
	largest, integers := 0.0, true
	for _, i := range rows {
		for _, j := range cols {
			if i == gap || j == gap {
				continue
			}
			v := m.At(i, j)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			largest = max(largest, math.Abs(v))
			integers = integers && v == math.Trunc(v)
		}
	}
	switch {
	case integers && largest < maxInteger:
		return numberFormat{verb: 'f'}
	case largest >= maxFixed || largest < minFixed:
		return numberFormat{verb: 'e', decimals: digits - 1}
	}
	decimals := max(1, digits-1-int(math.Floor(math.Log10(largest))))
	return numberFormat{verb: 'f', decimals: decimals, least: math.Pow10(-decimals) / 2}
}

// cell writes one number. An exact zero is "0", so that the pattern of a sparse matrix can be seen.
func (f numberFormat) cell(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.IsNaN(v) || math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', -1, 64)
	case math.Abs(v) < f.least:
		return strconv.FormatFloat(v, 'e', 1, 64)
	}
	return strconv.FormatFloat(v, f.verb, f.decimals, 64)
}
