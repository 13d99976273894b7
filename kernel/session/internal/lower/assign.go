package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// assignStmt lowers an assignment or short variable declaration inside a function, or one at the top of a cell that
// defines nothing.
//
// A single assignment stays one. Several at once go through temporary variables where a left side is more than a local
// name: first the right sides, then the assignments in order (goroot.md 4.6).
func (l *lowerer) assignStmt(s *ast.AssignStmt) []ast.Stmt {
	if s.Tok == token.DEFINE {
		return l.defineStmt(s)
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		x, y := s.Lhs[0], l.to(s.Rhs[0], l.typeOf(s.Lhs[0]))
		if s.Tok == token.QUO_ASSIGN {
			y = l.divisor(s.Rhs[0])
		}
		if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
			y = l.shiftCount(s.Rhs[0])
		}
		if s.Tok != token.ASSIGN && !l.isLocal(x) && l.calls(s.Rhs[0]) { // what is on the left is looked up before the call
			var before []ast.Stmt
			target := l.place(x, &before)
			name := l.temp()
			value := l.define(s.Pos(), y, name)
			return append(before, value, &ast.AssignStmt{Lhs: []ast.Expr{target}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{l.ident(s.Pos(), name)}})
		}
		if s.Tok == token.ASSIGN && !isBlank(x) && l.indexesEarly(x, s.Rhs[0]) {
			var before []ast.Stmt
			name := l.temp()
			value, target := l.variable(s.Pos(), name, l.typeOf(x), y), ast.Expr(nil)
			if l.calls(x) { // calls come in their order
				target = l.place(x, &before)
			} else {
				target = l.target(x)
			}
			return append(before, value, l.assign(s.TokPos, target, l.ident(s.Pos(), name)))
		}
		if s.Tok == token.ASSIGN && l.isMapIndex(x) && !l.isPlain(s.Rhs[0]) { // the engine makes the entry even where the value panics
			name := l.temp()
			return []ast.Stmt{l.variable(s.Pos(), name, l.typeOf(x), y), l.store(s.TokPos, s.Tok, x, l.ident(s.Pos(), name))}
		}
		if isReceive(s.Rhs[0]) || l.isFuncResult(s.Rhs[0]) { // the engine loses a value received into more than a name, and moves a struct
			name := l.temp()
			return []ast.Stmt{l.define(s.Pos(), y, name), l.store(s.TokPos, s.Tok, x, l.ident(s.Pos(), name))}
		}
		if isBlank(x) {
			return l.discard(s.Pos(), s.Rhs[0], y)
		}
		if isLiteral(s.Rhs[0]) {
			// The engine would put the variable where the literal is, so that pointers to it keep the old place, and cannot
			// put a literal into an interface.
			name := l.temp()
			return []ast.Stmt{l.define(s.Pos(), l.expr(s.Rhs[0]), name), l.store(s.TokPos, s.Tok, x, l.ident(s.Pos(), name))}
		}
		return []ast.Stmt{l.store(s.TokPos, s.Tok, x, y)}
	}
	plain := true
	for _, x := range s.Lhs {
		plain = plain && l.isLocal(x)
	}
	if _, call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); plain && call && len(s.Rhs) == 1 {
		return []ast.Stmt{&ast.AssignStmt{Lhs: l.targets(s.Lhs), TokPos: s.TokPos, Tok: s.Tok, Rhs: l.exprs(s.Rhs)}}
	}
	// Go evaluates the operands of index expressions and pointer indirections on the left before it assigns anything.
	var before []ast.Stmt
	targets := make([]ast.Expr, len(s.Lhs))
	for i, x := range s.Lhs {
		targets[i] = l.place(x, &before)
	}
	return append(before, l.parallel(s, targets)...)
}

// calls reports whether an expression calls a function.
func (l *lowerer) calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && l.isCall(call) {
			found = true
		}
		return !found
	})
	return found
}

// isMapIndex reports whether e is an entry of a map.
func (l *lowerer) isMapIndex(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	_, isMap := l.typeOf(x.X).Underlying().(*types.Map)
	return isMap
}

// isLiteral reports whether e is a composite literal.
func isLiteral(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok
}

// place lowers a left side so that what it is made of is evaluated by the statements that it appends to before.
func (l *lowerer) place(e ast.Expr, before *[]ast.Stmt) ast.Expr {
	take := func(x ast.Expr) ast.Expr {
		if l.info.Types[x].Value != nil {
			return l.expr(x)
		}
		name := l.temp()
		*before = append(*before, l.variable(x.Pos(), name, types.Default(l.typeOf(x)), l.expr(x)))
		return l.ident(x.Pos(), name)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		x := ast.Expr(nil)
		if _, array := l.typeOf(e.X).Underlying().(*types.Array); array {
			x = l.place(e.X, before)
		} else {
			x = take(e.X)
		}
		return &ast.IndexExpr{X: x, Lbrack: e.Lbrack, Index: take(e.Index), Rbrack: e.Rbrack}
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: take(e.X)}
	case *ast.SelectorExpr:
		if sel := l.info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal && len(sel.Index()) == 1 {
			x := ast.Expr(nil)
			if _, pointer := l.typeOf(e.X).Underlying().(*types.Pointer); pointer {
				x = take(e.X)
			} else {
				x = l.place(e.X, before)
			}
			return l.field(e, x)
		}
	}
	return l.target(e)
}

// bind lowers what a range statement does with the values of an iteration, which are in the variables named from: it defines
// the variables in to, or assigns to the places there, which are all found before any is assigned to.
func (l *lowerer) bind(tok token.Token, to []ast.Expr, from []string) []ast.Stmt {
	var places, last []ast.Stmt
	for i, e := range to {
		switch {
		case e == nil, isBlank(e):
		case tok == token.DEFINE:
			last = append(last, l.define(e.Pos(), l.ident(e.Pos(), from[i]), e.(*ast.Ident).Name))
		default:
			place := l.place(e, &places)
			last = append(last, l.assign(e.Pos(), place, l.ident(e.Pos(), from[i])))
		}
	}
	return append(places, last...)
}

// store writes `x op y` for a left side of the cell.
func (l *lowerer) store(pos token.Pos, tok token.Token, x, y ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{l.target(x)}, TokPos: pos, Tok: tok, Rhs: []ast.Expr{y}}
}

// target lowers a left side.
func (l *lowerer) target(e ast.Expr) ast.Expr {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if obj := l.info.Uses[id]; obj != nil && isContext(obj) {
			l.fail(e.Pos(), "cannot assign to ctx, the running cell's context; define your own with ctx := …")
		}
	}
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		return &ast.StarExpr{Star: star.Star, X: l.expr(star.X)}
	}
	return l.expr(e)
}

func (l *lowerer) targets(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = l.target(e)
	}
	return out
}

// parallel assigns several values to lowered left sides through temporary variables.
func (l *lowerer) parallel(s *ast.AssignStmt, targets []ast.Expr) []ast.Stmt {
	before, names := l.values(s)
	for i, x := range targets {
		before = append(before, l.assign(s.TokPos, x, l.ident(s.TokPos, names[i])))
	}
	return before
}

// values evaluates the right sides of an assignment into temporary variables, in order, and returns their names.
func (l *lowerer) values(s *ast.AssignStmt) (list []ast.Stmt, names []string) {
	for range s.Lhs {
		names = append(names, l.temp())
	}
	if len(s.Rhs) == 1 {
		return l.several(s.Rhs[0], names), names
	}
	for i, y := range s.Rhs {
		t := l.valueType(s.Lhs[i], y)
		list = append(list, l.variable(y.Pos(), names[i], t, l.to(y, t)))
	}
	return list, names
}

// several defines variables for the values of one expression: the results of a call, or a comma-ok form. Where that is not
// ok the engine leaves the value of an earlier iteration; it becomes zero.
func (l *lowerer) several(e ast.Expr, names []string) []ast.Stmt {
	pos := e.Pos()
	out := []ast.Stmt{l.define(pos, l.expr(e), names...)}
	tuple, ok := l.typeOf(e).(*types.Tuple)
	if _, call := ast.Unparen(e).(*ast.CallExpr); call || !ok {
		return out
	}
	zero := l.temp()
	return append(out, &ast.IfStmt{If: pos, Cond: &ast.UnaryExpr{OpPos: pos, Op: token.NOT, X: l.ident(pos, names[1])},
		Body: l.block(pos, l.variable(pos, zero, tuple.At(0).Type(), nil), l.assign(pos, l.ident(pos, names[0]), l.ident(pos, zero)))})
}

// valueType is the type that the value of y has once it is assigned to x.
func (l *lowerer) valueType(x, y ast.Expr) types.Type {
	if t := l.typeOf(x); t != nil {
		return t
	}
	return types.Default(l.typeOf(y)) // x is the blank identifier
}

// defineStmt lowers `a, b := …` inside a function, where every name is the engine's too. Several right sides may refer to
// names that the statement redefines, which the engine's own order gets wrong, so they go through temporaries.
func (l *lowerer) defineStmt(s *ast.AssignStmt) []ast.Stmt {
	fresh := true
	for _, e := range s.Lhs {
		id := e.(*ast.Ident)
		fresh = fresh && (id.Name == "_" || l.info.Defs[id] != nil)
	}
	if fresh && (len(s.Lhs) == 1 || len(s.Rhs) == 1) && !l.shared(s) && !isReceive(s.Rhs[0]) {
		return []ast.Stmt{&ast.AssignStmt{Lhs: idents(s.Lhs), TokPos: s.TokPos, Tok: s.Tok, Rhs: l.exprs(s.Rhs)}}
	}
	out, names := l.values(s)
	for i, e := range s.Lhs {
		id := e.(*ast.Ident)
		value := l.ident(id.Pos(), names[i])
		switch {
		case id.Name == "_":
			out = append(out, l.assign(id.Pos(), l.ident(id.Pos(), "_"), value))
		case l.info.Defs[id] != nil:
			out = append(out, l.define(id.Pos(), value, id.Name))
		default:
			out = append(out, l.assign(id.Pos(), l.expr(id), value))
		}
	}
	return out
}

// shared reports whether the engine would give the variables of a definition one place for all iterations of a loop around
// it: comma-ok forms and composite literals.
func (l *lowerer) shared(s *ast.AssignStmt) bool {
	if len(s.Lhs) > 1 {
		_, call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		return !call
	}
	return isLiteral(s.Rhs[0])
}

// idents copies a list of identifiers as they are.
func idents(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		id := e.(*ast.Ident)
		out[i] = &ast.Ident{NamePos: id.NamePos, Name: id.Name}
	}
	return out
}
