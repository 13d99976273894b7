package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// choice lowers a switch, a type switch or a select.
func (l *lowerer) choice(s ast.Stmt, label string) []ast.Stmt {
	defer l.enter(&loop{label: label, breaks: true})()
	switch s := s.(type) {
	case *ast.SwitchStmt:
		return l.switchStmt(s)
	case *ast.TypeSwitchStmt:
		return l.typeSwitch(s)
	}
	return l.selectStmt(s.(*ast.SelectStmt))
}

// switchStmt lowers a switch. In one without a tag the engine looks at the first expression of each case only, so
// `case a, b` becomes `case a || b` (goroot.md 4.8); and a switch with a tag becomes one without where the engine compares
// wrongly: cases that are not constant, and tags that are interfaces.
func (l *lowerer) switchStmt(s *ast.SwitchStmt) []ast.Stmt {
	before := l.stmt(s.Init) // in the header the engine forgets what the tag needs of it
	out := &ast.SwitchStmt{Switch: s.Switch, Tag: l.expr(s.Tag), Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	test := func(e ast.Expr) ast.Expr {
		if s.Tag == nil && types.IsInterface(l.typeOf(e)) { // is compared with true
			return l.call(e.Pos(), l.helper(e.Pos(), "Equal"), l.expr(e), l.ident(e.Pos(), "true"))
		}
		if s.Tag == nil {
			return l.condition(e)
		}
		return l.expr(e)
	}
	if s.Tag != nil && l.comparesWrongly(s) {
		tag := l.temp()
		t := types.Default(l.typeOf(s.Tag))
		before = append(before, l.variable(s.Tag.Pos(), tag, t, out.Tag))
		out.Tag = nil
		test = func(e ast.Expr) ast.Expr {
			x := l.ident(e.Pos(), tag)
			if l.info.Types[e].IsNil() {
				return &ast.BinaryExpr{X: x, OpPos: e.Pos(), Op: token.EQL, Y: l.ident(e.Pos(), "nil")}
			}
			if eq := l.equal(e.Pos(), operand{t, false, func() ast.Expr { return x }}, l.operand(e)); eq != nil {
				return eq
			}
			return &ast.BinaryExpr{X: x, OpPos: e.Pos(), Op: token.EQL, Y: l.expr(e)}
		}
	}
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		for _, e := range c.List {
			x := test(e)
			if out.Tag == nil && len(c.List) > 1 {
				x = l.alone(e.Pos(), x, types.Typ[types.Bool])
			}
			if out.Tag == nil && len(clause.List) > 0 {
				x = &ast.BinaryExpr{X: clause.List[0], OpPos: c.Case, Op: token.LOR, Y: x}
				clause.List = nil
			}
			clause.List = append(clause.List, x)
		}
		clause.Body = l.labelsInside(l.clauseBody(s.Body.List, i))
		out.Body.List = append(out.Body.List, clause)
	}
	return l.scoped(s.Pos(), before, out)
}

// labelsInside puts the body of a clause that has labels into a block: the engine finds labels of blocks only.
func (l *lowerer) labelsInside(body []ast.Stmt) []ast.Stmt {
	hasLabel := func(s ast.Stmt) bool { _, ok := s.(*ast.LabeledStmt); return ok }
	if !slices.ContainsFunc(body, hasLabel) {
		return body
	}
	pos, end := body[0].Pos(), len(body)
	if b, ok := body[end-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
		end--
	}
	return append([]ast.Stmt{l.block(pos, body[:end:end]...)}, body[end:]...)
}

// clauseBody lowers the body of a switch's clause. The engine falls through from a default clause, or into it, in another
// order than that of the source, so a fallthrough there becomes the next body itself.
func (l *lowerer) clauseBody(clauses []ast.Stmt, i int) []ast.Stmt {
	c := clauses[i].(*ast.CaseClause)
	if len(c.Body) == 0 || i == len(clauses)-1 {
		return l.stmts(c.Body)
	}
	last, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	if !ok || last.Tok != token.FALLTHROUGH || c.List != nil && clauses[i+1].(*ast.CaseClause).List != nil {
		return l.stmts(c.Body)
	}
	body := l.stmts(c.Body[:len(c.Body)-1])
	return append(body, l.block(last.Pos(), l.clauseBody(clauses, i+1)...))
}

// comparesWrongly reports whether the engine would compare a switch's tag with its cases wrongly.
func (l *lowerer) comparesWrongly(s *ast.SwitchStmt) bool {
	if types.IsInterface(l.typeOf(s.Tag)) {
		return true
	}
	for _, c := range s.Body.List {
		list := c.(*ast.CaseClause).List
		for _, e := range list {
			v := l.info.Types[e].Value
			if v == nil || types.IsInterface(l.typeOf(e)) || l.info.Types[e].IsNil() || converts(l.typeOf(e), l.typeOf(s.Tag)) {
				return true
			}
			if b, ok := l.typeOf(e).Underlying().(*types.Basic); ok && v != nil {
				if lit, _ := l.literal(e.Pos(), b, v); lit == nil { // too large for the engine's literals
					return true
				}
			}
		}
	}
	return false
}
