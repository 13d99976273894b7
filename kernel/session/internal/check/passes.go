package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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
			file.Decls = append(file.Decls, parenthesized(d))
		}
	}
	late := map[*ast.FuncDecl]*ast.Ident{}
	signatures := map[*ast.FuncDecl]*types.Signature{} // of methods that older types get, as functions
	for _, f := range c.cell.Cell.Funcs {
		bare := *f
		bare.Body, bare.Doc = nil, nil
		if c.late[f] != nil {
			late[f] = &ast.Ident{NamePos: f.Name.Pos(), Name: "·" + c.late[f].Name() + "·" + f.Name.Name}
			bare = *asFunction(f, late[f], nil)
			if c.lateGeneric(f) {
				continue
			}
		}
		file.Decls = append(file.Decls, &bare)
	}
	checker := types.NewChecker(c.config(c.report), c.env.Files, pkg, c.cell.Info)
	checker.Files([]*ast.File{file})
	for f, id := range late {
		if c.lateGeneric(f) {
			c.inScopeOf(f, c.late[f], asFunction(f, id, nil), c.file(nil))
		}
		if fn, ok := pkg.Scope().Lookup(id.Name).(*types.Func); ok {
			signatures[f] = fn.Signature()
		}
	}
	if len(c.errs) > 0 {
		return false
	}
	c.collectDeclared(signatures)
	return len(c.errs) == 0
}

// parenthesized puts a name that stands alone for a declared type, as in `type Q T`, into parentheses. In its search for
// cycles go/types looks for the declaration of such a T and takes it for granted that this check has seen it.
func parenthesized(d *ast.GenDecl) *ast.GenDecl {
	if d.Tok != token.TYPE {
		return d
	}
	copied := *d
	copied.Specs = nil
	for _, s := range d.Specs {
		spec := *s.(*ast.TypeSpec)
		if id, ok := spec.Type.(*ast.Ident); ok {
			spec.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
		}
		copied.Specs = append(copied.Specs, &spec)
	}
	return &copied
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
	var ofGeneric []*Func
	for _, f := range c.cell.Funcs {
		switch {
		case f.Decl.Body == nil:
		case f.Generic && f.Recv != nil:
			ofGeneric = append(ofGeneric, f)
		default:
			file.Decls = append(file.Decls, asFunction(f.Decl, &ast.Ident{NamePos: f.Decl.Name.Pos(), Name: "_"}, f.Decl.Body))
		}
	}
	types.NewChecker(c.config(c.report), c.env.Files, pkg, c.cell.Info).Files([]*ast.File{file})
	for _, f := range ofGeneric {
		blank := &ast.Ident{NamePos: f.Decl.Name.Pos(), Name: "_"}
		c.inScopeOf(f.Decl, f.Recv, asFunction(f.Decl, blank, f.Decl.Body), c.file(hidden))
	}
}

// lateGeneric reports whether f is a method that an older generic type gets.
func (c *checker) lateGeneric(f *ast.FuncDecl) bool {
	return c.late[f] != nil && c.late[f].Type().(*types.Named).TypeParams() != nil
}

// inScopeOf checks a function that is made of a method of a generic type, with or without its body. In its scope the
// receiver's names of the type parameters stand for those of the type's declaration, so that it need not be known how that
// has written their constraints.
func (c *checker) inScopeOf(method *ast.FuncDecl, tn *types.TypeName, f *ast.FuncDecl, file *ast.File) {
	scope := c.env.Package.Scope()
	before := map[string]types.Object{}
	for _, name := range scope.Names() {
		before[name] = scope.Lookup(name)
	}
	rescope(c.env.Package)
	insertParams(c.env.Package, method, tn.Type().(*types.Named))
	for _, obj := range before {
		scope.Insert(obj) // where there is none of its name
	}
	file.Decls = append(file.Decls, f)
	types.NewChecker(c.config(c.report), c.env.Files, c.env.Package, c.cell.Info).Files([]*ast.File{file})
	fn := scope.Lookup(f.Name.Name)
	rescope(c.env.Package)
	for _, obj := range before {
		scope.Insert(obj)
	}
	if fn != nil {
		scope.Insert(fn)
	}
}

// insertParams puts the type parameters of a declared type into a package's scope, by the names that a method's receiver
// gives them.
func insertParams(pkg *types.Package, method *ast.FuncDecl, n *types.Named) {
	for i, name := range paramNames(method) {
		if i < n.TypeParams().Len() {
			pkg.Scope().Insert(types.NewTypeName(method.Pos(), pkg, name, n.TypeParams().At(i)))
		}
	}
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
