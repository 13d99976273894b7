package lower

import (
	"go/types"
	"reflect"
	"slices"

	"orthant/stdlib/rt"
)

// Values of a type that has grown (see copies.go) may be in interfaces, where they have the type that it was. Those that the
// session's variables lead to are given the new one, so that they have the new methods and are found by assertions. Those
// that only closures, goroutines, channels or values of compiled types hold keep the old type, and so do those of generic
// types and those that functions of earlier cells make: to assertions and comparisons they are of the new one (rt.Succeed).

// Migration returns a function that gives the values that lead from slots the new types of the cell that has just been checked.
// It is not to be called while code runs that uses them; until it is, the values are as those that it does not reach.
func (c *Cell) Migration() func(slots []*Slot) {
	m := c.migration()
	return func(slots []*Slot) {
		if len(m.to) == 0 {
			return
		}
		for _, s := range slots {
			m.walk(s.Value())
		}
	}
}

// A migration replaces types by their successors.
type migration struct {
	to    map[reflect.Type]reflect.Type // also types that are written with replaced ones, as they turn up
	holds map[reflect.Type]bool         // whether values of a type may lead to interfaces
	seen  map[place]bool
}

// A place is what a pointer points to.
type place struct {
	at  uintptr
	typ reflect.Type
}

func (c *Cell) migration() *migration {
	w := c.l.w
	m := &migration{map[reflect.Type]reflect.Type{}, map[reflect.Type]bool{}, map[place]bool{}}
	for copied, set := range w.copies {
		n, ok := copied.Type().(*types.Named)
		if _, isType := copied.(*types.TypeName); !ok || !isType || set != w.latest || !set.grown() || types.IsInterface(n) {
			continue
		}
		old := set.original[copied].Type().(*types.Named)
		if n.TypeParams() == nil { // the instances of a generic type are made when a cell mentions them
			m.replace(w, old, n)
		}
	}
	return m
}

// replace notes the successor of a declared type, if the session has values of either.
func (m *migration) replace(w *World, old, n *types.Named) {
	known := w.Of(old)
	if known == nil {
		return
	}
	if to, err := w.Reflect(n); err == nil {
		m.to[known.made.Reflect()] = to
		rt.Succeed(known.made.Reflect(), to)
	}
}

// typ returns the successor of a type, or the type itself.
func (m *migration) typ(t reflect.Type) reflect.Type {
	if to, ok := m.to[t]; ok {
		return to
	}
	if t.Name() != "" {
		return t
	}
	to := t
	switch t.Kind() {
	case reflect.Pointer:
		to = reflect.PointerTo(m.typ(t.Elem()))
	case reflect.Slice:
		to = reflect.SliceOf(m.typ(t.Elem()))
	case reflect.Array:
		to = reflect.ArrayOf(t.Len(), m.typ(t.Elem()))
	case reflect.Chan:
		to = reflect.ChanOf(t.ChanDir(), m.typ(t.Elem()))
	case reflect.Map:
		to = reflect.MapOf(m.typ(t.Key()), m.typ(t.Elem()))
	case reflect.Func:
		list := func(types []reflect.Type) []reflect.Type {
			for i := range types {
				types[i] = m.typ(types[i])
			}
			return types
		}
		to = reflect.FuncOf(list(slices.Collect(t.Ins())), list(slices.Collect(t.Outs())), t.IsVariadic())
	}
	m.to[t] = to
	return to
}

// walk migrates what a value that can be set leads to.
func (m *migration) walk(v reflect.Value) {
	if !m.leads(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		held := reflect.New(v.Elem().Type())
		held.Elem().Set(v.Elem())
		m.walk(held.Elem())
		v.Set(reflect.NewAt(m.typ(held.Type().Elem()), held.UnsafePointer()).Elem())
	case reflect.Pointer:
		if p := (place{v.Pointer(), v.Type()}); !v.IsNil() && !m.seen[p] {
			m.seen[p] = true
			m.walk(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			m.walk(v.Field(i))
		}
	case reflect.Slice:
		if p := (place{v.Pointer(), v.Type()}); v.Len() > 0 && !m.seen[p] {
			m.seen[p] = true
			m.elements(v)
		}
	case reflect.Array:
		m.elements(v)
	case reflect.Map:
		if p := (place{v.Pointer(), v.Type()}); !m.seen[p] {
			m.seen[p] = true
			m.entries(v)
		}
	}
}

func (m *migration) elements(v reflect.Value) {
	for i := range v.Len() {
		m.walk(v.Index(i))
	}
}

// entries migrates the entries of a map, whose keys and values cannot be set where they are.
func (m *migration) entries(v reflect.Value) {
	settable := func(x reflect.Value) reflect.Value {
		p := reflect.New(x.Type()).Elem()
		p.Set(x)
		m.walk(p)
		return p
	}
	for _, k := range v.MapKeys() {
		value := settable(v.MapIndex(k))
		v.SetMapIndex(k, reflect.Value{})
		v.SetMapIndex(settable(k), value)
	}
}

// leads reports whether values of a type may lead to an interface, by what can be set.
func (m *migration) leads(t reflect.Type) bool {
	if known, ok := m.holds[t]; ok {
		return known
	}
	m.holds[t] = false // for a type that leads to itself: what else it leads to decides
	found := false
	switch t.Kind() {
	case reflect.Interface:
		found = true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		found = m.leads(t.Elem())
	case reflect.Map:
		found = m.leads(t.Key()) || m.leads(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if !f.IsExported() {
				found = false // a compiled type's own affair
				break
			}
			found = found || m.leads(f.Type)
		}
	}
	m.holds[t] = found
	return found
}

// succeed notes that an instance of a generic type that has grown is the successor of the instance that it was.
func (w *World) succeed(n *types.Named, made reflect.Type) {
	for _, i := range slices.Backward(w.generic) {
		if i.named == n || w.first(i.named.Origin().Obj()) != w.first(n.Origin().Obj()) {
			continue
		}
		if slices.EqualFunc(slices.Collect(i.named.TypeArgs().Types()), slices.Collect(n.TypeArgs().Types()), w.kin) {
			rt.Succeed(i.typ.made.Reflect(), made)
			return
		}
	}
}

// kin reports whether two types are the same, but for methods that one has got later.
func (w *World) kin(a, b types.Type) bool {
	if w.identical(a, b) {
		return true
	}
	x, ok := types.Unalias(a).(*types.Named)
	y, ok2 := types.Unalias(b).(*types.Named)
	return ok && ok2 && x.TypeArgs() == nil && y.TypeArgs() == nil && w.first(x.Obj()) == w.first(y.Obj())
}

// first returns the object that an object is a copy of, and so on, back to the one that was declared.
func (w *World) first(o types.Object) types.Object {
	for c := w.copies[o]; c != nil; c = w.copies[o] {
		o = c.original[o]
	}
	return o
}
