package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// selectStmt lowers a select to one that only picks a clause, and a switch that runs it: a break inside a select ends the
// loop around it in the engine, and one with a label does nothing. Channels and values to send are taken into variables
// first, in source order, which is when Go evaluates them (goroot.md 4.7).
func (l *lowerer) selectStmt(s *ast.SelectStmt) []ast.Stmt {
	pos := s.Pos()
	pick := &ast.SelectStmt{Select: s.Select, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	run := &ast.SwitchStmt{Switch: s.Select, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	picked := l.temp()
	run.Tag = l.ident(pos, picked)
	list := []ast.Stmt{l.define(pos, l.intLit(pos, 0), picked)}
	take := func(pos token.Pos, x ast.Expr, t types.Type) ast.Expr {
		name := l.temp()
		list = append(list, l.variable(pos, name, t, x))
		return l.ident(pos, name)
	}
	channel := func(e ast.Expr) ast.Expr { return take(e.Pos(), l.channel(e), l.typeOf(e).Underlying()) }
	for i, c := range s.Body.List {
		c := c.(*ast.CommClause)
		choose := &ast.CommClause{Case: c.Case, Colon: c.Colon, Body: []ast.Stmt{l.assign(c.Colon, l.ident(c.Colon, picked), l.intLit(c.Colon, i+1))}}
		var bind []ast.Stmt // what the clause defines or assigns, before its body
		switch comm := c.Comm.(type) {
		case *ast.SendStmt:
			elem := l.typeOf(comm.Chan).Underlying().(*types.Chan).Elem()
			choose.Comm = &ast.SendStmt{Chan: channel(comm.Chan), Arrow: comm.Arrow,
				Value: take(comm.Value.Pos(), l.to(comm.Value, elem), elem)}
		case *ast.ExprStmt:
			x := ast.Unparen(comm.X).(*ast.UnaryExpr).X
			choose.Comm = &ast.ExprStmt{X: &ast.UnaryExpr{OpPos: comm.Pos(), Op: token.ARROW, X: channel(x)}}
		case *ast.AssignStmt:
			x := ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X
			received := []string{l.temp()}
			kept := []types.Type{l.typeOf(x).Underlying().(*types.Chan).Elem(), types.Typ[types.Bool]}
			if len(comm.Lhs) == 2 {
				received = append(received, l.temp())
			}
			choose.Comm = l.define(comm.Pos(), &ast.UnaryExpr{OpPos: comm.Pos(), Op: token.ARROW, X: channel(x)}, received...)
			for n, lhs := range comm.Lhs {
				value := l.temp()
				list = append(list, l.variable(lhs.Pos(), value, kept[n], nil))
				choose.Body = append(choose.Body, l.assign(lhs.Pos(), l.ident(lhs.Pos(), value), l.ident(lhs.Pos(), received[n])))
				id, isIdent := lhs.(*ast.Ident)
				switch {
				case isIdent && id.Name == "_":
				case comm.Tok == token.DEFINE:
					bind = append(bind, l.define(lhs.Pos(), l.ident(lhs.Pos(), value), id.Name))
				default:
					bind = append(bind, l.assign(lhs.Pos(), l.target(lhs), l.ident(lhs.Pos(), value)))
				}
			}
		}
		pick.Body.List = append(pick.Body.List, choose)
		run.Body.List = append(run.Body.List, &ast.CaseClause{Case: c.Case, Colon: c.Colon,
			List: []ast.Expr{l.intLit(c.Case, i+1)}, Body: l.labelsInside(append(bind, l.stmts(c.Body)...))})
	}
	return []ast.Stmt{l.block(pos, append(list, pick, run)...)}
}
