package rt

import (
	"hash/maphash"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
)

// once makes a function of type t that calls f the first time and returns the same results, or panics with the same
// value, every time.
func once(t reflect.Type, f reflect.Value) []reflect.Value {
	call := sync.OnceValue(func() []reflect.Value { return f.Call(nil) })
	return one(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return call() }))
}

// otherFuncs are the generic functions of the other packages of the standard library.
var otherFuncs = map[string]implementation{
	"cmp.Compare": func(_ reflect.Type, in []reflect.Value) []reflect.Value { return integer(compare(in[0], in[1])) },
	"cmp.Less":    func(_ reflect.Type, in []reflect.Value) []reflect.Value { return boolean(less(in[0], in[1])) },
	"cmp.Or": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		for _, v := range elements(in[0]) {
			if !equal(v, reflect.Zero(v.Type())) { // of -0 IsZero has another opinion
				return one(v)
			}
		}
		return one(reflect.Zero(t.Out(0)))
	},
	"errors.AsType": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		target := reflect.New(t.Out(0))
		err, _ := in[0].Interface().(error)
		found := ErrorAs(err, target.Interface())
		return []reflect.Value{target.Elem(), reflect.ValueOf(found)}
	},
	"hash/maphash.Comparable": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(reflect.ValueOf(maphash.Comparable(in[0].Interface().(maphash.Seed), in[1].Interface())))
	},
	"hash/maphash.WriteComparable": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		maphash.WriteComparable(in[0].Interface().(*maphash.Hash), in[1].Interface())
		return none()
	},
	"reflect.TypeAssert": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		x := reflect.ValueOf(in[0].Interface().(reflect.Value).Interface())
		if !holds(x, t.Out(0)) {
			return []reflect.Value{reflect.Zero(t.Out(0)), reflect.ValueOf(false)}
		}
		return []reflect.Value{as(x, t.Out(0)), reflect.ValueOf(true)}
	},
	"runtime.AddCleanup": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		p, f, arg := in[0].UnsafePointer(), in[1], in[2]
		if arg.Kind() == reflect.Pointer && arg.UnsafePointer() == p {
			panic(RuntimeError("runtime.AddCleanup: ptr is equal to arg, cleanup will never run"))
		}
		return one(reflect.ValueOf(runtime.AddCleanup((*byte)(p), func(arg reflect.Value) { f.Call([]reflect.Value{arg}) }, arg)))
	},
	"sync.OnceValue":  func(t reflect.Type, in []reflect.Value) []reflect.Value { return once(t.Out(0), in[0]) },
	"sync.OnceValues": func(t reflect.Type, in []reflect.Value) []reflect.Value { return once(t.Out(0), in[0]) },
	"math/rand/v2.N": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		out := reflect.New(t.Out(0)).Elem()
		if in[0].CanUint() {
			out.SetUint(rand.N(in[0].Uint()))
		} else {
			out.SetInt(rand.N(in[0].Int()))
		}
		return one(out)
	},
}
