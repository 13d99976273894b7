package magic

import "orthant/stdlib/display"

// Inspect describes what is at the cursor, see [session.Session.Inspect]: at a magic and what stands behind it the magic, in
// Go the name.
func (i *Interpreter) Inspect(source string, pos, detail int) (display.Bundle, bool) {
	pos = max(0, min(pos, len(source)))
	p, parts := i.at(source, pos)
	if text, ok := goAround(source, pos, p, parts); ok {
		if p.first {
			return i.Inspect(text, pos, detail)
		}
		b, found := i.Session.Inspect(text, pos, detail)
		return i.namedBundle(b), found
	}
	if pos > p.end { // in what a cell magic takes
		return display.Bundle{}, false
	}
	m, err := find(p)
	if err != nil {
		return display.Bundle{}, false
	}
	return m.description(), true
}
