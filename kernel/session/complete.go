package session

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/stdlib/typeinfo"
)

// A Completion is a set of texts each of which may replace source[Start:End]; the offsets are in bytes.
type Completion struct {
	Start, End int
	Matches    []Match
}

// A Match is one completion.
type Match struct {
	Text      string // what replaces the range: the whole selector, "fmt.Println"
	Kind      string // function, method, type, constant, variable, field, package or keyword
	Signature string // its type as Go writes it; empty for packages, keywords and builtins
}

// cursorName stands for the name at the cursor while the cell is analysed. No keyboard writes it by accident.
const cursorName = "ːcursor"

// Complete returns the completions at byte offset pos of source: members of what stands before a dot, import paths inside
// an import's string, nothing inside other strings and comments, names and keywords elsewhere. Only the part of a name in
// front of the cursor is compared; all of it is replaced. Names that begin so come alone; only where there is none, those
// that begin so in other case, or else contain the letters in order. It may be called while a cell runs.
func (s *Session) Complete(source string, pos int) Completion {
	pos = max(0, min(pos, len(source)))
	none := Completion{Start: pos, End: pos}
	toks := lexemes(source)
	if i := literal(toks, source, pos); i >= 0 {
		if !isImport(toks, i) {
			return none
		}
		start, end := importPath(source, toks[i], pos)
		return choose(Completion{Start: start, End: end}, pos, "", source[start:pos], importPaths())
	}
	start, end := word(source, pos)
	typed := source[start:pos]
	if isNumber(source[start:end]) {
		return none
	}
	s.checking.Lock()
	defer s.checking.Unlock()
	a := s.analyse(cut(source, start, end, cursorName))
	id, around := a.find(func(id *ast.Ident) bool { return id.Name == cursorName })
	at := token.NoPos // where the parser has lost the name
	if id != nil {
		at = id.Pos()
	}
	a.run(at)
	c := Completion{Start: start, End: end}
	if sel, ok := parentSelector(id, around); ok {
		head := ""
		// A selector over several lines would be a strange thing to choose from.
		if from, ok := a.cell.Offset(a.files, sel.Pos()); ok && !strings.Contains(source[from:start], "\n") {
			c.Start, head = from, source[from:start]
		}
		return choose(c, pos, head, typed, a.members(sel.X))
	}
	if behindDot(source[:start]) {
		return none
	}
	return choose(c, pos, "", typed, append(a.fieldNames(id, around), a.scopeNames(at)...))
}

// behindDot reports whether text ends in a selector's dot.
func behindDot(text string) bool {
	text = strings.TrimRight(text, " \t\r\n")
	return strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "...")
}

// choose keeps the matches for what is typed, each text once, and puts head in front of each. Of several with one text the
// first is kept. Where none is left, the range is empty and at the cursor.
func choose(c Completion, pos int, head, typed string, all []Match) Completion {
	folded := strings.ToLower(typed)
	for _, fits := range []func(name string) bool{
		func(name string) bool { return strings.HasPrefix(name, typed) },
		func(name string) bool { return strings.HasPrefix(strings.ToLower(name), folded) },
		func(name string) bool { return subsequence(folded, strings.ToLower(name)) },
	} {
		for _, m := range all {
			if fits(m.Text) {
				m.Text = head + m.Text
				c.Matches = append(c.Matches, m)
			}
		}
		if len(c.Matches) > 0 {
			break
		}
	}
	if len(c.Matches) == 0 {
		return Completion{Start: pos, End: pos}
	}
	slices.SortStableFunc(c.Matches, func(a, b Match) int { return cmp.Compare(a.Text, b.Text) })
	c.Matches = slices.CompactFunc(c.Matches, func(a, b Match) bool { return a.Text == b.Text })
	return c
}

// subsequence reports whether the letters of typed occur in name in this order.
func subsequence(typed, name string) bool {
	letters := []rune(typed)
	for _, r := range name {
		if len(letters) > 0 && r == letters[0] {
			letters = letters[1:]
		}
	}
	return len(letters) == 0
}

// importPaths returns all that can be imported.
func importPaths() []Match {
	var out []Match
	for _, p := range typeinfo.Paths() {
		out = append(out, Match{Text: p, Kind: "package"})
	}
	return out
}

// matchOf makes the match for an object.
func matchOf(obj types.Object) Match {
	m := Match{Text: obj.Name(), Kind: kindOf(obj)}
	switch obj.(type) {
	case *types.PkgName, *types.Builtin, *types.Nil:
	default:
		m.Signature = typeString(obj.Type())
	}
	if strings.Contains(m.Signature, cursorName) {
		m.Signature = "" // the cursor stands in the declaration
	}
	return m
}

// scopeNames returns the names that may stand at pos: of the cell itself, of the session, Go's own, and keywords.
func (a *analysis) scopeNames(pos token.Pos) []Match {
	var out []Match
	seen := map[string]bool{cursorName: true, "_": true}
	add := func(m Match) {
		if !seen[m.Text] {
			seen[m.Text] = true
			out = append(out, m)
		}
	}
	for _, obj := range a.visible(pos) {
		if obj.Parent() != types.Universe { // a name of the session may hide it
			add(matchOf(obj))
		}
	}
	for name, e := range a.names {
		if e.obj == nil {
			add(Match{Text: name, Kind: "package"})
		} else {
			m := matchOf(e.obj)
			m.Text = name
			add(m)
		}
	}
	for _, name := range types.Universe.Names() {
		add(matchOf(types.Universe.Lookup(name)))
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		add(Match{Text: t.String(), Kind: "keyword"})
	}
	return out
}

// fieldNames returns the fields that id may name as the key of a struct literal, the last of the nodes around it.
func (a *analysis) fieldNames(id *ast.Ident, around []ast.Node) []Match {
	if len(around) == 0 {
		return nil
	}
	lit, ok := around[len(around)-1].(*ast.CompositeLit)
	if !ok || lit.Type == id || a.info.TypeOf(lit) == nil {
		return nil
	}
	st, ok := deref(a.info.TypeOf(lit)).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []Match
	for f := range st.Fields() {
		if accessible(f) {
			out = append(out, matchOf(f))
		}
	}
	return out
}

// members returns what may follow x and a dot: the names of a package, the fields and methods of a value, the methods of a
// type.
func (a *analysis) members(x ast.Expr) []Match {
	var out []Match
	if pkg := a.packageOf(x); pkg != nil {
		for _, name := range pkg.Scope().Names() {
			if obj := pkg.Scope().Lookup(name); obj.Exported() {
				out = append(out, matchOf(obj))
			}
		}
		return out
	}
	tv, ok := a.info.Types[x]
	if !ok || tv.Type == nil || tv.IsBuiltin() || tv.IsVoid() {
		return nil
	}
	for name := range selectable(tv.Type) {
		obj, _, _ := types.LookupFieldOrMethod(tv.Type, tv.Addressable(), mainPackage, name)
		if obj == nil || !accessible(obj) {
			continue // hidden by another of its depth, or a pointer's method without a pointer
		}
		if _, method := obj.(*types.Func); method || !tv.IsType() {
			out = append(out, matchOf(obj))
		}
	}
	return out
}

// mainPackage makes go/types find unexported members of the session's types: it compares packages by path.
var mainPackage = types.NewPackage(check.Path, check.Path)

// accessible reports whether a cell may name a member.
func accessible(obj types.Object) bool {
	return obj.Exported() || obj.Pkg() != nil && obj.Pkg().Path() == check.Path
}

// packageOf returns the package that an expression names, nil where it names none.
func (a *analysis) packageOf(x ast.Expr) *types.Package {
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	name, ok := a.info.Uses[id].(*types.PkgName)
	if !ok {
		return nil
	}
	return name.Imported()
}

// selectable returns the names of the fields and methods of t and of what is embedded in it.
func selectable(t types.Type) map[string]bool {
	found := map[string]bool{}
	seen := map[types.Type]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		t = deref(t)
		if seen[t] {
			return
		}
		seen[t] = true
		for sel := range types.NewMethodSet(t).Methods() {
			found[sel.Obj().Name()] = true
		}
		if named, ok := t.(*types.Named); ok { // with those of the pointer
			for m := range named.Methods() {
				found[m.Name()] = true
			}
		}
		st, ok := t.Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			f := st.Field(i)
			found[f.Name()] = true
			if f.Embedded() {
				walk(f.Type())
			}
		}
	}
	walk(t)
	return found
}

// deref returns what a pointer points to, and any other type itself, without aliases.
func deref(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
