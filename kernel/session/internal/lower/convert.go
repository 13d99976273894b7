package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/check"
)

// Go converts implicitly to an interface wherever a value is assigned, passed, returned, sent or stored. The engine does
// so too, but what it puts into the interface follows the variable that the value came from. So such a value goes through
// a parameter, which is a copy.

// to lowers an expression for a place of type t.
func (l *lowerer) to(e ast.Expr, t types.Type) ast.Expr {
	x := l.expr(e)
	from := l.typeOf(e)
	if t == nil || from == nil || !types.IsInterface(t) || types.IsInterface(from) || !MentionsSession(from) || !l.isVariable(e) {
		return x
	}
	return l.through(e.Pos(), from, t, x)
}

// through passes a lowered expression of one type through a function that returns it as another.
func (l *lowerer) through(pos token.Pos, from, t types.Type, x ast.Expr) ast.Expr {
	v := l.temp()
	return l.call(pos, &ast.FuncLit{
		Type: l.funcType(pos, signature([]types.Type{from}, []types.Type{t}), []string{v}),
		Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{l.ident(pos, v)}}),
	}, x)
}

// isVariable reports whether an expression is a variable or a part of one.
func (l *lowerer) isVariable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := l.info.Uses[e].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		sel := l.info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal
	case *ast.IndexExpr:
		return l.info.Types[e].IsValue()
	case *ast.StarExpr:
		return true
	}
	return false
}

// arguments lowers the arguments of a call of a function that a cell declares. Compiled functions take copies by
// themselves; but of the function literals that a loop hands to one, the engine hands over the last one only, unless it
// comes from a variable.
func (l *lowerer) arguments(e *ast.CallExpr, sig *types.Signature, compiled bool) []ast.Expr {
	if len(e.Args) == 1 && sig.Params().Len() > 1 {
		return l.exprs(e.Args) // f(g()), or the only argument before variadic ones
	}
	out := make([]ast.Expr, len(e.Args))
	background := compiled && l.callsBack(e)
	for i, a := range e.Args {
		_, isLit := ast.Unparen(a).(*ast.FuncLit)
		switch {
		case background && types.Identical(paramType(sig, i, false), plainFunc):
			f := l.expr(a)
			if isLit {
				f = l.through(a.Pos(), plainFunc, plainFunc, f)
			}
			out[i] = l.call(a.Pos(), l.helper(a.Pos(), "Callback"), f)
		case compiled && isLit:
			out[i] = l.through(a.Pos(), l.typeOf(a), l.typeOf(a), l.expr(a))
		case compiled:
			out[i] = l.expr(a)
			last := sig.Params().Len() - 1
			if t := paramType(sig, i, e.Ellipsis.IsValid()); sig.Variadic() && i >= last && isCompiledInterface(t) &&
				!types.IsInterface(l.typeOf(a)) && MentionsSession(l.typeOf(a)) {
				out[i] = l.through(a.Pos(), l.typeOf(a), t, out[i]) // the engine converts no variadic argument
			}
		default:
			out[i] = l.to(a, paramType(sig, i, e.Ellipsis.IsValid()))
		}
	}
	return out
}

// plainFunc is func().
var plainFunc = signature(nil, nil)

// backgrounds are the functions of the standard library that call a function on a goroutine of their own, where a panic
// would end the process and output would have no cell.
var backgrounds = map[string]bool{
	"(*sync.WaitGroup).Go": true, "time.AfterFunc": true, "context.AfterFunc": true,
}

// callsBack reports whether a call is of one of these.
func (l *lowerer) callsBack(e *ast.CallExpr) bool {
	f := l.callee(e)
	return f != nil && backgrounds[f.FullName()]
}

// compares lowers == and != of interfaces: the engine compares what it wraps values in, and panics where it looks for nil
// in a struct. It returns nil for other comparisons.
func (l *lowerer) compares(e *ast.BinaryExpr) ast.Expr {
	if !types.IsInterface(l.typeOf(e.X)) && !types.IsInterface(l.typeOf(e.Y)) {
		return nil
	}
	return l.call(e.Pos(), l.helper(e.Pos(), "Equal"), l.expr(e.X), l.expr(e.Y))
}

// promoted returns the operand of a promoted field or method with the embedded fields that lead to it written out.
func (l *lowerer) promoted(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	x := l.expr(e.X)
	t := sel.Recv()
	for _, at := range sel.Index()[:len(sel.Index())-1] {
		if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != check.Path {
			return x // compiled structs promote by themselves
		}
		f := t.Underlying().(*types.Struct).Field(at)
		x = &ast.SelectorExpr{X: x, Sel: l.ident(e.Sel.Pos(), l.fieldName(f))}
		t = f.Type()
	}
	return x
}
