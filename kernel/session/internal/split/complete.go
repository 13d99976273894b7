package split

import (
	"go/token"
	"strings"
)

// A Completeness says whether a text is a whole cell.
type Completeness int

// The outcomes of Completes.
const (
	Whole   Completeness = iota // the text parses
	Partial                     // further lines may make it parse
	Broken                      // no further line can, as people write them
)

// indentUnit is one level of indentation, as gofmt writes it.
const indentUnit = "\t"

// What an unfinished text lacks: an operand, type or name; behind a comma also what makes a list of names a statement.
const (
	operand  = "\n_ "
	operands = "\n_ = _ "
)

// Completes says whether src is a whole cell, and, where further lines are needed, with what the next one should begin:
// gofmt's indentation.
//
// A text is broken where the parser stumbles over something that stands in it, and partial where it only misses
// something behind its end. A header of if, for or switch without its block is broken, although the end of a line may stand
// for a semicolon in it: nobody writes it so, and who forgot the brace wants to be told. A bracket that is open at the end of a
// line is the latter even where Go wants a comma first, because terminals let one go back and write it.
func Completes(src string) (c Completeness, indent string) {
	t := scan(src)
	if t.insideToken() {
		return Partial, "" // indentation would become part of the string or comment
	}
	if len(t.lexical) > 0 || t.brackets.stray != nil {
		return Broken, ""
	}
	last, ok := t.last()
	if !ok {
		return Whole, ""
	}
	filler := "\n"
	switch {
	case last.tok == token.COMMA:
		filler = operands
	case t.unfinished() && closers[last.tok] == 0, t.muted():
		filler = operand
	}
	_, failures := t.files(token.NewFileSet(), 0, 0, filler+t.brackets.closing())
	switch {
	case len(upTo(failures, last.offset)) > 0:
		return Broken, ""
	case t.unfinished() || len(t.brackets.open) > 0:
		return Partial, strings.Repeat(indentUnit, t.brackets.depth()+t.hanging(last))
	}
	if _, failures = t.parse(token.NewFileSet(), 0); len(failures) == 0 {
		return Whole, ""
	}
	if t.muted() {
		return Partial, indentUnit // a header: for i := 0;
	}
	return Broken, ""
}

// insideToken reports whether a text ends inside a back-quoted string or a general comment, and is well up to there.
func (t *text) insideToken() bool {
	if len(t.lexical) != 1 {
		return false
	}
	msg := t.lexical[0].msg
	return msg == "raw string literal not terminated" || msg == "comment not terminated"
}

// hanging is 1 where the next line continues an expression, which gofmt indents, -1 where it begins with a case, which stands
// below its switch, and else 0.
func (t *text) hanging(last lexeme) int {
	if t.awaitsCase() {
		return -1
	}
	if !t.unfinished() {
		return 0
	}
	open := t.brackets.open
	if n := len(open); n > 0 && (last.tok == token.COMMA || !strings.Contains(t.src[open[n-1].offset:last.offset], "\n")) {
		return 0 // the bracket indents the line already
	}
	if last.tok == token.COLON || last.tok == token.ELSE {
		return 0
	}
	return 1
}
