package lower

import (
	"fmt"
	"go/types"
	"iter"
	"maps"
	"reflect"
	"slices"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/rtype"
	"orthant/stdlib/rt"
)

// mark is a letter that no keyboard writes by accident; it keeps our names apart from the user's.
const mark = "ː"

// A World is what the engine holds of a session: each name may have been defined several times (engine.md 2a).
type World struct {
	Generics  map[*types.Func]*check.Generic
	Natives   map[string]map[string]reflect.Value
	Stdin     *rt.Stdin // what cells see as os.Stdin; to be set before the first cell
	slots     map[types.Object]*Slot
	types     map[*types.TypeName]*Type
	copies    map[types.Object]*copying
	originals map[types.Object]bool // what there are copies of
	latest    *copying              // of the cell that was checked last
	funcs     []funcInstance
	generic   []typeInstance
	unnamed   []unnamedType
	natives   []nativeInstance
	hidden    map[string]map[string]reflect.Type // types that are not exported, by import path and name
	iters     map[string]reflect.Type            // see iterators
	recovers  map[types.Object]bool              // of the functions that cells declare: whether they contain recover
	names     map[reflect.Type]string            // by which the engine imports types
	locals    map[*types.TypeName]check.Local    // types that functions declare
	boxers    map[string]boxer                   // by their names; by the cell's for function literals
	count     int
}

// A funcInstance is the storage of a generic function for some type arguments.
type funcInstance struct {
	origin *types.Func
	args   []types.Type
	slot   *Slot
}

// A typeInstance is a generic type for some type arguments.
type typeInstance struct {
	named *types.Named
	typ   *Type
}

// An unnamedType is a struct or an interface that is written out.
type unnamedType struct {
	typ  types.Type
	made *rtype.Type
}

// NewWorld returns an empty world over the engine's native symbols, keyed by "import/path/name".
func NewWorld(natives map[string]map[string]reflect.Value) *World {
	return &World{
		Generics:  map[*types.Func]*check.Generic{},
		Natives:   natives,
		slots:     map[types.Object]*Slot{},
		types:     map[*types.TypeName]*Type{},
		copies:    map[types.Object]*copying{},
		originals: map[types.Object]bool{},
		hidden:    map[string]map[string]reflect.Type{},
		recovers:  map[types.Object]bool{},
		names:     map[reflect.Type]string{},
		locals:    map[*types.TypeName]check.Local{},
		boxers:    map[string]boxer{},
	}
}

// fresh returns a name that was not used before.
func (w *World) fresh(prefix string) string {
	w.count++
	return fmt.Sprintf("%s%d", prefix, w.count)
}

// Forget lets go of the storage of a variable or function that no code from now on will name. It returns the name of the
// engine's function that the storage holds, none where that is no declared one.
func (w *World) Forget(obj types.Object) (function string) {
	if s := w.slots[obj]; s != nil && s.direct != nil {
		function = s.direct.name
	}
	delete(w.slots, obj)
	delete(w.recovers, obj)
	return function
}

// Mentioned reports whether code to come may name an object although no name of the session means it: an instance of a generic
// function that does.
func (w *World) Mentioned(obj types.Object) bool {
	for _, g := range w.Generics {
		if g.Mentions(obj) {
			return true
		}
	}
	return false
}

// Release lets go of what is known of a variable or function that no code to come will name. Code that there is refers to the storage
// itself, copies to their originals.
func (w *World) Release(obj types.Object) {
	if !w.originals[obj] {
		delete(w.slots, obj)
		delete(w.recovers, obj)
	}
}

// Locals yields the types that functions declare.
func (w *World) Locals() iter.Seq[*types.TypeName] { return maps.Keys(w.locals) }

// set notes what the session has of a declared type.
func (w *World) set(n *types.Named, t *Type) {
	if n.TypeArgs() == nil {
		w.types[n.Obj()] = t
	} else {
		w.generic = append(w.generic, typeInstance{n, t})
	}
}

// Of returns what the session has of a declared type, an instance of a generic one included; nil where that is nothing.
func (w *World) Of(n *types.Named) *Type {
	if n.TypeArgs() == nil {
		if t := w.types[n.Obj()]; t != nil {
			return t
		}
		if c := w.copies[n.Obj()]; c != nil && !c.grown() {
			return w.Of(c.original[n.Obj()].Type().(*types.Named))
		}
		return nil
	}
	for _, i := range w.generic {
		if w.identical(i.named, n) {
			return i.typ
		}
	}
	return nil
}

// Func returns the storage of an instance of a generic function; nil where there is none.
func (w *World) Func(origin *types.Func, args []types.Type) *Slot {
	for _, i := range w.funcs {
		if w.root(i.origin) == w.root(origin) && slices.EqualFunc(i.args, args, w.identical) {
			return i.slot
		}
	}
	return nil
}

// HasFunc, HasType, ArgsOf and InstancesOf are check.Instances.

func (w *World) HasFunc(origin *types.Func, args []types.Type) bool {
	return w.Func(origin, args) != nil
}

func (w *World) HasType(n *types.Named) bool { return w.Of(n) != nil }

func (w *World) ArgsOf(origin *types.Func) [][]types.Type {
	var out [][]types.Type
	for _, i := range w.funcs {
		if w.root(i.origin) == w.root(origin) {
			out = append(out, i.args)
		}
	}
	return out
}

func (w *World) InstancesOf(origin *types.Named) [][]types.Type {
	var out [][]types.Type
	for _, i := range w.generic {
		if w.root(i.named.Origin().Obj()) == w.root(origin.Obj()) {
			out = append(out, slices.Collect(i.named.TypeArgs().Types()))
		}
	}
	return out
}
