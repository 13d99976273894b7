package session

import "go/token"

// labels returns the labels that may stand here: for break and continue those of the statements around it, for goto those
// of the function, wherever they stand in the text.
func (p place) labels(all []lexeme) []string {
	jump := p.tok(len(p.before) - 1)
	text := place{source: p.source}
	for _, t := range all {
		if t.tok != token.COMMENT {
			text.before = append(text.before, t)
		}
	}
	from, to := p.function(text)
	var out []string
	for i := from; i+2 < to; i++ {
		if text.tok(i) != token.IDENT || text.tok(i+1) != token.COLON || !text.beginsStatement(i) {
			continue
		}
		if jump == token.GOTO || p.holds(text, i+2, jump) {
			out = append(out, text.text(i))
		}
	}
	return out
}

// function returns the range of the tokens of the function around the place, of all where there is none.
func (p place) function(text place) (from, to int) {
	to = len(text.before)
	for _, i := range p.open {
		if p.tok(i) != token.LBRACE || p.opener(i) != token.FUNC {
			continue
		}
		from, to = i+1, len(text.before)
		depth := 1
		for j := from; j < len(text.before); j++ {
			switch text.tok(j) {
			case token.LBRACE:
				depth++
			case token.RBRACE:
				depth--
			}
			if depth == 0 {
				to = j
				break
			}
		}
	}
	return from, to
}

// beginsStatement reports whether the name with index i, which a colon follows, is a label, and not the key of a literal.
func (p place) beginsStatement(i int) bool {
	switch p.tok(i - 1) {
	case token.ILLEGAL, token.SEMICOLON, token.RBRACE, token.GOTO, token.BREAK, token.CONTINUE: // a jump whose label is to be typed
		return true
	case token.LBRACE:
		return p.upTo(i).beginning(i-1, i-1) == statement
	case token.COLON:
		return !p.inLiteral(i - 1)
	}
	return false
}

// holds reports whether the place lies in the statement that begins at index i of the text, and jump may name that.
func (p place) holds(text place, i int, jump token.Token) bool {
	switch text.tok(i) {
	case token.SEMICOLON:
		i++
	}
	if i >= len(p.before) {
		return false
	}
	kind := text.tok(i)
	if kind != token.FOR && (jump == token.CONTINUE || kind != token.SWITCH && kind != token.SELECT) {
		return false
	}
	for _, open := range p.open {
		if open > i && p.tok(open) == token.LBRACE {
			return p.back(open, func(tok token.Token) bool { return tok == kind }) == i
		}
	}
	return false
}
