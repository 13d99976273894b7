package rtype

import (
	"reflect"
	"unsafe"
)

// Shown returns v for a function that prints it: with the view of its type, and those of the types that interfaces inside v
// hold. What has such interfaces is copied for that, so v stays as it is; what pointers lead to is not looked at, as it is
// not printed either.
func Shown(v any) any {
	v = Show(v)
	if v == nil || !holdsInterfaces(reflect.TypeOf(v), 0) {
		return v
	}
	if out, changed := shown(reflect.ValueOf(v), 0); changed {
		return out.Interface()
	}
	return v
}

// ShownAll is Shown for each value of a list.
func ShownAll(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = Shown(v)
	}
	return out
}

// maxDepth bounds the search in values that hold themselves.
const maxDepth = 32

// HoldsInterfaces reports whether values of a type may have interfaces inside themselves, which Shown looks into.
func HoldsInterfaces(t reflect.Type) bool { return holdsInterfaces(t, 0) }

// holdsInterfaces reports whether values of a type may have interfaces inside themselves.
func holdsInterfaces(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array:
		return depth < maxDepth && holdsInterfaces(t.Elem(), depth+1)
	case reflect.Map:
		return depth < maxDepth && (holdsInterfaces(t.Key(), depth+1) || holdsInterfaces(t.Elem(), depth+1))
	case reflect.Struct:
		for f := range t.Fields() {
			if depth < maxDepth && holdsInterfaces(f.Type, depth+1) {
				return true
			}
		}
	}
	return false
}

// shown returns a value in which interfaces hold views, and whether it differs from the one it got.
func shown(v reflect.Value, depth int) (reflect.Value, bool) {
	if depth > maxDepth || !holdsInterfaces(v.Type(), 0) {
		return v, false
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		held := v.Elem()
		view := View(held.Type())
		changed := view != held.Type()
		if changed {
			held = seen(held, view)
		}
		inner, deeper := shown(held, depth+1)
		if !changed && !deeper {
			return v, false
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(inner)
		return out, true
	case reflect.Slice:
		return elements(v, reflect.MakeSlice(v.Type(), v.Len(), v.Len()), depth)
	case reflect.Array:
		return elements(v, reflect.New(v.Type()).Elem(), depth)
	case reflect.Struct:
		copied := reflect.New(v.Type()).Elem()
		copied.Set(v)
		changed := false
		for i := range copied.NumField() {
			f := copied.Field(i)
			f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem() // it may not be exported
			if x, other := shown(f, depth+1); other {
				f.Set(x)
				changed = true
			}
		}
		return copied, changed
	case reflect.Map:
		if v.IsNil() {
			return v, false
		}
		copied, changed := reflect.MakeMap(v.Type()), false
		for it := v.MapRange(); it.Next(); {
			k, a := shown(it.Key(), depth+1)
			e, b := shown(it.Value(), depth+1)
			copied.SetMapIndex(k, e)
			changed = changed || a || b
		}
		return copied, changed
	}
	return v, false
}

// elements shows the elements of a slice or an array, into another one.
func elements(v, copied reflect.Value, depth int) (reflect.Value, bool) {
	changed := false
	for i := range v.Len() {
		x, other := shown(v.Index(i), depth+1)
		copied.Index(i).Set(x)
		changed = changed || other
	}
	return copied, changed
}

// seen returns a value as one of another type with the same memory.
func seen(v reflect.Value, t reflect.Type) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}
