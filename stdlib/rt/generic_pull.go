package rt

import (
	"iter"
	"reflect"
)

// pull is iter.Pull, and iter.Pull2, for an iterator of any type; t is the type of the instance.
func pull(t reflect.Type, seq reflect.Value) []reflect.Value {
	next, stop := iter.Pull(func(yield func([]reflect.Value) bool) {
		seq.Call([]reflect.Value{reflect.MakeFunc(seq.Type().In(0), func(in []reflect.Value) []reflect.Value {
			return boolean(yield(in))
		})})
	})
	nextType := t.Out(0)
	values := func([]reflect.Value) []reflect.Value {
		list, ok := next()
		if !ok {
			list = nil
			for i := range nextType.NumOut() - 1 {
				list = append(list, reflect.Zero(nextType.Out(i)))
			}
		}
		return append(list[:len(list):len(list)], reflect.ValueOf(ok))
	}
	return []reflect.Value{reflect.MakeFunc(nextType, values), reflect.ValueOf(stop)}
}

// pullFuncs are the functions of package iter.
var pullFuncs = map[string]implementation{
	"iter.Pull":  func(t reflect.Type, in []reflect.Value) []reflect.Value { return pull(t, in[0]) },
	"iter.Pull2": func(t reflect.Type, in []reflect.Value) []reflect.Value { return pull(t, in[0]) },
}
