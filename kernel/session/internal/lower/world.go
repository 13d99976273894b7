package lower

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"

	"orthant/kernel/session/internal/check"
)

// mark is a letter that no keyboard writes by accident; it keeps our names apart from the user's. It has to be a letter
// because the engine hands type names to reflect.StructOf as the names of embedded fields.
const mark = "ː"

// A Slot is the storage of a session variable or function.
type Slot struct {
	Name string        // its name in the packages that the engine imports
	Ptr  reflect.Value // pointer to the value
	Type types.Type    // of the value
	Held bool          // a function, a closure or a pointer may refer to it: its value must stay when the name gets another slot
	Via  bool          // the engine's static type of the value is not the reflect type: it must be converted
}

// Value returns the present value.
func (s *Slot) Value() reflect.Value { return s.Ptr.Elem() }

// A Type is a type that a cell declared, as the engine knows it.
type Type struct {
	Engine  string           // its name there
	Methods map[string]*Slot // the bodies of its methods
	erased  map[string]*erasure
}

// A World is what the engine holds of a session. Objects are those of package check; a copied object shares what its
// original has.
type World struct {
	Slots    map[types.Object]*Slot
	Types    map[*types.TypeName]*Type
	Generics map[*types.Func]*check.Generic
	Natives  map[string]map[string]reflect.Value
	methods  map[*Slot]bool // slots of methods that the engine's type has
	funcs    []funcInstance
	types    []typeInstance
	natives  []nativeInstance
	recovers map[types.Object]bool // of the functions that cells declare: whether they contain recover
	count    int
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

// NewWorld returns an empty world over the engine's native symbols, keyed by "import/path/name".
func NewWorld(natives map[string]map[string]reflect.Value) *World {
	return &World{
		Slots:    map[types.Object]*Slot{},
		Types:    map[*types.TypeName]*Type{},
		Generics: map[*types.Func]*check.Generic{},
		Natives:  natives,
		methods:  map[*Slot]bool{},
		recovers: map[types.Object]bool{},
	}
}

// fresh returns a name that was not used before.
func (w *World) fresh(prefix string) string {
	w.count++
	return fmt.Sprintf("%s%d", prefix, w.count)
}

// NewSlot makes storage for a value of type t, whose reflect type is rt.
func (w *World) NewSlot(t types.Type, rt reflect.Type, via bool) *Slot {
	return &Slot{Name: w.fresh("V"), Ptr: reflect.New(rt), Type: t, Via: via}
}

// wrapped reports whether the engine's type has the method whose body the slot holds.
func (w *World) wrapped(s *Slot) bool { return w.methods[s] }

func (w *World) setWrapped(s *Slot) { w.methods[s] = true }

// Share makes a copied object stand for what its original stands for.
func (w *World) Share(copied, original types.Object) {
	if s := w.Slots[original]; s != nil {
		w.Slots[copied] = s
	}
	if a, ok := copied.(*types.TypeName); ok {
		if b, ok := original.(*types.TypeName); ok && w.Types[b] != nil {
			w.Types[a] = w.Types[b]
		}
	}
}

// Declared returns the declared type that has a name in the engine, nil where there is none. Of copies of one type it
// returns any: they share name, methods and representation.
func (w *World) Declared(engineName string) types.Type {
	for tn, t := range w.Types {
		if t.Engine == engineName {
			return tn.Type()
		}
	}
	for _, i := range w.types {
		if i.typ.Engine == engineName {
			return i.named
		}
	}
	return nil
}

// Of returns what the engine knows of a declared type, an instance of a generic one included; nil where that is nothing.
func (w *World) Of(n *types.Named) *Type {
	if n.TypeArgs() == nil {
		return w.Types[n.Obj()]
	}
	for _, i := range w.types {
		if types.Identical(i.named, n) {
			return i.typ
		}
	}
	return nil
}

// Func returns the storage of an instance of a generic function; nil where there is none.
func (w *World) Func(origin *types.Func, args []types.Type) *Slot {
	for _, i := range w.funcs {
		if i.origin == origin && check.SameTypes(i.args, args) {
			return i.slot
		}
	}
	return nil
}

// HasFunc, HasType and ArgsOf are check.Instances.

func (w *World) HasFunc(origin *types.Func, args []types.Type) bool {
	return w.Func(origin, args) != nil
}

func (w *World) HasType(n *types.Named) bool { return w.Of(n) != nil }

func (w *World) ArgsOf(origin *types.Func) [][]types.Type {
	var out [][]types.Type
	for _, i := range w.funcs {
		if i.origin == origin {
			out = append(out, i.args)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
