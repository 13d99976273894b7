package lower

import (
	"fmt"
	"go/types"
	"reflect"

	"orthant/kernel/session/internal/check"
)

var basics = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
	types.UntypedBool: reflect.TypeFor[bool](), types.UntypedInt: reflect.TypeFor[int](),
	types.UntypedRune: reflect.TypeFor[rune](), types.UntypedFloat: reflect.TypeFor[float64](),
	types.UntypedComplex: reflect.TypeFor[complex128](), types.UntypedString: reflect.TypeFor[string](),
}

// Native returns the reflect type of a type that is made of compiled types only. For any other type ok is false: only
// the engine knows how it represents it. The error names a compiled type that cannot be reached because it is not exported.
func (w *World) Native(t types.Type) (rt reflect.Type, ok bool, err error) {
	elem := func(e types.Type, make func(reflect.Type) reflect.Type) (reflect.Type, bool, error) {
		rt, ok, err := w.Native(e)
		if !ok || err != nil {
			return nil, false, err
		}
		return make(rt), true, nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		rt, ok = basics[t.Kind()]
		return rt, ok, nil
	case *types.Named:
		return w.named(t)
	case *types.Pointer:
		return elem(t.Elem(), reflect.PointerTo)
	case *types.Slice:
		return elem(t.Elem(), reflect.SliceOf)
	case *types.Array:
		return elem(t.Elem(), func(e reflect.Type) reflect.Type { return reflect.ArrayOf(int(t.Len()), e) })
	case *types.Chan:
		dir := map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}
		return elem(t.Elem(), func(e reflect.Type) reflect.Type { return reflect.ChanOf(dir[t.Dir()], e) })
	case *types.Map:
		k, ok, err := w.Native(t.Key())
		if !ok || err != nil {
			return nil, false, err
		}
		return elem(t.Elem(), func(e reflect.Type) reflect.Type { return reflect.MapOf(k, e) })
	case *types.Signature:
		if t.TypeParams() != nil {
			return nil, false, nil
		}
		in, ok, err := w.tuple(t.Params())
		if !ok || err != nil {
			return nil, false, err
		}
		out, ok, err := w.tuple(t.Results())
		if !ok || err != nil {
			return nil, false, err
		}
		return reflect.FuncOf(in, out, t.Variadic()), true, nil
	case *types.Interface:
		if t.Empty() {
			return reflect.TypeFor[any](), true, nil
		}
	case *types.Struct:
		if t.NumFields() == 0 {
			return reflect.TypeFor[struct{}](), true, nil
		}
	}
	return nil, false, nil
}

func (w *World) tuple(t *types.Tuple) ([]reflect.Type, bool, error) {
	list := make([]reflect.Type, t.Len())
	for i := range list {
		rt, ok, err := w.Native(t.At(i).Type())
		if !ok || err != nil {
			return nil, false, err
		}
		list[i] = rt
	}
	return list, true, nil
}

func (w *World) named(t *types.Named) (reflect.Type, bool, error) {
	tn := t.Obj()
	if tn.Pkg() == nil {
		if tn.Name() == "error" {
			return reflect.TypeFor[error](), true, nil
		}
		return nil, false, nil
	}
	if tn.Pkg().Path() == check.Path {
		return nil, false, nil
	}
	if t.TypeArgs() != nil { // the engine's tables have no generic types; iter.Seq is as good as its underlying type
		if sig, ok := t.Underlying().(*types.Signature); ok {
			return w.Native(sig)
		}
		return nil, false, nil
	}
	if v, ok := w.Natives[tn.Pkg().Path()+"/"+tn.Pkg().Name()][tn.Name()]; ok {
		return v.Type().Elem(), true, nil
	}
	return nil, false, fmt.Errorf("type %s.%s is not exported", tn.Pkg().Name(), tn.Name())
}

// MentionsSession reports whether a type mentions one that a cell declared.
func MentionsSession(t types.Type) bool {
	seen := map[types.Type]bool{}
	var walk func(t types.Type) bool
	walk = func(t types.Type) bool {
		t = types.Unalias(t)
		if seen[t] {
			return false
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			if t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == check.Path {
				return true
			}
			for a := range t.TypeArgs().Types() {
				if walk(a) {
					return true
				}
			}
		case *types.Map:
			return walk(t.Key()) || walk(t.Elem())
		case interface{ Elem() types.Type }:
			return walk(t.Elem())
		case *types.Tuple:
			for v := range t.Variables() {
				if walk(v.Type()) {
					return true
				}
			}
		case *types.Signature:
			return walk(t.Params()) || walk(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				if walk(f.Type()) {
					return true
				}
			}
		case *types.Interface:
			for m := range t.Methods() {
				if walk(m.Type()) {
					return true
				}
			}
		}
		return false
	}
	return walk(t)
}

// composite reports whether a type is written out of others. The engine handles values of such types better as its own
// than as compiled ones: it knows their elements.
func composite(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Slice, *types.Array, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Pointer:
		return composite(t.Elem())
	}
	return false
}
