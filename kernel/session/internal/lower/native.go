package lower

import (
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"slices"

	"orthant/kernel/session/internal/check"
	"orthant/stdlib/rt"
)

// A generic function of a compiled package has no compiled form for the types of a cell, and the engine none at all
// (engine.md 1). Package rt has one that works on reflect values; each list of type arguments that cells use gets a slot
// with that function at the right type.

// A nativeInstance is such a slot.
type nativeInstance struct {
	name string // the import path, a dot and the function's name
	args []types.Type
	slot *Slot
}

// native returns the slot of an instance; nil where there is none.
func (w *World) native(name string, args []types.Type) *Slot {
	for _, i := range w.natives {
		if i.name == name && slices.EqualFunc(i.args, args, w.identical) {
			return i.slot
		}
	}
	return nil
}

// reflectAll returns the reflect types of types.
func (w *World) reflectAll(list []types.Type) ([]reflect.Type, error) {
	out := make([]reflect.Type, len(list))
	for i, t := range list {
		rt, err := w.Reflect(t)
		if err != nil {
			return nil, err
		}
		out[i] = rt
	}
	return out, nil
}

// genericType returns the name under which package rt knows a generic type of a compiled package.
func genericType(tn *types.TypeName) string { return tn.Pkg().Path() + "." + tn.Name() }

// genericName returns the name of a generic function of a compiled package, or the empty string.
func genericName(obj types.Object) string {
	f, ok := obj.(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() == check.Path || f.Signature().TypeParams() == nil {
		return ""
	}
	return f.Pkg().Path() + "." + f.Name()
}

// nativeSlots makes the slots of the instances that the cell needs.
func (c *Cell) nativeSlots() {
	w := c.l.w
	// In source order, so that two runs name them alike.
	ids := slices.SortedFunc(maps.Keys(c.l.info.Instances), func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	for _, id := range ids {
		inst := c.l.info.Instances[id]
		name := genericName(c.l.info.Uses[id])
		args := slices.Collect(inst.TypeArgs.Types())
		sig, ok := inst.Type.(*types.Signature)
		if name == "" || !ok || slices.ContainsFunc(args, check.Parametric) || w.native(name, args) != nil {
			continue
		}
		if !rt.HasGeneric(name) {
			continue // refused where it is used
		}
		s := c.newSlot(nil, sig)
		if s == nil {
			continue
		}
		types, err := w.reflectAll(args)
		if err != nil {
			c.l.fail(id.Pos(), "%v", err)
			continue
		}
		f, _ := rt.Generic(name, s.Value().Type(), types)
		s.Value().Set(f)
		s.Held = true
		w.natives = append(w.natives, nativeInstance{name, args, s})
	}
}
