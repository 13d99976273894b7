package rt

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"
)

// A method is a method of a generic type of a compiled package, for whatever type arguments: t is its type without the
// receiver.
type method func(recv reflect.Value, t reflect.Type, in []reflect.Value) []reflect.Value

// HasGenericType reports whether the methods of a generic type of a compiled package are known here; name is the import
// path, a dot and the type's name.
func HasGenericType(name string) bool { return genericTypes[name] != nil }

// GenericMethod returns a method of a generic type that HasGenericType knows. The type must have the layout that its package
// gives it, the receiver may be addressed where it is a pointer.
func GenericMethod(typeName, name string, t reflect.Type) (call func(args []reflect.Value) []reflect.Value, ok bool) {
	m, ok := genericTypes[typeName][name]
	return func(args []reflect.Value) []reflect.Value { return m(args[0], t, args[1:]) }, ok
}

var genericTypes = map[string]map[string]method{
	"sync/atomic.Pointer": {
		"Load": func(recv reflect.Value, t reflect.Type, _ []reflect.Value) []reflect.Value {
			return pointer(t.Out(0), atomic.LoadPointer(word(recv.Elem(), "v")))
		},
		"Store": func(recv reflect.Value, _ reflect.Type, in []reflect.Value) []reflect.Value {
			atomic.StorePointer(word(recv.Elem(), "v"), in[0].UnsafePointer())
			return none()
		},
		"Swap": func(recv reflect.Value, t reflect.Type, in []reflect.Value) []reflect.Value {
			return pointer(t.Out(0), atomic.SwapPointer(word(recv.Elem(), "v"), in[0].UnsafePointer()))
		},
		"CompareAndSwap": func(recv reflect.Value, _ reflect.Type, in []reflect.Value) []reflect.Value {
			return boolean(atomic.CompareAndSwapPointer(word(recv.Elem(), "v"), in[0].UnsafePointer(), in[1].UnsafePointer()))
		},
	},
	"unique.Handle": {
		"Value": func(recv reflect.Value, _ reflect.Type, _ []reflect.Value) []reflect.Value {
			return one(recv.FieldByName("value").Elem())
		},
	},
	"weak.Pointer": {
		"Value": func(recv reflect.Value, t reflect.Type, _ []reflect.Value) []reflect.Value {
			p := *(*weak.Pointer[byte])(unsafe.Pointer(word(addressable(recv), "u")))
			return pointer(t.Out(0), unsafe.Pointer(p.Value()))
		},
	},
}

// word returns the address of a field that holds one pointer.
func word(v reflect.Value, field string) *unsafe.Pointer {
	return (*unsafe.Pointer)(v.FieldByName(field).Addr().UnsafePointer())
}

// pointer makes the result of type *T.
func pointer(t reflect.Type, p unsafe.Pointer) []reflect.Value {
	return one(reflect.NewAt(t.Elem(), p))
}

// addressable returns a copy of a value that has an address.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// typeFuncs are the functions that make or take values of these types.
var typeFuncs = map[string]implementation{
	"unique.Make": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		h := reflect.New(t.Out(0)).Elem()
		v := addressable(in[0])
		canonical, _ := handles.LoadOrStore(handle{v.Type(), v.Interface()}, v.Addr().UnsafePointer())
		*word(h, "value") = canonical.(unsafe.Pointer)
		return one(h)
	},
	// To the runtime a weak pointer is the same whatever it points to.
	"weak.Make": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		p := reflect.New(t.Out(0)).Elem()
		*(*weak.Pointer[byte])(unsafe.Pointer(word(p, "u"))) = weak.Make((*byte)(in[0].UnsafePointer()))
		return one(p)
	},
}

// A handle is the key of a unique value. As an interface its type is not that of the handle.
type handle struct {
	t reflect.Type
	v any
}

// handles has the address of each unique value. Unlike those of package unique, which only it can drop, they stay.
var handles sync.Map
