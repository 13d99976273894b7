package session

import "go/token"

// keywords returns the keywords that may stand at a place of a role.
func (p place) keywords(r role) []token.Token {
	operands := []token.Token{token.FUNC, token.MAP, token.CHAN, token.STRUCT, token.INTERFACE}
	last := len(p.before) - 1
	switch r {
	case statement:
		return append(p.statementKeywords(), operands...)
	case expression:
		if p.ranges() {
			operands = append(operands, token.RANGE)
		}
		return operands
	case typeName:
		if p.tok(last) == token.LPAREN && p.tok(last-1) == token.PERIOD {
			operands = append(operands, token.TYPE)
		}
		return operands
	case nothing:
		in := p.inside()
		switch prev := p.tok(last); {
		case prev == token.ELSE:
			return []token.Token{token.IF}
		case prev == token.RBRACE:
			if open := p.opening(last); open >= 0 && p.elseMayFollow(open) {
				return []token.Token{token.ELSE}
			}
		case prev == token.LBRACE && in == last && (p.opener(in) == token.SWITCH || p.opener(in) == token.SELECT):
			return []token.Token{token.CASE, token.DEFAULT}
		}
	}
	return nil
}

// elseMayFollow reports whether the brace with index i opens the block of an if.
func (p place) elseMayFollow(i int) bool { return p.opener(i) == token.IF }

// statementKeywords are those that begin a statement, or end one that stands in what is open.
func (p place) statementKeywords() []token.Token {
	out := []token.Token{
		token.IF, token.FOR, token.SWITCH, token.SELECT, token.RETURN, token.GO, token.DEFER, token.GOTO,
		token.VAR, token.CONST, token.TYPE,
	}
	if len(p.open) == 0 {
		out = append(out, token.IMPORT)
		if len(p.before) == 0 {
			out = append(out, token.PACKAGE)
		}
	}
	if in := p.inside(); in >= 0 {
		switch p.opener(in) {
		case token.SWITCH:
			out = append(out, token.CASE, token.DEFAULT)
			if !p.typeSwitch(in) {
				out = append(out, token.FALLTHROUGH)
			}
		case token.SELECT:
			out = append(out, token.CASE, token.DEFAULT)
		}
	}
	breaks, continues := p.leaves()
	if breaks {
		out = append(out, token.BREAK)
	}
	if continues {
		out = append(out, token.CONTINUE)
	}
	return out
}

// leaves reports whether break and continue have something to leave.
func (p place) leaves() (breaks, continues bool) {
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.tok(p.open[i]) != token.LBRACE {
			continue
		}
		switch p.opener(p.open[i]) {
		case token.FUNC:
			return breaks, continues
		case token.FOR:
			return true, true
		case token.SWITCH, token.SELECT:
			breaks = true
		}
	}
	return breaks, continues
}

// ranges reports whether range may stand here: behind for, or behind what a for defines or assigns.
func (p place) ranges() bool {
	last := len(p.before) - 1
	switch p.tok(last) {
	case token.FOR:
		return true
	case token.DEFINE, token.ASSIGN:
		i := p.back(last, func(tok token.Token) bool { return tok == token.FOR || tok == token.SEMICOLON })
		return p.tok(i) == token.FOR
	}
	return false
}
