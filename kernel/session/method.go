package session

import (
	"go/types"
	"reflect"
)

// A bound is a method of a type that a cell declared, as a function, with its receiver.
type bound struct {
	sig  *types.Signature // the receiver is the first parameter
	fun  reflect.Value
	recv reflect.Value // invalid for a nil pointer to a type whose method has a value receiver
}

// bind finds a method of a value whose type a cell declared. t is that type or a pointer to it; for anything else, and
// where the method is not in the type's method set, ok is false.
func (s *Session) bind(v reflect.Value, t types.Type, name string) (m bound, ok bool) {
	if t == nil || !v.CanInterface() {
		return bound{}, false
	}
	base, pointer := types.Unalias(t), false
	if p, ok := base.(*types.Pointer); ok {
		base, pointer = types.Unalias(p.Elem()), true
	}
	n, ok := base.(*types.Named)
	if !ok {
		return bound{}, false
	}
	known := s.world.Of(n)
	if known == nil {
		return bound{}, false
	}
	slot := known.Methods[name]
	if slot == nil || slot.Value().IsNil() {
		return bound{}, false
	}
	m = bound{sig: slot.Type.(*types.Signature), fun: slot.Value(), recv: v}
	_, wantsPointer := m.sig.Params().At(0).Type().(*types.Pointer)
	switch {
	case wantsPointer && !pointer:
		return bound{}, false
	case pointer && !wantsPointer && v.IsNil():
		m.recv = reflect.Value{}
		return m, true
	case pointer && !wantsPointer:
		m.recv = v.Elem()
	}
	in := m.fun.Type().In(0)
	if !m.recv.Type().ConvertibleTo(in) {
		return bound{}, false
	}
	m.recv = m.recv.Convert(in)
	return m, true
}
