package rt

import (
	"reflect"
	"unsafe"
)

// Unsafe returns a function of package unsafe (Add, Slice, SliceData, String or StringData) with type f, in which offsets
// and lengths are ints. It panics as Go does for lengths that cannot be.
func Unsafe(name string, f reflect.Type) reflect.Value {
	out := f.Out(0)
	return reflect.MakeFunc(f, func(args []reflect.Value) []reflect.Value {
		n := 0
		if len(args) > 1 {
			n = int(args[1].Int())
		}
		var result reflect.Value
		switch name {
		case "Add":
			result = reflect.ValueOf(unsafe.Add(args[0].UnsafePointer(), n))
		case "Slice":
			checkLength("unsafe.Slice", args[0].UnsafePointer(), n, out.Elem().Size())
			p := args[0].UnsafePointer()
			if p == nil {
				result = reflect.Zero(out)
				break
			}
			result = reflect.NewAt(reflect.ArrayOf(n, out.Elem()), p).Elem().Slice3(0, n, n)
		case "SliceData":
			if args[0].IsNil() {
				result = reflect.Zero(out)
				break
			}
			result = reflect.NewAt(out.Elem(), args[0].UnsafePointer())
		case "String":
			checkLength("unsafe.String", args[0].UnsafePointer(), n, 1)
			result = reflect.ValueOf(unsafe.String((*byte)(args[0].UnsafePointer()), n))
		case "StringData":
			result = reflect.ValueOf(unsafe.StringData(args[0].String()))
		}
		return []reflect.Value{result.Convert(out)}
	})
}

// checkLength panics where n elements cannot lie at p.
func checkLength(name string, p unsafe.Pointer, n int, size uintptr) {
	switch {
	case n < 0 || size > 0 && uintptr(n) > -uintptr(p)/size && p != nil:
		panic(RuntimeError(name + ": len out of range"))
	case p == nil && n > 0:
		panic(RuntimeError(name + ": ptr is nil and len is not zero"))
	}
}

// TextConversion returns a function of type f that converts between a string and a slice of bytes or runes of a type with a
// name, which reflection refuses.
func TextConversion(f reflect.Type) reflect.Value {
	from, to := f.In(0), f.Out(0)
	return reflect.MakeFunc(f, func(args []reflect.Value) []reflect.Value {
		if from.Kind() == reflect.String {
			plain := reflect.ValueOf([]byte(args[0].String()))
			if to.Elem().Kind() == reflect.Int32 {
				plain = reflect.ValueOf([]rune(args[0].String()))
			}
			return []reflect.Value{seenAs(plain, to)}
		}
		plain := reflect.TypeFor[[]byte]()
		if from.Elem().Kind() == reflect.Int32 {
			plain = reflect.TypeFor[[]rune]()
		}
		return []reflect.Value{seenAs(args[0], plain).Convert(reflect.TypeFor[string]()).Convert(to)}
	})
}

// seenAs returns a slice as one of another type with elements of the same kind.
func seenAs(s reflect.Value, t reflect.Type) reflect.Value {
	p := reflect.New(s.Type())
	p.Elem().Set(s)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}
