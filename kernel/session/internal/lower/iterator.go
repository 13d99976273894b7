package lower

import (
	"go/types"
	"reflect"
	"strings"
)

// iterators are the instances of iter.Seq and iter.Seq2 that compiled code has, by their names in package iter: what functions
// and methods of the natives take and give. A session's own type of the same name would be another one.
func (w *World) iterators() map[string]reflect.Type {
	if w.iters != nil {
		return w.iters
	}
	w.iters = map[string]reflect.Type{}
	for _, symbols := range w.Natives {
		for _, v := range symbols {
			switch {
			case v.Kind() == reflect.Func:
				w.addIterators(v.Type())
			case v.Kind() == reflect.Pointer && v.IsNil(): // stands for a type
				t := v.Type()
				if t.Elem().Kind() == reflect.Interface {
					t = t.Elem()
				}
				for m := range t.Methods() {
					w.addIterators(m.Type)
				}
			}
		}
	}
	return w.iters
}

// addIterators adds those of a function's type.
func (w *World) addIterators(f reflect.Type) {
	add := func(t reflect.Type) {
		if t.Kind() == reflect.Func && t.PkgPath() == "iter" {
			w.iters[t.Name()] = t
		}
	}
	for p := range f.Ins() {
		add(p)
	}
	for r := range f.Outs() {
		add(r)
	}
}

// isIterator reports whether a type is an instance of iter.Seq or iter.Seq2.
func isIterator(t *types.Named) bool {
	pkg := t.Obj().Pkg()
	return t.TypeArgs() != nil && pkg != nil && pkg.Path() == "iter" && strings.HasPrefix(t.Obj().Name(), "Seq")
}
