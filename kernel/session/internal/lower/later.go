package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A later is a call that runs after the statement it stands in: of a go or a defer statement. What Go evaluates at the
// statement (the function value, the receiver, the arguments) becomes the parameters of a function around it; the engine
// would evaluate it when the call runs, or not at all (engine.md 2c, goroot.md 4.1).
type later struct {
	before []ast.Stmt
	params []*ast.Field
	args   []ast.Expr
	call   ast.Expr
}

// later takes a call apart.
func (l *lowerer) later(e *ast.CallExpr) later {
	var out later
	pos := e.Pos()
	param := func(t types.Type, x ast.Expr) ast.Expr {
		name := l.temp()
		out.params = append(out.params, &ast.Field{Names: []*ast.Ident{l.ident(pos, name)}, Type: l.typeExpr(pos, t)})
		out.args = append(out.args, x)
		return l.ident(pos, name)
	}
	fun := ast.Unparen(e.Fun)
	if tv := l.info.Types[fun]; tv.IsBuiltin() {
		copied := *e
		copied.Args = nil
		for _, a := range e.Args {
			if l.info.Types[a].IsType() {
				copied.Args = append(copied.Args, a)
				continue
			}
			copied.Args = append(copied.Args, l.lowered(param(l.argType(a), l.expr(a)), a))
		}
		out.call = l.callExpr(&copied)
		return out
	}
	sig, ok := l.typeOf(fun).Underlying().(*types.Signature)
	if !ok { // a conversion has no effect
		out.call = l.expr(e)
		return out
	}
	l.hold(fun)
	call := &ast.CallExpr{Lparen: e.Lparen, Ellipsis: e.Ellipsis, Rparen: e.Rparen}
	switch f := fun.(type) {
	case *ast.FuncLit:
		call.Fun = l.expr(f)
	case *ast.SelectorExpr:
		call.Fun, call.Args = l.laterMethod(f, &out, param)
	case *ast.Ident:
		if v, ok := l.info.Uses[f].(*types.Var); ok && l.slot(v) == nil {
			call.Fun = param(l.typeOf(f), l.expr(f))
		}
	case *ast.CallExpr, *ast.IndexExpr, *ast.TypeAssertExpr:
		if l.instance(f) == nil {
			call.Fun = param(l.typeOf(f), l.expr(f))
		}
	}
	if call.Fun == nil {
		call.Fun = l.called(e)
	}
	if l.spreads(e) { // f(g()) with several results
		tuple := l.typeOf(e.Args[0]).(*types.Tuple)
		names := make([]string, tuple.Len())
		for i := range names {
			names[i] = l.temp()
			call.Args = append(call.Args, param(tuple.At(i).Type(), l.ident(pos, names[i])))
		}
		call.Args = append(call.Args[:len(call.Args)-len(names)], l.shownParams(l.callee(e), call.Args[len(call.Args)-len(names):], false)...)
		out.before = append(out.before, l.define(pos, l.expr(e.Args[0]), names...))
		out.call = call
		return out
	}
	for i, a := range e.Args {
		t := ParamType(sig, i, e.Ellipsis.IsValid())
		call.Args = append(call.Args, l.shownArgument(e, i, param(t, l.expr(a))))
	}
	out.call = call
	return out
}

// laterMethod lowers the function of x.M(…), taking x at the statement.
func (l *lowerer) laterMethod(f *ast.SelectorExpr, out *later, param func(types.Type, ast.Expr) ast.Expr) (ast.Expr, []ast.Expr) {
	sel := l.info.Selections[f]
	if sel == nil || sel.Kind() == types.MethodExpr {
		return nil, nil
	}
	if sel.Kind() == types.FieldVal {
		return param(l.typeOf(f), l.expr(f)), nil
	}
	t, x := l.receiver(f, sel)
	if types.IsInterface(t) { // a nil interface has no method to call later
		name := l.temp()
		out.before = append(out.before, l.variable(f.Pos(), name, t, x), l.nilCheck(f.Pos(), name))
		x = l.ident(f.Pos(), name)
	}
	return l.bound(f, sel, param(t, x))
}

// lowered makes a lowered expression pass for one of the cell, of the same type, so that it can be lowered again as part
// of a larger one.
func (l *lowerer) lowered(x, original ast.Expr) ast.Expr {
	tv := l.info.Types[original]
	tv.Value = nil
	l.info.Types[x] = tv
	return x
}

// argType is the type of an argument of a builtin.
func (l *lowerer) argType(e ast.Expr) types.Type {
	if l.info.Types[e].IsNil() {
		return types.Universe.Lookup("any").Type()
	}
	return types.Default(l.typeOf(e))
}

// ParamType is the type of the i-th argument, from 0, that a signature takes: of a variadic one that of an element, unless the
// argument is spread.
func ParamType(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last {
		t := sig.Params().At(last).Type()
		if s, ok := t.Underlying().(*types.Slice); ok && !spread {
			return s.Elem()
		}
		return t
	}
	return sig.Params().At(i).Type()
}

// goStmt lowers `go f(x)` to `func(f, x) { Go(func() { f(x) }) }(f, x)`. Go counts the goroutine to its cell, starts it, and keeps
// a panic from ending the process. The function around the literal gives each execution of the statement variables of its own.
func (l *lowerer) goStmt(s *ast.GoStmt) []ast.Stmt {
	pos := s.Pos()
	d := l.later(s.Call)
	start := l.call(pos, l.helper(pos, "Go"), l.thunk(pos, d.call))
	return l.scoped(pos, d.before, l.atOnce(pos, d, start))
}

// atOnce returns the statement that evaluates what a later call takes and then does what is to be done with the call.
func (l *lowerer) atOnce(pos token.Pos, d later, do ast.Expr) ast.Stmt {
	return &ast.ExprStmt{X: &ast.CallExpr{
		Fun:    &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{List: d.params}}, Body: l.block(pos, &ast.ExprStmt{X: do})},
		Lparen: pos, Args: d.args, Rparen: pos}}
}

// inOwnFrame makes a function literal in a frame of its own, by a function that returns it. Where the engine makes a
// closure it keeps it in the frame around it, and puts back what was there before when a call of the closure ends. For a
// literal that other goroutines call, that would be while the next one of a loop is made.
func (l *lowerer) inOwnFrame(lit *ast.FuncLit) ast.Expr {
	pos := lit.Pos()
	t := &ast.FuncType{Func: pos, Params: &ast.FieldList{}, Results: lit.Type.Results}
	for _, f := range lit.Type.Params.List {
		for range max(1, len(f.Names)) {
			t.Params.List = append(t.Params.List, &ast.Field{Type: f.Type})
		}
	}
	return l.call(pos, &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: t}}}},
		Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{lit}})})
}

// thunk returns func() { call }.
func (l *lowerer) thunk(pos token.Pos, call ast.Expr) ast.Expr {
	return &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}}, Body: l.block(pos, &ast.ExprStmt{X: call})}
}

// deferStmt lowers `defer f(x)` to `func(f, x) { Defer(frame, func() { f(x) }) }(f, x)`. The function around the literal
// gives each execution of the statement variables of its own.
func (l *lowerer) deferStmt(s *ast.DeferStmt) []ast.Stmt {
	pos := s.Pos()
	frame := l.fn.frame
	if id, ok := ast.Unparen(s.Call.Fun).(*ast.Ident); ok && id.Name == "recover" && l.info.Types[id].IsBuiltin() {
		// It is as if the function itself called recover, but not while its own deferred calls run for a panic.
		return []ast.Stmt{&ast.ExprStmt{X: l.call(pos, l.helper(pos, "DeferRecover"), l.ident(pos, frame), l.ident(pos, l.fn.armed))}}
	}
	helper := "DeferCall"
	if _, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		// The frame calls the literal, so the literal's recover is about the frame's panic.
		l.recoverFrame, helper = frame, "Defer"
	} else if l.cannotRecover(s.Call) {
		helper = "Defer"
	}
	d := l.later(s.Call)
	l.recoverFrame = ""
	args := []ast.Expr{l.ident(pos, frame), l.thunk(pos, d.call)}
	if helper == "DeferCall" && l.callee(s.Call) == nil {
		helper, args = "DeferValue", append(args, d.call.(*ast.CallExpr).Fun)
	}
	push := l.call(pos, l.helper(pos, helper), args...)
	return l.scoped(pos, d.before, l.atOnce(pos, d, push))
}

// cannotRecover reports whether a call is of a function that is known to contain no recover.
func (l *lowerer) cannotRecover(call *ast.CallExpr) bool {
	f := l.callee(call)
	if f == nil {
		tv := l.info.Types[ast.Unparen(call.Fun)]
		return tv.IsBuiltin() || tv.IsType()
	}
	if !inSession(f) {
		return true
	}
	contains, known := l.w.recovers[f]
	return known && !contains
}
