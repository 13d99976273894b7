package check

import (
	"go/ast"
	"slices"
)

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
