package lower

import (
	"go/ast"
	"go/token"
)

// A return that stores its values in named results may stand where other variables have the names of these. Then it stores
// them through pointers (for goroot.md 4.1 and 4.3).

// pointToResults takes the addresses of the results whose names the body of a function declares again.
func (l *lowerer) pointToResults(body *ast.BlockStmt) []ast.Stmt {
	again := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.info.Defs[id] != nil {
			again[id.Name] = true
		}
		return true
	})
	l.fn.pointers = map[string]string{}
	var out []ast.Stmt
	for _, r := range l.fn.results {
		if again[r] {
			l.fn.pointers[r] = l.temp()
			out = append(out, l.define(body.Pos(), &ast.UnaryExpr{OpPos: body.Pos(), Op: token.AND, X: l.ident(body.Pos(), r)}, l.fn.pointers[r]))
		}
	}
	return out
}

// resultVar writes a result that a return stores to.
func (l *lowerer) resultVar(pos token.Pos, name string) ast.Expr {
	if p := l.fn.pointers[name]; p != "" {
		return &ast.StarExpr{Star: pos, X: l.ident(pos, p)}
	}
	return l.ident(pos, name)
}
