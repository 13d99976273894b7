package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/split"
)

// Completion and inspection look at cells that are being written. So they do not use package check, which refuses a cell
// that is wrong, but ask go/types what it can make of it, and change nothing of the session.

// An analysis is what go/types knows of a cell that need be neither whole nor right.
type analysis struct {
	session *Session
	names   map[string]*entry // the session's
	dots    []string
	base    token.Pos // positions from here on are the cell's own, those before are the session's
	files   *token.FileSet
	cell    *split.Cell
	info    *types.Info
	wrong   func(error)   // is told what is wrong with the cell, which is said elsewhere, when it runs
	body    *ast.FuncDecl // holds the cell's statements; nil where there are none
	file    *ast.File
}

// analyse checks a cell as far as that is possible. The caller holds s.checking, also while it uses the objects and types
// of the analysis: they are shared with the checker.
func (s *Session) analyse(source string) *analysis {
	a := &analysis{session: s, files: token.NewFileSet(), wrong: func(error) {}}
	s.mu.Lock()
	a.names, a.dots = s.names, s.dots // never changed, only replaced
	s.mu.Unlock()
	a.base = token.Pos(s.files.Base())
	a.files.AddFile("session", int(a.base), 0)
	a.cell = split.Recover(a.files, 0, source)
	a.parenthesize()
	a.info = &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
	return a
}

// parenthesize puts the T of `type X T` in parentheses. Without, go/types takes T for a declaration of the same package
// wherever the package knows the name, and panics where it is one of the session's (go1.26 go/types/cycles.go:77).
func (a *analysis) parenthesize() {
	for _, d := range a.cell.Decls {
		for _, s := range d.Specs {
			if spec, ok := s.(*ast.TypeSpec); ok {
				if id, ok := spec.Type.(*ast.Ident); ok {
					spec.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
				}
			}
		}
	}
}

// run checks the declarations and statements and, of the functions' bodies, the one that target stands in, if any.
func (a *analysis) run(target token.Pos) {
	mentioned, own := a.mentions()
	around := slices.IndexFunc(a.cell.Funcs, func(f *ast.FuncDecl) bool { return f.Pos() <= target && target < f.End() })
	decls := a.declarations(-1)
	if list := a.cell.Body; len(list) > 0 {
		first, last := list[0], list[len(list)-1]
		a.body = &ast.FuncDecl{
			Name: &ast.Ident{NamePos: first.Pos(), Name: "_"},
			Type: &ast.FuncType{Func: first.Pos(), Params: &ast.FieldList{}},
			Body: &ast.BlockStmt{Lbrace: first.Pos(), List: list, Rbrace: last.End()},
		}
		decls = append(decls, a.body)
	}
	pkg := types.NewPackage(check.Path, check.Path)
	a.check(pkg, mentioned, own, decls)
	if around < 0 {
		return
	}
	// Functions see the variables that the statements define. Their types are those of the first check, which is good
	// enough for looking.
	pkg = types.NewPackage(check.Path, check.Path)
	if a.body != nil {
		vars := a.info.Scopes[a.body.Type]
		for _, name := range vars.Names() {
			if v := vars.Lookup(name); !own[name] {
				pkg.Scope().Insert(types.NewVar(v.Pos(), pkg, name, v.Type()))
				own[name] = true
			}
		}
	}
	a.check(pkg, mentioned, own, a.declarations(around))
}

// declarations returns the cell's constants, types and functions; only one of the functions has its body. Methods of
// earlier types become functions, because go/types wants methods beside their types.
func (a *analysis) declarations(withBody int) []ast.Decl {
	var out []ast.Decl
	for _, d := range a.cell.Decls {
		out = append(out, d)
	}
	defined := map[string]bool{} // an alias may lead to an earlier type
	for _, d := range a.cell.Decls {
		for _, s := range d.Specs {
			if spec, ok := s.(*ast.TypeSpec); ok && !spec.Assign.IsValid() {
				defined[spec.Name.Name] = true
			}
		}
	}
	for i, f := range a.cell.Funcs {
		bare := *f
		if i != withBody {
			bare.Body = nil
		}
		if f.Recv != nil && !defined[split.ReceiverName(f)] {
			t := *f.Type
			t.Params = &ast.FieldList{Opening: f.Recv.Opening, List: slices.Concat(f.Recv.List, f.Type.Params.List), Closing: f.Type.Params.Closing}
			t.TypeParams = receiverParams(f)
			bare.Recv, bare.Type, bare.Name = nil, &t, &ast.Ident{NamePos: f.Name.Pos(), Name: "_"}
		}
		out = append(out, &bare)
	}
	return out
}

// receiverParams declares the type parameters that a receiver names; nil where it names none. Their constraints are not needed
// for looking.
func receiverParams(f *ast.FuncDecl) *ast.FieldList {
	if len(f.Recv.List) == 0 {
		return nil
	}
	_, params := split.ReceiverType(f.Recv.List[0].Type)
	var out *ast.FieldList
	for _, p := range params {
		id, ok := p.(*ast.Ident)
		if !ok {
			continue
		}
		if out == nil {
			out = &ast.FieldList{}
		}
		name := &ast.Ident{NamePos: id.Pos(), Name: id.Name}
		out.List = append(out.List, &ast.Field{Names: []*ast.Ident{name}, Type: &ast.Ident{NamePos: id.Pos(), Name: "any"}})
	}
	return out
}

// check checks declarations as a file of pkg, in which the names of the session can be seen that the cell does not
// declare itself.
func (a *analysis) check(pkg *types.Package, mentioned, own map[string]bool, decls []ast.Decl) {
	for name := range mentioned {
		if e := a.names[name]; e != nil && e.obj != nil && !own[name] && e.obj.Name() == name {
			pkg.Scope().Insert(e.obj)
		}
	}
	a.file = &ast.File{Name: &ast.Ident{Name: check.Path}, Decls: append(a.imports(mentioned, own), decls...)}
	config := &types.Config{Importer: a.session.importer, Error: a.wrong}
	types.NewChecker(config, a.files, pkg, a.info).Files([]*ast.File{a.file})
}

// mentions returns the names that occur in the cell, and those that it declares itself.
func (a *analysis) mentions() (all, own map[string]bool) {
	all, own = map[string]bool{}, map[string]bool{}
	for n := range a.cell.Nodes() {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				all[id.Name] = true
			}
			return true
		})
	}
	for _, d := range a.cell.Decls {
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				own[s.Name.Name] = true
			case *ast.ValueSpec:
				for _, n := range s.Names {
					own[n.Name] = true
				}
			}
		}
	}
	for _, f := range a.cell.Funcs {
		if f.Recv == nil {
			own[f.Name.Name] = true
		}
	}
	return all, own
}

// imports returns the cell's imports, and those of the session's that it mentions.
func (a *analysis) imports(mentioned, own map[string]bool) []ast.Decl {
	var out []ast.Decl
	taken := map[string]bool{}
	add := func(spec *ast.ImportSpec) {
		out = append(out, &ast.GenDecl{TokPos: spec.Pos(), Tok: token.IMPORT, Specs: []ast.Spec{spec}})
	}
	for _, spec := range a.cell.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // unfinished
		}
		if spec.Name != nil {
			taken[spec.Name.Name] = true
		} else if pkg, err := a.session.importer.Import(path); err == nil {
			taken[pkg.Name()] = true
		}
		add(spec)
	}
	implicit := func(name, path string) {
		add(&ast.ImportSpec{Name: &ast.Ident{Name: name}, Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}})
	}
	for _, name := range slices.Sorted(maps.Keys(mentioned)) {
		if e := a.names[name]; e != nil && e.path != "" && !taken[name] && !own[name] {
			implicit(name, e.path)
		}
	}
	for _, path := range a.dots {
		implicit(".", path)
	}
	return out
}

// find returns the identifier that f chooses and the nodes around it, outermost first; nil where there is none.
func (a *analysis) find(f func(*ast.Ident) bool) (id *ast.Ident, around []ast.Node) {
	for n := range a.cell.Nodes() {
		var path []ast.Node
		ast.Inspect(n, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			if found, ok := n.(*ast.Ident); ok && id == nil && f(found) {
				id, around = found, slices.Clone(path)
			}
			path = append(path, n)
			return true
		})
		if id != nil {
			break
		}
	}
	return id, around
}

// visible yields the objects that may be named at pos, and how far away they are declared, the nearest first, Go's own left
// out; all of the statements' where pos is not valid. An object may be hidden by one that came before.
func (a *analysis) visible(pos token.Pos) iter.Seq2[types.Object, int] {
	return func(yield func(types.Object, int) bool) {
		for s := a.innermost(pos); s != nil && s != types.Universe; s = s.Parent() {
			for _, name := range s.Names() {
				_, obj := s.LookupParent(name, pos)
				if obj != nil && obj.Parent() != types.Universe && !yield(obj, a.distance(obj)) {
					return
				}
			}
		}
	}
}

// innermost returns the innermost scope around pos; that of the statements where pos is not valid.
func (a *analysis) innermost(pos token.Pos) *types.Scope {
	scope := a.info.Scopes[a.file]
	if a.body != nil && !pos.IsValid() {
		scope = a.info.Scopes[a.body.Type]
	}
	for _, s := range a.info.Scopes {
		if pos.IsValid() && s.Contains(pos) && depth(s) > depth(scope) {
			scope = s
		}
	}
	return scope
}

// distance says how far away an object is declared.
func (a *analysis) distance(obj types.Object) int {
	if _, ok := obj.(*types.PkgName); ok || obj.Pkg() == nil || obj.Pkg().Path() != check.Path {
		return ofPackages
	}
	if obj.Pos() < a.base {
		return ofSession
	}
	if s := obj.Parent(); a.body != nil && s == a.info.Scopes[a.body.Type] || s == nil || s == obj.Pkg().Scope() {
		return ofCell
	}
	return ofFunction
}

// depth returns how many scopes a scope lies in. Scopes may have the same extent, so that does not tell which is inside.
func depth(s *types.Scope) (n int) {
	for ; s != nil; s = s.Parent() {
		n++
	}
	return n
}

// ofSession reports whether an object was defined by an earlier cell, and by which.
func (a *analysis) ofSession(obj types.Object) (cell int, ok bool) {
	if obj.Pkg() == nil || obj.Pkg().Path() != check.Path || !obj.Pos().IsValid() || obj.Pos() >= a.base {
		return 0, false
	}
	return split.FileNumber(a.session.files.Position(obj.Pos()).Filename)
}

// cut returns the text to analyse for a name that ends at end: what stands in front, the name replaced by name, what
// closes it, and the declarations that follow at the beginning of a line.
func cut(source string, start, end int, name string) string {
	head := source[:start] + name
	return head + split.Mend(head) + "\n" + declarationsIn(source[end:])
}

// withoutWrong returns the text with one line blanked, the first in front of the offset that the parser refuses; false where it
// refuses none there.
func withoutWrong(text string, offset int) (string, bool) {
	_, errs := split.Parse(token.NewFileSet(), 0, text)
	if len(errs) == 0 {
		return "", false
	}
	at := 0
	for range errs[0].Pos.Line - 1 {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return "", false
		}
		at += i + 1
	}
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 || at+end >= offset {
		return "", false
	}
	return text[:at] + strings.Repeat(" ", end) + text[at+end:], true
}

// declarationsIn returns the declarations of a text that begin a line, those that can be parsed.
func declarationsIn(text string) string {
	var out strings.Builder
	for rest, found := nextDeclaration(text); found; {
		piece := rest
		if rest, found = nextDeclaration(rest); found {
			piece = piece[:len(piece)-len(rest)]
		}
		if _, errs := split.Parse(token.NewFileSet(), 0, piece); len(errs) == 0 {
			out.WriteString(piece)
		}
	}
	return out.String()
}

// nextDeclaration returns the rest of a text from its first line on, but for the line that it begins in, that begins like a
// declaration.
func nextDeclaration(text string) (rest string, ok bool) {
	for {
		_, below, ok := strings.Cut(text, "\n")
		if !ok {
			return "", false
		}
		text = below
		for _, keyword := range []string{"func ", "type ", "const ", "var ", "import "} {
			if strings.HasPrefix(text, keyword) {
				return text, true
			}
		}
	}
}
