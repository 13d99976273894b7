// Package catalog says which packages a notebook cell can import, on which
// platforms, and reads those packages from source with go/types.
//
// It is the one place where the list is written. The generator of
// stdlib/symbols and stdlib/typeinfo reads it to make the tables, and their
// drift tests read it to compare the committed tables with the real packages.
// Nothing in the kernel imports it.
//
//	prog, err := catalog.Load(dir, catalog.Host(), catalog.Groups())
//	if err != nil {
//		return err
//	}
//	for _, p := range prog.Packages {
//		fmt.Println(p.Group, p.Types.Path(), len(p.Types.Scope().Names()))
//	}
//
// Function bodies are not checked: only what a package declares is of
// interest. Loading everything takes a few seconds.
package catalog
