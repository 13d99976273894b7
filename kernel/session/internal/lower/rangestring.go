package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// rangeString lowers a range over a string to a loop over its runes; the engine's own loses its way at invalid UTF-8
// (goroot.md 4.10):
//
//	for i, w, s := 0, 0, x; i < len(s); i += w {
//		r, n := Rune(s, i)
//		w = n
//		{ key, value := i, r; body }
//	}
func (l *lowerer) rangeString(s *ast.RangeStmt, lp *loop) []ast.Stmt {
	pos := s.Pos()
	i, w, x, r, n := l.temp(), l.temp(), l.temp(), l.temp(), l.temp()
	body := []ast.Stmt{
		l.define(pos, l.call(pos, l.helper(pos, "Rune"), l.ident(pos, x), l.ident(pos, i)), r, n),
		l.use(pos, r),
		l.assign(pos, l.ident(pos, w), l.ident(pos, n)),
	}
	body = append(body, l.bind(s.Tok, []ast.Expr{s.Key, s.Value}, []string{i, r})...)
	leave := l.enter(lp)
	body = append(body, l.blockStmt(s.Body))
	leave()
	text := l.call(pos, l.ident(pos, types.Typ[types.String].Name()), l.expr(s.X))
	return []ast.Stmt{&ast.ForStmt{
		For: s.For,
		Init: &ast.AssignStmt{Lhs: []ast.Expr{l.ident(pos, i), l.ident(pos, w), l.ident(pos, x)}, TokPos: pos, Tok: token.DEFINE,
			Rhs: []ast.Expr{l.intLit(pos, 0), l.intLit(pos, 0), text}},
		Cond: &ast.BinaryExpr{X: l.ident(pos, i), OpPos: pos, Op: token.LSS, Y: l.call(pos, l.ident(pos, "len"), l.ident(pos, x))},
		Post: &ast.AssignStmt{Lhs: []ast.Expr{l.ident(pos, i)}, TokPos: pos, Tok: token.ADD_ASSIGN, Rhs: []ast.Expr{l.ident(pos, w)}},
		Body: l.block(pos, body...),
	}}
}
