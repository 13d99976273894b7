package rtype

import (
	"fmt"
	"reflect"
	"sync"
)

// Printed is Show for functions that print: what v holds in interfaces has the views of its types, too. Where that makes a
// difference to what fmt prints, the result is a copy of v.
func Printed(v any) any {
	if v == nil {
		return nil
	}
	x := reflect.ValueOf(v)
	if formats(x.Type()) {
		return Show(v)
	}
	if x.Kind() == reflect.Pointer && x.Type().Name() == "" { // fmt follows a pointer that is itself the argument
		if !x.IsNil() {
			if to, ok := printed(x.Elem()); ok {
				p := reflect.New(x.Type().Elem())
				p.Elem().Set(to)
				x = p
			}
		}
	} else if to, ok := printed(x); ok {
		x = to
	}
	return Show(x.Interface())
}

// PrintedAll returns a list of values as Printed has them.
func PrintedAll(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = Printed(v)
	}
	return out
}

// PrintedOrError is Printed for fmt.Errorf, which keeps the errors among its arguments.
func PrintedOrError(v any) any {
	if _, ok := v.(error); ok {
		return v
	}
	return Printed(v)
}

// PrintedOrErrorAll returns a list of values as PrintedOrError has them.
func PrintedOrErrorAll(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = PrintedOrError(v)
	}
	return out
}

// formats reports whether fmt leaves the printing of a value to the methods of its type, which must see the value itself.
func formats(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[fmt.Formatter]()) || t.Implements(reflect.TypeFor[fmt.Stringer]()) ||
		t.Implements(reflect.TypeFor[error]()) || t.Implements(reflect.TypeFor[fmt.GoStringer]())
}

// printed returns a copy of v in which interfaces hold views; false where they hold none that differs.
func printed(v reflect.Value) (reflect.Value, bool) {
	if !HoldsInterface(v.Type()) {
		return v, false
	}
	switch v.Kind() {
	case reflect.Interface:
		return printedInterface(v)
	case reflect.Struct:
		return printedParts(v, v.NumField(), reflect.Value.Field)
	case reflect.Array:
		return printedParts(v, v.Len(), reflect.Value.Index)
	case reflect.Slice:
		return printedParts(v, v.Len(), reflect.Value.Index)
	case reflect.Map:
		return printedMap(v)
	}
	return v, false
}

func printedInterface(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() {
		return v, false
	}
	held, changed := v.Elem(), false
	if !formats(held.Type()) {
		held, changed = printed(held)
	}
	view := View(held.Type())
	if view == held.Type() && !changed || !view.Implements(v.Type()) {
		return v, false
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(reflect.ValueOf(Show(held.Interface())))
	return out, true
}

// printedParts copies a struct, an array or a slice when one of its parts needs it.
func printedParts(v reflect.Value, n int, part func(reflect.Value, int) reflect.Value) (reflect.Value, bool) {
	out, changed := v, false
	for i := range n {
		p, ok := printed(part(v, i))
		if !ok {
			continue
		}
		if !changed {
			changed = true
			if v.Kind() == reflect.Slice {
				out = reflect.MakeSlice(v.Type(), n, n)
				reflect.Copy(out, v)
			} else {
				out = reflect.New(v.Type()).Elem()
				out.Set(v)
			}
		}
		part(out, i).Set(p)
	}
	return out, changed
}

func printedMap(v reflect.Value) (reflect.Value, bool) {
	out, changed := reflect.MakeMapWithSize(v.Type(), v.Len()), false
	for entries := v.MapRange(); entries.Next(); {
		key, a := printed(entries.Key())
		value, b := printed(entries.Value())
		out.SetMapIndex(key, value)
		changed = changed || a || b
	}
	if !changed {
		return v, false
	}
	return out, true
}

var holders sync.Map // reflect.Type to whether HoldsInterface

// HoldsInterface reports whether fmt may meet an interface in values of a type, as what it looks into: it follows a pointer
// only where that is its argument.
func HoldsInterface(t reflect.Type) bool {
	if known, ok := holders.Load(t); ok {
		return known.(bool)
	}
	looked := t
	if t.Kind() == reflect.Pointer {
		looked = t.Elem()
	}
	found := findInterface(looked, map[reflect.Type]bool{})
	holders.Store(t, found)
	return found
}

func findInterface(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array:
		return findInterface(t.Elem(), seen)
	case reflect.Map:
		return findInterface(t.Key(), seen) || findInterface(t.Elem(), seen)
	case reflect.Struct:
		found := false
		for f := range t.Fields() {
			if !f.IsExported() {
				return false // a compiled type, which cannot be copied
			}
			found = found || findInterface(f.Type, seen)
		}
		return found
	}
	return false
}
