package gogen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"orthant/stdlib/typeinfo"
)

// TestProgram checks that programs are well-typed, and the same whenever they are made.
func TestProgram(t *testing.T) {
	seeds := 300
	if testing.Short() {
		seeds = 50
	}
	for seed := range uint64(seeds) {
		source := Program(seed)
		if again := Program(seed); again != source {
			t.Errorf("seed %d gives two programs", seed)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "program.go", source, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, source)
			continue
		}
		config := types.Config{Importer: typeinfo.Importer(fset)}
		if _, err := config.Check("main", fset, []*ast.File{file}, nil); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}
