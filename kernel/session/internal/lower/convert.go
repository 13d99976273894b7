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

// hardConversion lowers a conversion to an interface with methods, and one between a string and a slice whose elements have a
// type with a name, which neither the engine nor reflection knows. It returns nil for any other.
func (l *lowerer) hardConversion(e *ast.CallExpr, to types.Type) ast.Expr {
	from := l.typeOf(e.Args[0])
	if i, ok := to.Underlying().(*types.Interface); ok {
		switch {
		case l.info.Types[e.Args[0]].IsNil():
			return l.zero(e.Pos(), to)
		case i.NumMethods() == 0:
			return nil
		}
		f := l.reflect(e.Pos(), signature([]types.Type{types.Default(from)}, []types.Type{to}))
		if f == nil {
			return e
		}
		return l.call(e.Lparen, l.export(e.Pos(), l.w.fresh("Iface"), rt.InterfaceConversion(f)), l.expr(e.Args[0]))
	}
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
	shows := ""
	if compiled {
		shows = l.shows(e)
	}
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
			if p, ok := paramType(sig, i, false).Underlying().(*types.Interface); ok && shows != "" && p.Empty() {
				out[i] = l.shown(shows, a, out[i], e.Ellipsis.IsValid() && i == len(e.Args)-1)
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

// compares lowers == of values that the engine cannot compare as they are: interfaces, and values of two types. It returns
// nil for others.
func (l *lowerer) compares(e *ast.BinaryExpr) ast.Expr {
	return l.equal(e.OpPos, l.operand(e.X), l.operand(e.Y))
}

// An operand is an operand of a comparison.
type operand struct {
	typ   types.Type
	isNil bool
	expr  func() ast.Expr
}

func (l *lowerer) operand(e ast.Expr) operand {
	return operand{types.Default(l.typeOf(e)), l.info.Types[e].IsNil(), func() ast.Expr { return l.expr(e) }}
}

// equal writes x == y; nil where the engine's own comparison will do.
func (l *lowerer) equal(pos token.Pos, x, y operand) ast.Expr {
	switch {
	case x.isNil || y.isNil:
		return nil
	case types.IsInterface(x.typ) || types.IsInterface(y.typ):
		return l.call(pos, l.helper(pos, "Equal"), x.expr(), y.expr())
	case !converts(x.typ, y.typ):
		return nil
	case types.AssignableTo(y.typ, x.typ):
		return &ast.BinaryExpr{X: x.expr(), OpPos: pos, Op: token.EQL, Y: l.call(pos, l.typeExpr(pos, x.typ), y.expr())}
	}
	return &ast.BinaryExpr{X: l.call(pos, l.typeExpr(pos, y.typ), x.expr()), OpPos: pos, Op: token.EQL, Y: y.expr()}
}
