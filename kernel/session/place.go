package session

import "go/token"

// What may stand at a position, by the tokens in front of it. The parser cannot tell: it gives up on what is unfinished, and
// what is being typed always is.

// A place is a position in a text, by what stands in front of it.
type place struct {
	source string
	before []lexeme // comments left out
	open   []int    // the brackets that are open, as indices into before, outermost first
}

// placeAt returns the place at an offset that lies in no string and no comment.
func placeAt(source string, toks []lexeme, offset int) place {
	p := place{source: source}
	for _, t := range toks {
		// A semicolon that nobody wrote is where its line ends: behind the place, if that is there.
		if t.end > offset || t.start == offset {
			break
		}
		if t.tok != token.COMMENT {
			p.before = append(p.before, t)
		}
	}
	p.open = openBrackets(p.before)
	return p
}

// openBrackets returns the indices of the brackets that are not closed.
func openBrackets(toks []lexeme) []int {
	var open []int
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, i)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	return open
}

// upTo returns the place in front of the token with index i.
func (p place) upTo(i int) place {
	return place{source: p.source, before: p.before[:i], open: openBrackets(p.before[:i])}
}

// tok returns the kind of a token, ILLEGAL in front of the first.
func (p place) tok(i int) token.Token {
	if i < 0 {
		return token.ILLEGAL
	}
	return p.before[i].tok
}

// opening returns the index of the bracket that the token with index i closes, -1 where there is none.
func (p place) opening(i int) int {
	depth := 0
	for ; i >= 0; i-- {
		switch p.tok(i) {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth++
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// behindDot reports whether the place is that of a member: behind a selector's dot.
func (p place) behindDot() bool { return p.tok(len(p.before)-1) == token.PERIOD }

// operand returns the place of what stands in front of the selector's dot, where that is one name.
func (p place) operand() place {
	if i := len(p.before) - 2; p.tok(i) == token.IDENT {
		return p.upTo(i)
	}
	return place{}
}

// inside returns the index of the innermost open bracket, -1 outside all.
func (p place) inside() int {
	if n := len(p.open); n > 0 {
		return p.open[n-1]
	}
	return -1
}

// back returns the index of the last token in front of i on the level of i for which stop holds; -1 where there is none
// before the bracket around it, or before the beginning of the line's statement.
func (p place) back(i int, stop func(token.Token) bool) int {
	for i--; i >= 0; i-- {
		switch tok := p.tok(i); {
		case stop(tok):
			return i
		case tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE:
			if i = p.opening(i); i < 0 {
				return -1
			}
		case tok == token.LPAREN || tok == token.LBRACK || tok == token.LBRACE || p.automatic(i):
			return -1
		}
	}
	return -1
}

// automatic reports whether a token is a semicolon that nobody wrote.
func (p place) automatic(i int) bool {
	return p.tok(i) == token.SEMICOLON && p.before[i].start == p.before[i].end
}

// opener returns what the brace with index i belongs to: STRUCT, INTERFACE, SELECT, SWITCH, FOR, IF, ELSE or FUNC, LBRACE for a
// block of its own, and ILLEGAL for a literal.
func (p place) opener(i int) token.Token {
	switch prev := p.tok(i - 1); prev {
	case token.STRUCT, token.INTERFACE, token.SELECT, token.ELSE:
		return prev
	case token.ILLEGAL, token.SEMICOLON, token.COLON:
		if p.inLiteral(i - 1) {
			return token.ILLEGAL // {a: {
		}
		return token.LBRACE
	case token.LBRACE:
		return p.innerBrace(i - 1)
	case token.COMMA, token.LPAREN, token.LBRACK:
		return token.ILLEGAL
	case token.IDENT: // []T{ may stand in a header
		j := i - 2
		if p.tok(j) == token.PERIOD && p.tok(j-1) == token.IDENT {
			j -= 2
		}
		if p.tok(j) == token.RBRACK {
			return token.ILLEGAL
		}
	}
	return p.header(i)
}

// innerBrace is opener for a brace that follows the brace with index i.
func (p place) innerBrace(i int) token.Token {
	if p.opener(i) == token.ILLEGAL {
		return token.ILLEGAL
	}
	return token.LBRACE
}

// header is opener for a brace that ends a header or a literal's type.
func (p place) header(i int) token.Token {
	j := p.back(i, func(tok token.Token) bool {
		return tok == token.IF || tok == token.FOR || tok == token.SWITCH || tok == token.SELECT || tok == token.FUNC
	})
	if j < 0 {
		return token.ILLEGAL
	}
	return p.tok(j)
}

// inLiteral reports whether the token with index i stands directly in a composite literal.
func (p place) inLiteral(i int) bool {
	open := openBrackets(p.before[:max(0, i)])
	n := len(open)
	return n > 0 && p.tok(open[n-1]) == token.LBRACE && p.opener(open[n-1]) == token.ILLEGAL
}

// inHeader reports whether the place lies in the header of a for, if or switch whose block has not begun.
func (p place) inHeader() bool {
	switch p.header(len(p.before)) {
	case token.IF, token.FOR, token.SWITCH:
		return true
	}
	return false
}

// signature reports whether the parenthesis with index i opens the receiver, parameters or results of a function.
func (p place) signature(i int) bool {
	switch j := i - 1; p.tok(j) {
	case token.FUNC:
		return true
	case token.IDENT:
		switch p.tok(j - 1) {
		case token.FUNC:
			return true
		case token.RPAREN: // func (r T) m(
			return p.tok(p.opening(j-1)-1) == token.FUNC
		case token.LBRACE, token.SEMICOLON:
			return p.inBody(j, token.INTERFACE)
		}
	case token.RPAREN:
		open := p.opening(j)
		return open >= 0 && p.signature(open)
	case token.RBRACK:
		open := p.opening(j)
		return p.tok(open-1) == token.IDENT && p.tok(open-2) == token.FUNC
	}
	return false
}

// inBody reports whether the token with index i stands directly in the braces that belong to what.
func (p place) inBody(i int, what token.Token) bool {
	open := openBrackets(p.before[:i])
	n := len(open)
	return n > 0 && p.tok(open[n-1]) == token.LBRACE && p.opener(open[n-1]) == what
}

// group returns what the parenthesis with index i groups, IMPORT, CONST, VAR or TYPE; ILLEGAL where it groups none.
func (p place) group(i int) token.Token {
	if p.tok(i) == token.LPAREN {
		switch tok := p.tok(i - 1); tok {
		case token.IMPORT, token.CONST, token.VAR, token.TYPE:
			return tok
		}
	}
	return token.ILLEGAL
}

// typeParameters reports whether the bracket with index i opens the type parameters of a function or type.
func (p place) typeParameters(i int) bool {
	if i < 0 || p.tok(i) != token.LBRACK || p.tok(i-1) != token.IDENT {
		return false
	}
	switch prev := p.tok(i - 2); prev {
	case token.FUNC, token.TYPE:
		return true
	case token.LPAREN, token.SEMICOLON:
		open := openBrackets(p.before[:i-1])
		return len(open) > 0 && p.group(open[len(open)-1]) == token.TYPE
	}
	return false
}
