package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// declare is pass 1: imports, types, constants and signatures. It reports whether all is well.
func (c *checker) declare() bool {
	pkg := c.env.Package
	rescope(pkg)
	c.explicitImports()
	for name := range c.names {
		if b, ok := c.env.Lookup(name); ok && b.Object != nil && !c.own[name] && c.cell.Imports[name] == "" {
			pkg.Scope().Insert(b.Object)
		}
	}
	for _, tn := range c.kept {
		pkg.Scope().Insert(tn)
	}
	file := c.file(nil)
	for _, d := range c.cell.Decls {
		if d = c.withoutKept(d); d != nil {
			file.Decls = append(file.Decls, d)
		}
	}
	late := map[*ast.FuncDecl]*ast.Ident{}
	for _, f := range c.cell.Cell.Funcs {
		bare := *f
		bare.Body, bare.Doc = nil, nil
		if c.late[f] != nil {
			late[f] = &ast.Ident{NamePos: f.Name.Pos(), Name: "·" + c.late[f].Name() + "·" + f.Name.Name}
			bare = *asFunction(f, nil, late[f], nil)
		}
		file.Decls = append(file.Decls, &bare)
	}
	checker := types.NewChecker(c.config(c.report), c.env.Files, pkg, c.cell.Info)
	checker.Files([]*ast.File{file})
	if len(c.errs) > 0 {
		return false
	}
	c.collectDeclared(late)
	return len(c.errs) == 0
}

// statements is pass 2.
func (c *checker) statements() {
	if len(c.body) == 0 {
		return
	}
	// In the scope of pass 1.
	file := c.file(nil)
	file.Decls = append(file.Decls, &ast.FuncDecl{
		Name: &ast.Ident{NamePos: c.body[0].Pos(), Name: "_"},
		Type: &ast.FuncType{Func: c.body[0].Pos(), Params: &ast.FieldList{}},
		Body: &ast.BlockStmt{Lbrace: c.body[0].Pos(), List: c.body, Rbrace: c.body[len(c.body)-1].End()},
	})
	checker := types.NewChecker(c.config(c.report), c.env.Files, c.env.Package, c.cell.Info)
	checker.Files([]*ast.File{file})
}

// bodies is pass 3.
func (c *checker) bodies() {
	// In a scope of its own: the variables of this cell hide older ones of their name.
	pkg := c.env.Package
	before := map[string]types.Object{}
	for _, name := range pkg.Scope().Names() {
		before[name] = pkg.Scope().Lookup(name)
	}
	rescope(pkg)
	hidden := map[string]bool{}
	for _, v := range c.cell.Vars {
		pkg.Scope().Insert(v.Object)
		hidden[v.Object.Name()] = true
	}
	for name, obj := range before {
		if !hidden[name] {
			pkg.Scope().Insert(obj)
		}
	}
	file := c.file(hidden)
	for _, f := range c.cell.Funcs {
		if f.Decl.Body != nil {
			file.Decls = append(file.Decls, asFunction(f.Decl, c.typeParams(f.Decl), &ast.Ident{NamePos: f.Decl.Name.Pos(), Name: "_"}, f.Decl.Body))
		}
	}
	types.NewChecker(c.config(c.report), c.env.Files, pkg, c.cell.Info).Files([]*ast.File{file})
}

// file returns a file with the cell's imports and those of the session's that the cell mentions, but for hidden names.
func (c *checker) file(hidden map[string]bool) *ast.File {
	f := &ast.File{Name: &ast.Ident{Name: Path}}
	at := token.NoPos
	taken := map[string]bool{}
	for _, spec := range c.cell.Cell.Imports {
		if name := c.localName(spec); !hidden[name] {
			addImport(f, spec)
			taken[name] = true
		}
		at = spec.Pos()
	}
	implicit := map[string]string{}
	for name := range c.names {
		b, ok := c.env.Lookup(name)
		if ok && b.Import != "" && !taken[name] && !c.own[name] && !hidden[name] {
			implicit[name] = b.Import
		}
	}
	rest := importFile(at, implicit, c.env.Dots)
	f.Decls = append(f.Decls, rest.Decls...)
	f.Imports = append(f.Imports, rest.Imports...)
	return f
}

// importFile returns a file of nothing but imports, by name and with a dot.
func importFile(at token.Pos, named map[string]string, dots []string) *ast.File {
	f := &ast.File{Name: &ast.Ident{Name: Path}}
	add := func(name, path string) {
		addImport(f, &ast.ImportSpec{
			Name: &ast.Ident{NamePos: at, Name: name},
			Path: &ast.BasicLit{ValuePos: at, Kind: token.STRING, Value: strconv.Quote(path)}})
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		add(name, named[name])
	}
	for _, path := range dots {
		add(".", path)
	}
	return f
}

func addImport(f *ast.File, spec *ast.ImportSpec) {
	f.Decls = append(f.Decls, &ast.GenDecl{TokPos: spec.Pos(), Tok: token.IMPORT, Specs: []ast.Spec{spec}})
	f.Imports = append(f.Imports, spec)
}

// explicitImports notes what the cell's own imports bring.
func (c *checker) explicitImports() {
	for _, spec := range c.cell.Cell.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it
		}
		switch name := c.localName(spec); name {
		case "_", "":
		case ".":
			c.cell.Dots = append(c.cell.Dots, path)
		default:
			c.cell.Imports[name] = path
		}
	}
}

// localName is the name by which a file knows an import; empty where the package cannot be imported.
func (c *checker) localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	pkg, err := c.env.Importer.Import(path)
	if err != nil {
		return "" // pass 1 reports it
	}
	return pkg.Name()
}

// asFunction turns a function or method into a function: the receiver becomes the first parameter.
func asFunction(f *ast.FuncDecl, tparams *ast.FieldList, name *ast.Ident, body *ast.BlockStmt) *ast.FuncDecl {
	t := *f.Type
	if tparams != nil {
		t.TypeParams = tparams
	}
	if f.Recv != nil {
		params := &ast.FieldList{Opening: f.Type.Params.Opening, Closing: f.Type.Params.Closing}
		params.List = append(params.List, f.Recv.List...)
		if len(f.Recv.List[0].Names) == 0 && len(f.Type.Params.List) > 0 && len(f.Type.Params.List[0].Names) > 0 {
			// Parameters are all named or all unnamed.
			recv := *f.Recv.List[0]
			recv.Names = []*ast.Ident{{NamePos: recv.Type.Pos(), Name: "_"}}
			params.List[0] = &recv
		}
		rest := f.Type.Params.List
		if len(f.Recv.List[0].Names) > 0 {
			rest = named(rest)
		}
		params.List = append(params.List, rest...)
		t.Params = params
	}
	return &ast.FuncDecl{Name: name, Type: &t, Body: body}
}

// named gives unnamed parameters the blank name.
func named(list []*ast.Field) []*ast.Field {
	out := slices.Clone(list)
	for i, f := range out {
		if len(f.Names) == 0 {
			g := *f
			g.Names = []*ast.Ident{{NamePos: f.Type.Pos(), Name: "_"}}
			out[i] = &g
		}
	}
	return out
}

// typeParams returns the type parameters under which the body of f is checked: for a method of a generic type those of
// the type's declaration, by the receiver's names.
func (c *checker) typeParams(f *ast.FuncDecl) *ast.FieldList {
	if f.Recv == nil {
		return nil
	}
	base, args := receiver(f)
	if len(args) == 0 {
		return nil
	}
	for _, d := range c.cell.Decls {
		for _, s := range d.Specs {
			spec, ok := s.(*ast.TypeSpec)
			if !ok || spec.Name.Name != base || spec.TypeParams == nil {
				continue
			}
			var list []*ast.Field
			for _, field := range spec.TypeParams.List {
				for range field.Names {
					if len(list) < len(args) {
						list = append(list, &ast.Field{Names: []*ast.Ident{args[len(list)]}, Type: field.Type})
					}
				}
			}
			return &ast.FieldList{Opening: f.Recv.Pos(), List: list, Closing: f.Recv.End()}
		}
	}
	return nil
}

// receiver returns the name of a method's base type and the receiver's names of its type parameters.
func receiver(f *ast.FuncDecl) (base string, args []*ast.Ident) {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return "", nil
	}
	e := ast.Unparen(f.Recv.List[0].Type)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	var indices []ast.Expr
	switch x := e.(type) {
	case *ast.IndexExpr:
		e, indices = x.X, []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		e, indices = x.X, x.Indices
	}
	for _, i := range indices {
		if id, ok := i.(*ast.Ident); ok {
			args = append(args, id)
		}
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name, args
	}
	return "", args
}

// collectVars gathers the variables that the statements define outside any block.
func (c *checker) collectVars() {
	c.tops = map[token.Pos]bool{}
	add := func(id *ast.Ident, stmt int) {
		v, ok := c.cell.Info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" {
			return
		}
		twin := types.NewVar(v.Pos(), c.env.Package, v.Name(), v.Type())
		c.cell.Vars = append(c.cell.Vars, &Var{Local: v, Object: twin, Stmt: stmt})
		c.tops[v.Pos()] = true
	}
	for i, s := range c.body {
		for l, ok := s.(*ast.LabeledStmt); ok; l, ok = s.(*ast.LabeledStmt) {
			s = l.Stmt
		}
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				for _, e := range s.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						add(id, i)
					}
				}
			}
		case *ast.DeclStmt:
			if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						add(id, i)
					}
				}
			}
		}
	}
}

// collectDeclared gathers what pass 1 declared, and gives older types their new methods.
func (c *checker) collectDeclared(late map[*ast.FuncDecl]*ast.Ident) {
	for _, d := range c.cell.Decls {
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if tn := c.kept[s.Name.Name]; tn != nil {
					c.cell.Kept = append(c.cell.Kept, tn)
				} else if tn, ok := c.cell.Info.Defs[s.Name].(*types.TypeName); ok && s.Name.Name != "_" {
					c.cell.Types = append(c.cell.Types, tn)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if k, ok := c.cell.Info.Defs[n].(*types.Const); ok && n.Name != "_" {
						c.cell.Consts = append(c.cell.Consts, k)
					}
				}
			}
		}
	}
	for _, f := range c.cell.Cell.Funcs {
		fn := &Func{Decl: f, Recv: c.late[f]}
		if id := late[f]; id != nil {
			fn.Object = c.addMethod(f, c.late[f], c.env.Package.Scope().Lookup(id.Name).(*types.Func))
		} else if fn.Object, _ = c.cell.Info.Defs[f.Name].(*types.Func); fn.Object == nil {
			continue // blank
		}
		sig := fn.Object.Signature()
		fn.Generic = sig.TypeParams() != nil || sig.RecvTypeParams() != nil
		if recv := sig.Recv(); recv != nil {
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				fn.Pointer, t = true, p.Elem()
			}
			if named, ok := t.(*types.Named); ok && fn.Recv == nil {
				fn.Recv = named.Origin().Obj()
			}
		}
		c.cell.Funcs = append(c.cell.Funcs, fn)
	}
}

// addMethod gives an older type a method whose signature was checked as that of a function.
func (c *checker) addMethod(f *ast.FuncDecl, tn *types.TypeName, fn *types.Func) *types.Func {
	sig := fn.Signature()
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	m := types.NewFunc(f.Name.Pos(), c.env.Package, f.Name.Name,
		types.NewSignatureType(sig.Params().At(0), nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic()))
	named := tn.Type().(*types.Named)
	if obj, _, _ := types.LookupFieldOrMethod(named, true, c.env.Package, m.Name()); obj != nil {
		if v, ok := obj.(*types.Var); ok && v.IsField() && directField(named, v) {
			c.errs = append(c.errs, types.Error{Fset: c.env.Files, Pos: f.Name.Pos(),
				Msg: "field and method with the same name " + m.Name()})
			return m
		}
	}
	named.AddMethod(m)
	return m
}

// directField reports whether v is a field that the struct type declares itself.
func directField(named *types.Named, v *types.Var) bool {
	s, ok := named.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i) == v {
			return true
		}
	}
	return false
}

// report takes an error of go/types, but for those that Go's rules for files have and a cell's have not.
func (c *checker) report(err types.Error) {
	switch {
	case strings.Contains(err.Msg, "imported and not used"), strings.Contains(err.Msg, "imported as ") && err.Soft:
	case err.Msg == "func init must have a body", err.Msg == "generic function is missing function body":
		// pass 1 leaves bodies out
	case c.last != nil && strings.HasSuffix(err.Msg, "is not used") && c.isCallOfLast(err):
		c.unused = true
	default:
		c.errs = append(c.errs, err)
	}
}

// isCallOfLast reports whether err refuses the last expression as a whole.
func (c *checker) isCallOfLast(err types.Error) bool {
	return strings.HasPrefix(err.Msg, types.ExprString(c.last.X)+" ") && c.last.Pos() <= err.Pos && err.Pos < c.last.End()
}

// dropUnused removes the complaints about session variables that are not used yet.
func (c *checker) dropUnused() {
	c.errs = slices.DeleteFunc(c.errs, func(err types.Error) bool {
		return strings.HasPrefix(err.Msg, "declared and not used") && c.tops[err.Pos]
	})
}
