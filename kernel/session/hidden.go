package session

import (
	"go/types"

	"orthant/kernel/session/internal/check"
)

// To reflection all fields of the structs that cells declare are exported. What follows finds the hidden ones.

// slog is the package to which a field that is exported makes a difference only in that package fmt, by which it prints, calls
// the methods of its value.
const slog = "log/slog"

// hiddenFields returns the first hidden field of each struct of a cell's that a value of type t leads to, as "x of P": those that
// make a difference to a package.
func hiddenFields(t types.Type, pkg string) []string {
	w := fieldWalk{pkg: pkg, seen: map[types.Type]bool{}}
	w.typ(t, "a struct")
	return w.found
}

// A fieldWalk looks for hidden fields.
type fieldWalk struct {
	pkg   string
	seen  map[types.Type]bool
	found []string
}

// typ looks at a type that has a name.
func (w *fieldWalk) typ(t types.Type, name string) {
	if t == nil || w.seen[t] || w.pkg == slog && speaks(t) {
		return
	}
	w.seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == check.Path {
			w.typ(n.Underlying(), n.Obj().Name())
		}
		return
	}
	first := true
	for f := range parts(t) {
		v, isField := f.(*types.Var)
		if isField && first && !v.Exported() && v.Name() != "_" && (w.pkg != slog || leadsToSpeaker(v.Type())) {
			first = false
			w.found = append(w.found, v.Name()+" of "+name)
		}
		w.typ(f.Type(), "a struct")
	}
}

// leads reports whether a type, or one that its values have in them, is as asked.
func leads(t types.Type, seen map[types.Type]bool, is func(types.Type) bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	if is(t) {
		return true
	}
	for p := range parts(t.Underlying()) {
		if leads(p.Type(), seen, is) {
			return true
		}
	}
	return false
}

// leadsToSpeaker reports whether a value of type t has one in it that speaks, or speaks itself.
func leadsToSpeaker(t types.Type) bool { return leads(t, map[types.Type]bool{}, speaks) }

// isOpen reports whether a value of type t may have values of any type in it.
func isOpen(t types.Type) bool {
	return leads(t, map[types.Type]bool{}, func(t types.Type) bool {
		i, ok := t.Underlying().(*types.Interface)
		return ok && i.NumMethods() == 0
	})
}

// A part is a part of a type: a *types.Var for a field.
type part interface{ Type() types.Type }

// an is a part without a name.
type an struct{ typ types.Type }

func (a an) Type() types.Type { return a.typ }

// parts yields the fields of a struct, and what a type is written of otherwise.
func parts(t types.Type) func(yield func(part) bool) {
	return func(yield func(part) bool) {
		switch t := types.Unalias(t).(type) {
		case *types.Struct:
			for f := range t.Fields() {
				if !yield(f) {
					return
				}
			}
		case *types.Map:
			_ = yield(an{t.Key()}) && yield(an{t.Elem()})
		case interface{ Elem() types.Type }: // a pointer, slice, array or channel
			yield(an{t.Elem()})
		}
	}
}

// speaks reports whether a value has a method that says how it is shown.
func speaks(t types.Type) bool {
	for _, name := range []string{"Error", "Format", "LogValue", "MarshalJSON", "MarshalText", "String"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, isMethod := obj.(*types.Func); isMethod {
			return true
		}
	}
	return false
}
