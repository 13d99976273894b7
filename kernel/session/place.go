package session

import "go/token"

// What may stand at a position, by the tokens in front of it. The parser cannot tell: it gives up on what is unfinished, and
// what is being typed always is.

// A role is what may stand at a position.
type role int

const (
	nothing    role = iota // a name is being defined, or an operand has just ended
	statement              // the beginning of a statement
	expression             // an operand
	typeName               // a type
	label                  // the target of goto, break or continue
)

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
