package rt

import "reflect"

// pairs calls f with the keys and values of a map until it returns false.
func pairs(m reflect.Value, f func(k, v reflect.Value) bool) {
	for it := m.MapRange(); it.Next(); {
		if !f(it.Key(), it.Value()) {
			return
		}
	}
}

// sameMaps reports whether two maps have the same keys with values that same holds for.
func sameMaps(a, b reflect.Value, same func(a, b reflect.Value) bool) bool {
	if a.Len() != b.Len() {
		return false
	}
	all := true
	pairs(a, func(k, v reflect.Value) bool {
		w := b.MapIndex(k)
		all = w.IsValid() && same(v, w)
		return all
	})
	return all
}

// insert stores what an iterator of pairs yields.
func insert(m, seq reflect.Value) {
	each(seq, func(values []reflect.Value) { m.SetMapIndex(values[0], values[1]) })
}

// mapFuncs are the functions of package maps.
var mapFuncs = map[string]implementation{
	"maps.All": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		return sequence(t.Out(0), func(yield func(...reflect.Value) bool) {
			pairs(in[0], func(k, v reflect.Value) bool { return yield(k, v) })
		})
	},
	"maps.Clone": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		if in[0].IsNil() {
			return one(in[0])
		}
		out := reflect.MakeMapWithSize(in[0].Type(), in[0].Len())
		pairs(in[0], func(k, v reflect.Value) bool { out.SetMapIndex(k, v); return true })
		return one(out)
	},
	"maps.Collect": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		out := reflect.MakeMap(t.Out(0))
		insert(out, in[0])
		return one(out)
	},
	"maps.Copy": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		pairs(in[1], func(k, v reflect.Value) bool { in[0].SetMapIndex(k, v); return true })
		return none()
	},
	"maps.DeleteFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		pairs(in[0], func(k, v reflect.Value) bool {
			if call(in[1], k, v).Bool() {
				in[0].SetMapIndex(k, reflect.Value{})
			}
			return true
		})
		return none()
	},
	"maps.Equal": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(sameMaps(in[0], in[1], equal))
	},
	"maps.EqualFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(sameMaps(in[0], in[1], equality(in[2])))
	},
	"maps.Insert": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		insert(in[0], in[1])
		return none()
	},
	"maps.Keys": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		return sequence(t.Out(0), func(yield func(...reflect.Value) bool) {
			pairs(in[0], func(k, _ reflect.Value) bool { return yield(k) })
		})
	},
	"maps.Values": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		return sequence(t.Out(0), func(yield func(...reflect.Value) bool) {
			pairs(in[0], func(_, v reflect.Value) bool { return yield(v) })
		})
	},
}
