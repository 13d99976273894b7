package rt

import (
	"math/rand/v2"
	"reflect"
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
			if !v.IsZero() {
				return one(v)
			}
		}
		return one(reflect.Zero(t.Out(0)))
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
