package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// byIndex turns `for k, v := range x {…}` into `for k := range x { v := x[k]; … }`: for channels, and for pointers to arrays,
// whose elements Go reads as they are then (goroot.md 4.10).
func (l *lowerer) byIndex(s *ast.RangeStmt) (before []ast.Stmt, _ *ast.RangeStmt) {
	pos := s.Pos()
	out := *s
	ranged := &ast.Ident{NamePos: pos, Name: l.temp()} // what is ranged over is evaluated once
	before = append(before, l.variable(pos, ranged.Name, l.typeOf(s.X), l.expr(s.X)))
	l.info.Uses[ranged] = types.NewVar(pos, nil, ranged.Name, l.typeOf(s.X))
	l.info.Types[ranged] = types.TypeAndValue{Type: l.typeOf(s.X)}
	out.X = ranged
	key := s.Key
	if id, ok := key.(*ast.Ident); key == nil || ok && id.Name == "_" || s.Tok == token.ASSIGN {
		name := l.temp()
		id := &ast.Ident{NamePos: pos, Name: name}
		var t types.Type = types.Typ[types.Int]
		if m, ok := l.typeOf(s.X).Underlying().(*types.Map); ok {
			t = m.Key()
		}
		l.info.Defs[id] = types.NewVar(pos, nil, name, t)
		key = id
	}
	id := key.(*ast.Ident)
	use := &ast.Ident{NamePos: pos, Name: id.Name}
	l.info.Uses[use] = l.info.Defs[id]
	l.info.Types[use] = types.TypeAndValue{Type: l.info.Defs[id].Type()}
	x, t := ast.Expr(ranged), l.typeOf(s.X).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		x, t = &ast.StarExpr{Star: pos, X: ranged}, p.Elem().Underlying()
		l.info.Types[x] = types.TypeAndValue{Type: t}
	}
	element := &ast.IndexExpr{X: x, Lbrack: pos, Index: use, Rbrack: pos}
	l.info.Types[element] = types.TypeAndValue{Type: t.(interface{ Elem() types.Type }).Elem()}
	first := []ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{s.Value}, TokPos: pos, Tok: s.Tok, Rhs: []ast.Expr{element}}}
	if s.Tok == token.ASSIGN && s.Key != nil {
		if old, ok := s.Key.(*ast.Ident); !ok || old.Name != "_" {
			first = append(first, &ast.AssignStmt{Lhs: []ast.Expr{s.Key}, TokPos: pos, Tok: s.Tok, Rhs: []ast.Expr{use}})
		}
	}
	out.Key, out.Value, out.Tok = key, nil, token.DEFINE
	out.Body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(first, s.Body), Rbrace: s.Body.Rbrace}
	return before, &out
}
