package session

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/lower"
	"orthant/stdlib"
)

// An entry is what a name of the session means.
type entry struct {
	obj  types.Object // a variable, function, constant or type; nil for a package
	path string       // the import path of a package
	cell int          // the cell that defined it; 0 for preloaded names
}

// A user is a function or method with the storage that its body refers to.
type user struct {
	name  string
	cell  int
	slots map[*lower.Storage]bool
}

// preloaded returns the names that every session starts with. contextType is context.Context.
func preloaded(contextType types.Type) map[string]*entry {
	names := map[string]*entry{}
	for _, p := range stdlib.Preload() {
		names[p.Name] = &entry{path: p.Path}
	}
	// The running cell's context belongs to no package, by which the lowering knows it.
	names[lower.ContextName] = &entry{obj: types.NewVar(token.NoPos, nil, lower.ContextName, contextType)}
	return names
}

// binding returns what a name means, for the checker.
func binding(names map[string]*entry) func(string) (check.Binding, bool) {
	return func(name string) (check.Binding, bool) {
		e, ok := names[name]
		if !ok {
			return check.Binding{}, false
		}
		return check.Binding{Object: e.obj, Import: e.path, Cell: e.cell}, true
	}
}

// A Name is what the session knows of one of its names.
type Name struct {
	Name string
	Kind string // variable, function, type or constant
	Type string // as Go writes it, with package names: "float64", "*mat.Dense", "func(int) error"
	Cell int    // the number of the cell that defined it
}

// Lookup returns what the session knows of a name that a cell defined.
func (s *Session) Lookup(name string) (Name, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.names[name]
	if !ok || e.obj == nil || e.cell == 0 {
		return Name{}, false
	}
	return describe(name, e), true
}

// Names returns the names that cells defined, packages not among them, in alphabetical order.
func (s *Session) Names() []Name {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Name
	for name, e := range s.names {
		if e.obj != nil && e.cell != 0 {
			out = append(out, describe(name, e))
		}
	}
	slices.SortFunc(out, func(a, b Name) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func describe(name string, e *entry) Name {
	return Name{Name: name, Kind: kindOf(e.obj), Type: typeString(e.obj.Type()), Cell: e.cell}
}

// kindOf names the kind of an object as completion and inspection show it.
func kindOf(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return "method"
		}
		return "function"
	case *types.TypeName:
		return "type"
	case *types.Const:
		return "constant"
	case *types.PkgName:
		return "package"
	case *types.Builtin:
		return "function"
	case *types.Var:
		if obj.IsField() {
			return "field"
		}
	}
	return "variable"
}

// typeString writes a type as a cell would: types of the session by their names, others with their package's name.
func typeString(t types.Type) string {
	return types.TypeString(t, qualifier)
}

func qualifier(p *types.Package) string {
	if p.Path() == check.Path {
		return ""
	}
	return p.Name()
}

// leftBehind says what still refers to what a cell has defined anew with another type: one line a name.
func (s *Session) leftBehind(name string, old *entry, now types.Object) string {
	if old == nil || old.obj == nil || old.cell == 0 {
		return ""
	}
	var keep []string
	switch obj := old.obj.(type) {
	case *types.TypeName:
		if now == obj || obj.IsAlias() {
			return ""
		}
		for other, e := range s.names {
			if e.obj != nil && other != name && mentions(e.obj.Type(), obj) {
				keep = append(keep, other+" ("+CellName(e.cell)+")")
			}
		}
	default:
		slot, present := s.world.Slot(old.obj), s.world.Slot(now)
		if slot == nil || present != nil && present.Storage == slot.Storage {
			return ""
		}
		for _, u := range s.users {
			if u.slots[slot.Storage] && u.name != name {
				keep = append(keep, u.name+" ("+CellName(u.cell)+")")
			}
		}
	}
	if len(keep) == 0 {
		return ""
	}
	slices.Sort(keep)
	verb := " still use "
	if len(keep) == 1 {
		verb = " still uses "
	}
	return name + " has another type now; " + strings.Join(keep, ", ") + verb + "the " + name + " of " + CellName(old.cell) + "\n"
}

// mentions reports whether a type of the session's objects mentions a declared type by itself, not through another.
func mentions(t types.Type, tn *types.TypeName) bool {
	found := false
	var walk func(types.Type, int)
	walk = func(t types.Type, depth int) {
		if found || depth > 8 {
			return
		}
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			found = found || t.Obj() == tn
			for a := range t.TypeArgs().Types() {
				walk(a, depth+1)
			}
		case *types.Map:
			walk(t.Key(), depth+1)
			walk(t.Elem(), depth+1)
		case interface{ Elem() types.Type }:
			walk(t.Elem(), depth+1)
		case *types.Signature:
			for v := range t.Params().Variables() {
				walk(v.Type(), depth+1)
			}
			for v := range t.Results().Variables() {
				walk(v.Type(), depth+1)
			}
		}
	}
	walk(t, 0)
	return found
}
