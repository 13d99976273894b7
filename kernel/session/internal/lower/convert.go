package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"orthant/stdlib/rt"
)

// to lowers an expression for a place of type t, with the conversions that Go leaves out (goroot.md 5). An untyped nil has
// no type to the engine in some places, and it takes none for a compiled interface.
func (l *lowerer) to(e ast.Expr, t types.Type) ast.Expr {
	if t != nil && l.info.Types[e].IsNil() {
		return l.zero(e.Pos(), t)
	}
	x := l.expr(e)
	from := l.typeOf(e)
	l.box(from, t)
	if t == nil || from == nil || l.info.Types[e].Value != nil {
		return x
	}
	if readable(from, t) {
		return l.readFrom(e.Pos(), x, from, t)
	}
	if converts(from, t) {
		return l.call(e.Pos(), l.typeExpr(e.Pos(), t), x)
	}
	if types.IsInterface(t) && compared(e) { // the engine would set the interface as if it were a bool
		return l.call(e.Pos(), l.typeExpr(e.Pos(), types.Default(from)), x)
	}
	return x
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

// nativeConversion lowers a conversion to an interface with methods, and one between a string and a slice whose elements have a
// type with a name, which neither the engine nor reflection knows. It returns nil for any other.
func (l *lowerer) nativeConversion(e *ast.CallExpr, to types.Type) ast.Expr {
	from := l.typeOf(e.Args[0])
	if i, ok := to.Underlying().(*types.Interface); ok {
		switch {
		case i.NumMethods() == 0:
			return nil
		case l.info.Types[e.Args[0]].IsNil():
			return l.zero(e.Pos(), to)
		case readable(from, to):
			return l.readFrom(e.Pos(), l.expr(e.Args[0]), from, to)
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
