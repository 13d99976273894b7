package magic

import (
	"html"
	"strings"
	"unicode/utf8"

	"orthant/stdlib/display"
)

// A grid is a table with a head, for people.
type grid struct {
	columns []column
	rows    [][]string // a cell may have several lines
	foot    string     // a line below; empty for none
}

// A column says how its cells look.
type column struct {
	head string
	look look
}

type look int

const (
	prose   look = iota
	code         // names and what else is typed as it stands
	numeric      // at the right
)

// bundle renders a grid as text and as HTML.
func (g grid) bundle() display.Bundle {
	b := display.Text(g.text())
	b.Data["text/html"] = g.html()
	return b
}

// widest is how many characters of a text a column takes, that one long text does not push the others out of sight.
const widest = 60

// clip cuts a text that has more than so many characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// text writes the columns side by side.
func (g grid) text() string {
	var head []string
	for _, c := range g.columns {
		head = append(head, c.head)
	}
	lines := [][]string{head}
	for _, row := range g.rows {
		lines = append(lines, spread(row)...)
	}
	widths := make([]int, len(g.columns))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var texts []string
	for _, line := range lines {
		var b strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if g.columns[i].look == numeric {
				cell = pad + cell
			} else {
				cell += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
		}
		texts = append(texts, strings.TrimRight(b.String(), " "))
	}
	if g.foot != "" {
		texts = append(texts, g.foot)
	}
	return strings.Join(texts, "\n")
}

// spread gives each line of a row's cells a row of its own.
func spread(row []string) [][]string {
	var lines [][]string
	for i, cell := range row {
		for n, part := range strings.Split(cell, "\n") {
			if n == len(lines) {
				lines = append(lines, make([]string, len(row)))
			}
			lines[n][i] = part
		}
	}
	return lines
}

// html writes a table.
func (g grid) html() string {
	var b strings.Builder
	b.WriteString("<table><thead><tr>")
	for _, c := range g.columns {
		if c.look == code {
			c.look = prose
		}
		b.WriteString("<th" + c.style() + ">" + html.EscapeString(c.head) + "</th>")
	}
	b.WriteString("</tr></thead><tbody>")
	for _, row := range g.rows {
		b.WriteString("<tr>")
		for i, cell := range row {
			b.WriteString("<td" + g.columns[i].style() + ">" + strings.ReplaceAll(html.EscapeString(cell), "\n", "<br>") + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	if g.foot != "" {
		b.WriteString("<p>" + html.EscapeString(g.foot) + "</p>")
	}
	return b.String()
}

// style says how cells look: the rules that front ends have for tables differ.
func (c column) style() string {
	switch c.look {
	case numeric:
		return ` style="text-align:right"`
	case code:
		return ` style="text-align:left;font-family:monospace"` // a code element has a box in some front ends, too much for a table
	}
	return ` style="text-align:left"`
}
