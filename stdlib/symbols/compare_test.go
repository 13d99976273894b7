package symbols_test

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// sameType returns an error if the type of the running program is not the one
// that go/types describes. Named types are compared by package and name only,
// so that the comparison ends.
func sameType(got reflect.Type, want types.Type) error {
	if named, ok := types.Unalias(want).(*types.Named); ok {
		return sameName(got, named)
	}
	if _, basic := types.Unalias(want).(*types.Basic); !basic && got.Name() != "" {
		return fmt.Errorf("got %v, want %v", got, want)
	}
	return sameUnderlying(got, want)
}

func sameName(got reflect.Type, want *types.Named) error {
	var path string
	if pkg := want.Obj().Pkg(); pkg != nil { // nil for error
		path = pkg.Path()
	}
	name, _, generic := strings.Cut(got.Name(), "[") // reflect has type arguments in the name
	if got.PkgPath() != path || name != want.Obj().Name() || generic != (want.TypeArgs().Len() > 0) {
		return fmt.Errorf("got %s.%s, want %v", got.PkgPath(), got.Name(), want)
	}
	return nil
}

// sameUnderlying compares the structure of the types one level deep, and the
// types found there with sameType.
func sameUnderlying(got reflect.Type, want types.Type) error {
	mismatch := fmt.Errorf("got %v, want %v", got, want)
	same := func(kind reflect.Kind, pairs ...error) error {
		if got.Kind() != kind {
			return mismatch
		}
		for _, err := range pairs {
			if err != nil {
				return err
			}
		}
		return nil
	}
	switch want := want.Underlying().(type) {
	case *types.Basic:
		return same(kinds[want.Kind()])
	case *types.Pointer:
		return same(reflect.Pointer, elem(got, want.Elem()))
	case *types.Slice:
		return same(reflect.Slice, elem(got, want.Elem()))
	case *types.Array:
		if got.Kind() == reflect.Array && int64(got.Len()) != want.Len() {
			return mismatch
		}
		return same(reflect.Array, elem(got, want.Elem()))
	case *types.Chan:
		if got.Kind() == reflect.Chan && got.ChanDir() != directions[want.Dir()] {
			return mismatch
		}
		return same(reflect.Chan, elem(got, want.Elem()))
	case *types.Map:
		if got.Kind() != reflect.Map {
			return mismatch
		}
		return same(reflect.Map, sameType(got.Key(), want.Key()), elem(got, want.Elem()))
	case *types.Signature:
		return same(reflect.Func, sameSignature(got, want, 0))
	case *types.Struct:
		return same(reflect.Struct, sameFields(got, want))
	case *types.Interface:
		return same(reflect.Interface)
	default:
		return fmt.Errorf("no comparison for %T", want)
	}
}

var kinds = map[types.BasicKind]reflect.Kind{
	types.Bool: reflect.Bool, types.String: reflect.String, types.UnsafePointer: reflect.UnsafePointer,
	types.Int: reflect.Int, types.Int8: reflect.Int8, types.Int16: reflect.Int16, types.Int32: reflect.Int32, types.Int64: reflect.Int64,
	types.Uint: reflect.Uint, types.Uint8: reflect.Uint8, types.Uint16: reflect.Uint16, types.Uint32: reflect.Uint32, types.Uint64: reflect.Uint64,
	types.Uintptr: reflect.Uintptr, types.Float32: reflect.Float32, types.Float64: reflect.Float64,
	types.Complex64: reflect.Complex64, types.Complex128: reflect.Complex128,
}

var directions = map[types.ChanDir]reflect.ChanDir{
	types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir,
}

// elem compares the element types, if got has one.
func elem(got reflect.Type, want types.Type) error {
	switch got.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan, reflect.Map:
		return sameType(got.Elem(), want)
	default:
		return nil // the kind is wrong, which the caller reports
	}
}

// sameSignature compares a function's type; skip is the number of leading
// parameters of got that are receivers.
func sameSignature(got reflect.Type, want *types.Signature, skip int) error {
	mismatch := fmt.Errorf("got %v, want %v", got, want)
	if got.Kind() != reflect.Func || got.NumIn()-skip != want.Params().Len() ||
		got.NumOut() != want.Results().Len() || got.IsVariadic() != want.Variadic() {
		return mismatch
	}
	for i := range want.Params().Len() {
		if err := sameType(got.In(i+skip), want.Params().At(i).Type()); err != nil {
			return fmt.Errorf("parameter %d: %w", i, err)
		}
	}
	for i := range want.Results().Len() {
		if err := sameType(got.Out(i), want.Results().At(i).Type()); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// sameFields compares all fields of two structs, unexported ones too.
func sameFields(got reflect.Type, want *types.Struct) error {
	if got.Kind() != reflect.Struct {
		return nil // reported by the caller
	}
	if got.NumField() != want.NumFields() {
		return fmt.Errorf("got %d fields, want %d", got.NumField(), want.NumFields())
	}
	for i := range want.NumFields() {
		g, w := got.Field(i), want.Field(i)
		if g.Name != w.Name() || g.Anonymous != w.Embedded() || string(g.Tag) != want.Tag(i) {
			return fmt.Errorf("field %d: got %s, want %s", i, g.Name, w.Name())
		}
		if err := sameType(g.Type, w.Type()); err != nil {
			return fmt.Errorf("field %s: %w", g.Name, err)
		}
	}
	return nil
}

// sameMethods compares the exported methods: of an interface, or of the
// pointer to any other type.
func sameMethods(got reflect.Type, want types.Type) error {
	receivers := 0
	if !types.IsInterface(want) {
		got, want, receivers = reflect.PointerTo(got), types.NewPointer(want), 1
	}
	set := types.NewMethodSet(want)
	exported := 0
	for i := range set.Len() {
		f := set.At(i).Obj().(*types.Func)
		if !f.Exported() {
			continue
		}
		exported++
		m, ok := got.MethodByName(f.Name())
		if !ok {
			return fmt.Errorf("no method %s", f.Name())
		}
		if err := sameSignature(m.Type, f.Signature(), receivers); err != nil {
			return fmt.Errorf("method %s: %w", f.Name(), err)
		}
	}
	n := 0
	for i := range got.NumMethod() {
		if got.Method(i).IsExported() {
			n++
		}
	}
	if n != exported {
		return fmt.Errorf("%d exported methods, want %d", n, exported)
	}
	return nil
}

// sameConst compares the value of a constant with an entry. Entries of untyped
// constants hold a constant.Value, but for booleans.
func sameConst(got reflect.Value, want *types.Const) error {
	if basic, ok := want.Type().(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		value, ok := got.Interface().(constant.Value)
		if !ok {
			value = native(got)
		}
		return sameValue(value, want.Val())
	}
	if err := sameType(got.Type(), want.Type()); err != nil {
		return err
	}
	return sameValue(native(got), want.Val())
}

// native returns the value of a constant that was given a type.
func native(v reflect.Value) constant.Value {
	switch {
	case v.Kind() == reflect.Bool:
		return constant.MakeBool(v.Bool())
	case v.Kind() == reflect.String:
		return constant.MakeString(v.String())
	case v.CanInt():
		return constant.MakeInt64(v.Int())
	case v.CanUint():
		return constant.MakeUint64(v.Uint())
	case v.CanFloat():
		return constant.MakeFloat64(v.Float())
	default:
		return constant.MakeUnknown()
	}
}

// sameValue compares two constants: exactly, or as float64 if they are not
// integers, since yaegi writes fractions in decimal, with as many digits as
// their numerator or denominator has bits (at least 64).
func sameValue(got, want constant.Value) error {
	if want.Kind() == constant.Float {
		g, _ := constant.Float64Val(got)
		w, _ := constant.Float64Val(want)
		if g == w && got.Kind() != constant.Unknown {
			return nil
		}
	} else if constant.Compare(got, token.EQL, want) {
		return nil
	}
	return fmt.Errorf("got value %v, want %v", got, want)
}
