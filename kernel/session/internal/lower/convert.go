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
	if t == nil || from == nil {
		return x
	}
	if l.info.Types[e].IsNil() && !types.IsInterface(t) { // an untyped nil has no type to the engine in some places
		return l.call(e.Pos(), l.typeExpr(e.Pos(), t), x)
	}
	if !l.needsCopy(e, t) {
		return x
	}
	return l.through(e.Pos(), from, t, x)
}

// needsCopy reports whether the engine would put a reference into an interface of type t where e is put into it.
func (l *lowerer) needsCopy(e ast.Expr, t types.Type) bool {
	from := l.typeOf(e)
	if t == nil || from == nil || !types.IsInterface(t) || types.IsInterface(from) || !MentionsSession(from) {
		return false
	}
	_, isStruct := from.Underlying().(*types.Struct)
	return l.isVariable(e) || isStruct && t.Underlying().(*types.Interface).Empty()
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
			if lit, ok := f.(*ast.FuncLit); ok {
				f = l.inOwnFrame(lit)
			}
			out[i] = l.call(a.Pos(), l.helper(a.Pos(), "Callback"), f)
		case compiled && isLit:
			out[i] = l.inOwnFrame(l.expr(a).(*ast.FuncLit))
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

// copying wraps a call of a function that a cell declares where arguments that become interfaces must be copied: the copies
// are parameters of a function around the call. As an argument the engine takes neither a converted value nor an interface
// of the session's that another call returns; the latter goes through a variable of that function.
func (l *lowerer) copying(e *ast.CallExpr, sig *types.Signature, out *ast.CallExpr) ast.Expr {
	if len(e.Args) == 1 && sig.Params().Len() > 1 {
		return out
	}
	pos := e.Pos()
	var from []types.Type
	var names []string
	var args []ast.Expr
	var body []ast.Stmt
	for i, a := range e.Args {
		if t := l.typeOf(a); isSessionInterface(t) && l.isCall(a) {
			name := l.temp()
			body = append(body, l.variable(a.Pos(), name, t, l.expr(a)))
			out.Args[i] = l.ident(a.Pos(), name)
			continue
		}
		if !l.needsCopy(a, paramType(sig, i, e.Ellipsis.IsValid())) {
			continue
		}
		from = append(from, l.typeOf(a))
		names = append(names, l.temp())
		args = append(args, l.expr(a))
		out.Args[i] = l.ident(a.Pos(), names[len(names)-1])
	}
	if len(names) == 0 && len(body) == 0 {
		return out
	}
	var results []types.Type
	for v := range sig.Results().Variables() {
		results = append(results, v.Type())
	}
	if len(results) > 0 {
		body = append(body, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{out}})
	} else {
		body = append(body, &ast.ExprStmt{X: out})
	}
	return l.call(pos, &ast.FuncLit{Type: l.funcType(pos, signature(from, results), names), Body: l.block(pos, body...)}, args...)
}

// isSessionInterface reports whether a type is an interface with methods that a cell declares.
func isSessionInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && !i.Empty() && MentionsSession(t)
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
