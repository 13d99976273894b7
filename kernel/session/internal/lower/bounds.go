package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// A panic of the engine for an index does not say which index it was (goroot.md 6). So in front of a statement the indices
// in it are held against lengths, by comparisons that cost little:
//
//	if i >= len(x) { IndexError(i, len(x)) }
//	s += x[i]
//
// What is not sure to be evaluated, or only behind a call, is left out, and so is what has a call in it: it panics all the
// same, without the numbers. So does a negative index where the index is a variable, which is worth a comparison less.

// bounds returns the checks for the indices in the expressions that a statement evaluates, in the order of evaluation.
func (l *lowerer) bounds(list ...ast.Expr) []ast.Stmt {
	b := &boundsChecker{l: l}
	for _, e := range list {
		if e != nil {
			b.expr(e)
		}
	}
	return b.out
}

type boundsChecker struct {
	l    *lowerer
	out  []ast.Stmt
	over bool // a call came: what follows may depend on it
}

// expr visits what is sure to be evaluated of an expression.
func (b *boundsChecker) expr(e ast.Expr) {
	if b.over || b.l.info.Types[e].Value != nil || b.l.info.Types[e].IsType() {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		b.expr(e.X)
	case *ast.StarExpr:
		b.expr(e.X)
	case *ast.UnaryExpr:
		b.expr(e.X)
		b.over = b.over || e.Op == token.ARROW
	case *ast.BinaryExpr:
		b.expr(e.X)
		if e.Op != token.LAND && e.Op != token.LOR {
			b.expr(e.Y)
		}
	case *ast.SelectorExpr:
		if b.l.info.Selections[e] != nil {
			b.expr(e.X)
		}
	case *ast.KeyValueExpr:
		b.expr(e.Value)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			b.expr(x)
		}
	case *ast.TypeAssertExpr:
		b.expr(e.X)
		b.over = true // may panic itself
	case *ast.CallExpr:
		if !b.l.info.Types[ast.Unparen(e.Fun)].IsType() {
			b.expr(e.Fun)
		}
		for _, x := range e.Args {
			b.expr(x)
		}
		b.over = b.over || b.l.isCall(e)
	case *ast.IndexExpr:
		b.expr(e.X)
		b.expr(e.Index)
		b.index(e)
	case *ast.SliceExpr:
		for _, x := range []ast.Expr{e.X, e.Low, e.High, e.Max} {
			if x != nil {
				b.expr(x)
			}
		}
		b.slice(e)
	}
}

// index adds the check of x[i].
func (b *boundsChecker) index(e *ast.IndexExpr) {
	l := b.l
	if b.over || !l.isSteady(e.X) || !l.isSteady(e.Index) || l.isBounded(e) {
		return
	}
	switch t := l.typeOf(e.X).Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		if t.Info()&types.IsString == 0 {
			return
		}
	case *types.Array:
		if l.info.Types[e.Index].Value != nil {
			return
		}
	default:
		return
	}
	pos := e.Pos()
	n := func() ast.Expr { return l.call(pos, l.ident(pos, "len"), l.expr(e.X)) }
	i := func() ast.Expr { return l.asInt(e.Index) }
	cond := ast.Expr(&ast.BinaryExpr{X: i(), OpPos: pos, Op: token.GEQ, Y: n()})
	if _, isName := ast.Unparen(e.Index).(*ast.Ident); !isName && l.info.Types[e.Index].Value == nil {
		cond = &ast.BinaryExpr{X: cond, OpPos: pos, Op: token.LOR, Y: &ast.BinaryExpr{X: i(), OpPos: pos, Op: token.LSS, Y: l.intLit(pos, 0)}}
	}
	b.out = append(b.out, &ast.IfStmt{If: pos, Cond: cond,
		Body: l.block(pos, &ast.ExprStmt{X: l.call(pos, l.helper(pos, "IndexError"), i(), n())})})
}

// slice adds the check of x[low:high] or x[low:high:max].
func (b *boundsChecker) slice(e *ast.SliceExpr) {
	l := b.l
	if b.over || !l.isSteady(e.X) {
		return
	}
	limit := "cap"
	switch t := l.typeOf(e.X).Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		if t.Info()&types.IsString == 0 {
			return
		}
		limit = "len"
	default:
		return
	}
	pos := e.Pos()
	measure := func(name string) ast.Expr { return l.call(pos, l.ident(pos, name), l.expr(e.X)) }
	bound := func(x ast.Expr, otherwise ast.Expr) ast.Expr {
		if x == nil {
			return otherwise
		}
		return l.asInt(x)
	}
	for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
		if x != nil && !l.isSteady(x) {
			return
		}
	}
	if e.Low == nil && e.High == nil {
		return
	}
	low := func() ast.Expr { return bound(e.Low, l.intLit(pos, 0)) }
	high := func() ast.Expr { return bound(e.High, measure("len")) }
	top := func() ast.Expr { return bound(e.Max, measure(limit)) }
	above := func(x, y ast.Expr) ast.Expr { return &ast.BinaryExpr{X: x, OpPos: pos, Op: token.GTR, Y: y} }
	or := func(x, y ast.Expr) ast.Expr { return &ast.BinaryExpr{X: x, OpPos: pos, Op: token.LOR, Y: y} }
	var cond ast.Expr
	if e.High != nil {
		cond = above(high(), top())
	}
	if e.Low != nil {
		wrong := or(above(low(), high()), &ast.BinaryExpr{X: low(), OpPos: pos, Op: token.LSS, Y: l.intLit(pos, 0)})
		if cond == nil {
			cond = wrong
		} else {
			cond = or(cond, wrong)
		}
	}
	if e.Max != nil {
		cond = or(cond, above(top(), measure(limit)))
	}
	text := ast.Expr(l.stringLit(pos, ""))
	if limit == "len" {
		text = l.call(pos, l.ident(pos, "string"), l.expr(e.X))
	}
	b.out = append(b.out, &ast.IfStmt{If: pos, Cond: cond, Body: l.block(pos, &ast.ExprStmt{X: l.call(pos, l.helper(pos, "SliceError"),
		l.ident(pos, strconv.FormatBool(e.Slice3)), low(), high(), top(), measure("len"), measure(limit), text)})})
}

// isBounded reports whether x[i] stands in a loop that gives i values below the length of x only.
func (l *lowerer) isBounded(e *ast.IndexExpr) bool {
	x, ok := ast.Unparen(e.X).(*ast.Ident)
	i, isName := ast.Unparen(e.Index).(*ast.Ident)
	if !ok || !isName {
		return false
	}
	for _, lp := range l.loops {
		if lp.index != nil && lp.index == l.info.Uses[i] && lp.indexed == l.info.Uses[x] {
			return true
		}
	}
	return false
}

// bounded notes that a loop, with a variable and a body, counts the variable up to the length of x.
func (l *lowerer) bounded(lp *loop, variable, x ast.Expr, body *ast.BlockStmt) {
	id, ok := variable.(*ast.Ident)
	of, isName := ast.Unparen(x).(*ast.Ident)
	if !ok || !isName {
		return
	}
	i, v := l.info.Defs[id], l.info.Uses[of]
	if i == nil || v == nil || l.assigned(body, i, v) {
		return
	}
	lp.index, lp.indexed = i, v
}

// assigned reports whether a node assigns to one of two variables, or takes its address.
func (l *lowerer) assigned(n ast.Node, a, b types.Object) bool {
	found := false
	is := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			obj := l.info.Uses[id]
			found = found || obj != nil && (obj == a || obj == b)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				is(e)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				is(n.X)
			}
		case *ast.RangeStmt:
			is(n.Key)
			is(n.Value)
		case *ast.CallExpr:
			found = found || l.slot(b) != nil && l.isCall(n) // a function may assign to a session variable
		}
		return !found
	})
	return found
}

// asInt lowers an index as an int.
func (l *lowerer) asInt(e ast.Expr) ast.Expr {
	if types.Identical(types.Default(l.typeOf(e)), types.Typ[types.Int]) {
		return l.expr(e)
	}
	return l.call(e.Pos(), l.ident(e.Pos(), "int"), l.expr(e))
}

// isSteady reports whether an expression can be evaluated twice: it is made of names, fields, constants, elements and
// arithmetic.
func (l *lowerer) isSteady(e ast.Expr) bool {
	if l.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.isSteady(e.X)
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		sel := l.info.Selections[e]
		return sel == nil || sel.Kind() == types.FieldVal && l.isSteady(e.X)
	case *ast.IndexExpr:
		_, isMap := l.typeOf(e.X).Underlying().(*types.Map)
		return !isMap && l.isSteady(e.X) && l.isSteady(e.Index)
	case *ast.StarExpr:
		return l.isSteady(e.X)
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr: // a conversion
		return l.info.Types[ast.Unparen(e.Fun)].IsType() && l.isSteady(e.Args[0])
	case *ast.BinaryExpr:
		return e.Op != token.QUO && e.Op != token.REM && e.Op != token.SHL && e.Op != token.SHR && l.isSteady(e.X) && l.isSteady(e.Y)
	}
	return false
}
