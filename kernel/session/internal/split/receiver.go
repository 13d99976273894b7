package split

import "go/ast"

// ReceiverName returns the name of the type that a method belongs to; nothing where there is none to be seen.
func ReceiverName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	base, _ := ReceiverType(f.Recv.List[0].Type)
	id, ok := base.(*ast.Ident)
	if !ok {
		return ""
	}
	return id.Name
}

// ReceiverType takes the type of a receiver apart: the name of the base type, and the type parameters.
func ReceiverType(e ast.Expr) (base ast.Expr, params []ast.Expr) {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	switch x := e.(type) {
	case *ast.IndexExpr:
		return x.X, []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		return x.X, x.Indices
	}
	return e, nil
}
