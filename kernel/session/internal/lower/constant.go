package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// constant returns a literal for a constant expression, or nil where the expression has no type that a literal could
// have (a type parameter). The engine computes constants wrongly (engine.md section 2c), go/types computes them exactly.
func (l *lowerer) constant(pos token.Pos, tv types.TypeAndValue) ast.Expr {
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	lit, bare := l.literal(pos, basic, tv.Value)
	if lit == nil {
		return l.nativeConstant(pos, basic, tv)
	}
	if bare && types.Identical(types.Unalias(tv.Type), types.Default(basic)) || basic.Info()&types.IsUntyped != 0 {
		return lit
	}
	return l.call(pos, l.typeExpr(pos, tv.Type), lit)
}

// literal writes a constant of a basic type. Bare literals have the type by themselves. It returns nil for values that
// the engine cannot read.
func (l *lowerer) literal(pos token.Pos, b *types.Basic, v constant.Value) (lit ast.Expr, bare bool) {
	number := func(kind token.Token, text string) ast.Expr {
		if rest, negative := strings.CutPrefix(text, "-"); negative {
			return &ast.UnaryExpr{OpPos: pos, Op: token.SUB, X: &ast.BasicLit{ValuePos: pos, Kind: kind, Value: rest}}
		}
		return &ast.BasicLit{ValuePos: pos, Kind: kind, Value: text}
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return l.ident(pos, strconv.FormatBool(constant.BoolVal(v))), true
	case info&types.IsString != 0:
		return l.stringLit(pos, constant.StringVal(v)), true
	case b.Kind() == types.UntypedRune:
		if r, exact := constant.Int64Val(constant.ToInt(v)); exact && r >= 0 && r <= math.MaxInt32 {
			return l.call(pos, l.ident(pos, "rune"), number(token.INT, strconv.FormatInt(r, 10))), true
		}
	case info&types.IsInteger != 0:
		if n, exact := constant.Int64Val(constant.ToInt(v)); exact && n > -1<<62 && n < 1<<62 {
			return number(token.INT, strconv.FormatInt(n, 10)), b.Kind() == types.Int || b.Kind() == types.UntypedInt
		}
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		if math.IsInf(f, 0) || f == 0 && constant.Sign(v) != 0 {
			return nil, false
		}
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return number(token.FLOAT, text), b.Kind() == types.Float64 || b.Kind() == types.UntypedFloat
	}
	return nil, false
}

// nativeConstant makes a native variable of a constant that has no literal in the engine: complex numbers and integers beyond 62
// bits.
func (l *lowerer) nativeConstant(pos token.Pos, b *types.Basic, tv types.TypeAndValue) ast.Expr {
	rt := basics[b.Kind()]
	if rt == nil {
		return nil
	}
	ptr := reflect.New(rt)
	switch v := ptr.Elem(); rt.Kind() {
	case reflect.Complex64, reflect.Complex128:
		c := constant.ToComplex(tv.Value)
		re, _ := constant.Float64Val(constant.Real(c))
		im, _ := constant.Float64Val(constant.Imag(c))
		v.SetComplex(complex(re, im))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		n, _ := constant.Uint64Val(constant.ToInt(tv.Value))
		v.SetUint(n)
	case reflect.Int, reflect.Int64:
		n, exact := constant.Int64Val(constant.ToInt(tv.Value))
		if !exact {
			return nil
		}
		v.SetInt(n)
	case reflect.Float32, reflect.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(tv.Value))
		v.SetFloat(f)
	default:
		return nil
	}
	x := &ast.StarExpr{Star: pos, X: l.export(pos, l.w.fresh("K"), ptr)}
	if _, named := types.Unalias(tv.Type).(*types.Named); named {
		return l.call(pos, l.typeExpr(pos, tv.Type), x)
	}
	return x
}
