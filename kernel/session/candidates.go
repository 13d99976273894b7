package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"orthant/stdlib/typeinfo"
)

// A candidate is what may stand at the cursor, whatever has been typed of it.
type candidate struct {
	Match
	obj  types.Object // nil for what has no type: keywords, labels, import paths, packages of the session
	path string       // of a package's name, what it imports
	far  int          // how far away it is declared; the nearest come first
	want int          // how well its type fits the one that is wanted: see the constants
}

// How well a type fits.
const (
	fits   = iota - 3 // the value itself
	gives             // the result of a call, or a literal of the type
	points            // the address of such a literal, or the package of the type: an & or a name is still to be written
	either            // anything else
)

// How far away a name is declared.
const (
	ofField    = iota // of the struct literal that the cursor is in
	ofFunction        // in a function or block of the cell
	ofCell
	ofSession
	ofSessionTypes // a cell shows and computes with values more often than it makes new ones
	ofPackages
	ofUniverse
	ofKeywords
)

func hasCursor(text string) bool { return strings.Contains(text, cursorName) }

// importPaths returns all that can be imported.
func importPaths() []candidate {
	var out []candidate
	for _, p := range typeinfo.Paths() {
		out = append(out, candidate{Match: Match{Text: p, Kind: "package"}})
	}
	return out
}

// keywords returns the keywords that may stand at a place of a role.
func keywords(at place, r role) []candidate {
	var out []candidate
	for _, t := range at.keywords(r) {
		out = append(out, candidate{Match: Match{Text: t.String(), Kind: "keyword"}, far: ofKeywords})
	}
	return out
}

// labels returns the labels that may stand at a place; none where the place takes none.
func labels(at place, toks []lexeme) []candidate {
	if at.role() != label {
		return nil
	}
	var out []candidate
	for _, name := range at.labels(toks) {
		out = append(out, candidate{Match: Match{Text: name, Kind: "label"}})
	}
	return out
}

// scopeNames returns the names that may stand at pos: of the cell itself, of the session, and Go's own; where only a type
// can stand, types and the packages that have them; iota only in a declaration of constants, one of the nodes around.
func (a *analysis) scopeNames(pos token.Pos, around []ast.Node, onlyTypes bool) []candidate {
	var out []candidate
	seen := map[string]bool{cursorName: true, "_": true}
	add := func(c candidate) {
		if seen[c.Text] {
			return // hidden by a nearer one
		}
		seen[c.Text] = true
		if !onlyTypes || c.Kind == "type" || c.Kind == "package" {
			out = append(out, c)
		}
	}
	for obj, far := range a.visible(pos) {
		c := candidate{Match: matchOf(obj), obj: obj, far: far}
		if pkg, ok := obj.(*types.PkgName); ok {
			c.path = pkg.Imported().Path()
		}
		add(c)
	}
	for name, e := range a.names {
		switch {
		case e.obj == nil && !seen[name]:
			add(candidate{Match: Match{Text: name, Kind: "package"}, path: e.path, far: ofPackages})
		case e.obj != nil && !seen[name]:
			m, far := matchOf(e.obj), ofSession
			m.Text = name
			if m.Kind == "type" {
				far = ofSessionTypes
			}
			add(candidate{Match: m, obj: e.obj, far: far})
		}
	}
	for _, name := range types.Universe.Names() {
		if name == "iota" && !inConstants(around) {
			continue
		}
		obj := types.Universe.Lookup(name)
		add(candidate{Match: matchOf(obj), obj: obj, far: ofUniverse})
	}
	return out
}

func inConstants(around []ast.Node) bool {
	return slices.ContainsFunc(around, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		return ok && d.Tok == token.CONST
	})
}

// fieldNames returns the fields that id may name as the key of a struct literal, the last of the nodes around it, but for
// those that are given already; false where it is no such key.
func (a *analysis) fieldNames(id *ast.Ident, around []ast.Node, given map[string]bool) ([]candidate, bool) {
	if len(around) == 0 {
		return nil, false
	}
	lit, ok := around[len(around)-1].(*ast.CompositeLit)
	if !ok || lit.Type == id || a.info.TypeOf(lit) == nil {
		return nil, false
	}
	st, ok := deref(a.info.TypeOf(lit)).Underlying().(*types.Struct)
	if !ok {
		return nil, false
	}
	var out []candidate
	for f := range st.Fields() {
		if accessible(f) && f.Name() != "_" && !given[f.Name()] {
			out = append(out, candidate{Match: matchOf(f), far: ofField})
		}
	}
	return out, true
}

// members returns what may follow x and a dot: the names of a package, the fields and methods of a value, the methods of a
// type; where only a type can stand, the types of a package.
func (a *analysis) members(x ast.Expr, onlyTypes bool) []candidate {
	var out []candidate
	if pkg := a.packageOf(x); pkg != nil {
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if _, ok := obj.(*types.TypeName); obj.Exported() && (ok || !onlyTypes) {
				out = append(out, candidate{Match: matchOf(obj), obj: obj})
			}
		}
		return out
	}
	tv, ok := a.info.Types[x]
	if !ok || tv.Type == nil || tv.IsBuiltin() || tv.IsVoid() || onlyTypes {
		return nil
	}
	for name := range selectable(tv.Type) {
		obj, index, _ := types.LookupFieldOrMethod(tv.Type, tv.Addressable(), mainPackage, name)
		if obj == nil || name == "_" || !accessible(obj) {
			continue // hidden by another of its depth, or a pointer's method without a pointer
		}
		if _, method := obj.(*types.Func); method || !tv.IsType() {
			out = append(out, candidate{Match: matchOf(obj), obj: obj, far: len(index)})
		}
	}
	return out
}

// packageOf returns the package that an expression names, nil where it names none.
func (a *analysis) packageOf(x ast.Expr) *types.Package {
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	name, ok := a.info.Uses[id].(*types.PkgName)
	if !ok {
		return nil
	}
	return name.Imported()
}

// selectable yields the names of the fields and methods of t and of what is embedded in it.
func selectable(t types.Type) map[string]bool {
	found := map[string]bool{}
	seen := map[types.Type]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		t = deref(t)
		if seen[t] {
			return
		}
		seen[t] = true
		for name := range methodNames(t) {
			found[name] = true
		}
		st, ok := t.Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			f := st.Field(i)
			found[f.Name()] = true
			if f.Embedded() {
				walk(f.Type())
			}
		}
	}
	walk(t)
	return found
}

// methodNames yields the names of the methods of t and of its pointer.
func methodNames(t types.Type) iter.Seq[string] {
	return func(yield func(string) bool) {
		for sel := range types.NewMethodSet(t).Methods() {
			if !yield(sel.Obj().Name()) {
				return
			}
		}
		if named, ok := t.(*types.Named); ok {
			for m := range named.Methods() {
				if !yield(m.Name()) {
					return
				}
			}
		}
	}
}

// deref returns what a pointer points to, and any other type itself, without aliases.
func deref(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
