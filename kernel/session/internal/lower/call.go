package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/check"
)

// callExpr lowers a call, a conversion or the use of a builtin.
func (l *lowerer) callExpr(e *ast.CallExpr) ast.Expr {
	fun := ast.Unparen(e.Fun)
	if tv := l.info.Types[fun]; tv.IsBuiltin() {
		if id, ok := fun.(*ast.Ident); ok {
			if x := l.builtin(e, id.Name); x != nil {
				return x
			}
		}
	}
	if f := l.callee(e); f != nil && len(e.Args) == 2 {
		if helper := map[string]string{"errors.Is": "ErrorsIs", "errors.As": "ErrorsAs"}[f.FullName()]; helper != "" {
			return l.call(e.Lparen, l.helper(e.Pos(), helper), l.exprs(e.Args)...)
		}
	}
	out := &ast.CallExpr{Lparen: e.Lparen, Ellipsis: e.Ellipsis, Rparen: e.Rparen}
	if s, ok := fun.(*ast.SelectorExpr); ok && l.isMethod(s) {
		out.Fun = l.method(s)
	} else {
		out.Fun = l.expr(fun)
	}
	tv := l.info.Types[fun]
	if tv.IsType() && len(e.Args) == 1 {
		if from := l.typeOf(e.Args[0]); isCompiledInterface(tv.Type) && !types.IsInterface(from) && MentionsSession(from) {
			return l.through(e.Pos(), from, tv.Type, l.expr(e.Args[0])) // the engine has no such conversion
		}
		out.Args = []ast.Expr{l.to(e.Args[0], tv.Type)}
		return out
	}
	if tv.IsBuiltin() {
		out.Args = l.exprs(e.Args)
		if id, ok := fun.(*ast.Ident); ok && id.Name == "append" && !e.Ellipsis.IsValid() && len(e.Args) > 1 {
			elem := l.typeOf(e).Underlying().(*types.Slice).Elem()
			for i, a := range e.Args[1:] {
				out.Args[i+1] = l.to(a, elem)
			}
		}
		return out
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		out.Args = l.exprs(e.Args)
		return out
	}
	out.Args = l.arguments(e, sig, l.compiled(e))
	if sig.Variadic() &&
		len(e.Args) == sig.Params().Len()-1 && !l.compiled(e) {
		// Without variadic arguments the parameter is nil, to the engine an empty slice.
		rest := sig.Params().At(sig.Params().Len() - 1).Type()
		if _, isSlice := rest.Underlying().(*types.Slice); isSlice {
			out.Args = append(out.Args, l.call(e.Rparen, l.typeExpr(e.Rparen, rest), l.ident(e.Rparen, "nil")))
			out.Ellipsis = e.Rparen
		}
	}
	if !l.compiled(e) {
		return l.copying(e, sig, out)
	}
	return out
}

// callee returns the declared function or method that a call names; nil where it calls a value.
func (l *lowerer) callee(e *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, _ := l.info.Uses[id].(*types.Func)
	return f
}

// inSession reports whether a cell declares an object.
func inSession(obj types.Object) bool { return obj.Pkg() != nil && obj.Pkg().Path() == check.Path }

// compiled reports whether a call is of a function or method of a compiled package.
func (l *lowerer) compiled(e *ast.CallExpr) bool {
	f := l.callee(e)
	return f != nil && f.Pkg() != nil && !inSession(f)
}

// isMethod reports whether x.M selects a method of a value.
func (l *lowerer) isMethod(e *ast.SelectorExpr) bool {
	sel := l.info.Selections[e]
	return sel != nil && sel.Kind() == types.MethodVal
}

// builtin lowers the builtins that the engine lacks or gets wrong; nil leaves the call as it is.
func (l *lowerer) builtin(e *ast.CallExpr, name string) ast.Expr {
	pos := e.Pos()
	switch name {
	case "print", "println": // go to standard error in formats of their own
		return l.call(pos, l.helper(pos, map[string]string{"print": "Print", "println": "Println"}[name]), l.exprs(e.Args)...)
	case "recover":
		return l.call(pos, l.helper(pos, "Recover"), l.ident(pos, l.fn.armed))
	case "min", "max":
		return l.minMax(e, name)
	case "make":
		return l.makeCall(e)
	case "clear":
		return l.call(pos, l.helper(pos, "Clear"), l.expr(e.Args[0]))
	case "new":
		if !l.info.Types[e.Args[0]].IsType() { // new(expr), Go 1.26
			t := l.typeOf(e).(*types.Pointer).Elem()
			v := l.ident(pos, "v"+mark)
			return l.call(pos, &ast.FuncLit{
				Type: l.funcType(pos, signature([]types.Type{t}, []types.Type{types.NewPointer(t)}), []string{v.Name}),
				Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{&ast.UnaryExpr{OpPos: pos, Op: token.AND, X: v}}}),
			}, l.expr(e.Args[0]))
		}
	}
	return nil
}

// minMax lowers min and max to calls of two arguments, from the left.
func (l *lowerer) minMax(e *ast.CallExpr, name string) ast.Expr {
	pos := e.Pos()
	t := l.typeOf(e)
	x := l.expr(e.Args[0])
	for _, arg := range e.Args[1:] {
		y := l.expr(arg)
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 { // NaN and -0 have rules of their own
			f := l.ident(pos, "float64")
			helper := map[string]string{"min": "MinFloat", "max": "MaxFloat"}[name]
			x = l.call(pos, l.typeExpr(pos, t), l.call(pos, l.helper(pos, helper), l.call(pos, f, x), l.call(pos, f, y)))
			continue
		}
		op := map[string]token.Token{"min": token.LSS, "max": token.GTR}[name]
		a, b := l.ident(pos, "a"+mark), l.ident(pos, "b"+mark)
		x = l.call(pos, &ast.FuncLit{
			Type: l.funcType(pos, signature([]types.Type{t, t}, []types.Type{t}), []string{a.Name, b.Name}),
			Body: l.block(pos,
				&ast.IfStmt{If: pos, Cond: &ast.BinaryExpr{X: b, OpPos: pos, Op: op, Y: a},
					Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{b}})},
				&ast.ReturnStmt{Return: pos, Results: []ast.Expr{a}}),
		}, x, y)
	}
	return x
}

// signature makes a signature of plain types.
func signature(params, results []types.Type) *types.Signature {
	tuple := func(list []types.Type) *types.Tuple {
		var vars []*types.Var
		for _, t := range list {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", t))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(params), tuple(results), false)
}
