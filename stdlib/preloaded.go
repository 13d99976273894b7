package stdlib

// API is the version of what saved notebooks rely on: the names every session starts with and their import paths. It
// grows when a notebook written for it would not run under the one before.
const API = 1

// A Preloaded is a package that every session has imported from the start.
type Preloaded struct {
	Name string // the name in cells
	Path string // the import path
}

// Preload lists the packages that every session starts with, by name. Names and paths are API: saved notebooks rely on
// them.
func Preload() []Preloaded {
	return []Preloaded{
		{"affinity", "orthant/clustering/affinity"},
		{"clustering", "orthant/clustering"},
		{"dataset", "orthant/clustering/dataset"},
		{"display", "orthant/stdlib/display"},
		{"figure", "orthant/stdlib/figure"},
		{"fmt", "fmt"},
		{"mat", "gonum.org/v1/gonum/mat"},
		{"score", "orthant/clustering/score"},
	}
}
