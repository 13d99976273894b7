package lower

import (
	"go/ast"
	"go/types"
)

// arguments lowers the arguments of a call (engine.md 2c) of a function that a cell declares. Compiled functions take copies by
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
		case background && types.Identical(ParamType(sig, i, false), plainFunc):
			f := l.expr(a)
			if lit, ok := f.(*ast.FuncLit); ok {
				f = l.inOwnFrame(lit)
			}
			out[i] = l.call(a.Pos(), l.helper(a.Pos(), "Callback"), f)
		case compiled && isLit:
			out[i] = l.inOwnFrame(l.expr(a).(*ast.FuncLit))
		case compiled:
			if l.shows(e) == "" {
				l.box(l.typeOf(a), ParamType(sig, i, false))
			}
			out[i] = l.shownArgument(e, i, l.expr(a))
			if t := ParamType(sig, i, e.Ellipsis.IsValid()); readable(l.typeOf(a), t) && !isEmptyInterface(t) {
				out[i] = l.readFrom(a.Pos(), out[i], l.typeOf(a), t)
			}
		default:
			out[i] = l.to(a, ParamType(sig, i, e.Ellipsis.IsValid()))
		}
	}
	return out
}

// plainFunc is func().
var plainFunc = signature(nil, nil)

// callsBack reports whether a call is of WaitGroup.Go, which calls a function on a goroutine of its own: there a panic would
// end the process and output would have no cell. For functions that do so the session sees to it, by other ones in their
// place.
func (l *lowerer) callsBack(e *ast.CallExpr) bool {
	f := l.callee(e)
	return f != nil && f.FullName() == "(*sync.WaitGroup).Go"
}
