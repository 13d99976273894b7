package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"

	"orthant/kernel/session/internal/check"
)

// opaque lowers a call of check.Opaque to something that the engine does not take for a constant (goroot.md 4.2 has the
// pitfall: unsafe.Sizeof(T) becomes one in an instance); it returns nil for other calls.
func (l *lowerer) opaque(e *ast.CallExpr) ast.Expr {
	id, ok := e.Fun.(*ast.Ident)
	if !ok || id.Name != check.Opaque {
		return nil
	}
	x := e.Args[0]
	tv := l.info.Types[x]
	if tv.Value == nil { // of a slice len was no constant before
		return l.expr(x)
	}
	rt, err := l.w.Reflect(tv.Type)
	if err != nil {
		l.fail(x.Pos(), "%v", err)
		return x
	}
	v := reflect.New(rt)
	setConstant(v.Elem(), tv.Value, tv.Type.Underlying().(*types.Basic))
	return &ast.StarExpr{Star: x.Pos(), X: l.export(x.Pos(), l.w.fresh("K"), v)}
}

// setConstant stores a constant that fits.
func setConstant(v reflect.Value, c constant.Value, t *types.Basic) {
	switch info := t.Info(); {
	case info&types.IsBoolean != 0:
		v.SetBool(constant.BoolVal(c))
	case info&types.IsString != 0:
		v.SetString(constant.StringVal(c))
	case info&types.IsUnsigned != 0:
		n, _ := constant.Uint64Val(constant.ToInt(c))
		v.SetUint(n)
	case info&types.IsInteger != 0:
		n, _ := constant.Int64Val(constant.ToInt(c))
		v.SetInt(n)
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(c))
		v.SetFloat(f)
	case info&types.IsComplex != 0:
		re, _ := constant.Float64Val(constant.Real(c))
		im, _ := constant.Float64Val(constant.Imag(c))
		v.SetComplex(complex(re, im))
	}
}
