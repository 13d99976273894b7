package lower

import (
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"unsafe"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/rtype"
	"orthant/stdlib/rt"
)

// The types of cells are types of the Go runtime, made by package rtype: the engine's own have no names or methods for
// compiled code, and are one where they look alike (engine.md 2c, 7; goroot.md 3 and 4.9).

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
	types.UnsafePointer: reflect.TypeFor[unsafe.Pointer](),
}

// A Type is a type that a cell declared, as the engine and compiled code know it.
type Type struct {
	made    *rtype.Type
	Methods map[string]*Slot // the bodies of its methods: functions with the receiver as first parameter
}

// Reflect returns the type by which the engine and compiled code know a type of go/types. The error names what cannot be
// had: a compiled package's type that nothing exported leads to.
func (w *World) Reflect(t types.Type) (reflect.Type, error) {
	m := &maker{w: w}
	rt, err := m.typ(t)
	// The types met on the way are completed when all of them have a layout, as they may refer to each other.
	for err == nil && len(m.pending) > 0 {
		next := m.pending[0]
		m.pending = m.pending[1:]
		err = next()
	}
	return rt, err
}

// A maker makes reflect types, those of cells in two steps: the layout at once, the rest when it is done.
type maker struct {
	w       *World
	pending []func() error
}

// typ returns the reflect type of t. A type that is not complete may be named, but not looked into.
func (m *maker) typ(t types.Type) (reflect.Type, error) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if rt := basics[t.Kind()]; rt != nil {
			return rt, nil
		}
	case *types.Named:
		return m.named(t)
	case *types.Pointer:
		return m.of(t.Elem(), reflect.PointerTo)
	case *types.Slice:
		return m.of(t.Elem(), reflect.SliceOf)
	case *types.Array:
		return m.of(t.Elem(), func(e reflect.Type) reflect.Type { return reflect.ArrayOf(int(t.Len()), e) })
	case *types.Chan:
		return m.of(t.Elem(), func(e reflect.Type) reflect.Type { return reflect.ChanOf(directions[t.Dir()], e) })
	case *types.Map:
		k, err := m.typ(t.Key())
		if err != nil {
			return nil, err
		}
		return m.of(t.Elem(), func(e reflect.Type) reflect.Type { return reflect.MapOf(k, e) })
	case *types.Signature:
		in, err := m.tuple(t.Params())
		if err != nil {
			return nil, err
		}
		out, err := m.tuple(t.Results())
		if err != nil {
			return nil, err
		}
		return reflect.FuncOf(in, out, t.Variadic()), nil
	case *types.Interface:
		if t.NumMethods() == 0 {
			return reflect.TypeFor[any](), nil
		}
		return m.unnamed(t)
	case *types.Struct:
		if t.NumFields() == 0 {
			return reflect.TypeFor[struct{}](), nil
		}
		return m.unnamed(t)
	}
	return nil, fmt.Errorf("type %s has no form at run time", t)
}

var directions = map[types.ChanDir]reflect.ChanDir{
	types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}

func (m *maker) of(elem types.Type, make func(reflect.Type) reflect.Type) (reflect.Type, error) {
	e, err := m.typ(elem)
	if err != nil {
		return nil, err
	}
	return make(e), nil
}

func (m *maker) tuple(t *types.Tuple) ([]reflect.Type, error) {
	list := make([]reflect.Type, t.Len())
	for i := range list {
		rt, err := m.typ(t.At(i).Type())
		if err != nil {
			return nil, err
		}
		list[i] = rt
	}
	return list, nil
}

// named returns the type of a declared one.
func (m *maker) named(t *types.Named) (reflect.Type, error) {
	tn := t.Obj()
	switch {
	case tn.Pkg() == nil:
		if tn.Name() == "error" {
			return reflect.TypeFor[error](), nil
		}
		return nil, fmt.Errorf("type %s has no form at run time", t) // comparable
	case tn.Pkg().Path() == check.Path:
		known, err := m.declared(t)
		if err != nil {
			return nil, err
		}
		return known.made.Reflect(), nil
	case t.TypeArgs() != nil: // the engine's tables have no generic types
		if isIterator(t) {
			if compiled := m.w.iterators()[m.w.unqualifiedName(t)]; compiled != nil {
				return compiled, nil
			}
		}
		if isIterator(t) || rt.HasGenericType(genericType(tn)) {
			known, err := m.declared(t)
			if err != nil {
				return nil, err
			}
			return known.made.Reflect(), nil
		}
		return nil, fmt.Errorf("the generic type %s does not work in cells yet", types.TypeString(t, (*types.Package).Name))
	}
	if v, ok := m.w.Natives[tn.Pkg().Path()+"/"+tn.Pkg().Name()][tn.Name()]; ok {
		return v.Type().Elem(), nil
	}
	if rt := m.w.unexported(tn); rt != nil {
		return rt, nil
	}
	if tn.Exported() {
		return nil, fmt.Errorf("type %s.%s is of package %s, which is not compiled in", tn.Pkg().Name(), tn.Name(), tn.Pkg().Path())
	}
	return nil, fmt.Errorf("type %s.%s is not exported", tn.Pkg().Name(), tn.Name())
}

// declared returns what the session has of a type that a cell declares, or of an instance of a compiled package's generic
// type, and makes it where it has nothing yet.
func (m *maker) declared(t *types.Named) (*Type, error) {
	if known := m.w.Of(t); known != nil {
		return known, nil
	}
	u := t.Underlying()
	spec := rtype.Spec{Kind: kindOf(u), PkgPath: t.Obj().Pkg().Path(), Name: m.w.unqualifiedName(t), String: m.w.typeName(t)}
	value, pointer := m.w.methodSet(t), m.w.methodSet(types.NewPointer(t))
	if !types.IsInterface(u) {
		spec.Methods, spec.Pointer = len(value), len(pointer)
	}
	if sig, ok := u.(*types.Signature); ok {
		spec.Args = sig.Params().Len() + sig.Results().Len()
	}
	known := &Type{made: rtype.New(spec), Methods: map[string]*Slot{}}
	m.w.set(t, known)
	layout, err := m.layout(u)
	if err != nil {
		return nil, err
	}
	known.made.SetLayout(layout)
	if t.TypeArgs() != nil && inSession(t.Obj()) && !types.IsInterface(u) {
		m.w.succeed(t, known.made.Reflect())
	}
	m.pending = append(m.pending, func() error { return m.complete(known.made, u, layout) })
	if !types.IsInterface(u) {
		m.pending = append(m.pending, func() error { return m.methods(known, t, value, pointer) })
	}
	return known, nil
}

// complete fills in what a type with a layout is made of.
func (m *maker) complete(made *rtype.Type, u types.Type, layout reflect.Type) error {
	switch u := u.(type) {
	case *types.Struct:
		fields := make([]rtype.Field, u.NumFields())
		pkgPath := ""
		for i := range fields {
			f := u.Field(i)
			rt, err := m.typ(f.Type())
			if err != nil {
				return err
			}
			if !f.Exported() {
				pkgPath = f.Pkg().Path()
			}
			fields[i] = rtype.Field{Name: f.Name(), Type: rt, Tag: u.Tag(i), Embedded: f.Embedded(), Offset: layout.Field(i).Offset}
		}
		made.SetFields(pkgPath, fields)
	case *types.Interface:
		var methods []rtype.Method
		for f := range u.Methods() {
			rt, err := m.typ(withoutReceiver(f.Signature()))
			if err != nil {
				return err
			}
			methods = append(methods, rtype.Method{Name: f.Name(), Type: rt})
		}
		made.SetInterface(check.Path, methods)
	default:
		rt, err := m.typ(u)
		if err != nil {
			return err
		}
		made.SetUnderlying(rt)
	}
	return nil
}

// unnamed returns the type of a struct or an interface that is written out: reflection can make neither with names that
// are not exported. Identical types are one.
func (m *maker) unnamed(t types.Type) (reflect.Type, error) {
	for _, u := range m.w.unnamed {
		if types.Identical(u.typ, t) {
			return u.made.Reflect(), nil
		}
	}
	spec := rtype.Spec{Kind: kindOf(t), String: m.w.typeName(t), PkgPath: check.Path}
	var value, pointer []*types.Selection
	if s, ok := t.(*types.Struct); ok {
		if isPlainStruct(s) {
			return m.plainStruct(s)
		}
		value, pointer = m.w.methodSet(t), m.w.methodSet(types.NewPointer(t))
		spec.Methods, spec.Pointer = len(value), len(pointer)
	}
	known := &Type{made: rtype.New(spec), Methods: map[string]*Slot{}}
	m.w.unnamed = append(m.w.unnamed, unnamedType{t, known.made})
	layout, err := m.layout(t)
	if err != nil {
		return nil, err
	}
	known.made.SetLayout(layout)
	m.pending = append(m.pending, func() error { return m.complete(known.made, t, layout) })
	if len(pointer) > 0 {
		m.pending = append(m.pending, func() error { return m.fillMethods(known, value, pointer) })
	}
	return known.made.Reflect(), nil
}

// isPlainStruct reports whether reflection can make a struct type: its fields are exported and not embedded.
func isPlainStruct(s *types.Struct) bool {
	for f := range s.Fields() {
		if !f.Exported() || f.Embedded() {
			return false
		}
	}
	return true
}

// plainStruct returns a struct type of reflection, which is the same as that of compiled code.
func (m *maker) plainStruct(s *types.Struct) (reflect.Type, error) {
	fields := make([]reflect.StructField, s.NumFields())
	for i := range fields {
		rt, err := m.typ(s.Field(i).Type())
		if err != nil {
			return nil, err
		}
		fields[i] = reflect.StructField{Name: s.Field(i).Name(), Type: rt, Tag: reflect.StructTag(s.Tag(i))}
	}
	return reflect.StructOf(fields), nil
}

// layout returns a type of the same kind, size and comparison as t. It looks into what t holds by value only: the rest may
// not have a layout yet.
func (m *maker) layout(t types.Type) (reflect.Type, error) {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		if u.TypeArgs() != nil && !inSession(u.Obj()) { // may lead to types without a layout
			return m.layout(u.Underlying())
		}
		return m.typ(u)
	case *types.Basic:
		return m.typ(u)
	case *types.Pointer:
		return reflect.TypeFor[*byte](), nil
	case *types.Slice:
		return reflect.TypeFor[[]byte](), nil
	case *types.Map:
		return reflect.TypeFor[map[byte]byte](), nil
	case *types.Chan:
		return reflect.TypeFor[chan byte](), nil
	case *types.Signature:
		return reflect.TypeFor[func()](), nil
	case *types.Interface:
		if u.NumMethods() == 0 {
			return reflect.TypeFor[any](), nil
		}
		return reflect.TypeFor[error](), nil
	case *types.Array:
		e, err := m.layout(u.Elem())
		if err != nil {
			return nil, err
		}
		return reflect.ArrayOf(int(u.Len()), e), nil
	case *types.Struct:
		fields := make([]reflect.StructField, u.NumFields())
		for i := range fields {
			rt, err := m.layout(u.Field(i).Type())
			if err != nil {
				return nil, err
			}
			fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: rt}
		}
		return reflect.StructOf(fields), nil
	}
	return nil, fmt.Errorf("type %s has no form at run time", t)
}

// kindOf is the kind of an underlying type.
func kindOf(u types.Type) reflect.Kind {
	switch u := u.(type) {
	case *types.Basic:
		return basics[u.Kind()].Kind()
	case *types.Pointer:
		return reflect.Pointer
	case *types.Slice:
		return reflect.Slice
	case *types.Array:
		return reflect.Array
	case *types.Map:
		return reflect.Map
	case *types.Chan:
		return reflect.Chan
	case *types.Signature:
		return reflect.Func
	case *types.Interface:
		return reflect.Interface
	}
	return reflect.Struct
}

// withoutReceiver is the type of a method as compiled code sees it.
func withoutReceiver(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
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
