package split

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A Completeness says whether a text is a whole cell.
type Completeness int

// The outcomes of Completes.
const (
	Whole   Completeness = iota // the text parses, or no further line can change its error
	Partial                     // a further line may complete it
	Broken                      // no further line can complete it
)

// indentUnit is one level of indentation, as gofmt writes it.
const indentUnit = "\t"

// Completes says whether src is a whole cell, and, where it is not, with what the next line should begin: one tab for each
// open brace or parenthesis.
func Completes(src string) (c Completeness, indent string) {
	toks := scan(src)
	open, stray := unbalanced(toks)
	if stray != nil {
		return Broken, ""
	}
	if rawStringOpen(src) || commentOpen(src) {
		return Partial, ""
	}
	if len(open) > 0 {
		return Partial, strings.Repeat(indentUnit, len(open))
	}
	if len(toks) > 0 && continues(toks[len(toks)-1]) {
		return Partial, indentUnit
	}
	if _, errs := Parse(token.NewFileSet(), 0, src); len(errs) > 0 {
		return Broken, ""
	}
	return Whole, ""
}

// continues reports whether a text that ends in t needs more: a binary operator, a comma, a dot, an assignment, or a
// keyword that begins something. After these Go inserts no semicolon.
func continues(t lexeme) bool {
	switch t.tok {
	case token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE, token.INC, token.DEC, token.ILLEGAL,
		token.BREAK, token.CONTINUE, token.RETURN, token.FALLTHROUGH:
		return false
	case token.COMMA, token.PERIOD, token.COLON, token.ASSIGN, token.DEFINE, token.ARROW, token.NOT, token.TILDE, token.ELLIPSIS:
		return true
	}
	return t.tok.IsOperator() || t.tok.IsKeyword()
}

// rawStringOpen reports whether src ends inside a back-quoted string.
func rawStringOpen(src string) bool { return lexicalError(src, "raw string literal not terminated") }

// commentOpen reports whether src ends inside a general comment.
func commentOpen(src string) bool { return lexicalError(src, "comment not terminated") }

// lexicalError reports whether go/scanner's last word on src is the given one.
func lexicalError(src, text string) bool {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	last := ""
	s.Init(file, []byte(src), func(_ token.Position, msg string) { last = msg }, 0)
	for tok := token.ILLEGAL; tok != token.EOF; {
		_, tok, _ = s.Scan()
	}
	return last == text
}
