package catalog

import "strings"

// A Group is a set of packages whose tables lie together: one Go package
// below stdlib/symbols/internal and one pair of archives in
// stdlib/typeinfo/data. The groups are separate so that a change of our own
// packages does not recompile, or regenerate, the table of the standard
// library.
type Group struct {
	Name     string   // name of the Go package and stem of the archives
	Patterns []string // arguments of `go list`; packages that do not match the platform are left out
}

// Groups lists all groups, in the order of their dependencies.
func Groups() []Group {
	return []Group{
		{Name: "std", Patterns: []string{"std"}},
		{Name: "gonum", Patterns: prefix("gonum.org/v1/gonum/", gonumPackages)},
		{Name: "plot", Patterns: prefix("gonum.org/v1/", plotPackages)},
		{Name: "own", Patterns: prefix("orthant/", ownPackages)},
	}
}

// gonumPackages are the packages of gonum a cell can import: all public
// ones, without the test suites (testblas, testgraph, testlapack, testquad),
// the cgo bindings (cblas64, cblas128) and the parsers of graph file formats,
// which pull in generated grammars.
var gonumPackages = []string{
	"blas", "blas/blas32", "blas/blas64", "blas/gonum",
	"cmplxs", "cmplxs/cscalar",
	"diff/fd",
	"dsp/fourier", "dsp/transform", "dsp/window",
	"floats", "floats/scalar",
	"graph", "graph/coloring", "graph/community", "graph/encoding", "graph/encoding/dot",
	"graph/flow", "graph/graphs/gen", "graph/iterator", "graph/layout", "graph/multi",
	"graph/network", "graph/path", "graph/path/dynamic", "graph/product", "graph/set/uid",
	"graph/simple", "graph/spectral", "graph/topo", "graph/traverse",
	"integrate", "integrate/quad",
	"interp",
	"lapack", "lapack/gonum", "lapack/lapack64",
	"mat",
	"mathext", "mathext/prng",
	"num/dual", "num/dualcmplx", "num/dualquat", "num/hyperdual", "num/quat",
	"optimize", "optimize/convex/lp", "optimize/functions",
	"spatial/barneshut", "spatial/curve", "spatial/kdtree", "spatial/r1", "spatial/r2",
	"spatial/r3", "spatial/transform", "spatial/vptree",
	"stat", "stat/card", "stat/combin", "stat/distmat", "stat/distmv", "stat/distuv",
	"stat/mds", "stat/samplemv", "stat/sampleuv", "stat/spatial",
	"unit", "unit/constant",
}

// plotPackages are the packages of gonum/plot a cell can import. vgtex and
// vgeps are left out: their output is of no use in a notebook.
var plotPackages = []string{
	"plot", "plot/font", "plot/font/liberation",
	"plot/palette", "plot/palette/brewer", "plot/palette/moreland",
	"plot/plotter", "plot/plotutil", "plot/text", "plot/tools/bezier",
	"plot/vg", "plot/vg/draw", "plot/vg/recorder", "plot/vg/vgimg", "plot/vg/vgpdf", "plot/vg/vgsvg",
}

// ownPackages are our own packages a cell can import.
var ownPackages = []string{
	"clustering", "clustering/affinity", "clustering/dataset", "clustering/score",
	"stdlib/comm", "stdlib/display", "stdlib/figure",
}

// notImportable are public packages of the standard library that are left
// out, each with its reason.
var notImportable = map[string]string{
	"plugin":       "a static binary loads no plugins, and linking it keeps every exported method alive",
	"runtime/cgo":  "needs cgo",
	"runtime/race": "declares nothing",
}

// Importable reports whether a package that one of the patterns matched may
// be imported by a cell.
func Importable(path string) bool {
	for _, elem := range strings.Split(path, "/") {
		if elem == "internal" || elem == "vendor" {
			return false
		}
	}
	_, excluded := notImportable[path]
	return !excluded
}

func prefix(p string, list []string) []string {
	paths := make([]string, len(list))
	for i, s := range list {
		paths[i] = p + s
	}
	return paths
}
