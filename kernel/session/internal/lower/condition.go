package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A condition is what the engine branches on: that of an if or a for, a case of a switch without a tag, an operand of && or ||.

// condition lowers a condition. Behind a conversion the engine goes on as if the value were true; behind a negation it looks.
func (l *lowerer) condition(e ast.Expr) ast.Expr {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) && l.info.Types[e].Value == nil {
		return l.logical(b)
	}
	x := l.expr(e)
	if !l.lowersToConversion(e) {
		return x
	}
	not := func(x ast.Expr) ast.Expr { return &ast.UnaryExpr{OpPos: e.Pos(), Op: token.NOT, X: x} }
	return not(not(x))
}

// lowersToConversion reports whether a condition is lowered to a conversion.
func (l *lowerer) lowersToConversion(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return l.info.Types[ast.Unparen(e.Fun)].IsType()
	case *ast.BinaryExpr: // a comparison
		_, named := types.Unalias(l.typeOf(e)).(*types.Named)
		return named
	}
	return false
}

// logical lowers && and ||.
func (l *lowerer) logical(e *ast.BinaryExpr) ast.Expr {
	operand := func(e ast.Expr) ast.Expr { return l.alone(e.Pos(), l.condition(e), types.Default(l.typeOf(e))) }
	return &ast.BinaryExpr{X: operand(e.X), OpPos: e.OpPos, Op: e.Op, Y: operand(e.Y)}
}

// alone gives a lowered operand of && or || a function of its own where it has a composite literal, which the engine would
// put in the place of another value.
func (l *lowerer) alone(pos token.Pos, x ast.Expr, t types.Type) ast.Expr {
	if !within(x, func(n ast.Node) bool { _, ok := n.(*ast.CompositeLit); return ok }) {
		return x
	}
	return l.call(pos, &ast.FuncLit{Type: l.funcType(pos, signature(nil, []types.Type{t}), nil),
		Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{x}})})
}
