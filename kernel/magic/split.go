package magic

import (
	"go/scanner"
	"go/token"
	"iter"
	"strings"
	"unicode"
)

// A part is Go, a magic or a command of a cell: cell[start:end] is all of it, but for what follows the line of a cell magic.
type part struct {
	start, end int
	line       int    // of the cell, from 1
	name       string // of the magic, with its % or %%; ! for a command; empty for Go
	args       int    // where what is behind the name begins
	first      bool   // it is the cell's first, and takes all of it
}

// A mistake is what is wrong in a line of a cell.
type mistake struct {
	line int
	text string
}

// split cuts a cell into parts; there are none where the cell has no magics. kind says what a name means to the session,
// see session.Kind.
func split(source string, kind func(string) string) ([]part, *mistake) {
	if p, ok := cellMagic(source); ok {
		return []part{p}, nil
	}
	c := cutter{source: source, kind: kind, mentioned: map[string]bool{}}
	c.cut()
	if c.wrong == nil && len(c.parts) > 0 {
		c.goUntil(len(source))
	}
	return c.parts, c.wrong
}

// cellMagic returns the line of a cell magic.
func cellMagic(source string) (part, bool) {
	start := len(source) - len(strings.TrimLeft(source, " \t\r\n\uFEFF"))
	if !strings.HasPrefix(source[start:], "%%") {
		return part{}, false
	}
	end := lineEnd(source, start)
	line := 1 + strings.Count(source[:start], "\n")
	args := start + len("%%") + nameLength(source[start+len("%%"):end])
	return part{start: start, end: end, line: line, name: source[start:args], args: args, first: true}, true
}

// A cutter cuts a cell into parts.
type cutter struct {
	source    string
	kind      func(string) string
	parts     []part
	wrong     *mistake
	at        int             // where the part begins that is not cut yet
	mentioned map[string]bool // names of the Go lines so far
	importing bool            // what was scanned last may be an import
}

// cut finds the magics, one after the other. Behind one the scanner begins anew: what is in its line need not be tokens of Go.
func (c *cutter) cut() {
	for from := 0; from < len(c.source) && c.wrong == nil; {
		start, ok := c.next(from)
		if !ok {
			return
		}
		p := part{start: start, end: lineEnd(c.source, start), line: 1 + strings.Count(c.source[:start], "\n")}
		if c.source[start] == '!' {
			p.name, p.args = "!", start+1
			for p.end < len(c.source) && strings.HasSuffix(strings.TrimSuffix(c.source[:p.end], "\r"), `\`) {
				p.end = lineEnd(c.source, p.end+1)
			}
		} else {
			n := 1
			if strings.HasPrefix(c.source[start:], "%%") {
				n = 2
			}
			p.args = start + n + nameLength(c.source[start+n:p.end])
			p.name = c.source[start:p.args]
			if m, err := find(p); err == nil && m.takesGo && strings.TrimSpace(c.source[p.args:p.end]) != "" {
				p.end = c.statementEnd(p.args)
				for _, t := range tokens(c.source[:p.end], p.args) {
					c.mention(token.ILLEGAL, t)
				}
			}
		}
		c.goUntil(start)
		c.parts = append(c.parts, p)
		c.at = p.end
		from = p.end
	}
}

// goUntil makes a part of what is not cut up to end, if there is Go in it.
func (c *cutter) goUntil(end int) {
	if start, ok := firstToken(c.source[c.at:end]); ok {
		line := 1 + strings.Count(c.source[:c.at+start], "\n")
		c.parts = append(c.parts, part{start: c.at, end: end, line: line})
	}
	c.at = end
}

// next returns where the next magic begins, at or behind from, which is not inside a statement.
func (c *cutter) next(from int) (start int, ok bool) {
	var prev token.Token // ILLEGAL at first
	depth, skip := 0, from
	for at, t := range tokens(c.source, from) {
		tok := t.tok
		if tok == token.ILLEGAL {
			continue // Go says so when the cell runs
		}
		switch {
		case at < skip: // inside of what is known to be Go
		case depth == 0 && begins(prev) && beginsLine(c.source, at) && c.source[at] == '%':
			return at, true
		case depth == 0 && begins(prev) && beginsLine(c.source, at) && c.source[at] == '!':
			end := c.statementEnd(at)
			if !c.negation(c.source[at:end]) {
				return at, true
			}
			skip = end
		case tok == token.REM && !endsOperand(prev) && nameLength(c.source[at+1:]) > 0:
			name := c.source[at : at+1+nameLength(c.source[at+1:])]
			text := name + " cannot stand here: a magic has a line of its own, outside of all brackets"
			c.wrong = &mistake{1 + strings.Count(c.source[:at], "\n"), text}
			return 0, false
		}
		c.mention(prev, t)
		depth = max(0, depth+nesting(tok)) // what closes nothing is Go's to say
		prev = tok
	}
	return 0, false
}

// mention notes the name that a token is, or the package that a string may be the path of.
func (c *cutter) mention(prev token.Token, t lexeme) {
	switch tok, lit := t.tok, t.lit; {
	case tok == token.IDENT && prev != token.PERIOD:
		c.mentioned[lit] = true
	case tok == token.STRING && c.importing:
		c.mentioned[strings.Trim(lit[strings.LastIndexByte(lit, '/')+1:], "\"`")] = true
	case tok == token.IMPORT:
		c.importing = true
	case tok != token.STRING && tok != token.LPAREN && tok != token.SEMICOLON && tok != token.IDENT && tok != token.PERIOD:
		c.importing = false
	}
}

// statementEnd returns the end of the last line of the statement that begins at start.
func (c *cutter) statementEnd(start int) int {
	depth := 0
	for at, t := range tokens(c.source, start) {
		depth += nesting(t.tok)
		if t.tok == token.SEMICOLON && depth <= 0 {
			return lineEnd(c.source, at)
		}
	}
	return len(c.source)
}

// nesting returns by how much a token changes the depth of brackets.
func nesting(tok token.Token) int {
	switch tok {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		return 1
	case token.RPAREN, token.RBRACK, token.RBRACE:
		return -1
	}
	return 0
}

// begins reports whether what follows a token begins a statement.
func begins(prev token.Token) bool { return prev == token.ILLEGAL || prev == token.SEMICOLON }

// endsOperand reports whether an operator may follow a token.
func endsOperand(prev token.Token) bool {
	return prev.IsLiteral() || prev == token.RPAREN || prev == token.RBRACK || prev == token.RBRACE
}

// beginsLine reports whether nothing but white space is in front of an offset in its line.
func beginsLine(source string, at int) bool {
	head := strings.TrimPrefix(source[strings.LastIndexByte(source[:at], '\n')+1:at], "\uFEFF")
	return strings.Trim(head, " \t") == ""
}

// lineEnd returns the end of the line that an offset is in, the newline not included.
func lineEnd(source string, at int) int {
	if n := strings.IndexByte(source[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(source)
}

// nameLength returns the length of the name that text begins with.
func nameLength(text string) int {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(text)
}

// A lexeme is a token with its text.
type lexeme struct {
	tok token.Token
	lit string
}

// tokens yields the tokens of source from an offset on, comments excluded, with their offsets.
func tokens(source string, from int) iter.Seq2[int, lexeme] {
	return func(yield func(int, lexeme) bool) {
		fset := token.NewFileSet()
		file := fset.AddFile("", fset.Base(), len(source)-from)
		var s scanner.Scanner
		s.Init(file, []byte(source[from:]), func(token.Position, string) {}, 0)
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF || !yield(from+file.Offset(pos), lexeme{tok, lit}) {
				return
			}
		}
	}
}

// firstToken returns the offset of the first token of a text.
func firstToken(text string) (at int, ok bool) {
	for at := range tokens(text, 0) {
		return at, true
	}
	return 0, false
}

// blank returns a text with all but its newlines replaced by spaces, byte for byte.
func blank(text string) string {
	b := []byte(text)
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}
