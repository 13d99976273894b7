package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// stmts lowers a list of statements.
func (l *lowerer) stmts(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		out = append(out, l.stmt(s)...)
	}
	return out
}

// stmt lowers one statement to any number.
func (l *lowerer) stmt(s ast.Stmt) []ast.Stmt {
	if s == nil {
		return nil
	}
	l.pos = s.Pos()
	one := func(s ast.Stmt) []ast.Stmt { return []ast.Stmt{s} }
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return nil
	case *ast.ExprStmt:
		return one(&ast.ExprStmt{X: l.expr(s.X)})
	case *ast.AssignStmt:
		return l.assignStmt(s)
	case *ast.IncDecStmt:
		return one(&ast.IncDecStmt{X: l.expr(s.X), TokPos: s.TokPos, Tok: s.Tok})
	case *ast.DeclStmt:
		return l.declStmt(s)
	case *ast.BlockStmt:
		return one(l.blockStmt(s))
	case *ast.IfStmt:
		return l.ifStmt(s)
	case *ast.ForStmt:
		return l.forStmt(s, "")
	case *ast.RangeStmt:
		return l.rangeStmt(s, "")
	case *ast.LabeledStmt:
		return l.labeled(s)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return l.choice(s, "")
	case *ast.ReturnStmt:
		return l.returnStmt(s)
	case *ast.BranchStmt:
		return l.branch(s)
	case *ast.GoStmt:
		return l.goStmt(s)
	case *ast.DeferStmt:
		return l.deferStmt(s)
	case *ast.SendStmt:
		return l.sendStmt(s)
	}
	l.fail(s.Pos(), "internal: no form for %T", s)
	return nil
}

func (l *lowerer) blockStmt(b *ast.BlockStmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: b.Lbrace, List: l.stmts(b.List), Rbrace: b.Rbrace}
}

// simple lowers the statement of a header. Where it needs several statements they cannot stand in the header; the
// second result holds those that must come before.
func (l *lowerer) simple(s ast.Stmt) (header ast.Stmt, before []ast.Stmt) {
	list := l.stmt(s)
	if len(list) == 1 {
		return list[0], nil
	}
	return nil, list
}

func (l *lowerer) ifStmt(s *ast.IfStmt) []ast.Stmt {
	init, before := l.simple(s.Init)
	out := &ast.IfStmt{If: s.If, Init: init, Cond: l.condition(s.Cond), Body: l.blockStmt(s.Body)}
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		out.Else = l.blockStmt(e)
	case *ast.IfStmt:
		list := l.stmt(e)
		if len(list) == 1 {
			out.Else = list[0]
		} else {
			out.Else = l.block(e.Pos(), list...)
		}
	}
	return l.scoped(s.Pos(), before, out)
}

// scoped puts statements before others into a block of their own with them.
func (l *lowerer) scoped(pos token.Pos, before []ast.Stmt, list ...ast.Stmt) []ast.Stmt {
	if len(before) == 0 {
		return list
	}
	return []ast.Stmt{l.block(pos, append(before, list...)...)}
}

func (l *lowerer) labeled(s *ast.LabeledStmt) []ast.Stmt {
	label := func(inner ast.Stmt) ast.Stmt {
		return &ast.LabeledStmt{Label: l.ident(s.Label.Pos(), s.Label.Name), Colon: s.Colon, Stmt: inner}
	}
	var list []ast.Stmt
	switch inner := s.Stmt.(type) {
	case *ast.ForStmt:
		list = l.forStmt(inner, s.Label.Name)
	case *ast.RangeStmt:
		list = l.rangeStmt(inner, s.Label.Name)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		list = l.choice(inner, s.Label.Name)
	default:
		list = l.stmt(inner)
		if len(list) == 0 {
			return []ast.Stmt{label(&ast.EmptyStmt{Semicolon: s.Colon})}
		}
		return append([]ast.Stmt{label(list[0])}, list[1:]...)
	}
	if r, ok := s.Stmt.(*ast.RangeStmt); ok {
		if _, overFunc := l.typeOf(r.X).Underlying().(*types.Signature); overFunc {
			return list // no statement of the engine's has the label: every use of it was lowered
		}
	}
	labelBreakable(list, label)
	return list
}

// sendStmt lowers c <- v. The engine sends to a variable only, and only to one whose type it knows as its own: a variable
// that a type assertion defines has a native type.
func (l *lowerer) sendStmt(s *ast.SendStmt) []ast.Stmt {
	value := l.to(s.Value, l.typeOf(s.Chan).Underlying().(*types.Chan).Elem())
	name := l.temp()
	return []ast.Stmt{l.block(s.Pos(), l.variable(s.Pos(), name, l.typeOf(s.Chan).Underlying(), l.channel(s.Chan)),
		&ast.SendStmt{Chan: l.ident(s.Chan.Pos(), name), Arrow: s.Arrow, Value: value})}
}

// returnStmt lowers a return. `return <-c` panics in the engine, so a received value goes through a variable.
func (l *lowerer) returnStmt(s *ast.ReturnStmt) []ast.Stmt {
	if i := l.innermostRange(); i >= 0 {
		return append(l.storeResults(s), l.exitRange(l.loops[i].rf, s)...)
	}
	if l.fn.frame != "" {
		return append(l.storeResults(s), &ast.ReturnStmt{Return: s.Return})
	}
	var before []ast.Stmt
	out := &ast.ReturnStmt{Return: s.Return}
	for i, e := range s.Results {
		x := l.to(e, l.resultType(s, i))
		switch {
		case isReceive(e), len(s.Results) > 1 && l.isBuiltinCall(e): // the engine puts the value where the first result goes
			name := l.temp()
			before = append(before, l.define(e.Pos(), x, name))
			x = l.ident(e.Pos(), name)
		case l.fn.named && len(s.Results) > 1 && l.info.Types[e].Value == nil: // and each at once where the results have names
			name := l.temp()
			before = append(before, l.variable(e.Pos(), name, l.resultType(s, i), x))
			x = l.ident(e.Pos(), name)
		}
		out.Results = append(out.Results, x)
	}
	return append(before, out)
}

// resultType returns the type of a function's i-th result, nil where a return passes on several at once.
func (l *lowerer) resultType(s *ast.ReturnStmt, i int) types.Type {
	if len(s.Results) == len(l.fn.types) {
		return l.fn.types[i]
	}
	return nil
}

// isCommaOK reports whether a var declaration takes both values of a comma-ok form.
func isCommaOK(spec *ast.ValueSpec) bool {
	if len(spec.Names) != 2 || len(spec.Values) != 1 {
		return false
	}
	_, call := ast.Unparen(spec.Values[0]).(*ast.CallExpr)
	return !call
}

// isBuiltinCall reports whether e calls a builtin.
func (l *lowerer) isBuiltinCall(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && l.info.Types[ast.Unparen(call.Fun)].IsBuiltin() && l.info.Types[e].Value == nil
}

// isReceive reports whether e is <-c.
func isReceive(e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW
}

// declStmt lowers a declaration inside a function. Constants are folded wherever they are used.
func (l *lowerer) declStmt(s *ast.DeclStmt) []ast.Stmt {
	d := s.Decl.(*ast.GenDecl)
	var out []ast.Stmt
	add := func(spec ast.Spec) {
		out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: d.TokPos, Tok: d.Tok, Specs: []ast.Spec{spec}}})
	}
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec: // a type is imported where it is used
			if d.Tok == token.CONST {
				continue
			}
			for i, v := range spec.Values {
				if (isReceive(v) || isLiteral(v)) && len(spec.Names) == len(spec.Values) { // see assignStmt and shared
					name := l.temp()
					out = append(out, l.define(v.Pos(), l.expr(v), name))
					add(&ast.ValueSpec{Names: []*ast.Ident{spec.Names[i]}, Type: l.typ(spec.Type), Values: []ast.Expr{l.ident(v.Pos(), name)}})
				} else if len(spec.Names) == len(spec.Values) {
					add(&ast.ValueSpec{Names: []*ast.Ident{spec.Names[i]}, Type: l.typ(spec.Type), Values: []ast.Expr{l.to(v, l.declaredType(spec))}})
				}
			}
			if isCommaOK(spec) {
				names := []string{l.temp(), l.temp()}
				out = append(out, l.several(spec.Values[0], names)...)
				for i, id := range spec.Names {
					add(&ast.ValueSpec{Names: []*ast.Ident{id}, Type: l.typ(spec.Type), Values: []ast.Expr{l.ident(id.Pos(), names[i])}})
				}
			} else if len(spec.Names) != len(spec.Values) {
				add(&ast.ValueSpec{Names: spec.Names, Type: l.typ(spec.Type), Values: l.exprs(spec.Values)})
			}
		}
	}
	return out
}

// declaredType is the type that a var declaration names; nil where it names none.
func (l *lowerer) declaredType(spec *ast.ValueSpec) types.Type {
	if spec.Type == nil {
		return nil
	}
	return l.typeOf(spec.Type)
}

// use keeps the engine from taking a variable as unused.
func (l *lowerer) use(pos token.Pos, name string) ast.Stmt {
	return l.assign(pos, l.ident(pos, "_"), l.ident(pos, name))
}

// isLocal reports whether an expression names a variable of the function around it.
func (l *lowerer) isLocal(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	obj := l.info.Uses[id]
	if obj == nil {
		obj = l.info.Defs[id]
	}
	_, isVar := obj.(*types.Var)
	return isVar && l.slot(obj) == nil && !isContext(obj)
}

// labelBreakable labels the loop, switch or select in a list of statements, or in the block that the list is.
func labelBreakable(list []ast.Stmt, label func(ast.Stmt) ast.Stmt) {
	for i, s := range list {
		switch s := s.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			list[i] = label(s)
			return
		case *ast.BlockStmt:
			labelBreakable(s.List, label)
			return
		}
	}
}
