package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestSignature writes functions as go doc does.
func TestSignature(t *testing.T) {
	for _, want := range []string{
		"func f()",
		"func f(int, int) int",
		"func f(a, b int, c string) (n int, err error)",
		"func f(a int, b ...int) (int, error)",
		"func f(a, b []int, c ...[]int) (x, y float64)",
		"func f(a []int, b ...int)",
		"func f[K comparable, V any](m map[K]V, a, b K) (v V)",
		"func f[T any](cmp func(a T, b T) int)", // types inside are go/types' matter
		"func f(_, b int) func(x int)",
		"func (t T) f(a, b int)",
		"func (*T) f() string",
	} {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, "", "package p\ntype T int\n"+want+" { panic(0) }", 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
		pkg, err := new(types.Config).Check("p", files, []*ast.File{file}, info)
		if err != nil {
			t.Fatal(err)
		}
		for id, obj := range info.Defs {
			if f, ok := obj.(*types.Func); ok && id.Name == "f" {
				if got := funcDeclaration(f, types.RelativeTo(pkg)); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		}
	}
}
