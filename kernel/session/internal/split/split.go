package split

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
)

// A kind is what a chunk of a cell is.
type kind int

const (
	statement   kind = iota // anything that may stand in a function body, var included
	clause                  // the package clause
	imports                 //
	declaration             // const, type, and func with a name
)

// A chunk is a piece of a cell's text with the comments around it.
type chunk struct {
	kind kind
	span
}

// chunks cuts a text at the semicolons outside all brackets, and joins neighbouring statements. A comment goes with what
// stands in front of it on the same line, any other with what follows.
//
// The semicolons of a for, if or switch header also stand outside brackets. They do no harm: a piece of a header never
// begins with import, const, type, package or a named func, so it stays part of the statements.
func (t *text) chunks() []chunk {
	var out []chunk
	depth, first, start := 0, 0, 0
	end := func(next, to int) { // the chunk toks[first:next] is whole
		c := chunk{t.kindOf(first, next), span{start, to}}
		if n := len(out); n > 0 && c.kind == statement && out[n-1].kind == statement {
			out[n-1].end = c.end
		} else {
			out = append(out, c)
		}
		first, start = next, to
	}
	for i, tok := range t.toks {
		switch tok.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			if depth == 0 {
				end(i+1, t.lineRest(tok.end()))
			}
		}
	}
	if first < len(t.toks) {
		end(len(t.toks), len(t.src))
	}
	return out
}

// lineRest returns the end of the comments that follow offset on its line. The offset may lie in a comment: where one that
// spans lines ends a statement, the automatic semicolon is its first newline.
func (t *text) lineRest(offset int) int {
	end := offset
	for _, c := range t.comments {
		if c.end <= end {
			continue
		}
		if c.start > end && !blankLine(t.src[end:c.start]) {
			break
		}
		end = c.end
	}
	return end
}

// blankLine reports whether s is white space without a newline.
func blankLine(s string) bool {
	for _, r := range s {
		if r != ' ' && r != '\t' && r != '\r' {
			return false
		}
	}
	return true
}

// kindOf classifies the chunk toks[first:next] by its first tokens. A package clause comes first in a cell or not at all.
func (t *text) kindOf(first, next int) kind {
	toks := t.toks[first:next]
	switch toks[0].tok {
	case token.PACKAGE:
		if first == 0 {
			return clause
		}
	case token.IMPORT:
		return imports
	case token.CONST, token.TYPE:
		return declaration
	case token.FUNC:
		if namedFunc(toks) {
			return declaration
		}
	}
	return statement
}

// namedFunc tells `func f(` and `func (r T) m(` from a function literal that begins a statement. After the first
// parentheses a method has a name and an opening parenthesis; a literal has a result type or its body.
func namedFunc(toks []lexeme) bool {
	if len(toks) > 1 && toks[1].tok == token.IDENT {
		return true
	}
	depth := 0
	for i, t := range toks[1:] {
		switch t.tok {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			if depth--; depth == 0 {
				rest := toks[i+2:]
				return len(rest) > 1 && rest[0].tok == token.IDENT && rest[1].tok == token.LPAREN
			}
		}
	}
	return false
}

// The names of cells, and of files that run as cells, in front of their numbers.
const (
	cellPrefix = "cell "
	filePrefix = "file#"
)

// FileName is the name under which the positions of a cell appear. What is not a cell has number 0; files that run as cells
// have the numbers below.
func FileName(number int) string {
	switch subshell := number / ofSubshell; {
	case number == 0:
		return "expression"
	case number < 0:
		return filePrefix + strconv.Itoa(-number)
	case subshell > 0:
		return fmt.Sprintf("cell %d%s%d", number%ofSubshell, subshellName, subshell)
	}
	return cellPrefix + strconv.Itoa(number)
}

// A cell of a subshell has a number that tells it from those of other shells, which count from 1, too.
const (
	ofSubshell   = 1 << 24 // more than cells are run in one
	subshellName = " of subshell "
)

// Number returns the number by which the session knows the count-th cell of a subshell; 0 is the main shell. A count of 0 is
// that of a cell without a number.
func Number(subshell, count int) int {
	if count == 0 {
		return 0
	}
	return subshell*ofSubshell + count
}

// Place returns the name of the cell that the file of a position belongs to, as FileName has given it: the text that was
// parsed, see ParseFor.
func Place(file string) string {
	name, _, _ := strings.Cut(file, "/")
	return name
}

// FileNumber returns the number of the cell that FileName has named so; false where it was none.
func FileNumber(name string) (number int, ok bool) {
	sign := 1
	digits, ok := strings.CutPrefix(Place(name), cellPrefix)
	if !ok {
		digits, ok = strings.CutPrefix(Place(name), filePrefix)
		sign = -1
	}
	if !ok {
		return 0, false
	}
	digits, of, inSubshell := strings.Cut(digits, subshellName)
	number, err := strconv.Atoi(digits)
	if err != nil || !inSubshell {
		return sign * number, err == nil
	}
	subshell, err := strconv.Atoi(of)
	return Number(subshell, number), err == nil
}
