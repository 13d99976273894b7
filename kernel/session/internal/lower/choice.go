package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// choice lowers a switch, a type switch or a select.
func (l *lowerer) choice(s ast.Stmt, label string) []ast.Stmt {
	lp := &loop{label: label, breaks: true}
	_, lp.sel = s.(*ast.SelectStmt)
	leave := l.enter(lp)
	var out []ast.Stmt
	switch s := s.(type) {
	case *ast.SwitchStmt:
		out = l.switchStmt(s)
	case *ast.TypeSwitchStmt:
		out = l.typeSwitch(s)
	case *ast.SelectStmt:
		out = l.selectStmt(s)
	}
	leave()
	return out
}

// switchStmt lowers a switch. In a switch without a tag the engine looks at the first expression of each case only, so
// `case a, b` becomes `case a || b` (goroot.md 4.8).
func (l *lowerer) switchStmt(s *ast.SwitchStmt) []ast.Stmt {
	init, before := l.simple(s.Init)
	out := &ast.SwitchStmt{Switch: s.Switch, Init: init, Tag: l.expr(s.Tag), Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		list := l.exprs(c.List)
		if s.Tag == nil && len(list) > 1 {
			x := list[0]
			for _, y := range list[1:] {
				x = &ast.BinaryExpr{X: x, OpPos: c.Case, Op: token.LOR, Y: y}
			}
			list = []ast.Expr{x}
		}
		if c.List == nil {
			list = nil
		}
		out.Body.List = append(out.Body.List, &ast.CaseClause{Case: c.Case, List: list, Colon: c.Colon, Body: l.stmts(c.Body)})
	}
	return l.scoped(s.Pos(), before, out)
}

// typeSwitch lowers a type switch, always to the form that binds a variable: the engine gets the other one wrong.
func (l *lowerer) typeSwitch(s *ast.TypeSwitchStmt) []ast.Stmt {
	init, before := l.simple(s.Init)
	out := &ast.TypeSwitchStmt{Switch: s.Switch, Init: init, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	var name string
	var x *ast.TypeAssertExpr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		name = a.Lhs[0].(*ast.Ident).Name
		x = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	case *ast.ExprStmt:
		x = ast.Unparen(a.X).(*ast.TypeAssertExpr)
	}
	bound := name
	if name == "" || name == "_" {
		bound = l.temp()
	}
	out.Assign = l.define(s.Assign.Pos(), &ast.TypeAssertExpr{X: l.expr(x.X), Lparen: x.Lparen, Rparen: x.Rparen}, bound)
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		var list []ast.Expr
		for _, e := range c.List {
			if l.info.Types[e].IsNil() {
				list = append(list, l.ident(e.Pos(), "nil"))
			} else {
				list = append(list, l.typ(e))
			}
		}
		body := l.stmts(c.Body)
		// A bound variable that no clause uses is an error to the engine as to Go.
		body = append([]ast.Stmt{l.assign(c.Colon, l.ident(c.Colon, "_"), l.ident(c.Colon, bound))}, body...)
		out.Body.List = append(out.Body.List, &ast.CaseClause{Case: c.Case, List: list, Colon: c.Colon, Body: body})
	}
	return l.scoped(s.Pos(), before, out)
}

// selectStmt lowers a select. Channels and values to send are taken into variables first, in source order, which is when
// Go evaluates them; a receive goes into new variables, since the engine loses one into anything else (goroot.md 4.7).
func (l *lowerer) selectStmt(s *ast.SelectStmt) []ast.Stmt {
	out := &ast.SelectStmt{Select: s.Select, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	var before []ast.Stmt
	take := func(e ast.Expr) ast.Expr {
		name := l.temp()
		before = append(before, l.variable(e.Pos(), name, types.Default(l.typeOf(e)), l.expr(e)))
		return l.ident(e.Pos(), name)
	}
	receive := func(e ast.Expr) ast.Expr {
		u := ast.Unparen(e).(*ast.UnaryExpr)
		return &ast.UnaryExpr{OpPos: u.OpPos, Op: token.ARROW, X: take(u.X)}
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		clause := &ast.CommClause{Case: c.Case, Colon: c.Colon}
		var first []ast.Stmt
		switch comm := c.Comm.(type) {
		case *ast.SendStmt:
			clause.Comm = &ast.SendStmt{Chan: take(comm.Chan), Arrow: comm.Arrow, Value: take(comm.Value)}
		case *ast.ExprStmt:
			clause.Comm = &ast.ExprStmt{X: receive(comm.X)}
		case *ast.AssignStmt:
			x := receive(comm.Rhs[0])
			if comm.Tok == token.DEFINE {
				clause.Comm = &ast.AssignStmt{Lhs: idents(comm.Lhs), TokPos: comm.TokPos, Tok: comm.Tok, Rhs: []ast.Expr{x}}
				break
			}
			var names []string
			for _, lhs := range comm.Lhs {
				name := l.temp()
				names = append(names, name)
				if id, ok := lhs.(*ast.Ident); ok && id.Name == "_" {
					first = append(first, l.use(lhs.Pos(), name))
				} else {
					first = append(first, l.assign(lhs.Pos(), l.target(lhs), l.ident(lhs.Pos(), name)))
				}
			}
			clause.Comm = l.define(comm.Pos(), x, names...)
		}
		clause.Body = append(first, l.stmts(c.Body)...)
		out.Body.List = append(out.Body.List, clause)
	}
	return l.scoped(s.Pos(), before, out)
}
