package session

import (
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/split"
)

// What stands around a position in the text of a cell, which need not be a whole cell yet.

func isIdentRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// identBefore returns the identifier that text ends in, empty for none.
func identBefore(text string) string {
	i := len(text)
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !isIdentRune(r) {
			break
		}
		i -= size
	}
	return text[i:]
}

// operandBefore returns the operand that text ends in: names joined by dots, with calls, indices and parentheses.
func operandBefore(text string) string {
	i := len(text)
	for {
		switch {
		case i > 0 && (text[i-1] == ')' || text[i-1] == ']'):
			open := matching(text[:i])
			if open < 0 {
				return ""
			}
			i = open
			if i > 0 && (isIdentRune(lastRune(text[:i])) || text[i-1] == ')' || text[i-1] == ']') {
				continue // what is called or indexed
			}
		case i > 0 && isIdentRune(lastRune(text[:i])):
			i -= len(identBefore(text[:i]))
		default:
			return text[i:]
		}
		if i == 0 || text[i-1] != '.' {
			return text[i:]
		}
		i-- // the dot between two parts
	}
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

// matching returns the offset of the bracket that the last byte of text closes; -1 for none. Brackets inside strings and
// comments do not count.
func matching(text string) int {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	var open []int
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return -1
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, file.Offset(pos))
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 {
				return -1
			}
			if file.Offset(pos) == len(text)-1 {
				return open[len(open)-1]
			}
			open = open[:len(open)-1]
		}
	}
}

var importLine = regexp.MustCompile(`^\s*(?:import\s+)?(?:[\pL_.][\pL\d_]*\s+)?"([^"]*)$`)

// importString reports whether text ends inside the string of an import, and what of it is typed from where.
func importString(text string) (start int, typed string, ok bool) {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	m := importLine.FindStringSubmatch(line)
	if m == nil {
		return 0, "", false
	}
	if !strings.HasPrefix(strings.TrimSpace(line), "import") { // in a group?
		group := strings.LastIndex(text, "import (")
		if group < 0 || strings.Contains(text[group:], ")") {
			return 0, "", false
		}
	}
	return len(text) - len(m[1]), m[1], true
}

// importedIn returns the packages that a cell's text imports, by name.
func importedIn(text string) map[string]string {
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:([\pL_][\pL\d_]*)\s+)?"([\w./-]+)"\s*$`).FindAllStringSubmatch(text, -1) {
		name := m[1]
		if name == "import" {
			name = ""
		}
		if name == "" {
			name = m[2][strings.LastIndexByte(m[2], '/')+1:]
		}
		if strings.Contains(text, "import") {
			out[name] = m[2]
		}
	}
	return out
}

// definedNames returns the names that a cell's text defines anywhere, by its tokens alone.
func definedNames(text string) map[string]bool {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	out := map[string]bool{}
	var list []string // identifiers separated by commas, before :=
	last, comma := token.ILLEGAL, false
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return out
		case token.IDENT:
			switch last {
			case token.VAR, token.CONST, token.TYPE, token.FUNC:
				out[lit] = true
			}
			if comma {
				list = append(list, lit)
			} else {
				list = []string{lit}
			}
		case token.DEFINE:
			for _, name := range list {
				out[name] = true
			}
		}
		comma = tok == token.COMMA
		if tok != token.IDENT && tok != token.COMMA {
			list = nil
		}
		last = tok
	}
}

// typeOf returns the type of an expression that stands behind head in a cell; nil where it has none. The part of head
// that makes whole statements is checked with it.
func (s *Session) typeOf(head, expr string) types.Type {
	if t := s.checkedType(head[:strings.LastIndexByte(head, '\n')+1], expr); t != nil {
		return t
	}
	return s.checkedType("", expr) // what is above does not check
}

func (s *Session) checkedType(above, expr string) types.Type {
	s.checking.Lock()
	defer s.checking.Unlock()
	s.mu.Lock()
	names, dots := s.names, s.dots
	s.mu.Unlock()
	fset := token.NewFileSet()
	syntax, errs := split.Parse(fset, 0, above+expr)
	if len(errs) > 0 {
		return nil
	}
	cell, wrong := check.Check(check.Env{Files: fset, Importer: s.importer, Package: s.pkg, Lookup: binding(names), Dots: dots,
		Instances: s.world, Generics: s.world.Generics,
		Without: func(drop map[*types.TypeName][]string) func(string) (check.Binding, bool) {
			return binding(s.without(drop))
		}}, syntax)
	if len(wrong) > 0 {
		return nil
	}
	defer cell.Undo()
	if cell.Result == nil {
		return nil
	}
	return cell.Info.TypeOf(cell.Result)
}
