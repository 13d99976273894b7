package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The value that the engine returns for a cell is no result (engine.md 2a). So the last expression is stored in slots.

// Results are the slots of the cell's result, one a value; none where it shows nothing.
func (c *Cell) Results() []*Slot { return c.results }

// ResultType is the type of the result; a *types.Tuple for a call with several results, nil where there is none to show.
func (c *Cell) ResultType() types.Type {
	e := c.l.c.Result
	if e == nil || c.l.c.Muted || c.l.prints(e) {
		return nil
	}
	if c.l.c.Nil {
		return types.Typ[types.UntypedNil]
	}
	t := c.l.typeOf(e)
	if t == nil || c.l.info.Types[e].IsVoid() {
		return nil
	}
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 0 {
		return nil
	}
	return t
}

// result stores the value of the last expression.
func (c *Cell) result(e ast.Expr) []ast.Stmt {
	l := c.l
	pos := e.Pos()
	tv := l.info.Types[e]
	switch {
	case l.c.Nil:
		return nil
	case c.loose:
		return []ast.Stmt{&ast.ExprStmt{X: l.call(pos, l.helper(pos, "Value"), l.expr(e))}}
	case len(c.results) == 0:
		if _, ok := ast.Unparen(e).(*ast.CallExpr); ok && !tv.IsValue() || l.isCall(e) {
			return []ast.Stmt{&ast.ExprStmt{X: l.expr(e)}}
		}
		return l.discard(pos, e, l.expr(e))
	}
	var names []string
	for range c.results {
		names = append(names, l.temp())
	}
	out := []ast.Stmt{}
	if len(c.results) == 1 {
		out = append(out, l.variable(pos, names[0], types.Default(l.typeOf(e)), l.expr(e)))
		if isReceive(e) {
			out[0] = l.define(pos, l.expr(e), names[0])
		}
	} else {
		out = append(out, l.define(pos, l.expr(e), names...))
	}
	for i, s := range c.results {
		out = append(out, l.assign(pos, l.access(pos, s), l.ident(pos, names[i])))
	}
	return out
}

// discard evaluates a value that has no use, e, of which x is the lowered form. The engine does not look at one that nothing
// takes.
func (l *lowerer) discard(pos token.Pos, e, x ast.Expr) []ast.Stmt {
	name := l.temp()
	switch {
	case isReceive(e) || isLiteral(e):
		return []ast.Stmt{l.define(pos, x, name), l.use(pos, name)}
	case l.isPlain(e):
		return []ast.Stmt{l.assign(pos, l.ident(pos, "_"), x)}
	}
	return []ast.Stmt{l.variable(pos, name, types.Default(l.typeOf(e)), x), l.use(pos, name)}
}

// isCall reports whether e is a call of a function, not a conversion or a builtin with a value.
func (l *lowerer) isCall(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	tv := l.info.Types[ast.Unparen(call.Fun)]
	return !tv.IsType() && !tv.IsBuiltin()
}

// prints reports whether e is a call whose purpose is to print: its byte count and error are no result.
func (l *lowerer) prints(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := l.callee(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "fmt" {
		return false
	}
	return strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint")
}
