package magic

import (
	"strings"

	"orthant/kernel/session"
)

// IsComplete says whether source is a whole cell, see [session.Session.IsComplete]. A cell that ends in a line magic is whole, as is a
// cell magic that takes text when its last line is blank: so a terminal can type it. Go is judged as Go.
func (i *Interpreter) IsComplete(source string) (status session.Status, indent string) {
	return isComplete(source, i.Kind)
}

// IsComplete is [Interpreter.IsComplete] where there is no session yet, and no names but those of the cell.
func IsComplete(source string) (status session.Status, indent string) {
	return isComplete(source, func(string) string { return "" })
}

func isComplete(source string, kind func(name string) string) (status session.Status, indent string) {
	parts, wrong := split(source, kind)
	if wrong != nil {
		return session.Invalid, ""
	}
	if parts == nil {
		return session.IsComplete(source)
	}
	for _, p := range parts {
		start, isGo := p.goStart(source)
		switch {
		case p.first:
			return cellIsComplete(source, p, kind)
		case p.name == "":
			status, indent = session.IsComplete(source[p.start:p.end])
		case p.name == "!" && strings.HasSuffix(source[:p.end], `\`):
			status, indent = session.Incomplete, ""
		case isGo:
			status, indent = session.IsComplete(source[start:p.end])
		default:
			status, indent = session.Complete, ""
		}
		if status == session.Invalid {
			return status, ""
		}
	}
	return status, indent // that of the last part: no line can be added to the others
}

// cellIsComplete is IsComplete for a cell magic.
func cellIsComplete(source string, p part, kind func(string) string) (session.Status, string) {
	body := source[p.end:]
	last := body[strings.LastIndexByte(strings.TrimSuffix(body, "\n"), '\n')+1:]
	switch {
	case strings.TrimSpace(body) == "" && strings.Count(body, "\n") < 2:
		return session.Incomplete, ""
	case takesGo(p):
		return isComplete(body, kind)
	case strings.TrimSpace(last) == "" && strings.Contains(body, "\n"):
		return session.Complete, ""
	}
	return session.Incomplete, ""
}

// takesGo reports whether a part is a magic that takes Go.
func takesGo(p part) bool {
	m, err := find(p)
	return err == nil && m.takesGo
}
