// Package typeinfo holds the types and the documentation of every package a
// cell can import, so that cells are checked, completed and explained without
// a Go installation.
//
// Types are export data (golang.org/x/tools/go/gcexportdata), documentation
// is the text of the comments. Both are generated from the sources of the
// packages that stdlib/internal/catalog lists, compressed, embedded, and read
// package by package when they are first asked for. Data that differs between
// platforms is embedded on its own platform only.
//
//	fset := token.NewFileSet()
//	conf := types.Config{Importer: typeinfo.Importer(fset)}
//	pkg, err := conf.Check("cell", fset, files, nil)
//
//	typeinfo.ByName("rand")                // [crypto/rand math/rand math/rand/v2]
//	typeinfo.Doc("strings", "Builder.Len") // Len returns the number of ...
//
// The package knows nothing of the engine: stdlib/symbols has the values of
// the same packages.
package typeinfo
