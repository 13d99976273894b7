package split

import (
	"fmt"
	"go/scanner"
	"go/token"
)

// A kind is what a chunk of a cell is.
type kind int

const (
	statement kind = iota // anything that may stand in a function body, var included
	clause                // the package clause
	imports
	declaration // const, type, and func with a name
)

// A chunk is a piece of a cell's text: source[start:end].
type chunk struct {
	kind       kind
	start, end int
}

// A lexeme is a token of the cell with its byte offset. Comments are not among them.
type lexeme struct {
	tok    token.Token
	lit    string
	offset int
}

// scan returns the tokens of src, automatic semicolons included. Lexical errors are left to the parser, which meets the
// same text.
func scan(src string) []lexeme {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	var out []lexeme
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		out = append(out, lexeme{tok, lit, file.Offset(pos)})
	}
}

// chunks cuts src at the semicolons outside all brackets, and joins neighbouring statements.
//
// The semicolons of a for, if or switch header also stand outside brackets. They do no harm: a piece of a header never
// begins with import, const, type, package or a named func, so it stays part of the statements.
func chunks(src string, toks []lexeme) []chunk {
	var out []chunk
	depth, first := 0, 0
	end := func(next int) { // the chunk toks[first:next] is whole
		if first >= next {
			return
		}
		c := chunk{kindOf(toks[first:next]), toks[first].offset, len(src)}
		if next < len(toks) {
			c.end = toks[next].offset
		}
		if n := len(out); n > 0 && c.kind == statement && out[n-1].kind == statement {
			out[n-1].end = c.end
		} else {
			out = append(out, c)
		}
		first = next
	}
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			if depth == 0 {
				end(i + 1)
			}
		}
	}
	end(len(toks))
	return out
}

// kindOf classifies a chunk by its first tokens.
func kindOf(toks []lexeme) kind {
	switch toks[0].tok {
	case token.PACKAGE:
		return clause
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

// An Open is a bracket that is not closed.
type Open struct {
	Token  token.Token // LPAREN, LBRACK or LBRACE
	Offset int
}

// unbalanced returns the brackets that src leaves open, outermost first, and the first closing bracket that closes
// nothing or the wrong bracket.
func unbalanced(toks []lexeme) (open []Open, stray *lexeme) {
	closes := map[token.Token]token.Token{token.RPAREN: token.LPAREN, token.RBRACK: token.LBRACK, token.RBRACE: token.LBRACE}
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, Open{t.tok, t.offset})
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 || open[len(open)-1].Token != closes[t.tok] {
				return open, &toks[i]
			}
			open = open[:len(open)-1]
		}
	}
	return open, nil
}

// closer is the text that closes an open bracket.
func closer(t token.Token) string {
	switch t {
	case token.LPAREN:
		return ")"
	case token.LBRACK:
		return "]"
	}
	return "}"
}

// FileName is the name under which a cell's positions appear.
func FileName(number int) string { return fmt.Sprintf("cell %d", number) }
