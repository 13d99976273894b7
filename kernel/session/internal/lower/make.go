package lower

import (
	"go/ast"
	"go/constant"
	"go/types"

	"orthant/stdlib/rt"
)

// makeCall lowers make(T, n) to make(T, Size(what, bytes, n)): Size panics where so much memory is not to be had, which
// would end the process (engine.md 2b). Sizes that are small constants stay as they are.
//
// The engine makes no channel of a type with a name or with a direction, so that one is converted.
func (l *lowerer) makeCall(e *ast.CallExpr) ast.Expr {
	t := l.typeOf(e)
	elem, what := l.elementOf(t)
	out := &ast.CallExpr{Fun: l.ident(e.Fun.Pos(), "make"), Lparen: e.Lparen, Args: l.exprs(e.Args), Rparen: e.Rparen}
	for i, a := range e.Args[1:] {
		n := l.info.Types[a]
		size := out.Args[i+1]
		if n.Value != nil {
			const small = 16 << 20 // bytes
			value, exact := constant.Int64Val(constant.ToInt(n.Value))
			if !exact || value < 0 || elem == 0 || value <= small/elem {
				continue // what is no int the checker has refused
			}
			size = l.intLit(a.Pos(), int(value))
		} else if !types.Identical(n.Type, types.Typ[types.Int]) {
			size = l.call(a.Pos(), l.ident(a.Pos(), "int"), size)
		}
		of := what
		if what == rt.MadeLen && i == 1 {
			of = rt.MadeCap
		}
		out.Args[i+1] = l.call(a.Pos(), l.helper(a.Pos(), "Size"),
			l.intLit(a.Pos(), int(of)), l.intLit(a.Pos(), int(elem)), size)
	}
	if c, ok := t.Underlying().(*types.Chan); ok {
		both := types.NewChan(types.SendRecv, c.Elem())
		out.Args[0] = l.typeExpr(e.Args[0].Pos(), both)
		if !types.Identical(t, both) {
			return l.call(e.Pos(), l.typeExpr(e.Pos(), t), out)
		}
	}
	return out
}

// elementOf returns the bytes of an element of a type that make makes.
func (l *lowerer) elementOf(t types.Type) (bytes int64, what rt.Made) {
	sizes := types.SizesFor("gc", "amd64") // all 64-bit systems are alike
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return sizes.Sizeof(t.Elem()), rt.MadeLen
	case *types.Chan:
		return sizes.Sizeof(t.Elem()), rt.MadeChan
	case *types.Map:
		return sizes.Sizeof(t.Key()) + sizes.Sizeof(t.Elem()), rt.MadeMap
	}
	return 0, rt.MadeLen
}
