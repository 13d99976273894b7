package rtype

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// A Method is a method of a type.
type Method struct {
	Name    string
	Type    reflect.Type                               // without the receiver
	Call    func(args []reflect.Value) []reflect.Value // args[0] is the receiver
	PkgPath string                                     // of a lower-case name from a package other than the type's
}

// sorted returns methods in the order that the runtime expects: exported ones first, then by name and package.
func sorted(list []Method) []Method {
	return slices.SortedFunc(slices.Values(list), func(a, b Method) int {
		if x := exported(a.Name); x != exported(b.Name) {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.PkgPath, b.PkgPath))
	})
}

// offset registers the method's name.
func (m Method) offset() int32 {
	n := name{text: m.Name, exported: exported(m.Name)}
	if !n.exported {
		n.pkgPath = m.PkgPath
	}
	return n.offset()
}

// SetInterface completes an interface type. pkgPath is the package of the lower-case names.
func (t *Type) SetInterface(pkgPath string, methods []Method) {
	// The two kinds of interfaces compare in different ways.
	like := reflect.TypeFor[any]()
	if len(methods) > 0 {
		like = reflect.TypeFor[error]()
	}
	t.SetLayout(like)
	i := as[interfaceType](t.h)
	i.pkgPath = name{text: pkgPath}.encode()
	for _, m := range sorted(methods) {
		i.methods = append(i.methods, imethod{m.offset(), addReflectOff(unsafe.Pointer(of(m.Type)))})
	}
}

// SetMethods fills the method sets of a named type and of the pointer to it. They have as many methods as the Spec said, and
// the pointer's has all that the type's has. The types in their signatures must have a layout: it says where arguments are.
//
// A call through an interface that holds a T, too, is one of the pointer's method, unless the interface holds the value
// itself: what the interface has is a pointer. Such a method must leave alone what the pointer leads to, as one with a value
// receiver does.
func (t *Type) SetMethods(value, pointer []Method) error {
	if t.pointer == nil {
		if len(value)+len(pointer) > 0 {
			return fmt.Errorf("type %s cannot have methods", t.spec.String)
		}
		return nil
	}
	if err := t.pointer.setMethods(pointer, nil); err != nil {
		return err
	}
	return t.setMethods(value, t.pointer.functions(pointer))
}

// functions returns the functions of a method set by their methods' names and packages.
func (t *Type) functions(list []Method) map[[2]string]int32 {
	m := map[[2]string]int32{}
	for i, entry := range sorted(list) {
		m[[2]string{entry.Name, entry.PkgPath}] = t.methods[i].ifn
	}
	return m
}

// setMethods fills a method set. viaPointer has the pointer's functions.
func (t *Type) setMethods(list []Method, viaPointer map[[2]string]int32) error {
	if len(list) != len(t.methods) {
		return fmt.Errorf("%s was to have %d methods, but has %d", t.Reflect(), len(t.methods), len(list))
	}
	exports := uint16(0)
	for i, m := range sorted(list) {
		// The first function takes the word that an interface holds, the other one the value.
		tfn, err := function(t.Reflect(), m)
		if err != nil {
			return fmt.Errorf("method %s of %s: %w", m.Name, t.Reflect(), err)
		}
		ifn := tfn
		if t.h.tFlag&flagDirect == 0 {
			known, ok := viaPointer[[2]string{m.Name, m.PkgPath}]
			if !ok {
				return fmt.Errorf("method %s of %s is not one of *%[2]s", m.Name, t.Reflect())
			}
			ifn = known
		}
		t.methods[i] = method{m.offset(), addReflectOff(unsafe.Pointer(of(m.Type))), ifn, tfn}
		if exported(m.Name) {
			exports++
		}
	}
	t.u.mcount, t.u.xcount = uint16(len(list)), exports
	t.list = list
	return nil
}

// maxArgs is how many parameters and results reflection allows a function.
const maxArgs = 128

// function returns the offset of a method's function. Its first parameter is the receiver.
func function(recv reflect.Type, m Method) (int32, error) {
	in, out := []reflect.Type{recv}, []reflect.Type{}
	for p := range m.Type.Ins() {
		in = append(in, p)
	}
	for r := range m.Type.Outs() {
		out = append(out, r)
	}
	for _, a := range slices.Concat(in, out) {
		if !of(a).hasLayout() {
			return 0, fmt.Errorf("type %s has no layout yet", a)
		}
	}
	if len(in)+len(out) > maxArgs {
		return 0, fmt.Errorf("more than %d parameters and results do not work in cells", maxArgs-1)
	}
	return text(reflect.MakeFunc(reflect.FuncOf(in, out, m.Type.IsVariadic()), m.Call))
}

// Call calls a method of a value by its name and package, as Method has them, also one that is not exported, which reflection
// does not call. The value's type must be one of this package.
func Call(v reflect.Value, name, pkgPath string, args []reflect.Value) []reflect.Value {
	if own, ok := made.Load(of(v.Type())); ok {
		for _, m := range own.(*Type).list {
			if m.Name == name && m.PkgPath == pkgPath {
				return m.Call(append([]reflect.Value{v}, args...))
			}
		}
	}
	panic(fmt.Sprintf("type %s has no method %s", v.Type(), name))
}
