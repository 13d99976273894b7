package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A cell whose last error nobody looks at would go on as if nothing had been: such an error is told.

// forever is a statement index behind all statements: for reads inside functions, which may run at any time.
const forever = int(^uint(0) >> 1)

// reads returns, for each session variable, the index of the last statement that reads it.
func (l *lowerer) reads() map[*Slot]int {
	last := map[*Slot]int{}
	note := func(i int) func(ast.Node) bool {
		written := map[*ast.Ident]bool{}
		return func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				ast.Inspect(n.Body, func(m ast.Node) bool {
					if id, ok := m.(*ast.Ident); ok {
						if s := l.slot(l.info.Uses[id]); s != nil {
							last[s] = forever
						}
					}
					return true
				})
				return false
			case *ast.AssignStmt:
				if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
					for _, e := range n.Lhs {
						if id, ok := e.(*ast.Ident); ok {
							written[id] = true
						}
					}
				}
			case *ast.Ident:
				if s := l.slot(l.info.Uses[n]); s != nil && !written[n] && last[s] < i+1 {
					last[s] = i + 1
				}
			}
			return true
		}
	}
	for i, s := range l.c.Body {
		ast.Inspect(s, note(i))
	}
	for _, f := range l.c.Funcs {
		ast.Inspect(f.Decl, note(forever-1))
	}
	return last
}

// unread notes the errors that a statement assigns to session variables and that nothing later in the cell reads.
func (l *lowerer) unread(s ast.Stmt, i int, reads map[*Slot]int) []ast.Stmt {
	var names []*ast.Ident
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
			for _, e := range s.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					names = append(names, id)
				}
			}
		}
		if _, call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); !call {
			return nil // `err = errStop` is meant
		}
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return nil
		}
		for _, spec := range d.Specs {
			spec := spec.(*ast.ValueSpec)
			// `var errStop = errors.New(…)` declares an error; `var x, err = f()` takes one.
			if len(spec.Values) == 1 && len(spec.Names) > 1 {
				names = append(names, spec.Names...)
			}
		}
	}
	var out []ast.Stmt
	for _, id := range names {
		obj := l.info.Uses[id]
		if obj == nil {
			obj = l.info.Defs[id]
		}
		slot := l.slot(obj)
		if slot == nil || !inSession(obj) || reads[slot] > i+1 || l.c.Later[id.Name] || !types.Identical(slot.Type, types.Universe.Lookup("error").Type()) {
			continue
		}
		pos := id.Pos()
		out = append(out, &ast.ExprStmt{X: l.call(pos, l.helper(pos, "Unread"),
			l.intLit(pos, l.c.Env.Files.Position(pos).Line), l.stringLit(pos, id.Name), l.access(pos, slot))})
	}
	return out
}
