package lower

import (
	"go/types"
	"reflect"
)

// A cell that declares methods of an older type is checked against copies of that type and of all objects that mention it
// (check.Rebuild); the engine itself keeps the old body (engine.md 2a). Where the type has had these methods before, the
// copies stand for their originals. Where it grows, they are types of their own at run time, as compiled code keeps what it
// has found out about a type's methods: the variables of the session are then looked at as having the new types, which
// differ in nothing else.

// A copying is one set of copies.
type copying struct {
	original map[types.Object]types.Object
	decided  bool
	grew     bool
}

// Copied notes what the copies of a cell's check stand for.
func (w *World) Copied(original map[types.Object]types.Object) {
	c := &copying{original: original}
	w.latest = c
	for copied, o := range original {
		w.copies[copied] = c
		w.originals[o] = true
	}
}

// grown reports whether a type of the copies has methods that its original has not. It may be asked once the copies have
// all their methods.
func (c *copying) grown() bool {
	if c.decided {
		return c.grew
	}
	c.decided = true
	for copied, original := range c.original {
		a, isNamed := copied.Type().(*types.Named)
		if _, isType := copied.(*types.TypeName); !isType || !isNamed {
			continue
		}
		if b, ok := original.Type().(*types.Named); ok && a.NumMethods() != b.NumMethods() {
			c.grew = true
		}
	}
	return c.grew
}

// former returns the original of a copied type that has grown, or that mentions one; nil for any other. The methods of an
// instance have no bodies to keep: they are instances too, and made anew.
func (w *World) former(n *types.Named) *Type {
	c := w.copies[n.Obj()]
	if c == nil || n.TypeArgs() != nil {
		return nil
	}
	return w.Of(c.original[n.Obj()].Type().(*types.Named))
}

// root returns the object that an object stands for at run time: the original of a copy that has not grown.
func (w *World) root(o types.Object) types.Object {
	for c := w.copies[o]; c != nil && !c.grown(); c = w.copies[o] {
		o = c.original[o]
	}
	return o
}

// Slot returns the storage of a session object, nil where it has none.
func (w *World) Slot(obj types.Object) *Slot {
	if s := w.slots[obj]; s != nil {
		return s
	}
	if s := w.compiledVar(obj); s != nil {
		return s
	}
	c := w.copies[obj]
	if c == nil {
		return nil
	}
	s := w.Slot(c.original[obj])
	if s == nil || !c.grown() {
		return s
	}
	rt, err := w.Reflect(obj.Type())
	if err != nil {
		return nil // its original could not have been had either
	}
	s = s.as(obj.Type(), rt)
	w.slots[obj] = s
	return s
}

// as returns another view of the same storage.
func (s *Slot) as(t types.Type, rt reflect.Type) *Slot {
	return &Slot{Name: s.Name, Ptr: reflect.NewAt(rt, s.Ptr.UnsafePointer()), Type: t, Storage: s.Storage}
}

// identical reports whether two types are the same at run time: copies that stand for their originals included.
func (w *World) identical(a, b types.Type) bool {
	if types.Identical(a, b) {
		return true
	}
	switch a := types.Unalias(a).(type) {
	case *types.Named:
		b, ok := types.Unalias(b).(*types.Named)
		if !ok || a.TypeArgs().Len() != b.TypeArgs().Len() {
			return false
		}
		if a.TypeArgs() == nil {
			t := w.Of(a)
			return t != nil && t == w.Of(b)
		}
		if w.root(a.Origin().Obj()) != w.root(b.Origin().Obj()) {
			return false
		}
		for i := range a.TypeArgs().Len() {
			if !w.identical(a.TypeArgs().At(i), b.TypeArgs().At(i)) {
				return false
			}
		}
		return true
	case *types.Pointer:
		b, ok := types.Unalias(b).(*types.Pointer)
		return ok && w.identical(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := types.Unalias(b).(*types.Slice)
		return ok && w.identical(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := types.Unalias(b).(*types.Array)
		return ok && a.Len() == b.Len() && w.identical(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := types.Unalias(b).(*types.Map)
		return ok && w.identical(a.Key(), b.Key()) && w.identical(a.Elem(), b.Elem())
	}
	return false
}
