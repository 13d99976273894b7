package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/stdlib/rt"
)

// builtin lowers the builtins that the engine lacks or gets wrong (engine.md 2c, goroot.md 4.10); nil leaves the call as it is.
func (l *lowerer) builtin(e *ast.CallExpr, name string) ast.Expr {
	pos := e.Pos()
	if l.spreads(e) {
		return l.spreadBuiltin(e)
	}
	switch name {
	case "print", "println": // go to standard error in formats of their own
		args := l.exprs(e.Args)
		for i, a := range e.Args {
			if types.IsInterface(l.typeOf(a)) {
				args[i] = l.call(pos, l.helper(pos, "PrintedInterface"), args[i])
			}
		}
		return l.call(pos, l.helper(pos, map[string]string{"print": "Print", "println": "Println"}[name]), args...)
	case "append":
		return l.appendCall(e)
	case "len", "cap":
		return l.arrayLen(e)
	case "make":
		return l.makeCall(e)
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

// appendCall lowers append. The engine appends the values one by one, while later ones may still have to be read from where
// they go, and takes a slice or an array that has elements of the slice's type for a list of values.
func (l *lowerer) appendCall(e *ast.CallExpr) ast.Expr {
	pos := e.Pos()
	t := l.typeOf(e)
	out := &ast.CallExpr{Fun: l.ident(pos, "append"), Lparen: e.Lparen, Ellipsis: e.Ellipsis, Rparen: e.Rparen,
		Args: []ast.Expr{l.to(e.Args[0], t)}}
	// Only slices of one type are appended as a whole.
	same := func(x ast.Expr) ast.Expr { return l.call(pos, l.typeExpr(pos, t), x) }
	if e.Ellipsis.IsValid() {
		rest := l.expr(e.Args[1])
		if converts(l.typeOf(e.Args[1]), t) {
			rest = same(rest)
		}
		out.Args = append(out.Args, rest)
		return out
	}
	slice := t.Underlying().(*types.Slice)
	together := false
	isList := func(a ast.Expr) bool {
		switch l.typeOf(a).Underlying().(type) {
		case *types.Slice, *types.Array:
			return true
		}
		return false
	}
	for _, a := range e.Args[1:] {
		out.Args = append(out.Args, l.to(a, slice.Elem()))
		together = together || len(e.Args) > 2 && !l.isPlain(a) || isList(a)
	}
	if together {
		l.together(e.Rparen, slice, out, 1)
		if !types.Identical(t, slice) {
			out.Args[1] = same(out.Args[1])
		}
	}
	return out
}

// arrayLen lowers len and cap of an array, or of a pointer to one, that calls a function: what is not a constant is its
// evaluation. It returns nil for other types.
func (l *lowerer) arrayLen(e *ast.CallExpr) ast.Expr {
	t := l.typeOf(e.Args[0])
	array, ok := t.Underlying().(*types.Array)
	if p, pointer := t.Underlying().(*types.Pointer); pointer {
		array, ok = p.Elem().Underlying().(*types.Array)
	}
	if !ok {
		return nil
	}
	pos := e.Pos()
	return l.call(pos, &ast.FuncLit{
		Type: l.funcType(pos, signature([]types.Type{t}, []types.Type{types.Typ[types.Int]}), []string{l.temp()}),
		Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{l.intLit(pos, int(array.Len()))}})}, l.expr(e.Args[0]))
}

// spreadBuiltin lowers a builtin that takes the results of a call: they become the parameters of a function around it.
func (l *lowerer) spreadBuiltin(e *ast.CallExpr) ast.Expr {
	pos := e.Pos()
	results := l.typeOf(e.Args[0]).(*types.Tuple)
	var params []types.Type
	var names []string
	inner := &ast.CallExpr{Fun: e.Fun, Lparen: e.Lparen, Rparen: e.Rparen}
	for v := range results.Variables() {
		params = append(params, v.Type())
		names = append(names, l.temp())
		arg := l.ident(pos, names[len(names)-1])
		l.info.Types[arg] = types.TypeAndValue{Type: v.Type()}
		inner.Args = append(inner.Args, arg)
	}
	l.info.Types[inner] = l.info.Types[e]
	var body ast.Stmt = &ast.ExprStmt{X: l.callExpr(inner)}
	var out []types.Type
	if t := l.typeOf(e); t != nil && !l.info.Types[e].IsVoid() {
		out = []types.Type{t}
		body = &ast.ReturnStmt{Return: pos, Results: []ast.Expr{l.callExpr(inner)}}
	}
	return l.call(pos, &ast.FuncLit{Type: l.funcType(pos, signature(params, out), names), Body: l.block(pos, body)}, l.expr(e.Args[0]))
}

// unsafeBuiltin lowers a function of package unsafe that is no constant.
func (l *lowerer) unsafeBuiltin(e *ast.CallExpr, name string) ast.Expr {
	var params []types.Type
	for i, a := range e.Args {
		t := types.Default(l.typeOf(a))
		switch {
		case i > 0: // an offset or a length, of any integer type
			t = types.Typ[types.Int]
		case l.info.Types[a].IsNil():
			t = types.NewPointer(types.Typ[types.Byte])
		}
		params = append(params, t)
	}
	f := l.reflect(e.Pos(), signature(params, []types.Type{l.typeOf(e)}))
	if f == nil {
		return e
	}
	args := l.exprs(e.Args)
	args[0] = l.to(e.Args[0], params[0])
	for i := range args[1:] {
		args[i+1] = l.call(e.Pos(), l.ident(e.Pos(), "int"), args[i+1])
	}
	return l.call(e.Lparen, l.export(e.Pos(), l.w.fresh("Unsafe"), rt.Unsafe(name, f)), args...)
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
