package typeinfo_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"orthant/stdlib/typeinfo"
)

func ExampleImporter() {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cell.go", `package cell
import "gonum.org/v1/gonum/mat"
var d mat.Dense
var n int = d.T()`, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	conf := types.Config{Importer: typeinfo.Importer(fset)}
	_, err = conf.Check("cell", fset, []*ast.File{file}, nil)
	fmt.Println(err)

	_, err = conf.Importer.Import("rand")
	fmt.Println(err)
	// Output:
	// cell.go:4:13: cannot use d.T() (value of interface type mat.Matrix) as int value in variable declaration
	// package rand is not compiled into this kernel; did you mean crypto/rand or math/rand or math/rand/v2?
}

func ExamplePaths() {
	for _, path := range typeinfo.Paths() {
		if strings.HasPrefix(path, "orthant/clustering/") {
			fmt.Println(path)
		}
	}
	// Output:
	// orthant/clustering/affinity
	// orthant/clustering/dataset
	// orthant/clustering/score
}

func ExampleHas() {
	fmt.Println(typeinfo.Has("slices"), typeinfo.Has("internal/abi"))
	// Output: true false
}

func ExampleName() {
	fmt.Println(typeinfo.Name("math/rand/v2"))
	// Output: rand
}

func ExampleByName() {
	fmt.Println(typeinfo.ByName("template"))
	// Output: [html/template text/template]
}

func ExampleDoc() {
	fmt.Println(typeinfo.Doc("strings", "Contains"))
	fmt.Println(typeinfo.Doc("gonum.org/v1/gonum/mat", "Dense.Caps"))
	fmt.Println(typeinfo.Doc("builtin", "error"))
	// Output:
	// Contains reports whether substr is within s.
	// Caps returns the number of rows and columns in the backing matrix.
	// The error built-in interface type is the conventional interface for
	// representing an error condition, with the nil value representing no error.
}
