package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"orthant/stdlib/rt"
)

// The engine's own type assertions and type switches go by its types, which are not all that there is (engine.md 2c). So
// they are calls of native functions, one for each pair of types.

// assertion lowers x.(T) with one result, or, with its outcome, with two.
func (l *lowerer) assertion(e *ast.TypeAssertExpr, make func(from, to reflect.Type) reflect.Value) ast.Expr {
	return l.asserted(e.Pos(), l.expr(e.X), l.typeOf(e.X), l.typeOf(e.Type), make)
}

func (l *lowerer) asserted(pos token.Pos, x ast.Expr, from, to types.Type, make func(from, to reflect.Type) reflect.Value) ast.Expr {
	f, t := l.reflect(pos, from), l.reflect(pos, to)
	if f == nil || t == nil {
		return x
	}
	return l.call(pos, l.export(pos, l.w.fresh("As"), make(f, t)), x)
}

// reflect returns the reflect type of a type of the cell; nil, and an error of the cell, where it has none.
func (l *lowerer) reflect(pos token.Pos, t types.Type) reflect.Type {
	rt, err := l.w.Reflect(t)
	if err != nil {
		l.fail(pos, "%v", err)
		return nil
	}
	return rt
}

// typeSwitch lowers a type switch to a switch over the index of the case that the value meets:
//
//	x := value
//	switch Cases(x) {
//	case 0: v := As(x); …
//	case 1, 2: v := x; …
//	default: v := x; …
//	}
func (l *lowerer) typeSwitch(s *ast.TypeSwitchStmt) []ast.Stmt {
	pos := s.Pos()
	var assert *ast.TypeAssertExpr
	bound := "" // the variable of the clauses
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		bound = a.Lhs[0].(*ast.Ident).Name
		assert = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	case *ast.ExprStmt:
		assert = ast.Unparen(a.X).(*ast.TypeAssertExpr)
	}
	from := l.typeOf(assert.X)
	before := l.stmt(s.Init)
	x := l.temp()
	before = append(before, l.variable(pos, x, from, l.expr(assert.X)))
	var cases []reflect.Type
	out := &ast.SwitchStmt{Switch: pos, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		value := ast.Expr(l.ident(c.Colon, x))
		for _, e := range c.List {
			clause.List = append(clause.List, l.intLit(e.Pos(), len(cases)))
			if l.info.Types[e].IsNil() {
				cases = append(cases, nil)
				continue
			}
			cases = append(cases, l.reflect(e.Pos(), l.typeOf(e)))
			if len(c.List) == 1 && bound != "" && bound != "_" {
				value = l.asserted(e.Pos(), value, from, l.typeOf(e), rt.Assert)
			}
		}
		if bound != "" && bound != "_" { // a variable that no clause uses is an error to the engine
			clause.Body = []ast.Stmt{l.define(c.Colon, value, bound), l.use(c.Colon, bound)}
		}
		clause.Body = l.labelsInside(append(clause.Body, l.stmts(c.Body)...))
		out.Body.List = append(out.Body.List, clause)
	}
	if f := l.reflect(pos, from); f != nil && len(l.errs) == 0 {
		out.Tag = l.call(pos, l.export(pos, l.w.fresh("Cases"), rt.Cases(f, cases)), l.ident(pos, x))
	}
	return []ast.Stmt{l.block(pos, append(before, out)...)}
}
