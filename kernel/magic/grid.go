package magic

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"orthant/stdlib/display"
)

// A grid is a table with a head, for people.
type grid struct {
	head    []string
	numbers []bool // by column: whether it holds numbers, which stand at the right
	rows    [][]string
	foot    string // a line below; empty for none
}

// bundle renders a grid as text and as HTML.
func (g grid) bundle() display.Bundle {
	b := display.Text(g.text())
	b.Data["text/html"] = g.html()
	return b
}

// text writes the columns side by side.
func (g grid) text() string {
	all := slices.Concat([][]string{g.head}, g.rows)
	widths := make([]int, len(g.head))
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var lines []string
	for _, row := range all {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if g.numbers[i] {
				cell = pad + cell
			} else {
				cell += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	if g.foot != "" {
		lines = append(lines, g.foot)
	}
	return strings.Join(lines, "\n")
}

// html writes a table.
func (g grid) html() string {
	var b strings.Builder
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for i, cell := range cells {
			align := "left"
			if g.numbers[i] {
				align = "right"
			}
			b.WriteString("<" + tag + ` style="text-align:` + align + `">` + html.EscapeString(cell) + "</" + tag + ">")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("<table><thead>")
	row("th", g.head)
	b.WriteString("</thead><tbody>")
	for _, cells := range g.rows {
		row("td", cells)
	}
	b.WriteString("</tbody></table>")
	if g.foot != "" {
		b.WriteString("<p>" + html.EscapeString(g.foot) + "</p>")
	}
	return b.String()
}
