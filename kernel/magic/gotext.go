package magic

import (
	"slices"
	"strings"
)

// goStart returns where the Go begins that a magic takes: behind its name and its flags, or behind the line of %%time. ok is
// false where it takes none, or where its flags are wrong.
func (p part) goStart(source string) (start int, ok bool) {
	m, err := find(p)
	switch {
	case err != nil || !m.takesGo:
		return 0, false
	case m.name == "timeit":
		rest, err := new(measurement).flags(source[p.args:p.end])
		return p.end - len(rest), err == nil
	case p.first:
		return p.end + 1, p.end < len(source)
	}
	return p.args, true
}

// goAround returns the Go that is around an offset of a part, at its place in the cell; false where the offset is not in Go.
// That of a cell magic may have magics of its own.
func goAround(source string, pos int, p part, parts []part) (text string, ok bool) {
	if p.name == "" {
		return goIn(source, parts), true
	}
	start, ok := p.goStart(source)
	switch {
	case !ok || pos < start || pos <= p.args:
		return "", false
	case p.first:
		return blank(source[:start]) + source[start:], true
	}
	text = goIn(source, parts)
	return text[:start] + source[start:p.end] + text[p.end:], true
}

// goIn returns the Go of a cell that defines names for its other lines, with blanks in the place of all else.
func goIn(source string, parts []part) string {
	if parts == nil {
		return source
	}
	measured := func(p part) bool { return p.name == "%timeit" } // which leaves no names
	text := goOf(source, slices.DeleteFunc(slices.Clone(parts), measured))
	return text + blank(source[len(text):])
}

// goOf returns all Go of a cell, at its place: the parts that are Go, and the arguments that are.
func goOf(source string, parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		start := p.start
		if p.name != "" {
			var ok bool
			if start, ok = p.goStart(source); !ok || p.first {
				continue
			}
		}
		b.WriteString(blank(source[b.Len():start]))
		b.WriteString(source[start:p.end])
	}
	return b.String()
}
