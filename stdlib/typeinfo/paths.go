package typeinfo

import "slices"

// Paths returns the import paths of all packages a cell can import, sorted.
// The slice is the caller's.
func Paths() []string { return slices.Clone(archives().paths) }

// Has reports whether a cell can import the path.
func Has(path string) bool { return Name(path) != "" }

// Name returns the name of the package with the import path ("rand" for
// "math/rand/v2"), or "" if there is none.
func Name(path string) string {
	if f := archives().types[path]; f != nil {
		return f.Comment
	}
	if path == "unsafe" {
		return path // built into go/types, so it has no export data
	}
	return ""
}

// ByName returns the import paths of the packages that are called name,
// sorted; none if there is no such package. The slice is the caller's.
func ByName(name string) []string { return slices.Clone(archives().names[name]) }
