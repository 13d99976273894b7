package lower

import (
	"fmt"
	"go/types"
	"reflect"
)

// mark is a letter that no keyboard writes by accident; it keeps our names apart from the user's. It has to be a letter
// because the engine hands type names to reflect.StructOf as the names of embedded fields.
const mark = "ː"

// A Slot is the storage of a session variable or function.
type Slot struct {
	Name string        // its name in the packages that the engine imports
	Ptr  reflect.Value // pointer to the value
	Type types.Type    // of the value
	Via  bool          // the engine's static type of the value is not the reflect type: it must be converted
}

// Value returns the present value.
func (s *Slot) Value() reflect.Value { return s.Ptr.Elem() }

// A Type is a type that a cell declared, as the engine knows it.
type Type struct {
	Engine  string           // its name there
	Methods map[string]*Slot // the bodies of its methods; nil for generic types
}

// A World is what the engine holds of a session. Objects are those of package check; a copied object shares what its
// original has.
type World struct {
	Slots    map[types.Object]*Slot
	Types    map[*types.TypeName]*Type
	Generics map[types.Object]string // generic functions: their names in the engine
	Natives  map[string]map[string]reflect.Value
	methods  map[*Slot]bool // slots of methods that the engine's type has
	count    int
}

// NewWorld returns an empty world over the engine's native symbols, keyed by "import/path/name".
func NewWorld(natives map[string]map[string]reflect.Value) *World {
	return &World{
		Slots:    map[types.Object]*Slot{},
		Types:    map[*types.TypeName]*Type{},
		Generics: map[types.Object]string{},
		Natives:  natives,
		methods:  map[*Slot]bool{},
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
	if name, ok := w.Generics[original]; ok {
		w.Generics[copied] = name
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
	return nil
}
