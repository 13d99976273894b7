package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"orthant/kernel/session/internal/check"
)

// callExpr lowers a call (engine.md 2c), a conversion or the use of a builtin.
func (l *lowerer) callExpr(e *ast.CallExpr) ast.Expr {
	if x := l.opaque(e); x != nil {
		return x
	}
	fun := ast.Unparen(e.Fun)
	if tv := l.info.Types[fun]; tv.IsBuiltin() {
		switch f := fun.(type) {
		case *ast.Ident:
			if x := l.builtin(e, f.Name); x != nil {
				return x
			}
		case *ast.SelectorExpr:
			return l.unsafeBuiltin(e, f.Sel.Name)
		}
	}
	out := &ast.CallExpr{Lparen: e.Lparen, Ellipsis: e.Ellipsis, Rparen: e.Rparen}
	var receiver []ast.Expr
	if s, ok := fun.(*ast.SelectorExpr); ok && l.isMethod(s) && !l.spreads(e) {
		out.Fun, receiver = l.methodCall(s)
	} else if s := l.function(fun); s != nil {
		out.Fun = l.callable(fun.Pos(), s)
	} else if helper := l.replacement(e); helper != "" {
		out.Fun = l.helper(fun.Pos(), helper)
	} else {
		out.Fun = l.called(e)
	}
	tv := l.info.Types[fun]
	if tv.IsType() && len(e.Args) == 1 {
		if x := l.nativeConversion(e, tv.Type); x != nil {
			return x
		}
		out.Args = []ast.Expr{l.to(e.Args[0], tv.Type)}
		return out
	}
	if tv.IsBuiltin() {
		out.Args = l.exprs(e.Args)
		return out
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		out.Args = l.exprs(e.Args)
		return out
	}
	if shows := l.shows(e); shows == "Printed" && l.spreads(e) && sig.Params().Len() == 1 { // fmt.Println(f())
		out.Args, out.Ellipsis = []ast.Expr{l.call(e.Lparen, l.helper(e.Lparen, "PrintedList"), l.exprs(e.Args)...)}, e.Rparen
		return out
	}
	out.Args = append(receiver, l.arguments(e, sig, l.compiled(e))...)
	if sig.Variadic() && !e.Ellipsis.IsValid() && !l.compiled(e) && !l.spreads(e) {
		l.gather(e, sig, out, len(receiver)+sig.Params().Len()-1)
	}
	return out
}

// called lowers what is called. A compiled function that shows its arguments is one of its own where it is a value.
func (l *lowerer) called(e *ast.CallExpr) ast.Expr {
	fun := ast.Unparen(e.Fun)
	if l.shows(e) != "" {
		switch f := fun.(type) {
		case *ast.Ident:
			return l.name(f)
		case *ast.SelectorExpr:
			return l.selector(f)
		}
	}
	return l.expr(fun)
}

// replacements are the helpers that are called instead of compiled functions.
var replacements = map[string]string{"errors.As": "ErrorAs", "errors.Is": "ErrorIs"}

// replacement returns the helper for a call; empty where there is none.
func (l *lowerer) replacement(e *ast.CallExpr) string {
	if f := l.callee(e); f != nil {
		return replacements[f.FullName()]
	}
	return ""
}

// gather makes the slice of a call's variadic arguments, from the one at first on. The engine takes an argument that is such
// a slice for all of them, and makes an empty slice of none, where Go has nil.
func (l *lowerer) gather(e *ast.CallExpr, sig *types.Signature, out *ast.CallExpr, first int) {
	rest := sig.Params().At(sig.Params().Len() - 1).Type()
	if len(out.Args) == first {
		out.Args = append(out.Args, l.zero(e.Rparen, rest))
		out.Ellipsis = e.Rparen
		return
	}
	l.together(e.Rparen, rest, out, first)
}

// together makes one slice of type t of a call's arguments from first on.
func (l *lowerer) together(pos token.Pos, t types.Type, out *ast.CallExpr, first int) {
	out.Ellipsis = pos
	list := &ast.CompositeLit{Type: l.typeExpr(pos, t), Lbrace: pos, Rbrace: pos}
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
