package split

import (
	"go/token"
	"strings"
)

// closers are the brackets that close, by those that they close.
var closers = map[token.Token]token.Token{
	token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK, token.LBRACE: token.RBRACE,
}

// A bracket is one that is open.
type bracket struct {
	tok    token.Token
	offset int
	line   int // the indentation of its line, in levels
}

// brackets say how the brackets of a text fit.
type brackets struct {
	open  []bracket // never closed, outermost first
	stray *lexeme   // the first that closes nothing or another kind; what comes behind it is not looked at
}

// match pairs the brackets of a text. On the way it works out how deep gofmt would indent each line: one level deeper than
// the line that opened the bracket around it, a line that begins by closing brackets as deep as the one that opened the
// last of them.
func match(t *text) brackets {
	var b brackets
	line, leading, seen := 0, true, 0
	for i, tok := range t.toks {
		if i == 0 || strings.Contains(t.src[seen:tok.offset], "\n") {
			line, leading = b.depth(), true
		}
		seen = tok.offset
		switch tok.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			b.open = append(b.open, bracket{tok.tok, tok.offset, line})
			leading = false
		case token.RPAREN, token.RBRACK, token.RBRACE:
			n := len(b.open)
			if n == 0 || closers[b.open[n-1].tok] != tok.tok {
				b.stray = &t.toks[i]
				return b
			}
			if leading {
				line = b.open[n-1].line
			}
			b.open = b.open[:n-1]
		default:
			leading = false
		}
	}
	return b
}

// depth is how deep a line is indented that begins inside the open brackets.
func (b brackets) depth() int {
	if n := len(b.open); n > 0 {
		return b.open[n-1].line + 1
	}
	return 0
}

// closing is the text that closes what is open.
func (b brackets) closing() string {
	var s strings.Builder
	for i := len(b.open) - 1; i >= 0; i-- {
		s.WriteString(closers[b.open[i].tok].String())
	}
	return s.String()
}
