package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// The engine compares neither interfaces nor values of two types as Go does (goroot.md 4.10).

// compares lowers == of values that the engine cannot compare as they are: interfaces, and values of two types. It returns
// nil for others.
func (l *lowerer) compares(e *ast.BinaryExpr) ast.Expr {
	if x, y := ast.Unparen(e.X), ast.Unparen(e.Y); l.info.Types[y].IsNil() && l.isConversion(x) || l.info.Types[x].IsNil() && l.isConversion(y) {
		// The engine compares what is converted to an interface, not the interface.
		return l.call(e.OpPos, l.helper(e.OpPos, "Equal"), l.expr(x), l.expr(y))
	}
	return l.equal(e.OpPos, l.operand(e.X), l.operand(e.Y))
}

// isConversion reports whether an expression is a conversion to an interface.
func (l *lowerer) isConversion(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && l.info.Types[ast.Unparen(call.Fun)].IsType() && types.IsInterface(l.typeOf(e))
}

// An operand is an operand of a comparison.
type operand struct {
	typ   types.Type
	isNil bool
	expr  func() ast.Expr
}

func (l *lowerer) operand(e ast.Expr) operand {
	return operand{types.Default(l.typeOf(e)), l.info.Types[e].IsNil(), func() ast.Expr { return l.expr(e) }}
}

// equal writes x == y; nil where the engine's own comparison will do.
func (l *lowerer) equal(pos token.Pos, x, y operand) ast.Expr {
	switch {
	case x.isNil || y.isNil:
		return nil
	case types.IsInterface(x.typ) || types.IsInterface(y.typ):
		return l.call(pos, l.helper(pos, "Equal"), x.expr(), y.expr())
	case spelled(x.typ):
		other := y.expr()
		if converts(y.typ, x.typ) {
			other = l.call(pos, l.typeExpr(pos, x.typ), other)
		}
		return l.call(pos, l.helper(pos, "Equal"), x.expr(), other)
	case !converts(x.typ, y.typ):
		return nil
	case types.AssignableTo(y.typ, x.typ):
		return &ast.BinaryExpr{X: x.expr(), OpPos: pos, Op: token.EQL, Y: l.call(pos, l.typeExpr(pos, x.typ), y.expr())}
	}
	return &ast.BinaryExpr{X: l.call(pos, l.typeExpr(pos, y.typ), x.expr()), OpPos: pos, Op: token.EQL, Y: y.expr()}
}

// compared reports whether an expression is a comparison or a combination of truth values.
func compared(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			return true
		}
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	}
	return false
}

// spelled reports whether the engine may know values of one type by two that it takes for different: it tells types that
// are written out apart by how they are spelled.
func spelled(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return true
	case *types.Pointer:
		return spelledElem(t.Elem())
	case *types.Chan:
		return spelledElem(t.Elem())
	}
	return false
}

// spelledElem is spelled for what a pointer or a channel is of, which need not be comparable.
func spelledElem(t types.Type) bool {
	_, isInterface := types.Unalias(t).(*types.Interface)
	return isInterface || composite(t) || spelled(t)
}
