package lower

import (
	"go/token"
	"go/types"
	"testing"

	"orthant/stdlib/rt"
	"orthant/stdlib/symbols"
	"orthant/stdlib/typeinfo"
)

// refused are the generic functions and types of compiled packages that package rt has no form of: a cell that uses them
// does not run, and says so.
var refused = map[string]string{
	"database/sql.Null": "its Scan converts as the package does inside",
}

// TestCompiledGenerics holds the generic functions and types of all packages against what package rt has.
func TestCompiledGenerics(t *testing.T) {
	imp := typeinfo.Importer(token.NewFileSet())
	found := 0
	for _, path := range typeinfo.Paths() {
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			full := path + "." + name
			has := false
			switch obj := obj.(type) {
			case *types.Func:
				if obj.Signature().TypeParams() == nil {
					continue
				}
				has = rt.HasGeneric(full)
			case *types.TypeName:
				n, ok := obj.Type().(*types.Named)
				if !ok || n.TypeParams() == nil {
					continue
				}
				if u, isFunc := n.Underlying().(*types.Signature); isFunc && u != nil {
					has = n.NumMethods() == 0 // stands for its underlying type
					break
				}
				has = rt.HasGenericType(full)
				for i := 0; has && i < n.NumMethods(); i++ {
					if m := n.Method(i); m.Exported() {
						if _, ok := rt.GenericMethod(full, m.Name(), nil); !ok {
							t.Errorf("%s has no method %s", full, m.Name())
						}
					}
				}
			default:
				continue
			}
			found++
			switch _, no := refused[full]; {
			case has && no:
				t.Errorf("%s is there: take it off the list", full)
			case !has && !no:
				t.Errorf("%s is missing", full)
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d generic functions and types", found)
	}
	t.Logf("%d generic functions and types", found)
}

// foreign are the functions, methods and fields with types of packages that are not compiled in.
var foreign = map[string]bool{
	"gonum.org/v1/gonum/mat.CDense.RawCMatrix":       true,
	"gonum.org/v1/gonum/mat.CDense.SetRawCMatrix":    true,
	"gonum.org/v1/plot/font.Face.Face":               true,
	"gonum.org/v1/plot/font.Face.FontFace":           true,
	"gonum.org/v1/plot/font.Font.Style":              true,
	"gonum.org/v1/plot/font.Font.Weight":             true,
	"gonum.org/v1/plot/vg/vgimg.UseImageWithContext": true,
}

// TestCompiledTypes holds the types of what compiled packages export, and of the exported methods and fields of their types,
// against what a cell can keep in a variable.
func TestCompiledTypes(t *testing.T) {
	imp := typeinfo.Importer(token.NewFileSet())
	w := NewWorld(symbols.Symbols)
	for _, path := range typeinfo.Paths() {
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			_, isConst := obj.(*types.Const)
			if !obj.Exported() || isConst || isGeneric(obj) || path == "unsafe" {
				continue
			}
			for what, u := range reachable(obj) {
				full := path + "." + name + what
				_, err := w.Reflect(u)
				switch {
				case err != nil && !foreign[full]:
					t.Errorf("%s: %v", full, err)
				case err == nil && foreign[full]:
					t.Errorf("%s has a type: take it off the list", full)
				}
			}
		}
	}
}

// isGeneric reports whether an object has type parameters, or is a constraint.
func isGeneric(obj types.Object) bool {
	switch t := obj.Type().(type) {
	case *types.Signature:
		return t.TypeParams() != nil
	case *types.Alias:
		return t.TypeParams() != nil
	case *types.Named:
		i, ok := t.Underlying().(*types.Interface)
		return t.TypeParams() != nil || ok && !i.IsMethodSet()
	}
	return false
}

// reachable returns the types that a cell may meet through an object of a package.
func reachable(obj types.Object) map[string]types.Type {
	all := map[string]types.Type{"": obj.Type()}
	if _, isType := obj.(*types.TypeName); !isType {
		return all
	}
	for sel := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
		if sel.Obj().Exported() {
			all["."+sel.Obj().Name()] = withoutReceiver(sel.Type().(*types.Signature))
		}
	}
	if s, ok := obj.Type().Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Exported() {
				all["."+f.Name()] = f.Type()
			}
		}
	}
	return all
}
