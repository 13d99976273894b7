package notebooks

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
)

// A cell mixes imports, functions and statements, which go/parser and go/format do not take together. As statements they
// do: imports are left out, and functions become the literals of definitions, without their receivers and type parameters.
var (
	importDecl = regexp.MustCompile(`(?m)^import (\((?s:.*?)^\)|.*)\n?`)
	funcDecl   = regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?(\w+)(?:\[[^\]]*\])?\(`)
)

// statements returns a cell's source as statements.
func statements(source string) string {
	return funcDecl.ReplaceAllString(importDecl.ReplaceAllString(source, ""), "$1 := func(")
}

// checkFormat returns an error unless a cell's source is formatted as gofmt formats.
func checkFormat(source string) error {
	got := statements(source)
	want, err := format.Source([]byte(got))
	if err != nil {
		return err
	}
	if got != string(want) {
		return fmt.Errorf("gofmt has it as\n%s", want)
	}
	return nil
}

// parse returns the statements of a cell.
func parse(source string) ([]ast.Stmt, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "cell", "package p; func _() {\n"+statements(source)+"\n}", 0)
	if err != nil {
		return nil, err
	}
	return file.Decls[0].(*ast.FuncDecl).Body.List, nil
}

// selector returns the two names of n where it is one name of another, such as a package's.
func selector(n ast.Node) (x, name string) {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	return id.Name, s.Sel.Name
}

// seeded lists what of math/rand/v2 gives a source of its own, with a seed in sight.
var seeded = map[string]bool{
	"New": true, "NewPCG": true, "NewChaCha8": true, "NewZipf": true,
	"Rand": true, "Source": true, "PCG": true, "ChaCha8": true, "Zipf": true,
}

// checkRepeatable returns an error where a cell's outputs would differ from run to run, or rest on a seed that the
// reader does not see.
func checkRepeatable(body []ast.Stmt) (err error) {
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && lit.Type != nil {
				if x, name := selector(lit.Type); x == "clustering" && name == "Options" && !hasKey(lit, "Seed") {
					err = fmt.Errorf("clustering.Options has no Seed")
				}
			}
			switch x, name := selector(n); {
			case x == "time" && (name == "Now" || name == "Since" || name == "Until"):
				err = fmt.Errorf("time.%s", name)
			case x == "rand" && !seeded[name]:
				err = fmt.Errorf("rand.%s has a seed of its own", name)
			}
			return err == nil
		})
	}
	return err
}

func hasKey(lit *ast.CompositeLit, key string) bool {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == key {
				return true
			}
		}
	}
	return false
}

// isFigure says whether a cell ends in a figure, the value of a function of package figure and of methods chained to it.
func isFigure(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	last, ok := body[len(body)-1].(*ast.ExprStmt)
	if !ok {
		return false
	}
	for x := last.X; ; {
		call, ok := x.(*ast.CallExpr)
		if !ok {
			return false
		}
		if pkg, _ := selector(call.Fun); pkg == "figure" {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x = method.X
	}
}

// numbers returns the numbers in a text, in order.
func numbers(text string) (all []float64) {
	for _, s := range regexp.MustCompile(`\d+(\.\d+)?`).FindAllString(text, -1) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(err) // the expression matches numbers only
		}
		all = append(all, v)
	}
	return all
}
