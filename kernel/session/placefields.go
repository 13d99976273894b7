package session

import "go/token"

// given returns the fields that the literal around the place names already, in front of the place and, in the rest of the
// text, behind it.
func (p place) given(rest string) map[string]bool {
	out := map[string]bool{}
	in := p.inside()
	if p.tok(in) != token.LBRACE {
		return out
	}
	keys(p.source, p.before[in+1:], out)
	keys(rest, lexemes(rest), out)
	return out
}

// keys adds the names in front of colons outside all brackets, up to the bracket that closes what is around the tokens.
func keys(source string, toks []lexeme, to map[string]bool) {
	depth := 0
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth < 0 {
				return
			}
		case token.COLON:
			if depth == 0 && i > 0 && toks[i-1].tok == token.IDENT {
				to[source[toks[i-1].start:toks[i-1].end]] = true
			}
		}
	}
}

// keyed reports whether the literal around the place has fields with names, here or in the rest of the text, and bare whether it
// has elements without.
func (p place) keyed(rest string) (keyed, bare bool) {
	in := p.inside()
	if p.tok(in) != token.LBRACE {
		return false, false
	}
	next := lexemes(rest)
	keyed = len(p.given(rest)) > 0 || len(next) > 0 && next[0].tok == token.COLON
	return keyed, !keyed && len(p.before) > in+1
}
