package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A rangeFunc is a range over a function whose body is being lowered. The body becomes a function literal, so a statement
// that leaves the body for somewhere else stores where to, returns false, and is made up for behind the call.
type rangeFunc struct {
	exit  string     // the variable that says which of exits was taken, 0 for none
	done  string     // the variable that says that the body must not be called: it runs, or has ended the loop
	exits []ast.Stmt // the statements that left the body; a return has stored its results
}

// rangeFunc lowers a range over a function (goroot.md 4.3):
//
//	exit, done := 0, false
//	seq(func(k K) bool {
//		if done { Iterated() }       // panics as Go does
//		done = true
//		{ k := k; body }             // continue: done = false; return true   break: return false
//		done = false
//		return true                  // return x: r = x; exit = 1; return false
//	})
//	done = true
//	if exit == 1 { return r }
func (l *lowerer) rangeFunc(s *ast.RangeStmt, label string, sig *types.Signature) []ast.Stmt {
	pos := s.Pos()
	rf := &rangeFunc{exit: l.temp(), done: l.temp()}
	seq := l.temp()
	out := []ast.Stmt{
		l.variable(pos, seq, sig, l.expr(s.X)),
		l.define(pos, l.intLit(pos, 0), rf.exit),
		l.define(pos, l.ident(pos, "false"), rf.done),
	}
	set := func(value string) ast.Stmt { return l.assign(pos, l.ident(pos, rf.done), l.ident(pos, value)) }
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)
	names := make([]string, yield.Params().Len())
	for i := range names {
		names[i] = l.temp()
	}
	bind := l.bind(s.Tok, []ast.Expr{s.Key, s.Value}[:min(2, len(names))], names)
	leave := l.enter(&loop{label: label, rf: rf})
	body := l.blockStmt(s.Body)
	leave()
	body.List = append(bind, body.List...)
	lit := &ast.FuncLit{Type: l.funcType(pos, yield, names), Body: l.block(pos,
		&ast.IfStmt{If: pos, Cond: l.ident(pos, rf.done), Body: l.block(pos, &ast.ExprStmt{X: l.call(pos, l.helper(pos, "Iterated"))})},
		set("true"),
		body,
		set("false"),
		&ast.ReturnStmt{Return: pos, Results: []ast.Expr{l.ident(pos, "true")}},
	)}
	out = append(out, &ast.ExprStmt{X: l.call(pos, l.ident(pos, seq), lit)}, set("true"))
	for i, stmt := range rf.exits {
		out = append(out, &ast.IfStmt{If: pos,
			Cond: &ast.BinaryExpr{X: l.ident(pos, rf.exit), OpPos: pos, Op: token.EQL, Y: l.intLit(pos, i+1)},
			Body: l.block(pos, l.leave(stmt)...)})
	}
	return []ast.Stmt{l.block(pos, out...)}
}

// leave makes up for a statement that left the body of a range over a function, behind its call.
func (l *lowerer) leave(s ast.Stmt) []ast.Stmt {
	if b, ok := s.(*ast.BranchStmt); ok {
		return l.branch(b)
	}
	if i := l.innermostRange(); i >= 0 { // the results are stored; leave the next body too
		return l.exitRange(l.loops[i].rf, s)
	}
	out := &ast.ReturnStmt{Return: s.Pos()}
	if l.fn.frame == "" {
		for _, r := range l.fn.results {
			out.Results = append(out.Results, l.ident(s.Pos(), r))
		}
	}
	return []ast.Stmt{out}
}

// innermostRange returns the index in loops of the innermost range over a function; -1 where there is none.
func (l *lowerer) innermostRange() int {
	for i := len(l.loops) - 1; i >= 0; i-- {
		if l.loops[i].rf != nil {
			return i
		}
	}
	return -1
}

// exitRange leaves the body of a range over a function for what s says.
func (l *lowerer) exitRange(rf *rangeFunc, s ast.Stmt) []ast.Stmt {
	rf.exits = append(rf.exits, s)
	return []ast.Stmt{
		l.assign(s.Pos(), l.ident(s.Pos(), rf.exit), l.intLit(s.Pos(), len(rf.exits))),
		l.yieldResult(s.Pos(), "false"),
	}
}

// yieldResult ends one call of the body.
func (l *lowerer) yieldResult(pos token.Pos, more string) ast.Stmt {
	return &ast.ReturnStmt{Return: pos, Results: []ast.Expr{l.ident(pos, more)}}
}

// rangesFunc reports whether a function body has a range over a function of its own, outside function literals.
func (l *lowerer) rangesFunc(body *ast.BlockStmt) bool {
	return within(body, func(n ast.Node) bool {
		r, ok := n.(*ast.RangeStmt)
		if !ok {
			return false
		}
		_, ok = l.typeOf(r.X).Underlying().(*types.Signature)
		return ok
	})
}
