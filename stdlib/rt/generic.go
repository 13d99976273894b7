package rt

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
)

// The generic functions of compiled packages have no compiled form for the types of a cell. So each has one here that
// works on reflect values, under its own name and with its own contract: the standard library's documentation holds.

// An implementation is a generic function for whatever types its arguments have. t is the type of the instance.
type implementation func(t reflect.Type, in []reflect.Value) []reflect.Value

// Generic returns the instance of a generic function of a compiled package as a function of type t; name is the import
// path, a dot and the function's name, such as "slices.Sort", and args are the type arguments. It reports false where there
// is none.
func Generic(name string, t reflect.Type, args []reflect.Type) (reflect.Value, bool) {
	if name == "reflect.TypeFor" { // the one whose type does not tell its type argument
		return reflect.ValueOf(func() reflect.Type { return args[0] }), true
	}
	impl, ok := generics[name]
	if !ok {
		return reflect.Value{}, false
	}
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value { return impl(t, in) }), true
}

// HasGeneric reports whether Generic knows a function.
func HasGeneric(name string) bool {
	_, ok := generics[name]
	return ok || name == "reflect.TypeFor"
}

var generics = merge(sliceFuncs, sliceIterators, mapFuncs, pullFuncs, typeFuncs, cryptoFuncs, otherFuncs)

func merge(tables ...map[string]implementation) map[string]implementation {
	all := map[string]implementation{}
	for _, table := range tables {
		for name, impl := range table {
			all[name] = impl
		}
	}
	return all
}

// one and none make results.
func one(v reflect.Value) []reflect.Value { return []reflect.Value{v} }
func none() []reflect.Value               { return nil }
func boolean(b bool) []reflect.Value      { return one(reflect.ValueOf(b)) }
func integer(i int) []reflect.Value       { return one(reflect.ValueOf(i)) }

// call calls a function of one result.
func call(f reflect.Value, args ...reflect.Value) reflect.Value { return f.Call(args)[0] }

// predicate and comparison make Go functions of functions of a cell.
func predicate(f reflect.Value) func(v reflect.Value) bool {
	return func(v reflect.Value) bool { return call(f, v).Bool() }
}

func comparison(f reflect.Value) func(a, b reflect.Value) int {
	return func(a, b reflect.Value) int { return int(call(f, a, b).Int()) }
}

func equality(f reflect.Value) func(a, b reflect.Value) bool {
	return func(a, b reflect.Value) bool { return call(f, a, b).Bool() }
}

// compare is cmp.Compare for values of an ordered kind.
func compare(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	}
	panic(fmt.Sprintf("rt: values of kind %s have no order", a.Kind())) // the checker has let only ordered types pass
}

// less is cmp.Less.
func less(a, b reflect.Value) bool { return compare(a, b) < 0 }

// equal is == for values of one type.
func equal(a, b reflect.Value) bool { return a.Equal(b) }

// isNaN reports whether a value is not equal to itself.
func isNaN(v reflect.Value) bool { return v.CanFloat() && v.Float() != v.Float() }
