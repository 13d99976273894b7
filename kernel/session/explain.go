package session

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/stdlib"
	"orthant/stdlib/typeinfo"
)

// explain adds to messages what go/types cannot know: that a name is a cell's variable where the user may mean the
// preloaded package that it hides, which import brings a package, and which name is close to one that there is not. The
// caller holds s.checking.
func (s *Session) explain(source string, list []check.Error) []check.Error {
	for i, e := range list {
		if hint := s.hidden(e); hint != "" {
			list[i].Msg += "; " + hint
		} else if hint := s.suggestion(source, e); hint != "" {
			list[i].Msg += "; " + hint
		}
	}
	return list
}

var undefinedMember = regexp.MustCompile(`^([\pL_][\pL\d_]*)\.[\pL\d_]+ undefined `)

// hidden says that a name is a cell's where a preloaded package may be meant.
func (s *Session) hidden(e check.Error) string {
	m := undefinedMember.FindStringSubmatch(e.Msg)
	if m == nil {
		return ""
	}
	known := s.names[m[1]]
	if known == nil || known.obj == nil {
		return ""
	}
	for _, p := range stdlib.Preload() {
		if p.Name == m[1] {
			return fmt.Sprintf("%s is the %s of %s, import %q brings the package back", m[1], kindOf(known.obj), CellName(known.cell), p.Path)
		}
	}
	return ""
}

// misnamed matches the messages of go/types about a name that there is not; the groups are that name, one for each form.
var misnamed = regexp.MustCompile(`^undefined: (?:[\pL_][\pL\d_]*\.)?([\pL_][\pL\d_]*)$` +
	`|^.* undefined \(type .* has no field or method ([\pL_][\pL\d_]*)\)$` +
	`|^unknown field ([\pL_][\pL\d_]*) in struct literal`)

// syntaxErrors returns the parser's errors as the checker's. In IPython a ? asks for help.
func syntaxErrors(errs scanner.ErrorList) []check.Error {
	var list []check.Error
	for _, e := range errs {
		msg := e.Msg
		if msg == "illegal character U+003F '?'" {
			msg += "; Shift-Tab at a name shows its documentation"
		}
		list = append(list, check.Error{Pos: e.Pos, Msg: msg})
	}
	return list
}

// suggestion says what may be meant by a name that there is not; nothing where that is not clear.
func (s *Session) suggestion(source string, e check.Error) string {
	m := misnamed.FindStringSubmatch(e.Msg)
	if m == nil {
		return ""
	}
	name := strings.Join(m[1:], "") // one of them is not empty
	a := s.analyse(source)
	id, around := a.find(func(id *ast.Ident) bool {
		p := a.files.Position(id.Pos())
		return id.Name == name && p.Line == e.Pos.Line && p.Column == e.Pos.Column
	})
	if id == nil || len(around) == 0 {
		id, around = a.selected(name, e.Pos)
	}
	if id == nil {
		return ""
	}
	a.run(id.Pos())
	if sel, ok := parentSelector(id, around); ok {
		return didYouMean(name, a.members(sel.X, false))
	}
	if isOperand(id, around) {
		if paths := typeinfo.ByName(name); len(paths) > 0 {
			return importHint(paths)
		}
	}
	if kv, ok := parent(around).(*ast.KeyValueExpr); ok && kv.Key == id {
		if fields, ok := a.fieldNames(id, around[:len(around)-1], nil); ok {
			return didYouMean(name, fields)
		}
	}
	return didYouMean(name, a.scopeNames(id.Pos(), nil, false))
}

// selected finds a selected name in a selector that begins at a place: go/types reports some of them there.
func (a *analysis) selected(name string, at token.Position) (*ast.Ident, []ast.Node) {
	return a.find(func(id *ast.Ident) bool {
		p := a.files.Position(id.Pos())
		return id.Name == name && p.Line == at.Line && p.Column > at.Column
	})
}

// isOperand reports whether an identifier is what something is selected of.
func isOperand(id *ast.Ident, around []ast.Node) bool {
	sel, ok := parent(around).(*ast.SelectorExpr)
	return ok && sel.X == id
}

// parent returns the last of the nodes around one, nil where there is none.
func parent(around []ast.Node) ast.Node {
	if len(around) == 0 {
		return nil
	}
	return around[len(around)-1]
}

// importHint names the imports that bring a package of the name. There are few packages of one name.
func importHint(paths []string) string {
	const many = 3
	quoted := make([]string, 0, many)
	for _, p := range paths[:min(len(paths), many)] {
		quoted = append(quoted, strconv.Quote(p))
	}
	return "add import " + strings.Join(quoted, " or ")
}

// didYouMean names the candidate that is meant by a name; nothing where none or several may be.
func didYouMean(name string, candidates []candidate) string {
	names := make([]string, len(candidates))
	for i, m := range candidates {
		names[i] = m.Text
	}
	if best := Nearest(name, names); best != "" {
		return "did you mean " + best + "?"
	}
	return ""
}
