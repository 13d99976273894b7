package rt

import "reflect"

// sequence makes an iterator of type t that yields what produce passes to it, until the loop ends.
func sequence(t reflect.Type, produce func(yield func(...reflect.Value) bool)) []reflect.Value {
	return one(reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		produce(func(values ...reflect.Value) bool { return call(in[0], values...).Bool() })
		return none()
	}))
}

// each calls f with what an iterator yields.
func each(seq reflect.Value, f func(values []reflect.Value)) {
	yield := reflect.MakeFunc(seq.Type().In(0), func(in []reflect.Value) []reflect.Value {
		f(in)
		return boolean(true)
	})
	seq.Call([]reflect.Value{yield})
}

// collect appends what an iterator yields to a slice.
func collect(s, seq reflect.Value) reflect.Value {
	each(seq, func(values []reflect.Value) { s = reflect.Append(s, values[0]) })
	return s
}

// sliceIterators are the functions of package slices on iterators.
var sliceIterators = map[string]implementation{
	"slices.All": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		return sequence(t.Out(0), func(yield func(...reflect.Value) bool) {
			for i := range in[0].Len() {
				if !yield(reflect.ValueOf(i), in[0].Index(i)) {
					return
				}
			}
		})
	},
	"slices.AppendSeq": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(collect(in[0], in[1]))
	},
	"slices.Backward": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		return sequence(t.Out(0), func(yield func(...reflect.Value) bool) {
			for i := in[0].Len() - 1; i >= 0; i-- {
				if !yield(reflect.ValueOf(i), in[0].Index(i)) {
					return
				}
			}
		})
	},
	"slices.Chunk": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		n := int(in[1].Int())
		if n < 1 {
			panic("cannot be less than 1")
		}
		return sequence(t.Out(0), func(yield func(...reflect.Value) bool) {
			for i := 0; i < in[0].Len(); i += n {
				end := min(i+n, in[0].Len())
				if !yield(in[0].Slice3(i, end, end)) {
					return
				}
			}
		})
	},
	"slices.Collect": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		return one(collect(reflect.Zero(t.Out(0)), in[0]))
	},
	"slices.Sorted": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		s := collect(reflect.Zero(t.Out(0)), in[0])
		sortOrdered(s)
		return one(s)
	},
	"slices.SortedFunc": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		s := collect(reflect.Zero(t.Out(0)), in[0])
		sortBy(s, comparison(in[1]), false)
		return one(s)
	},
	"slices.SortedStableFunc": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		s := collect(reflect.Zero(t.Out(0)), in[0])
		sortBy(s, comparison(in[1]), true)
		return one(s)
	},
	"slices.Values": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		return sequence(t.Out(0), func(yield func(...reflect.Value) bool) {
			for i := range in[0].Len() {
				if !yield(in[0].Index(i)) {
					return
				}
			}
		})
	},
}
