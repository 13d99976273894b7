package symbols_test

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/traefik/yaegi/stdlib"

	"orthant/stdlib/symbols"
	"orthant/stdlib/typeinfo"
)

// yaegisOwn are the keys of Symbols that are no importable package.
var yaegisOwn = map[string]bool{".": true, "github.com/traefik/yaegi/yaegi": true}

// replaced lists the entries that are not the package's own symbol but
// yaegi's, with the key of yaegi's table.
var replaced = map[string][2]string{
	"os.Exit":        {"os/os", "Exit"},
	"os.FindProcess": {"os/os", "FindProcess"},
	"syscall.Exit":   {"os/os", "Exit"},
	"log.Fatal":      {"log/log", "Fatal"},
	"log.Fatalf":     {"log/log", "Fatalf"},
	"log.Fatalln":    {"log/log", "Fatalln"},
	"log.New":        {"log/log", "New"},
	"log.Logger":     {"log/log", "Logger"},
}

func key(importPath string) string { return path.Join(importPath, typeinfo.Name(importPath)) }

// TestSamePackages compares the packages of Symbols with those of typeinfo.
func TestSamePackages(t *testing.T) {
	keys := map[string]bool{}
	for _, p := range typeinfo.Paths() {
		keys[key(p)] = true
		if symbols.Symbols[key(p)] == nil {
			t.Errorf("%s can be checked, but has no table", p)
		}
	}
	for k := range symbols.Symbols {
		if !keys[k] && !yaegisOwn[k] {
			t.Errorf("table %s has no types", k)
		}
	}
}

// TestTables compares the names, types and values of every table with the
// exported declarations of its package, and wants nothing else in it.
func TestTables(t *testing.T) {
	imp := typeinfo.Importer(token.NewFileSet())
	for _, p := range typeinfo.Paths() {
		if p == "unsafe" {
			continue // yaegi's
		}
		pkg, err := imp.Import(p)
		if err != nil {
			t.Fatal(err)
		}
		table := symbols.Symbols[key(p)]
		expected := map[string]bool{}
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !obj.Exported() || generic(obj) {
				continue
			}
			expected[name] = true
			if err := sameObject(table[name], obj); err != nil {
				t.Errorf("%s.%s: %v", p, name, err)
			}
			if types.IsInterface(obj.Type()) && isType(obj) {
				expected["_"+name] = true
				if err := wraps(table["_"+name], table[name], obj); err != nil {
					t.Errorf("%s._%s: %v", p, name, err)
				}
			}
		}
		for name := range table {
			if !expected[name] {
				t.Errorf("%s.%s is not declared", p, name)
			}
		}
	}
}

func isType(obj types.Object) bool {
	_, ok := obj.(*types.TypeName)
	return ok
}

// generic reports whether obj has no single value or type: it has type
// parameters, or is a constraint.
func generic(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Signature().TypeParams().Len() > 0
	case *types.TypeName:
		if named, ok := obj.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
			return true
		}
		i, ok := obj.Type().Underlying().(*types.Interface)
		return ok && !i.IsMethodSet()
	}
	return false
}

// sameObject compares one entry with its declaration.
func sameObject(got reflect.Value, obj types.Object) error {
	if !got.IsValid() {
		return fmt.Errorf("missing")
	}
	if theirs, ok := replaced[obj.Pkg().Path()+"."+obj.Name()]; ok {
		if got != stdlib.Symbols[theirs[0]][theirs[1]] {
			return fmt.Errorf("is not yaegi's %v", theirs)
		}
		return nil
	}
	switch obj := obj.(type) {
	case *types.Const:
		return sameConst(got, obj)
	case *types.Var:
		if !got.CanSet() {
			return fmt.Errorf("variable cannot be set")
		}
		return sameType(got.Type(), obj.Type())
	case *types.Func:
		if err := sameType(got.Type(), obj.Type()); err != nil {
			return err
		}
		return sameFunc(got, obj)
	case *types.TypeName:
		if got.Kind() != reflect.Pointer || !got.IsNil() {
			return fmt.Errorf("got %v, want a nil pointer to the type", got)
		}
		if err := sameType(got.Type().Elem(), obj.Type()); err != nil {
			return err
		}
		if err := sameUnderlying(got.Type().Elem(), obj.Type()); err != nil {
			return err
		}
		return sameMethods(got.Type().Elem(), obj.Type())
	default:
		return fmt.Errorf("no comparison for %T", obj)
	}
}

// sameFunc compares the linker's name of the function.
func sameFunc(got reflect.Value, obj *types.Func) error {
	want := obj.Pkg().Path() + "." + obj.Name()
	if name := runtime.FuncForPC(got.Pointer()).Name(); name != want {
		return fmt.Errorf("is %s", name)
	}
	return nil
}

// wraps checks the type by which interpreted values are seen as the interface:
// it must have the interface's methods, unless some are unexported.
func wraps(wrapper, iface reflect.Value, obj types.Object) error {
	if !wrapper.IsValid() {
		return fmt.Errorf("missing")
	}
	for m := range obj.Type().Underlying().(*types.Interface).Methods() {
		if !m.Exported() {
			return nil // nobody outside can implement it
		}
	}
	if w := wrapper.Type().Elem(); !w.Implements(iface.Type().Elem()) {
		return fmt.Errorf("%v does not implement %s", w, obj.Name())
	}
	return nil
}

// TestMapTypes checks that the composed interfaces yaegi knows are found by
// our wrappers too.
func TestMapTypes(t *testing.T) {
	table := symbols.Symbols["."]["MapTypes"].Interface().(map[reflect.Value][]reflect.Type)
	tests := []struct {
		name  string
		entry reflect.Value
		want  string // a method of one of the listed types
	}{
		{name: "fmt.Println looks for String", entry: symbols.Symbols["fmt/fmt"]["Println"], want: "String"},
		{name: "json.Marshal looks for MarshalText", entry: symbols.Symbols["encoding/json/json"]["Marshal"], want: "MarshalText"},
		{name: "a ResponseWriter may hijack", entry: symbols.Symbols["net/http/http"]["_ResponseWriter"], want: "Hijack"},
		{name: "a Reader may write to", entry: symbols.Symbols["io/io"]["_Reader"], want: "WriteTo"},
		{name: "a Writer may read from", entry: symbols.Symbols["io/io"]["_Writer"], want: "ReadFrom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, typ := range table[tt.entry] {
				if _, ok := typ.MethodByName(tt.want); ok {
					return
				}
			}
			t.Errorf("got %v, want a type with method %s", table[tt.entry], tt.want)
		})
	}
	if len(table) <= len(stdlib.MapTypes) {
		t.Errorf("%d entries, yaegi alone has %d", len(table), len(stdlib.MapTypes))
	}
}

// TestKeys checks the form that yaegi's Use takes apart.
func TestKeys(t *testing.T) {
	for k := range symbols.Symbols {
		if k != "." && !strings.Contains(k, "/") {
			t.Errorf("key %q has no package name", k)
		}
	}
}
