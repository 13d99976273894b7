package session

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/split"
	"orthant/stdlib/display"
	"orthant/stdlib/typeinfo"
)

// Inspect describes the name at byte offset pos of source, or, where there is none that is known, the function or type in whose
// parentheses or braces pos stands, as text/plain and text/markdown: its declaration, methods and documentation, for a name of
// the session also its cell and its present value, as far as that can be read without running anything. Detail 1 adds the source
// of what a cell declared. The second result is false where there is nothing to describe. It may be called while a cell
// runs; then it shows no values.
func (s *Session) Inspect(source string, pos, detail int) (display.Bundle, bool) {
	pos = max(0, min(pos, len(source)))
	toks := lexemes(source)
	at := pos // where to look for what is called
	if i := literal(toks, source, pos); i >= 0 {
		if isImport(toks, i) {
			start, end := importPath(source, toks[i], pos)
			return inspectPackage(source[start:end])
		}
		if toks[i].tok == token.COMMENT {
			return display.Bundle{}, false
		}
		pos, at = toks[i].start, toks[i].start // a string may be an argument of what is called
	}
	s.checking.Lock()
	defer s.checking.Unlock()
	d, ok := s.describeAt(source, pos)
	if !ok {
		if end, inside := called(toks, at); inside {
			d, ok = s.describeAt(source, end)
		}
	}
	if !ok {
		return display.Bundle{}, false
	}
	if detail == 0 {
		d.source = ""
	}
	return d.bundle(), true
}

// describeAt describes the name that an offset lies in or ends.
func (s *Session) describeAt(source string, pos int) (description, bool) {
	start, end := word(source, pos)
	if start == end || isNumber(source[start:end]) {
		return description{}, false
	}
	if t := token.Lookup(source[start:end]); t.IsKeyword() {
		return describeKeyword(t), true
	}
	return s.describe(source, start, end)
}

// describe describes the name source[start:end].
func (s *Session) describe(source string, start, end int) (description, bool) {
	name := source[start:end]
	text := source
	if _, errs := split.Parse(token.NewFileSet(), 0, source); len(errs) > 0 {
		text = cut(source, start, end, name)
	}
	a := s.analyse(text)
	id, around := a.find(func(id *ast.Ident) bool {
		at, ok := a.cell.Offset(a.files, id.Pos())
		return ok && at == start
	})
	if id != nil {
		a.run(id.Pos())
		if obj := a.info.ObjectOf(id); obj != nil {
			return a.describe(obj, selectedFrom(a, id, around)), true
		}
		if sel, ok := parentSelector(id, around); ok {
			return a.unimported(sel, name)
		}
	}
	if e := a.names[name]; e != nil && e.obj != nil {
		return a.describe(e.obj, nil), true
	} else if e != nil {
		return describePackage(e.path)
	}
	if obj := types.Universe.Lookup(name); obj != nil {
		return a.describe(obj, nil), true
	}
	if paths := typeinfo.ByName(name); len(paths) == 1 {
		return describePackage(paths[0])
	}
	return description{}, false
}

// parentSelector returns the selector x.id that id is the end of.
func parentSelector(id *ast.Ident, around []ast.Node) (*ast.SelectorExpr, bool) {
	if len(around) == 0 {
		return nil, false
	}
	sel, ok := around[len(around)-1].(*ast.SelectorExpr)
	return sel, ok && sel.Sel == id
}

// unimported describes a name of a package that the cell has not imported, if there is one package of that name.
func (a *analysis) unimported(sel *ast.SelectorExpr, name string) (description, bool) {
	x, ok := sel.X.(*ast.Ident)
	if !ok || a.info.Uses[x] != nil {
		return description{}, false
	}
	paths := typeinfo.ByName(x.Name)
	if len(paths) != 1 {
		return description{}, false
	}
	pkg, err := a.session.importer.Import(paths[0])
	if err != nil {
		return description{}, false
	}
	obj := pkg.Scope().Lookup(name)
	if obj == nil || !obj.Exported() {
		return description{}, false
	}
	return a.describe(obj, nil), true
}

// selectedFrom returns the type that declares the field or method id, also where id is a key of a literal; nil where it is none.
func selectedFrom(a *analysis, id *ast.Ident, around []ast.Node) types.Type {
	if kv, ok := parent(around).(*ast.KeyValueExpr); ok && kv.Key == id {
		if lit, ok := parent(around[:len(around)-1]).(*ast.CompositeLit); ok {
			return a.info.TypeOf(lit)
		}
	}
	sel, ok := parentSelector(id, around)
	if !ok || a.info.Selections[sel] == nil {
		return nil
	}
	selection := a.info.Selections[sel]
	t := selection.Recv()
	index := selection.Index()
	for _, i := range index[:len(index)-1] {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		t = st.Field(i).Type()
	}
	return t
}
