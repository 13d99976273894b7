package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"orthant/stdlib/internal/catalog"
)

// A world holds the same packages as they are on every platform.
type world struct {
	platforms []*catalog.Program // in the order of catalog.Platforms; the first is the reference
	narrow    *catalog.Program   // 32 bits, for its constants only
	builtin   []*ast.File        // the pseudo-package that documents the predeclared names
}

func loadWorld(root string, groups []catalog.Group) (*world, error) {
	w := &world{}
	for _, p := range catalog.Platforms() {
		prog, err := catalog.Load(root, p, groups)
		if err != nil {
			return nil, err
		}
		w.platforms = append(w.platforms, prog)
	}
	narrow, err := catalog.Load(root, catalog.Narrow(), groups)
	if err != nil {
		return nil, err
	}
	w.narrow = narrow
	if w.builtin, err = catalog.Builtin(root); err != nil {
		return nil, err
	}
	return w, w.samePaths()
}

func (w *world) reference() *catalog.Program { return w.platforms[0] }

// samePaths checks what the tables rely on: a package exists on every
// platform, perhaps without declarations (log/syslog on Windows).
func (w *world) samePaths() error {
	want := w.reference()
	for _, prog := range w.others() {
		if len(prog.Packages) != len(want.Packages) {
			return fmt.Errorf("%s has %d packages, %s has %d",
				prog.Platform, len(prog.Packages), want.Platform, len(want.Packages))
		}
		for _, pkg := range want.Packages {
			if prog.Lookup(pkg.Types.Path()) == nil {
				return fmt.Errorf("%s is missing on %s", pkg.Types.Path(), prog.Platform)
			}
		}
	}
	return nil
}

// others returns all platforms but the reference, the narrow one included.
func (w *world) others() []*catalog.Program {
	return append(slices.Clone(w.platforms[1:]), w.narrow)
}

// differs reports whether the exported declarations of a package are not the
// same on all platforms. Values of constants do not count.
func (w *world) differs(path string) bool {
	want := declarations(w.reference().Lookup(path).Types)
	for _, prog := range w.platforms[1:] {
		if declarations(prog.Lookup(path).Types) != want {
			return true
		}
	}
	return false
}

// declarations describes the exported package-level names of pkg: kind, name
// and type of each, and the method sets of interfaces, since wrappers are
// generated from them.
func declarations(pkg *types.Package) string {
	var text string
	for _, obj := range exported(pkg) {
		text += types.ObjectString(constAsVar(obj), nil)
		if types.IsInterface(obj.Type()) {
			text += obj.Type().Underlying().String()
		}
		text += "\n"
	}
	return text
}

// constAsVar replaces a constant, whose description includes its value, by a
// variable of the same name and type.
func constAsVar(obj types.Object) types.Object {
	if c, ok := obj.(*types.Const); ok {
		return types.NewVar(c.Pos(), c.Pkg(), "const "+c.Name(), c.Type())
	}
	if t, ok := obj.(*types.TypeName); ok && !t.IsAlias() {
		// The description of a type includes its fields, exported or not.
		return types.NewVar(t.Pos(), t.Pkg(), "type "+t.Name(), t.Type())
	}
	return obj
}

// exported returns the exported objects of the package, sorted by name.
func exported(pkg *types.Package) []types.Object {
	var objs []types.Object
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); obj.Exported() {
			objs = append(objs, obj)
		}
	}
	return objs
}

// varying returns the untyped constants of a package whose value is not the
// same on all platforms, the narrow one included. yaegi writes untyped
// constants as literals; these must be expressions.
func (w *world) varying(path string) map[string]*types.Const {
	varying := map[string]*types.Const{}
	for _, obj := range exported(w.reference().Lookup(path).Types) {
		c, ok := obj.(*types.Const)
		if !ok || c.Type().Underlying().(*types.Basic).Info()&types.IsUntyped == 0 {
			continue
		}
		for _, prog := range w.others() {
			other, ok := prog.Lookup(path).Types.Scope().Lookup(c.Name()).(*types.Const)
			if ok && other.Val().ExactString() != c.Val().ExactString() {
				varying[c.Name()] = c
			}
		}
	}
	return varying
}
