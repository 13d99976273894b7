package check

import (
	"go/token"
	"go/types"
	"runtime"
)

// Path is the import path of every cell: %T and messages show it as main.
const Path = "main"

// A Binding is what a name means before a cell runs: an object that an earlier cell defined, or a package.
type Binding struct {
	Object types.Object // a *types.Var, *types.Func, *types.Const or *types.TypeName; nil for a package
	Import string       // the import path of a package
	Cell   int          // the number of the cell that defined the object; 0 for what no cell defined
}

// An Env is what a cell may refer to.
type Env struct {
	Files    *token.FileSet
	Importer types.Importer
	// Package is the package of all objects of the session. Each pass gives it a new scope.
	Package *types.Package
	// Lookup returns what a name means in the session.
	Lookup func(name string) (Binding, bool)
	// Dots are the import paths that earlier cells imported with a dot.
	Dots []string
	// Instances and Generics are what the session has of generic functions and types.
	Instances Instances
	Generics  map[*types.Func]*Generic
	// Without returns a lookup in a copy of the session in which the given types lack the given methods, so that the cell
	// may declare them, and what of Generics is another in it.
	Without func(methods map[*types.TypeName][]string) (lookup func(name string) (Binding, bool), generics map[*types.Func]*Generic)
}

// NewPackage returns the package of a session.
func NewPackage() *types.Package { return types.NewPackage(Path, Path) }

// rescope empties a package's scope. Go compares packages by identity where it asks what is unexported, and scopes where it
// asks what is declared at package level; so all cells share one package and one scope, which each pass fills anew.
func rescope(p *types.Package) {
	*p.Scope() = *types.NewScope(types.Universe, token.NoPos, token.NoPos, "package "+Path)
}

// sizes are those of the machine that runs the cell.
var sizes = types.SizesFor("gc", runtime.GOARCH)

// goVersion is the language version of cells.
const goVersion = "go1.26"
