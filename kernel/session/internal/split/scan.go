package split

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A lexeme is a token of the cell with its byte offset. Comments are not among them.
type lexeme struct {
	tok    token.Token
	lit    string
	offset int
}

// automatic reports whether t is a semicolon that nobody wrote.
func (t lexeme) automatic() bool { return t.tok == token.SEMICOLON && t.lit == "\n" }

// end returns the byte offset behind t.
func (t lexeme) end() int {
	switch {
	case t.automatic():
		return t.offset
	case t.lit != "":
		return t.offset + len(t.lit)
	}
	return t.offset + len(t.tok.String())
}

// A span is a piece of the text: text[start:end].
type span struct{ start, end int }

// A failure is an error and its byte offset in the cell.
type failure struct {
	offset int
	msg    string
}

// A text is a cell's text and its tokens.
type text struct {
	src      string
	toks     []lexeme // automatic semicolons included
	comments []span
	lexical  []failure // what go/scanner refuses
	brackets brackets
	user     string // the name of the cell that the text is parsed for, where that is another one
}

// byteOrderMark may begin a Go file, and so a cell that was copied from one.
const byteOrderMark = "\uFEFF"

// scan finds the tokens of src.
func scan(src string) *text {
	t := &text{src: src}
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	note := func(at token.Position, msg string) { t.lexical = append(t.lexical, failure{at.Offset, msg}) }
	var s scanner.Scanner
	s.Init(file, []byte(src), note, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			t.brackets = match(t)
			return t
		case token.COMMENT:
			// The literal has no carriage returns, the text has.
			t.comments = append(t.comments, span{file.Offset(pos), commentEnd(src, file.Offset(pos))})
		default:
			t.toks = append(t.toks, lexeme{tok, lit, file.Offset(pos)})
		}
	}
}

// commentEnd returns the end of the comment that begins at start.
func commentEnd(src string, start int) int {
	mark, keep := "\n", 0
	if strings.HasPrefix(src[start:], "/*") {
		mark, keep = "*/", len("*/")
	}
	const opener = 2
	if i := strings.Index(src[start+opener:], mark); i >= 0 {
		return start + opener + i + keep
	}
	return len(src)
}

// plain returns the text as go/parser may see it, byte for byte in its place: without a byte order mark, which may only
// begin a file, and without line directives, which would move the positions of the cell.
func (t *text) plain() string {
	b := []byte(t.src)
	if strings.HasPrefix(t.src, byteOrderMark) {
		copy(b, "   ")
	}
	for _, c := range t.comments {
		if body := t.src[c.start+len("//"):]; strings.HasPrefix(body, "line ") {
			b[c.start+len("//")] = ' '
		}
	}
	return string(b)
}

// last returns the last token that was written, false where there is none.
func (t *text) last() (lexeme, bool) {
	for i := len(t.toks) - 1; i >= 0; i-- {
		if !t.toks[i].automatic() {
			return t.toks[i], true
		}
	}
	return lexeme{}, false
}

// unfinished reports whether the text ends where Go inserts no semicolon: after an operator, a comma, a keyword that
// begins something, an opening bracket.
func (t *text) unfinished() bool {
	return len(t.toks) > 0 && t.toks[len(t.toks)-1].tok != token.SEMICOLON
}

// muted reports whether the last token is a semicolon that was written.
func (t *text) muted() bool {
	last, ok := t.last()
	return ok && last.tok == token.SEMICOLON
}

// position returns the line and the column in bytes, both from 1, of a byte offset.
func (t *text) position(number, offset int) token.Position {
	before := t.src[:offset]
	return token.Position{
		Filename: FileName(number),
		Offset:   offset,
		Line:     1 + strings.Count(before, "\n"),
		Column:   offset - strings.LastIndexByte(before, '\n'),
	}
}
