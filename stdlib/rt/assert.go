package rt

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// Assert returns a function of type func(from) to that is x.(to): from is an interface type. It panics as Go does, with a
// *runtime.TypeAssertionError.
func Assert(from, to reflect.Type) reflect.Value {
	return reflect.MakeFunc(reflect.FuncOf([]reflect.Type{from}, []reflect.Type{to}, false), func(args []reflect.Value) []reflect.Value {
		x := opened(args[0].Elem(), to)
		if !holds(x, to) {
			panic(assertionError(from, x, to))
		}
		return []reflect.Value{as(x, to)}
	})
}

// AssertOK returns a function of type func(from) (to, bool) that is the comma-ok form of x.(to).
func AssertOK(from, to reflect.Type) reflect.Value {
	signature := reflect.FuncOf([]reflect.Type{from}, []reflect.Type{to, reflect.TypeFor[bool]()}, false)
	yes, no := reflect.ValueOf(true), reflect.ValueOf(false)
	zero := reflect.Zero(to)
	return reflect.MakeFunc(signature, func(args []reflect.Value) []reflect.Value {
		if x := opened(args[0].Elem(), to); holds(x, to) {
			return []reflect.Value{as(x, to), yes}
		}
		return []reflect.Value{zero, no}
	})
}

// Cases returns a function of type func(from) int for a type switch: it returns the index of the first of cases that the
// dynamic type of its argument is, or implements, and -1 where there is none. A nil case is the nil of a type switch.
func Cases(from reflect.Type, cases []reflect.Type) reflect.Value {
	none := reflect.ValueOf(slices.Index(cases, nil))
	type question struct {
		typ    reflect.Type
		number int64 // of successions: another one may change the answer
	}
	var known sync.Map // the answers
	return reflect.MakeFunc(reflect.FuncOf([]reflect.Type{from}, []reflect.Type{reflect.TypeFor[int]()}, false), func(args []reflect.Value) []reflect.Value {
		x := args[0].Elem()
		if !x.IsValid() {
			return []reflect.Value{none}
		}
		q := question{x.Type(), successions.number.Load()}
		if found, ok := known.Load(q); ok {
			return []reflect.Value{found.(reflect.Value)}
		}
		found := reflect.ValueOf(slices.IndexFunc(cases, func(t reflect.Type) bool { return t != nil && holds(opened(x, t), t) }))
		known.Store(q, found)
		return []reflect.Value{found}
	})
}

// InterfaceConversion returns a function of type f that converts its argument to an interface.
func InterfaceConversion(f reflect.Type) reflect.Value {
	to := f.Out(0)
	return reflect.MakeFunc(f, func(args []reflect.Value) []reflect.Value {
		x := args[0]
		if x.Kind() == reflect.Interface {
			if x.IsNil() {
				return []reflect.Value{reflect.Zero(to)}
			}
			x = x.Elem()
		}
		return []reflect.Value{as(x, to)}
	})
}

// holds reports whether the value of an interface is one of type t, or implements t.
func holds(x reflect.Value, t reflect.Type) bool {
	return x.IsValid() && form(x.Type(), t) != nil
}

// as returns the value of an interface as one of type t, which holds has confirmed.
func as(x reflect.Value, t reflect.Type) reflect.Value {
	if f := form(x.Type(), t); f != nil {
		x = retyped(x, f)
	}
	if t.Kind() != reflect.Interface {
		return x
	}
	out := reflect.New(t).Elem()
	out.Set(x)
	return out
}

// assertionError makes the runtime's own error, whose fields it keeps to itself.
func assertionError(from reflect.Type, x reflect.Value, to reflect.Type) *runtime.TypeAssertionError {
	err := new(runtime.TypeAssertionError)
	v := reflect.ValueOf(err).Elem()
	set := func(field string, value any) {
		f := v.FieldByName(field)
		reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(value).Convert(f.Type()))
	}
	word := func(t reflect.Type) reflect.Value { // a reflect.Type is a pointer to what the runtime knows of the type
		return reflect.NewAt(v.FieldByName("_interface").Type(), unsafe.Add(unsafe.Pointer(&t), unsafe.Sizeof(uintptr(0)))).Elem()
	}
	setType := func(field string, t reflect.Type) {
		f := v.FieldByName(field)
		reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().Set(word(t))
	}
	setType("_interface", from)
	setType("asserted", to)
	if x.IsValid() {
		setType("concrete", x.Type())
		if to.Kind() == reflect.Interface {
			set("missingMethod", missingMethod(x.Type(), to))
		}
	}
	return err
}

// missingMethod returns the first method of an interface that a type lacks.
func missingMethod(t, iface reflect.Type) string {
	for m := range iface.Methods() {
		have, ok := t.MethodByName(m.Name)
		if !ok {
			return m.Name
		}
		signature := have.Type
		if t.Kind() != reflect.Interface {
			in := slices.Collect(signature.Ins())[1:]
			signature = reflect.FuncOf(in, slices.Collect(signature.Outs()), signature.IsVariadic())
		}
		if signature != m.Type {
			return m.Name
		}
	}
	return ""
}
