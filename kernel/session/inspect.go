package session

import (
	"cmp"
	"go/ast"
	"go/doc/comment"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/split"
	"orthant/stdlib/display"
	"orthant/stdlib/typeinfo"
)

// Inspect describes the name at byte offset pos of source, or, where there is none, the function in whose parentheses pos
// stands, as text/plain and text/markdown: its declaration and documentation, for a name of the session its cell. Detail
// 1 adds the source of what a cell declared. The second result is false where there is nothing to describe. It may be
// called while a cell runs.
func (s *Session) Inspect(source string, pos, detail int) (display.Bundle, bool) {
	pos = max(0, min(pos, len(source)))
	toks := lexemes(source)
	if i := literal(toks, source, pos); i >= 0 {
		if isImport(toks, i) {
			start, end := importPath(source, toks[i], pos)
			return inspectPackage(source[start:end])
		}
		if toks[i].tok == token.COMMENT {
			return display.Bundle{}, false
		}
		pos = toks[i].start // a string may be an argument of what is called
	}
	start, end := word(source, pos)
	if start == end || isNumber(source[start:end]) {
		var ok bool
		if end, ok = called(toks, pos); !ok {
			return display.Bundle{}, false
		}
		start, end = word(source, end)
	}
	s.checking.Lock()
	defer s.checking.Unlock()
	d, ok := s.describe(source, start, end)
	if !ok {
		return display.Bundle{}, false
	}
	if detail == 0 {
		d.source = ""
	}
	return d.bundle(), true
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

// selectedFrom returns the type that declares the field or method id, nil where id is none.
func selectedFrom(a *analysis, id *ast.Ident, around []ast.Node) types.Type {
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

// A description is what Inspect says of a name.
type description struct {
	decl   string // the declaration, without a body
	where  string // the cell that defined it
	doc    string // in the syntax of go/doc/comment
	source string
}

// describe describes an object. The owner is the type that declares it, if it is a field or method.
func (a *analysis) describe(obj types.Object, owner types.Type) description {
	if pkg, ok := obj.(*types.PkgName); ok {
		d, _ := describePackage(pkg.Imported().Path())
		return d
	}
	d := description{decl: declaration(obj)}
	switch cell, mine := a.ofSession(obj); {
	case mine:
		d.where = "defined in " + cellName(cell)
		d.source, d.doc = a.session.sourceOf(obj, cell)
	case obj == a.names["ctx"].object():
		d.doc = "The context of the running cell. It is cancelled when the cell is interrupted."
	case obj.Pkg() == nil:
		d.doc = typeinfo.Doc("builtin", obj.Name())
	case obj.Pkg().Path() == check.Path: // of the cell itself
		_, d.doc = declared(a.files, a.cell, obj.Pos())
	default:
		name := obj.Name()
		if owner := ownerName(obj, owner); owner != "" {
			name = owner + "." + name
		}
		d.doc = typeinfo.Doc(obj.Pkg().Path(), name)
	}
	return d
}

// object returns the object of an entry, nil where there is none.
func (e *entry) object() types.Object {
	if e == nil {
		return nil
	}
	return e.obj
}

// ownerName is the name of the type that declares a method, or of t, empty where it has none.
func ownerName(obj types.Object, t types.Type) string {
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		t = f.Signature().Recv().Type()
	}
	if t == nil {
		return ""
	}
	if n, ok := deref(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

func inspectPackage(path string) (display.Bundle, bool) {
	d, ok := describePackage(path)
	if !ok {
		return display.Bundle{}, false
	}
	return d.bundle(), true
}

// describePackage describes a package that can be imported.
func describePackage(path string) (description, bool) {
	if !typeinfo.Has(path) {
		return description{}, false
	}
	return description{
		decl: "package " + typeinfo.Name(path) + " // import " + strconv.Quote(path),
		doc:  typeinfo.Doc(path, ""),
	}, true
}

// declaration writes an object as Go declares it.
func declaration(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Builtin:
		return "func " + obj.Name()
	case *types.Const:
		return types.ObjectString(obj, qualifier) + " = " + obj.Val().String()
	case *types.Var:
		if obj.IsField() {
			return "field " + obj.Name() + " " + typeString(obj.Type())
		}
	}
	return types.ObjectString(obj, qualifier)
}

// bundle puts a description together.
func (d description) bundle() display.Bundle {
	var plain, markdown []string
	add := func(p, m string) {
		if p = strings.TrimSpace(p); p != "" {
			plain = append(plain, p)
			markdown = append(markdown, strings.TrimSpace(m))
		}
	}
	code := func(s string) string { return "```go\n" + s + "\n```" }
	add(d.decl, code(d.decl))
	add(d.where, d.where)
	var parser comment.Parser
	doc := parser.Parse(d.doc)
	printer := comment.Printer{
		HeadingLevel: 4, // below those of the notebook
		HeadingID:    func(*comment.Heading) string { return "" },
		DocLinkURL:   func(l *comment.DocLink) string { return l.DefaultURL("https://pkg.go.dev") },
	}
	add(string(printer.Text(doc)), string(printer.Markdown(doc)))
	add(d.source, code(d.source))
	b := display.Text(strings.Join(plain, "\n\n"))
	b.Data["text/markdown"] = strings.Join(markdown, "\n\n")
	return b
}

// sourceOf returns the source and the doc comment of what a cell declared. They are empty where the cell of that number
// has another text by now.
func (s *Session) sourceOf(obj types.Object, number int) (source, doc string) {
	s.mu.Lock()
	text := s.sources[number]
	s.mu.Unlock()
	at := s.files.Position(obj.Pos())
	files := token.NewFileSet()
	cell, errs := split.Parse(files, number, text)
	if len(errs) > 0 {
		return "", ""
	}
	var pos token.Pos
	for n := range cell.Nodes() {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == obj.Name() {
				if p := files.Position(id.Pos()); p.Line == at.Line && p.Column == at.Column {
					pos = id.Pos()
				}
			}
			return true
		})
	}
	return declared(files, cell, pos)
}

// declared returns the source and the doc comment of the declaration that the name at pos belongs to: of a function, a
// type, a constant, or the comment of a field. Statements have neither.
func declared(files *token.FileSet, cell *split.Cell, pos token.Pos) (source, doc string) {
	if !pos.IsValid() {
		return "", ""
	}
	for _, f := range cell.Funcs {
		if f.Name.Pos() == pos {
			return cell.Text(files, f), f.Doc.Text()
		}
	}
	for _, d := range cell.Decls {
		for _, spec := range d.Specs {
			if spec.Pos() > pos || pos >= spec.End() {
				continue
			}
			doc, line := d.Doc, (*ast.CommentGroup)(nil)
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if pos != spec.Name.Pos() {
					return "", fieldDoc(spec.Type, pos)
				}
				line = spec.Comment
				doc = cmp.Or(spec.Doc, doc)
			case *ast.ValueSpec:
				line = spec.Comment
				doc = cmp.Or(spec.Doc, doc)
			}
			return d.Tok.String() + " " + cell.Text(files, spec), firstText(doc, line)
		}
	}
	return "", ""
}

// fieldDoc returns the comment of the struct field or interface method whose name is at pos.
func fieldDoc(t ast.Expr, pos token.Pos) (doc string) {
	ast.Inspect(t, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			for _, name := range f.Names {
				if name.Pos() == pos {
					doc = firstText(f.Doc, f.Comment)
				}
			}
		}
		return true
	})
	return doc
}

// firstText returns the text of the first comment that has one.
func firstText(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := g.Text(); text != "" {
			return text
		}
	}
	return ""
}
