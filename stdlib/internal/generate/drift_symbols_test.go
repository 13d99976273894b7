package main

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"orthant/stdlib/internal/catalog"
)

// compareTables compares the names in the committed symbol tables, and the
// constants that are written as literals in them, with the declarations of
// the packages on one platform. The host's tables are also compared as they
// run, by the tests of stdlib/symbols.
func compareTables(t *testing.T, prog *catalog.Program) {
	for _, pkg := range prog.Packages {
		if pkg.Types.Path() == "unsafe" {
			continue
		}
		switch table := readTable(t, tableFile(pkg, prog.Platform)); {
		case table != nil:
			compareTable(t, pkg.Types, table)
		case prog.Platform == catalog.Narrow() && tableFile(pkg, catalog.Platforms()[0]) != "":
			// Generated for each platform; this is none.
		default:
			t.Errorf("%s has no table: run go generate ./stdlib/...", pkg.Types.Path())
		}
	}
}

// tableFile returns the file with the table of a package for the platform, or
// "" if there is none.
func tableFile(pkg *catalog.Package, p catalog.Platform) string {
	stem := filepath.Join(symbolsDir, pkg.Group, fileName(pkg.Types.Path()))
	for _, file := range []string{stem + ".go", stem + p.Suffix() + ".go"} {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return ""
}

// readTable returns the entries of a generated file, or nil if file is "".
func readTable(t *testing.T, file string) map[string]ast.Expr {
	t.Helper()
	if file == "" {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]ast.Expr{}
	ast.Inspect(f, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			table[unquote(t, kv.Key)] = kv.Value
		}
		return true
	})
	return table
}

func unquote(t *testing.T, e ast.Expr) string {
	t.Helper()
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		t.Fatalf("%s is no literal", types.ExprString(e))
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compareTable(t *testing.T, pkg *types.Package, table map[string]ast.Expr) {
	t.Helper()
	expected := 0
	for _, obj := range exported(pkg) {
		if generic(obj) {
			continue
		}
		expected++
		value, ok := table[obj.Name()]
		if !ok {
			t.Errorf("%s.%s has no symbol", pkg.Path(), obj.Name())
			continue
		}
		if c, ok := obj.(*types.Const); ok {
			compareLiteral(t, c, value)
		}
		if _, ok := obj.(*types.TypeName); ok && types.IsInterface(obj.Type()) {
			expected++
			if table["_"+obj.Name()] == nil {
				t.Errorf("%s.%s has no wrapper", pkg.Path(), obj.Name())
			}
		}
	}
	if len(table) != expected {
		t.Errorf("%s: %d symbols, want %d", pkg.Path(), len(table), expected)
	}
}

// generic reports whether obj is left out of a table: it has type parameters,
// or is a constraint.
func generic(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Signature().TypeParams().Len() > 0
	case *types.TypeName:
		if named, ok := obj.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
			return true
		}
		i, ok := obj.Type().Underlying().(*types.Interface)
		return ok && !i.IsMethodSet()
	}
	return false
}

// compareLiteral compares a constant with its entry, if that is a literal:
// reflect.ValueOf(constant.MakeFromLiteral("1", token.INT, 0)). Other entries
// name the constant, so the compiler takes care of them.
func compareLiteral(t *testing.T, want *types.Const, entry ast.Expr) {
	t.Helper()
	var lit *ast.CallExpr
	ast.Inspect(entry, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "constant.MakeFromLiteral" {
			lit = call
		}
		return true
	})
	if lit == nil {
		return
	}
	kind := map[string]token.Token{"token.INT": token.INT, "token.FLOAT": token.FLOAT, "token.STRING": token.STRING}
	got := constant.MakeFromLiteral(unquote(t, lit.Args[0]), kind[types.ExprString(lit.Args[1])], 0)
	if want.Val().Kind() == constant.Float {
		// Fractions are written in decimal, to more places than a float64 has.
		g, _ := constant.Float64Val(got)
		w, _ := constant.Float64Val(want.Val())
		if g == w {
			return
		}
	} else if got.Kind() == want.Val().Kind() && constant.Compare(got, token.EQL, want.Val()) {
		return
	}
	t.Errorf("%s.%s = %v, want %v", want.Pkg().Path(), want.Name(), got, want.Val())
}
