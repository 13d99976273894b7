package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Go looks at an index on the left of an assignment when it has evaluated the right side, the engine before. Which of two
// panics comes can tell, and what the right side does before it.

// indexesEarly reports whether the engine may panic for an index in x, the left side of an assignment of y, where Go would
// evaluate y first and that may show.
func (l *lowerer) indexesEarly(x, y ast.Expr) bool {
	return l.mayMiss(x) && (l.calls(y) || l.mayPanic(y))
}

// mayMiss reports whether there is an index or a slice expression in e that may be out of range.
func (l *lowerer) mayMiss(e ast.Expr) bool {
	return l.has(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			_, isMap := l.typeOf(n.X).Underlying().(*types.Map)
			return !isMap && !l.isBounded(n)
		case *ast.SliceExpr:
			return true
		}
		return false
	})
}

// mayPanic reports whether the evaluation of an expression without calls may panic.
func (l *lowerer) mayPanic(e ast.Expr) bool {
	return l.mayMiss(e) || l.has(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr, *ast.TypeAssertExpr:
			return true
		case *ast.SelectorExpr: // of a pointer
			sel := l.info.Selections[n]
			return sel != nil && sel.Indirect()
		case *ast.BinaryExpr:
			return n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR || l.comparesInterfaces(n)
		case *ast.CallExpr: // a conversion of a slice to an array
			_, isArray := l.typeOf(n).Underlying().(*types.Array)
			return isArray
		}
		return false
	})
}

// comparesInterfaces reports whether an operation compares values that may not be comparable.
func (l *lowerer) comparesInterfaces(e *ast.BinaryExpr) bool {
	return (e.Op == token.EQL || e.Op == token.NEQ) && (types.IsInterface(l.typeOf(e.X)) || types.IsInterface(l.typeOf(e.Y)))
}

// has reports whether a node of an expression that is not constant, outside function literals, satisfies f.
func (l *lowerer) has(e ast.Expr, f func(ast.Node) bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && l.info.Types[x].Value != nil {
			return false
		}
		if _, isLit := n.(*ast.FuncLit); isLit || found || n == nil {
			return false
		}
		found = f(n)
		return !found
	})
	return found
}

// isBounded reports whether x[i] stands in a loop that gives i values below the length of x only.
func (l *lowerer) isBounded(e *ast.IndexExpr) bool {
	x, ok := ast.Unparen(e.X).(*ast.Ident)
	i, isName := ast.Unparen(e.Index).(*ast.Ident)
	if !ok || !isName {
		return false
	}
	for _, lp := range l.loops {
		if lp.index != nil && lp.index == l.info.Uses[i] && lp.indexed == l.info.Uses[x] {
			return true
		}
	}
	return false
}

// bounded notes that a loop, with a variable and a body, counts the variable up to the length of x.
func (l *lowerer) bounded(lp *loop, variable, x ast.Expr, body *ast.BlockStmt) {
	id, ok := variable.(*ast.Ident)
	of, isName := ast.Unparen(x).(*ast.Ident)
	if !ok || !isName {
		return
	}
	i, v := l.info.Defs[id], l.info.Uses[of]
	if i == nil || v == nil || l.assigned(body, i, v) {
		return
	}
	lp.index, lp.indexed = i, v
}

// assigned reports whether a node assigns to one of two variables, or takes its address.
func (l *lowerer) assigned(n ast.Node, a, b types.Object) bool {
	found := false
	is := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			obj := l.info.Uses[id]
			found = found || obj != nil && (obj == a || obj == b)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				is(e)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				is(n.X)
			}
		case *ast.RangeStmt:
			is(n.Key)
			is(n.Value)
		case *ast.CallExpr:
			found = found || l.slot(b) != nil && l.isCall(n) // a function may assign to a session variable
		}
		return !found
	})
	return found
}
