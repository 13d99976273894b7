package session

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/check"
)

// A Completion is a set of texts each of which may replace source[Start:End], the best first; the offsets are in bytes.
type Completion struct {
	Start, End int
	Matches    []Match
}

// A Match is one completion.
type Match struct {
	Text      string // what replaces the range: a name, behind a dot the member's alone
	Kind      string // function, method, type, constant, variable, field, package, label or keyword
	Signature string // its type as Go writes it; empty for packages, labels, keywords and builtins
}

// cursorName stands for the name at the cursor while the cell is analysed. No keyboard writes it by accident.
const cursorName = "ːcursor"

// Complete returns the completions at byte offset pos of source: members of what stands before a dot, import paths inside
// an import's string, nothing inside other strings and comments, fields in a struct literal, labels behind goto, types where
// a type must stand, names and keywords elsewhere. Only the part of a name in front of the cursor is compared; all of it is
// replaced. Names that begin so come first, then those that begin so in other case; only where there is none, those that
// contain the letters in order. Among them what has the type that is wanted comes first, then what is declared nearest. It may
// be called while a cell runs. It waits while one is compiled: what the checker works in is there once.
func (s *Session) Complete(source string, pos int) Completion {
	pos = max(0, min(pos, len(source)))
	none := Completion{Start: pos, End: pos}
	toks := lexemes(source)
	if i := literal(toks, source, pos); i >= 0 {
		if !isImport(toks, i) {
			return none
		}
		start, end := importPath(source, toks[i], pos)
		return choose(start, end, pos, source[start:pos], importPaths())
	}
	start, end := word(source, pos)
	typed := source[start:pos]
	if isNumber(source[start:end]) {
		return none
	}
	at := placeAt(source, toks, start)
	if r := at.role(); !at.behindDot() && (r == nothing || r == label) {
		return choose(start, end, pos, typed, append(labels(at, toks), keywords(at, r)...))
	}
	s.checking.Lock()
	defer s.checking.Unlock()
	return choose(start, end, pos, typed, s.candidates(source, start, end, at))
}

// candidates returns what may stand for the name source[start:end], whatever is typed of it already. The caller holds
// s.checking.
func (s *Session) candidates(source string, start, end int, at place) []candidate {
	a, id, around := s.analyseAt(source, start, end)
	pos := token.NoPos // where the parser has lost the name
	if id != nil {
		pos = id.Pos()
	}
	a.run(pos)
	r := at.role()
	if at.behindDot() {
		sel, ok := parentSelector(id, around)
		if !ok {
			return nil
		}
		operand := at.operand()
		return wanted(a.members(sel.X, operand.role() == typeName), a.demanded(sel, around[:len(around)-1]))
	}
	var out []candidate
	keyed, bare := at.keyed(source[end:])
	if fields, literal := a.fieldNames(id, around, at.given(source[end:])); literal && !bare {
		out = append(out, fields...)
		if keyed {
			return out // where one element has its field's name, all must
		}
	}
	out = append(out, a.scopeNames(pos, around, r == typeName)...)
	out = append(out, keywords(at, r)...)
	if id == nil || r == typeName {
		return out
	}
	return wanted(out, a.demanded(id, around))
}

// analyseAt analyses the cell around the name source[start:end], which becomes cursorName, and finds that. Where lines in front
// are so wrong that the parser loses the name, they are left out.
func (s *Session) analyseAt(source string, start, end int) (a *analysis, id *ast.Ident, around []ast.Node) {
	const tries = 5 // each parses the whole cell
	for range tries {
		a = s.analyse(cut(source, start, end, cursorName))
		id, around = a.find(func(id *ast.Ident) bool { return id.Name == cursorName })
		if id != nil {
			break
		}
		text, ok := withoutWrong(source[:end], start)
		if !ok {
			break
		}
		source = text + source[end:]
	}
	return a, id, around
}

// matchOf makes the match for an object.
func matchOf(obj types.Object) Match {
	m := Match{Text: obj.Name(), Kind: kindOf(obj)}
	switch obj := obj.(type) {
	case *types.PkgName, *types.Nil:
	case *types.Builtin:
		m.Signature = builtins[obj.Name()].signature()
	default:
		m.Signature = typeString(obj.Type())
	}
	if hasCursor(m.Signature) {
		m.Signature = "" // the cursor stands in the declaration
	}
	return m
}

// mainPackage makes go/types find unexported members of the session's types: it compares packages by path.
var mainPackage = types.NewPackage(check.Path, check.Path)

// accessible reports whether a cell may name a member.
func accessible(obj types.Object) bool {
	return obj.Exported() || obj.Pkg() != nil && obj.Pkg().Path() == check.Path
}
