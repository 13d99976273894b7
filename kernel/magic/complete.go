package magic

import (
	"slices"
	"strings"

	"orthant/kernel/session"
)

// Complete returns what may stand at the cursor, see [session.Session.Complete]: behind a % the names of magics, behind a
// magic what it takes, files in a command and in a string of Go, and Go in Go.
func (i *Interpreter) Complete(source string, pos int) session.Completion {
	pos = max(0, min(pos, len(source)))
	p, parts := i.at(source, pos)
	if text, ok := goAround(source, pos, p, parts); ok {
		if p.first {
			return i.Complete(text, pos)
		}
		if c := i.Session.Complete(text, pos); len(c.Matches) > 0 {
			return c
		}
		return filesInString(text, pos)
	}
	m, err := find(p)
	switch {
	case pos > p.end && p.name == "%%sh":
		return files(source, pos, strings.LastIndexByte(source[:pos], '\n')+1)
	case pos > p.end, pos < p.args && p.name == "!": // in what a cell magic takes, or in front of a command
		return none(pos)
	case pos <= p.args && p.name != "!":
		return names(source, p, pos)
	case err != nil:
		return none(pos)
	case m.file:
		return files(source, pos, p.args)
	case m.complete != nil:
		start, _ := word(source, pos, p.args)
		typed := source[start:pos]
		c := session.Completion{Start: start, End: pos}
		for _, text := range m.complete(i, typed) {
			if strings.HasPrefix(text, typed) {
				c.Matches = append(c.Matches, session.Match{Text: text, Kind: "instance"})
			}
		}
		return chosen(c)
	}
	return none(pos)
}

// at returns the part that an offset is in, and all parts; none where there are no magics.
func (i *Interpreter) at(source string, pos int) (part, []part) {
	parts, _ := split(source, i.Kind) // what is wrong is said when the cell runs
	for _, p := range parts {         // the end of a magic's line is also where the next part begins
		if p.start <= pos && (pos <= p.end || p.first) {
			return p, parts
		}
	}
	return part{}, parts
}

func none(pos int) session.Completion { return session.Completion{Start: pos, End: pos} }

// chosen is what a completion without matches is: nothing, at the cursor.
func chosen(c session.Completion) session.Completion {
	if len(c.Matches) == 0 {
		return none(c.End)
	}
	return c
}

// names completes the name of a magic. Where both forms are possible, the one that is begun.
func names(source string, p part, pos int) session.Completion {
	typed := source[p.start:pos]
	c := session.Completion{Start: p.start, End: p.args}
	for _, m := range table() {
		for _, prefix := range []string{"%", "%%"} {
			text := prefix + m.name
			possible := m.has(prefix) && (prefix == "%" || mayBeFirst(source, p))
			if possible && strings.HasPrefix(text, typed) {
				c.Matches = append(c.Matches, session.Match{Text: text, Kind: "magic", Signature: m.short})
			}
		}
	}
	slices.SortFunc(c.Matches, func(a, b session.Match) int { return strings.Compare(a.Text, b.Text) })
	if len(c.Matches) == 0 {
		return none(pos)
	}
	return c
}

// mayBeFirst reports whether nothing is in front of a magic.
func mayBeFirst(source string, p part) bool { return strings.TrimSpace(source[:p.start]) == "" }
