package lower

import (
	"go/token"
	"go/types"
	"testing"

	"orthant/stdlib/rt"
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
