package magic

import "orthant/stdlib/display"

// Inspect describes what is at the cursor, see [session.Session.Inspect]: at a magic and what stands behind it the magic, in
// Go the name.
func (i *Interpreter) Inspect(source string, pos, detail int) (display.Bundle, bool) {
	pos = max(0, min(pos, len(source)))
	p, parts := i.at(source, pos)
	inGo := parts == nil || p.name == "" || pos > p.end && takesGo(p) || pos > p.args && !p.first && takesGo(p)
	switch {
	case inGo && p.first:
		return i.Inspect(blank(source[:p.end])+source[p.end:], pos, detail)
	case inGo:
		b, ok := i.Session.Inspect(goIn(source, parts), pos, detail)
		return i.namedBundle(b), ok
	case pos > p.end:
		return display.Bundle{}, false
	}
	m, err := find(p)
	if err != nil {
		return display.Bundle{}, false
	}
	return m.description(), true
}
