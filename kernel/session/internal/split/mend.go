package split

import (
	"go/token"
	"strings"
)

// Mend returns what must stand right behind an unfinished text, which must not end in a comment, so that go/parser keeps its
// last statement: the closing brackets, a block behind the header of an if, for or switch, a call behind go and defer, the colon
// of a case, an assignment behind a list of operands.
func Mend(src string) string {
	levels := scan(src).levels()
	var s strings.Builder
	for i := len(levels) - 1; i >= 0; i-- {
		s.WriteString(levels[i].rest() + levels[i].closer)
	}
	return s.String()
}

// levels says what the text ends in, the outermost level first.
func (t *text) levels() []level {
	levels := []level{{block: true}}
	toks := t.toks
	for i, tok := range toks {
		if i == len(toks)-1 && tok.automatic() {
			break // nothing follows yet
		}
		in := &levels[len(levels)-1]
		switch tok.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			inner := level{closer: closers[tok.tok].String()}
			if tok.tok == token.LBRACE {
				inner.block = in.opensBlock(toks, i)
				inner.clauses = inner.block && (in.header == token.SWITCH || in.header == token.SELECT)
				in.open(inner.block)
			}
			levels = append(levels, inner)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(levels) > 1 {
				levels = levels[:len(levels)-1]
			}
		default:
			in.take(tok)
		}
	}
	return levels
}

// awaitsCase reports whether the text ends in the brace of a switch or select.
func (t *text) awaitsCase() bool {
	last, ok := t.last()
	levels := t.levels()
	return ok && last.tok == token.LBRACE && levels[len(levels)-1].clauses
}

// A level is what stands inside one open bracket, as far as its last statement goes.
type level struct {
	closer  string
	block   bool        // statements stand here
	clauses bool        // those of a switch or select
	header  token.Token // the IF, FOR, SWITCH or SELECT whose block has not begun
	parts   int         // the semicolons of the header
	fn      bool        // a func whose body has not begun
	call    bool        // a go or defer
	list    bool        // operands with commas between
	fixed   bool        // the list is one that may stand so: that of a case, a return or a declaration
	cases   bool        // a case without its colon
	assign  bool        // there is an assignment
	ranges  bool        // there is a range
}

// take notes a token that is no bracket.
func (l *level) take(tok lexeme) {
	switch tok.tok {
	case token.IF, token.FOR, token.SWITCH, token.SELECT:
		l.header, l.parts = tok.tok, 0
	case token.FUNC:
		l.fn = true
	case token.GO, token.DEFER:
		l.call = true
	case token.CASE:
		l.fixed, l.cases = true, true
	case token.RETURN, token.VAR, token.CONST, token.TYPE:
		l.fixed = true
	case token.COMMA:
		l.list = true
	case token.RANGE:
		l.ranges = true
	case token.COLON:
		l.list, l.fixed, l.assign, l.cases = false, false, false, false // of a case, which is over
	case token.SEMICOLON:
		if l.header != token.ILLEGAL && !tok.automatic() {
			l.parts++
			l.list, l.assign = false, false
		} else {
			l.next()
		}
	default:
		if tok.tok == token.DEFINE || tok.tok == token.ASSIGN || tok.tok >= token.ADD_ASSIGN && tok.tok <= token.AND_NOT_ASSIGN {
			l.assign = true
		}
	}
}

// next begins another statement.
func (l *level) next() { *l = level{closer: l.closer, block: l.block} }

// open notes a brace.
func (l *level) open(block bool) {
	if block {
		l.header, l.parts, l.fn = token.ILLEGAL, 0, false
		if !l.call && !l.assign && !l.fixed {
			l.list = false
		}
	}
}

// opensBlock reports whether the brace toks[i] opens a block; otherwise it opens a literal or the body of a type.
func (l *level) opensBlock(toks []lexeme, i int) bool {
	if i == 0 {
		return true
	}
	switch toks[i-1].tok {
	case token.STRUCT, token.INTERFACE, token.COMMA, token.LPAREN, token.LBRACK:
		return false
	case token.SEMICOLON, token.LBRACE, token.COLON, token.ELSE:
		return l.block
	}
	return l.fn || l.header != token.ILLEGAL
}

// rest returns what the last statement lacks.
func (l *level) rest() string {
	var s string
	assign := l.assign
	if l.block && l.list && !l.fixed && !assign {
		s, assign = " = _", true
	}
	if l.call {
		s += "()"
	}
	if l.cases {
		return s + ":"
	}
	first := assign && l.parts == 0 && !l.ranges // only a part of the header yet
	switch {
	case l.header == token.ILLEGAL:
	case l.header == token.IF && first:
		s += "; _ {}"
	case l.header == token.FOR && first:
		s += ";;{}"
	case l.header == token.FOR && l.parts == 1, l.header == token.SWITCH && first:
		s += ";{}"
	default:
		s += "{}"
	}
	return s
}
