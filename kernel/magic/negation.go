package magic

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// negation reports whether a text that begins with ! is Go: an expression whose names are known.
func (c *cutter) negation(text string) bool {
	// A file, not an expression, because the parser then resolves names: what a function literal declares is known.
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; var _ = "+strings.TrimRight(text, "; \t\r\n")+"\n", 0)
	if err != nil || len(f.Decls) != 1 {
		return false
	}
	spec := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	if len(spec.Values) != 1 {
		return false
	}
	for _, id := range f.Unresolved {
		if types.Universe.Lookup(id.Name) == nil && c.kind(id.Name) == "" && !c.mentioned[id.Name] {
			return false
		}
	}
	return c.negatable(spec.Values[0])
}

// negatable reports whether what the !s of an expression stand in front of can be a boolean as far as names tell.
func (c *cutter) negatable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return e.Op != token.NOT || c.negatable(e.X)
	case *ast.ParenExpr:
		return c.negatable(e.X)
	case *ast.BinaryExpr:
		return c.negatable(e.X)
	case *ast.Ident:
		if c.mentioned[e.Name] {
			return true
		}
		switch c.kind(e.Name) {
		case "variable", "constant":
			return true
		case "":
			return e.Name == "true" || e.Name == "false"
		}
		return false
	}
	return true
}
