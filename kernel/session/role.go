package session

import "go/token"

// A role is what may stand at a position.
type role int

const (
	nothing    role = iota // a name is being defined, or an operand has just ended
	statement              // the beginning of a statement
	expression             // an operand
	typeName               // a type
	label                  // the target of goto, break or continue
)

// role says what may stand at the place.
func (p place) role() role {
	last := len(p.before) - 1
	in := p.inside()
	switch prev := p.tok(last); prev {
	case token.GOTO, token.BREAK, token.CONTINUE:
		return label
	case token.ILLEGAL, token.SEMICOLON, token.LBRACE, token.COLON:
		return p.beginning(last, in)
	case token.CASE:
		return p.caseRole(in)
	case token.IDENT:
		return p.afterName(last, in)
	case token.RPAREN:
		if open := p.opening(last); open >= 0 && p.signature(open) && p.tok(open-1) != token.RPAREN && !p.receiver(open) {
			return typeName // a result
		}
		return nothing
	case token.RBRACK:
		return p.afterBracket(last)
	case token.LPAREN, token.COMMA:
		return p.element(last, in)
	case token.LBRACK:
		if p.typeParameters(last) && p.tok(last-2) == token.FUNC {
			return nothing
		} else if p.tok(last-1) == token.MAP {
			return typeName
		}
		return expression
	case token.MUL:
		if p.upTo(last).role() == typeName {
			return typeName
		}
		return expression
	case token.ARROW:
		if p.tok(last-1) == token.CHAN {
			return typeName
		}
		return expression
	case token.ELLIPSIS, token.CHAN, token.TILDE:
		return typeName
	case token.OR:
		if in >= 0 && (p.typeParameters(in) || p.tok(in) == token.LBRACE && p.opener(in) == token.INTERFACE) {
			return typeName
		}
		return expression
	case token.ASSIGN:
		if p.tok(last-1) == token.IDENT && (p.tok(last-2) == token.TYPE || p.group(in) == token.TYPE) {
			return typeName
		}
		return expression
	case token.RETURN, token.IF, token.FOR, token.SWITCH, token.GO, token.DEFER, token.RANGE:
		return expression
	default:
		if prev.IsOperator() && prev != token.RBRACE && prev != token.INC && prev != token.DEC && prev != token.PERIOD {
			return expression
		}
		return nothing // literals, and keywords that a name or bracket must follow
	}
}

// receiver reports whether the parenthesis with index i opens a method's receiver. A function literal's parameters look the
// same; they are told by where the literal begins.
func (p place) receiver(i int) bool {
	return p.tok(i-1) == token.FUNC && len(openBrackets(p.before[:i-1])) == 0 && (i < 2 || p.tok(i-2) == token.SEMICOLON)
}

// beginning is role behind what may begin a statement: the token with index last, in the bracket with index in.
func (p place) beginning(last, in int) role {
	switch p.tok(in) {
	case token.LPAREN:
		return nothing // a group
	case token.LBRACK:
		return expression // a slice
	case token.LBRACE:
		switch opener := p.opener(in); opener {
		case token.STRUCT, token.INTERFACE:
			return typeName // an embedded one
		case token.SWITCH, token.SELECT:
			if last == in {
				return nothing // a case
			}
		case token.ILLEGAL:
			return expression
		}
	}
	if p.tok(last) == token.SEMICOLON && !p.automatic(last) && p.inHeader() {
		return expression
	}
	return statement
}

// caseRole is role in the list of a case, in the brace with index in.
func (p place) caseRole(in int) role {
	if p.typeSwitch(in) {
		return typeName
	}
	return expression
}

// typeSwitch reports whether the brace with index i belongs to a switch over types.
func (p place) typeSwitch(i int) bool {
	return i > 4 && p.tok(i-1) == token.RPAREN && p.tok(i-2) == token.TYPE && p.tok(i-3) == token.LPAREN && p.tok(i-4) == token.PERIOD
}

// afterName is role behind the name with index last: a type, where the name is one of a declaration.
func (p place) afterName(last, in int) role {
	if in >= 0 && (in == last-1 || p.tok(last-1) == token.COMMA) && (p.tok(in) == token.LPAREN && p.signature(in) || p.typeParameters(in)) {
		return typeName
	}
	first := last // of a list of names
	for p.tok(first-1) == token.COMMA && p.tok(first-2) == token.IDENT {
		first -= 2
	}
	switch prev := p.tok(first - 1); prev {
	case token.VAR, token.CONST, token.TYPE:
		return typeName
	case token.LPAREN:
		if g := p.group(first - 1); g != token.IMPORT && g != token.ILLEGAL {
			return typeName
		}
	case token.SEMICOLON:
		if g := p.group(in); g != token.IMPORT && g != token.ILLEGAL {
			return typeName
		}
		if p.inBody(first, token.STRUCT) {
			return typeName
		}
	case token.LBRACE:
		if p.opener(first-1) == token.STRUCT {
			return typeName
		}
	}
	return nothing
}

// afterBracket is role behind the bracket with index last: a type, where the brackets begin one.
func (p place) afterBracket(last int) role {
	open := p.opening(last)
	if open < 0 {
		return nothing
	}
	if open == last-1 || p.tok(open-1) == token.MAP {
		return typeName
	}
	if p.upTo(open).role() == nothing || p.typeParameters(open) && p.tok(open-2) == token.FUNC {
		return nothing
	}
	return typeName
}

// element is role at the beginning of an element of a list, behind the token with index last.
func (p place) element(last, in int) role {
	comma := p.tok(last) == token.COMMA
	switch {
	case in < 0 || p.tok(in) == token.LBRACE:
		if comma && p.back(last, func(tok token.Token) bool { return tok == token.VAR || tok == token.CONST }) >= 0 {
			return nothing // var a,
		}
		if comma && in >= 0 && p.back(last, func(tok token.Token) bool { return tok == token.CASE }) >= 0 {
			return p.caseRole(in)
		}
		if in >= 0 && p.opener(in) == token.STRUCT {
			return nothing
		}
	case p.tok(in) == token.LPAREN:
		if p.signature(in) || !comma && p.tok(in-1) == token.PERIOD {
			return typeName
		}
		if p.group(in) != token.ILLEGAL {
			return nothing
		}
		if !comma && p.tok(in-1) == token.IDENT && p.text(in-1) == "make" {
			return typeName
		}
	case p.typeParameters(in) && p.tok(in-2) == token.FUNC:
		return nothing
	}
	return expression
}

// text returns the text of a token.
func (p place) text(i int) string { return p.source[p.before[i].start:p.before[i].end] }
