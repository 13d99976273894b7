package engine

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// The engine keeps all that it has compiled, for its debugger: the trees of programs, the scopes inside functions, which
// refer to the trees, and the packages and imports of every file. A session of many cells has to let go of it. What runs
// refers to what it needs by itself.

// A keeper empties what an engine keeps of programs that are compiled.
type keeper struct {
	roots    reflect.Value // []*node
	packages *interp.Exports
	names    *map[string]string
	scopes   reflect.Value // map[string]*scope
	children uintptr       // offset of a scope's scopes
	symbols  uintptr       // offset of a scope's symbols
	child    reflect.Type
	symbol   reflect.Type
}

// newKeeper finds what an engine keeps.
func newKeeper(in *interp.Interpreter) (*keeper, error) {
	k := &keeper{}
	own := reflect.TypeOf(in).Elem()
	value := func(name string, kind reflect.Kind) (reflect.Value, error) {
		f, ok := own.FieldByName(name)
		if !ok || f.Type.Kind() != kind {
			return reflect.Value{}, fmt.Errorf("%w: %s", errVersion, name)
		}
		return reflect.NewAt(f.Type, unsafe.Add(unsafe.Pointer(in), f.Offset)).Elem(), nil
	}
	var err error
	if k.roots, err = value("roots", reflect.Slice); err != nil {
		return nil, err
	}
	if k.scopes, err = value("scopes", reflect.Map); err != nil {
		return nil, err
	}
	if !field(in, "binPkg", &k.packages) || !field(in, "pkgNames", &k.names) {
		return nil, fmt.Errorf("%w: packages", errVersion)
	}
	scope := k.scopes.Type().Elem().Elem()
	child, ok := scope.FieldByName("child")
	if !ok || child.Type.Kind() != reflect.Slice {
		return nil, fmt.Errorf("%w: scopes", errVersion)
	}
	symbols, ok := scope.FieldByName("sym")
	if !ok || symbols.Type.Kind() != reflect.Map || symbols.Type.Key().Kind() != reflect.String {
		return nil, fmt.Errorf("%w: symbols", errVersion)
	}
	k.children, k.child, k.symbols, k.symbol = child.Offset, child.Type, symbols.Offset, symbols.Type
	return k, nil
}

// release lets go of what only the compilation of a file needed: the package that it imports for itself, too.
func (k *keeper) release(importPath string) {
	k.roots.SetZero()
	delete(*k.packages, importPath)
	delete(*k.names, importPath)
	main := k.main()
	if main == nil {
		return
	}
	reflect.NewAt(k.child, unsafe.Add(main, k.children)).Elem().SetZero()
	symbols := reflect.NewAt(k.symbol, unsafe.Add(main, k.symbols)).Elem()
	for _, name := range symbols.MapKeys() {
		if strings.Contains(name.String(), "/") { // the import of a file
			symbols.SetMapIndex(name, reflect.Value{})
		}
	}
}

// forget lets go of a declared function that no code compiled from now on will name.
func (k *keeper) forget(function string) {
	if main := k.main(); main != nil {
		reflect.NewAt(k.symbol, unsafe.Add(main, k.symbols)).Elem().SetMapIndex(reflect.ValueOf(function), reflect.Value{})
	}
}

// main returns the scope of the package that all files are of; nil before the first.
func (k *keeper) main() unsafe.Pointer {
	s := k.scopes.MapIndex(reflect.ValueOf("main"))
	if !s.IsValid() {
		return nil
	}
	return s.UnsafePointer()
}
