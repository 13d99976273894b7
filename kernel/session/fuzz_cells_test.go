package session_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"orthant/kernel/session/internal/split"
)

// differentialForms are the ways in which a program becomes cells.
var differentialForms = []struct {
	name  string
	cells func(source string) ([]string, error)
}{
	{"one", func(source string) ([]string, error) { return []string{source + "\nmain()\n"}, nil }},
	{"split", func(source string) ([]string, error) { return splitCells(source, false) }},
	{"loose", func(source string) ([]string, error) { return splitCells(source, true) }},
}

// splitCells splits a program into a cell for each declaration, in order. What refers to something that is declared
// further down is in one cell with it and all between; methods are with their type. The last cell calls main; where it is
// to be loose, the statements of main are a cell each instead.
func splitCells(source string, loose bool) ([]string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	text := func(n ast.Node) string {
		return source[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset]
	}
	where := map[string]int{} // the declaration that declares a name
	var main *ast.FuncDecl
	for i, d := range file.Decls {
		for _, name := range declaredNames(d) {
			where[name] = i
		}
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			main = f
		}
	}
	if main == nil {
		return nil, fmt.Errorf("no func main in\n%s", source)
	}
	// last[i] is the last declaration that has to be in the cell of the i-th.
	last := make([]int, len(file.Decls))
	for i, d := range file.Decls {
		last[i] = max(last[i], i)
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
			name := split.ReceiverName(f)
			last[where[name]] = max(last[where[name]], i)
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if j, ok := where[id.Name]; ok {
					last[i] = max(last[i], j)
				}
			}
			return true
		})
	}
	var cells []string
	for i := 0; i < len(file.Decls); {
		end := last[i]
		for j := i; j <= end; j++ {
			end = max(end, last[j])
		}
		var parts []string
		for _, d := range file.Decls[i : end+1] {
			if !loose || d != ast.Decl(main) {
				parts = append(parts, text(d))
			}
		}
		if len(parts) > 0 {
			cells = append(cells, strings.Join(parts, "\n\n"))
		}
		i = end + 1
	}
	if !loose {
		return append(cells, "main()"), nil
	}
	for _, s := range main.Body.List {
		cells = append(cells, text(s))
	}
	return cells, nil
}

// declaredNames returns the names that a declaration declares for others to use; none for a method.
func declaredNames(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "_" })
}

func TestSplitCells(t *testing.T) {
	const source = `package main

import "fmt"

type T int

const c = 1

func (t T) M() int { return g(int(t)) }

func g(n int) int { return n + v }

var v = c

func main() {
	x := T(1)
	fmt.Println(x.M())
}
`
	for _, test := range []struct {
		loose bool
		want  []string
	}{
		{false, []string{`import "fmt"`, "type T int\n\nconst c = 1\n\nfunc (t T) M() int { return g(int(t)) }\n\nfunc g(n int) int { return n + v }\n\nvar v = c",
			"func main() {\n\tx := T(1)\n\tfmt.Println(x.M())\n}", "main()"}},
		{true, []string{`import "fmt"`, "type T int\n\nconst c = 1\n\nfunc (t T) M() int { return g(int(t)) }\n\nfunc g(n int) int { return n + v }\n\nvar v = c",
			"x := T(1)", "fmt.Println(x.M())"}},
	} {
		got, err := splitCells(source, test.loose)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("loose %t: %q, want %q", test.loose, got, test.want)
		}
	}
}
