package rtype

import (
	"reflect"
	"strconv"
	"testing"
	"unsafe"
)

// call is the body of a method in tests.
type call = func(args []reflect.Value) []reflect.Value

// m makes a method from the type of its function.
func m[F any](name string, f call) Method {
	return Method{Name: name, Type: reflect.TypeFor[F](), Call: f}
}

// returns is the body of a method that returns what f makes of the receiver.
func returns[T any](f func(recv reflect.Value) T) call {
	return func(args []reflect.Value) []reflect.Value { return []reflect.Value{value(f(args[0]))} }
}

// value is reflect.ValueOf, but for interfaces, which stay what they are.
func value[T any](x T) reflect.Value { return reflect.ValueOf(&x).Elem() }

// promoted returns methods of T as those that *T has, too.
func promoted(list []Method) []Method {
	all := make([]Method, len(list))
	for i, m := range list {
		all[i] = m
		all[i].Call = func(args []reflect.Value) []reflect.Value {
			args[0] = reflect.ValueOf(args[0].Elem().Interface()) // a copy
			return m.Call(args)
		}
	}
	return all
}

// begin makes a type with methods, which finish fills in.
func begin(name string, kind reflect.Kind, args int, value, pointer []Method) *Type {
	return New(Spec{Name: name, String: "main." + name, PkgPath: "main", Kind: kind, Args: args,
		Methods: len(value), Pointer: len(value) + len(pointer)})
}

func finish(tb testing.TB, t *Type, value, pointer []Method) reflect.Type {
	tb.Helper()
	if err := t.SetMethods(value, append(promoted(value), pointer...)); err != nil {
		tb.Fatal(err)
	}
	return t.Reflect()
}

// declare makes a type that is neither a struct nor an interface.
func declare(tb testing.TB, name string, u reflect.Type, value, pointer []Method) reflect.Type {
	tb.Helper()
	args := 0
	if u.Kind() == reflect.Func {
		args = u.NumIn() + u.NumOut()
	}
	t := begin(name, u.Kind(), args, value, pointer)
	t.SetLayout(u)
	t.SetUnderlying(u)
	return finish(tb, t, value, pointer)
}

// declareStruct makes a struct.
func declareStruct(tb testing.TB, name string, fields []Field, value, pointer []Method) reflect.Type {
	tb.Helper()
	t := begin(name, reflect.Struct, 0, value, pointer)
	layOut(t, fields)
	return finish(tb, t, value, pointer)
}

// layOut gives a struct its layout and fields. A field whose type needs the struct is given as a function.
func layOut(t *Type, fields []Field, later ...func() reflect.Type) {
	list := make([]reflect.StructField, len(fields))
	for i, f := range fields {
		list[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: f.Type}
	}
	like := reflect.StructOf(list)
	t.SetLayout(like)
	for i := range fields {
		fields[i].Offset = like.Field(i).Offset
		if i < len(later) && later[i] != nil {
			fields[i].Type = later[i]()
		}
	}
	t.SetFields("main", fields)
}

// declareInterface makes an interface type, one without a name if it is "".
func declareInterface(name, pkgPath string, methods ...Method) reflect.Type {
	s := Spec{Name: name, String: "main." + name, PkgPath: pkgPath, Kind: reflect.Interface}
	if name == "" {
		s.String = "interface { ... }"
	}
	t := New(s)
	t.SetInterface(pkgPath, methods)
	return t.Reflect()
}

// to converts a value and puts it into an interface.
func to(t reflect.Type, x any) any { return reflect.ValueOf(x).Convert(t).Interface() }

// fill returns a struct with the given fields.
func fill(t reflect.Type, fields ...any) reflect.Value {
	v := reflect.New(t).Elem()
	for i, f := range fields {
		v.Field(i).Set(reflect.ValueOf(f).Convert(v.Field(i).Type()))
	}
	return v
}

// panicOf returns what a function panics with.
func panicOf(f func()) (e any) {
	defer func() { e = recover() }()
	f()
	return nil
}

// pointerBits says of each word of a type whether it is a pointer.
func pointerBits(t reflect.Type) (list []bool) {
	h := of(t)
	for i := range h.ptrBytes / unsafe.Sizeof(h) {
		b := *(*byte)(unsafe.Add(unsafe.Pointer(h.gcData), i/8))
		list = append(list, b>>(i%8)&1 != 0)
	}
	return list
}
