package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A typeSwitch is a type switch taken apart.
type typeSwitch struct {
	*ast.TypeSwitchStmt
	bound string   // the variable that each clause binds; a new one where the user binds none
	x     ast.Expr // what is switched on
}

// typeSwitch lowers a type switch. The engine gets it wrong without a variable, and where a case is an interface of a
// compiled package or the value is held by one; an assertion it gets right there.
func (l *lowerer) typeSwitch(stmt *ast.TypeSwitchStmt) []ast.Stmt {
	s := typeSwitch{TypeSwitchStmt: stmt, bound: l.temp()}
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		if name := a.Lhs[0].(*ast.Ident).Name; name != "_" {
			s.bound = name
		}
		s.x = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		s.x = ast.Unparen(a.X).(*ast.TypeAssertExpr).X
	}
	if l.wantsAssertions(s) {
		return l.switchByAssertions(s)
	}
	init, before := l.simple(s.Init)
	out := &ast.TypeSwitchStmt{Switch: s.Switch, Init: init, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	value := l.temp() // one variable for all iterations of a loop around the switch
	out.Assign = l.define(s.Assign.Pos(), &ast.TypeAssertExpr{X: l.expr(s.x)}, value)
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
		// A variable that no clause uses is an error to the engine.
		body := append([]ast.Stmt{l.define(c.Colon, l.ident(c.Colon, value), s.bound), l.use(c.Colon, s.bound)}, l.stmts(c.Body)...)
		out.Body.List = append(out.Body.List, &ast.CaseClause{Case: c.Case, List: list, Colon: c.Colon, Body: body})
	}
	return l.scoped(s.Pos(), before, out)
}

// wantsAssertions reports whether a type switch is to be lowered to assertions: where a case or the value has a compiled
// interface, unless a case is an interface of the session's, which only the engine's switch knows.
func (l *lowerer) wantsAssertions(s typeSwitch) bool {
	compiled := isCompiledInterface(l.typeOf(s.x))
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			t := l.typeOf(e)
			if l.info.Types[e].IsNil() || !types.IsInterface(t) {
				continue
			}
			if !isCompiledInterface(t) && !t.Underlying().(*types.Interface).Empty() {
				return false
			}
			compiled = true
		}
	}
	return compiled
}

// isCompiledInterface reports whether a type is an interface with methods that no cell declares.
func isCompiledInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && !i.Empty() && !MentionsSession(t)
}

// switchByAssertions lowers a type switch to a switch over the outcomes of assertions.
func (l *lowerer) switchByAssertions(s typeSwitch) []ast.Stmt {
	pos := s.Pos()
	list := l.stmt(s.Init)
	v := l.temp()
	list = append(list, l.variable(pos, v, l.typeOf(s.x), l.expr(s.x)))
	out := &ast.SwitchStmt{Switch: s.Switch, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		value := v
		var cond ast.Expr
		for _, e := range c.List {
			var is ast.Expr
			if l.info.Types[e].IsNil() {
				is = &ast.BinaryExpr{X: l.ident(e.Pos(), v), OpPos: e.Pos(), Op: token.EQL, Y: l.ident(e.Pos(), "nil")}
			} else {
				t, ok := l.temp(), l.temp()
				list = append(list, l.define(e.Pos(), l.asserted(e, v, l.typeOf(s.x)), t, ok), l.use(e.Pos(), t))
				is = l.ident(e.Pos(), ok)
				if len(c.List) == 1 {
					value = t
				}
			}
			if cond == nil {
				cond = is
			} else {
				cond = &ast.BinaryExpr{X: cond, OpPos: e.Pos(), Op: token.LOR, Y: is}
			}
		}
		if cond != nil {
			clause.List = []ast.Expr{cond}
		}
		clause.Body = append([]ast.Stmt{l.define(c.Colon, l.ident(c.Colon, value), s.bound), l.use(c.Colon, s.bound)}, l.stmts(c.Body)...)
		out.Body.List = append(out.Body.List, clause)
	}
	return []ast.Stmt{l.block(pos, append(list, out)...)}
}
