package rtype

import (
	"reflect"
	"sync"
	"unsafe"
)

// SetFields shows lower-case fields as exported ones, which the engine needs and others must not see: fmt calls the String
// method of exported fields only, and other packages than those that the tags tell skip the rest, too. The view of a type is
// the type as the compiler would have made it: with the same name, memory and methods, so that a value of the one becomes a
// value of the other by a change of the type alone.

var (
	views    sync.Map // reflect.Type to its view
	viewLock sync.Mutex
)

// View returns the type as which packages should see t. It is t itself where no struct with lower-case fields is part of t or
// of what its pointers, slices and maps lead to.
func View(t reflect.Type) reflect.Type {
	if v, ok := views.Load(t); ok {
		return v.(reflect.Type)
	}
	viewLock.Lock()
	defer viewLock.Unlock()
	making := viewer{}
	v := making.view(t)
	views.Store(t, v)
	for t, v := range making {
		views.Store(t, v)
	}
	return v
}

// Show returns v with the view of its type. What v holds in interfaces keeps its types.
//
// It is for functions that look at values, like fmt.Println, and those that fill them, like json.Unmarshal. It is not for
// those that keep or return them, like fmt.Errorf and errors.As: to a cell, a view is not the type that it declared.
func Show(v any) any {
	if v != nil {
		(*words)(unsafe.Pointer(&v)).typ = unsafe.Pointer(of(View(reflect.TypeOf(v))))
	}
	return v
}

// A viewer has the views that it is making.
type viewer map[reflect.Type]reflect.Type

func (v viewer) view(t reflect.Type) reflect.Type {
	if known, ok := views.Load(t); ok {
		return known.(reflect.Type)
	}
	if known, ok := v[t]; ok {
		return known
	}
	if !opens(t, map[reflect.Type]bool{}) {
		return t
	}
	own, _ := made.Load(of(t))
	if own == nil || t.Kind() == reflect.Pointer && t.Name() == "" {
		return v.composite(t)
	}
	return v.declared(own.(*Type))
}

// declared makes the view of a type of this package.
func (v viewer) declared(t *Type) reflect.Type {
	view := New(t.spec)
	view.SetLayout(t.Reflect())
	view.share(t)
	if t.pointer != nil {
		view.pointer.share(t.pointer)
	}
	// Before what follows, which may lead back to the type.
	v[t.Reflect()], v[view.Reflect()] = view.Reflect(), view.Reflect()
	if t.spec.Kind != reflect.Struct {
		view.SetUnderlying(v.composite(t.Reflect()))
		return view.Reflect()
	}
	fields := append([]Field(nil), t.fields...)
	for i := range fields {
		fields[i].Type = v.view(fields[i].Type)
	}
	view.setFields(t.pkgPath, fields, false)
	return view.Reflect()
}

// share gives a view the methods of its type. They get a receiver of the type, which the view's is in memory.
func (t *Type) share(from *Type) {
	if t.u != nil {
		copy(t.methods, from.methods)
		t.u.mcount, t.u.xcount = from.u.mcount, from.u.xcount
		t.list = from.list
	}
}

// composite makes the view of a type that is written out, or of a declared type's underlying one.
func (v viewer) composite(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(v.view(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(v.view(t.Elem()))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), v.view(t.Elem()))
	case reflect.Map:
		return reflect.MapOf(v.view(t.Key()), v.view(t.Elem()))
	}
	return t
}

// opens reports whether a type leads to a struct of this package with lower-case fields.
func opens(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	own, ok := made.Load(of(t))
	if !ok && t.Name() != "" {
		return false // compiled
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return opens(t.Elem(), seen)
	case reflect.Map:
		return opens(t.Key(), seen) || opens(t.Elem(), seen)
	case reflect.Struct:
		if !ok {
			return false // one of reflection's
		}
		for _, f := range own.(*Type).fields {
			if !exported(f.Name) || opens(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
