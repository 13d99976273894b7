package lower

import (
	"go/types"
	"reflect"
)

// unexported (engine.md 1: the extracted packages have exported names only) finds the reflect type of a compiled package's
// type that is not exported, through the types of what the package exports: results and parameters of functions, variables,
// fields and methods. It returns nil where none leads to it.
func (w *World) unexported(tn *types.TypeName) reflect.Type {
	path := tn.Pkg().Path()
	found, ok := w.hidden[path]
	if !ok {
		found = map[string]reflect.Type{}
		seen := map[reflect.Type]bool{}
		for _, v := range w.Natives[path+"/"+tn.Pkg().Name()] {
			reach(v.Type(), path, found, seen)
		}
		w.hidden[path] = found
	}
	return found[tn.Name()]
}

// reach notes the named types of a package that a type leads to.
func reach(t reflect.Type, path string, found map[string]reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Name() != "" {
		if t.PkgPath() != path {
			return
		}
		found[t.Name()] = t
	}
	for i := range t.NumMethod() {
		reach(t.Method(i).Type, path, found, seen)
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		reach(t.Elem(), path, found, seen)
	case reflect.Map:
		reach(t.Key(), path, found, seen)
		reach(t.Elem(), path, found, seen)
	case reflect.Func:
		for p := range t.Ins() {
			reach(p, path, found, seen)
		}
		for r := range t.Outs() {
			reach(r, path, found, seen)
		}
	case reflect.Struct:
		for f := range t.Fields() {
			reach(f.Type, path, found, seen)
		}
	}
}
