package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// method lowers x.M where it is called.
func (l *lowerer) method(e *ast.SelectorExpr) ast.Expr {
	l.hold(e.X) // a method with a pointer receiver takes its address
	return &ast.SelectorExpr{X: l.promoted(e, l.info.Selections[e]), Sel: l.ident(e.Sel.Pos(), l.methodName(e))}
}

// methodName is the name of the method that x.M calls. (*log.Logger).Fatal would end the process: Panic says the same and
// ends the cell.
func (l *lowerer) methodName(e *ast.SelectorExpr) string {
	name := e.Sel.Name
	if f, ok := l.info.Uses[e.Sel].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "log" {
		if rest, fatal := strings.CutPrefix(name, "Fatal"); fatal {
			return "Panic" + rest
		}
	}
	return name
}

// methodValue lowers x.M where it is a value: to a function that keeps the receiver as it is now. The engine's own method
// values see later changes of x.
func (l *lowerer) methodValue(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	pos := e.Pos()
	l.hold(e.X)
	t, x := l.receiverOf(e, sel)
	sig := sel.Type().(*types.Signature)
	r := l.temp()
	inner := l.forward(pos, sig, func(args []ast.Expr) ast.Expr {
		return l.call(pos, &ast.SelectorExpr{X: l.ident(pos, r), Sel: l.ident(e.Sel.Pos(), l.methodName(e))}, args...)
	})
	outer := signature([]types.Type{t}, []types.Type{sig})
	return l.call(pos, &ast.FuncLit{
		Type: l.funcType(pos, outer, []string{r}),
		Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{inner}})}, x)
}

// receiverOf returns the receiver of x.M as it is passed: x, or its address where M wants a pointer.
func (l *lowerer) receiverOf(e *ast.SelectorExpr, sel *types.Selection) (types.Type, ast.Expr) {
	t := l.typeOf(e.X)
	x := l.expr(e.X)
	recv := sel.Obj().(*types.Func).Signature().Recv()
	_, isPointer := t.Underlying().(*types.Pointer)
	_, wantsPointer := recv.Type().(*types.Pointer)
	if wantsPointer && !isPointer && l.info.Types[e.X].Addressable() {
		if star, ok := x.(*ast.StarExpr); ok { // &*p is p
			return types.NewPointer(t), star.X
		}
		return types.NewPointer(t), &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: x}
	}
	return t, x
}

// methodExpr lowers T.M to a function with the receiver as its first parameter.
func (l *lowerer) methodExpr(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	return l.forward(e.Pos(), sel.Type().(*types.Signature), func(args []ast.Expr) ast.Expr {
		return l.call(e.Pos(), &ast.SelectorExpr{X: args[0], Sel: l.ident(e.Sel.Pos(), l.methodName(e))}, args[1:]...)
	})
}

// forward makes a function literal of a signature that passes its parameters to a call.
func (l *lowerer) forward(pos token.Pos, sig *types.Signature, to func(args []ast.Expr) ast.Expr) *ast.FuncLit {
	names := make([]string, sig.Params().Len())
	args := make([]ast.Expr, len(names))
	for i := range names {
		names[i] = l.temp()
		args[i] = l.ident(pos, names[i])
	}
	call := to(args).(*ast.CallExpr)
	if sig.Variadic() {
		call.Ellipsis = pos
	}
	var body ast.Stmt = &ast.ExprStmt{X: call}
	if sig.Results().Len() > 0 {
		body = &ast.ReturnStmt{Return: pos, Results: []ast.Expr{call}}
	}
	return &ast.FuncLit{Type: l.funcType(pos, sig, names), Body: l.block(pos, body)}
}
