package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// top lowers a statement at the top of a cell. What it defines are session variables: the values go into their slots
// (engine.md 2a).
func (l *lowerer) top(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		if l.definesTop(s.Stmt) {
			label := &ast.LabeledStmt{Label: s.Label, Colon: s.Colon, Stmt: &ast.EmptyStmt{Semicolon: s.Colon, Implicit: true}}
			return append([]ast.Stmt{label}, l.top(s.Stmt)...)
		}
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return l.topDefine(s)
		}
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
			var out []ast.Stmt
			for _, spec := range d.Specs {
				out = append(out, l.topVar(spec.(*ast.ValueSpec))...)
			}
			return out
		}
	}
	return l.stmt(s)
}

func (l *lowerer) definesTop(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE
	case *ast.DeclStmt:
		return true
	case *ast.LabeledStmt:
		return l.definesTop(s.Stmt)
	}
	return false
}

// topDefine lowers `a, b := …`.
func (l *lowerer) topDefine(s *ast.AssignStmt) []ast.Stmt {
	targets := make([]ast.Expr, len(s.Lhs))
	for i, e := range s.Lhs {
		targets[i] = l.name(e.(*ast.Ident))
	}
	if len(s.Lhs) == 1 && !isReceive(s.Rhs[0]) && !l.isFuncResult(s.Rhs[0]) {
		return append([]ast.Stmt{l.assign(s.TokPos, targets[0], l.expr(s.Rhs[0]))}, l.replaces(s.Lhs[0].(*ast.Ident))...)
	}
	out := l.parallel(s, targets)
	for _, e := range s.Lhs {
		out = append(out, l.replaces(e.(*ast.Ident))...)
	}
	return out
}

// isFuncResult reports whether e is a function that a call returns, to which an assertion is lowered, too. Stored through a
// pointer the engine loses it.
func (l *lowerer) isFuncResult(e ast.Expr) bool {
	_, isFunc := l.typeOf(e).Underlying().(*types.Signature)
	switch ast.Unparen(e).(type) {
	case *ast.CallExpr, *ast.TypeAssertExpr:
		return isFunc
	}
	return false
}

// topVar lowers `var a, b T = …`: the values are made in local variables of the same types and then stored.
func (l *lowerer) topVar(spec *ast.ValueSpec) []ast.Stmt {
	var out []ast.Stmt
	names := make([]string, len(spec.Names))
	for i := range names {
		names[i] = l.temp()
	}
	if len(spec.Values) == 1 && len(spec.Names) > 1 {
		out = append(out, l.several(spec.Values[0], names)...)
	} else {
		for i, id := range spec.Names {
			var value ast.Expr
			t := l.info.TypeOf(id)
			if len(spec.Values) > 0 {
				value = l.to(spec.Values[i], t)
				if isReceive(spec.Values[i]) { // `var x T = <-c` is lost in the engine
					name := l.temp()
					out = append(out, l.define(id.Pos(), value, name))
					value = l.ident(id.Pos(), name)
				}
				if id.Name == "_" && spec.Type == nil {
					t = types.Default(l.typeOf(spec.Values[i]))
				}
			}
			if t == nil && spec.Type != nil {
				t = l.typeOf(spec.Type)
			}
			out = append(out, l.variable(id.Pos(), names[i], t, value))
		}
	}
	for i, id := range spec.Names {
		target := ast.Expr(l.ident(id.Pos(), "_"))
		if id.Name != "_" {
			target = l.name(id)
		}
		out = append(out, l.assign(id.Pos(), target, l.ident(id.Pos(), names[i])))
		out = append(out, l.replaces(id)...)
	}
	return out
}

// replaces writes what has to be done where a variable has been defined in the place of a function.
func (l *lowerer) replaces(id *ast.Ident) []ast.Stmt {
	obj := l.info.Defs[id]
	if obj == nil {
		return nil
	}
	s := l.slot(obj)
	if s == nil || s.direct == nil {
		return nil
	}
	d := s.direct
	s.direct = nil
	return l.supersede(id.Pos(), d)
}
