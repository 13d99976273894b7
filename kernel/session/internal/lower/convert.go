package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"orthant/stdlib/rt"
)

// to lowers an expression for a place of type t. An untyped nil has no type to the engine in some places, and it takes none
// for a compiled interface.
func (l *lowerer) to(e ast.Expr, t types.Type) ast.Expr {
	if t != nil && l.info.Types[e].IsNil() {
		return l.zero(e.Pos(), t)
	}
	x := l.expr(e)
	from := l.typeOf(e)
	if t == nil || from == nil || l.info.Types[e].Value != nil {
		return x
	}
	if converts(from, t) {
		return l.call(e.Pos(), l.typeExpr(e.Pos(), t), x)
	}
	if types.IsInterface(t) && compared(e) { // the engine would set the interface as if it were a bool
		return l.call(e.Pos(), l.typeExpr(e.Pos(), types.Default(from)), x)
	}
	return x
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

// converts reports whether an assignment of a value to a place of another type is a conversion to the engine: between a
// declared type and the same written out.
func converts(from, t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array, *types.Slice, *types.Map, *types.Chan, *types.Pointer:
		return !types.Identical(from, t)
	}
	return false
}

// zero writes nil as a value of type t.
func (l *lowerer) zero(pos token.Pos, t types.Type) ast.Expr {
	if i, ok := t.Underlying().(*types.Interface); !ok {
		return l.call(pos, l.typeExpr(pos, t), l.ident(pos, "nil"))
	} else if i.NumMethods() == 0 {
		return l.ident(pos, "nil")
	}
	rt, err := l.w.Reflect(t)
	if err != nil {
		l.fail(pos, "%v", err)
		return l.ident(pos, "nil")
	}
	return &ast.StarExpr{Star: pos, X: l.export(pos, l.w.fresh("Z"), reflect.New(rt))}
}

// hardConversion lowers a conversion between a string and a slice whose elements have a type with a name, which neither the
// engine nor reflection knows. It returns nil for any other.
func (l *lowerer) hardConversion(e *ast.CallExpr, to types.Type) ast.Expr {
	from := l.typeOf(e.Args[0])
	elem := func(t types.Type) types.Type {
		if s, ok := t.Underlying().(*types.Slice); ok {
			return s.Elem()
		}
		return nil
	}
	t := elem(to)
	if t == nil {
		t = elem(from)
	}
	if t == nil || !isString(to) && !isString(from) {
		return nil
	}
	if _, named := types.Unalias(t).(*types.Named); !named {
		return nil
	}
	f := l.reflect(e.Pos(), signature([]types.Type{types.Default(from)}, []types.Type{to}))
	if f == nil {
		return e
	}
	return l.call(e.Lparen, l.export(e.Pos(), l.w.fresh("Text"), rt.TextConversion(f)), l.expr(e.Args[0]))
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
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
	if x, y := l.typeOf(e.X), l.typeOf(e.Y); !types.IsInterface(x) && converts(x, y) && !l.info.Types[e.X].IsNil() && !l.info.Types[e.Y].IsNil() {
		if types.AssignableTo(y, x) {
			return &ast.BinaryExpr{X: l.expr(e.X), OpPos: e.OpPos, Op: token.EQL, Y: l.to(e.Y, x)}
		}
		return &ast.BinaryExpr{X: l.to(e.X, y), OpPos: e.OpPos, Op: token.EQL, Y: l.expr(e.Y)}
	}
	if !types.IsInterface(l.typeOf(e.X)) && !types.IsInterface(l.typeOf(e.Y)) {
		return nil
	}
	if l.info.Types[e.X].IsNil() || l.info.Types[e.Y].IsNil() {
		return nil
	}
	return l.call(e.Pos(), l.helper(e.Pos(), "Equal"), l.expr(e.X), l.expr(e.Y))
}
