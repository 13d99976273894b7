package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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
	out := &ast.CallExpr{Lparen: e.Lparen, Ellipsis: e.Ellipsis, Rparen: e.Rparen}
	var receiver []ast.Expr
	if s, ok := fun.(*ast.SelectorExpr); ok && l.isMethod(s) && !l.spreads(e) {
		out.Fun, receiver = l.methodCall(s)
	} else if s := l.function(fun); s != nil {
		out.Fun = l.callable(fun.Pos(), s)
	} else {
		out.Fun = l.expr(fun)
	}
	tv := l.info.Types[fun]
	if tv.IsType() && len(e.Args) == 1 {
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
	out.Args = append(receiver, l.arguments(e, sig, l.compiled(e))...)
	if sig.Variadic() && !e.Ellipsis.IsValid() && !l.compiled(e) && !l.spreads(e) {
		l.gather(e, sig, out, len(receiver)+sig.Params().Len()-1)
	}
	return out
}

// gather makes the slice of a call's variadic arguments, from the one at first on. The engine takes an argument that is such
// a slice for all of them, and makes an empty slice of none, where Go has nil.
func (l *lowerer) gather(e *ast.CallExpr, sig *types.Signature, out *ast.CallExpr, first int) {
	pos := e.Rparen
	rest := sig.Params().At(sig.Params().Len() - 1).Type()
	out.Ellipsis = pos
	if len(out.Args) == first {
		out.Args = append(out.Args, l.zero(pos, rest))
		return
	}
	list := &ast.CompositeLit{Type: l.typeExpr(pos, rest), Lbrace: pos, Rbrace: pos}
	for i, x := range out.Args[first:] {
		if lit, ok := x.(*ast.FuncLit); ok {
			x = l.inOwnFrame(lit)
		}
		list.Elts = append(list.Elts, &ast.KeyValueExpr{Key: l.intLit(x.Pos(), i), Colon: x.Pos(), Value: x})
	}
	out.Args = append(out.Args[:first:first], list)
}

// function returns the slot of the declared function that an expression names, an instance of a generic one included; nil
// where it names none.
func (l *lowerer) function(e ast.Expr) *Slot {
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		e = ast.Unparen(x.X)
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	f, ok := l.info.Uses[id].(*types.Func)
	if !ok || !inSession(f) {
		return nil
	}
	if inst, ok := l.info.Instances[id]; ok {
		return l.w.Func(f.Origin(), slices.Collect(inst.TypeArgs.Types()))
	}
	return l.slot(f)
}

// spreads reports whether a call takes the results of another, as in f(g()).
func (l *lowerer) spreads(e *ast.CallExpr) bool {
	if len(e.Args) != 1 {
		return false
	}
	_, several := l.typeOf(e.Args[0]).(*types.Tuple)
	return several
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
