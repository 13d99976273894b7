package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A loop is a statement that a break or continue can mean: a loop, a switch or a select.
type loop struct {
	label  string
	breaks bool       // a switch or a select: continue does not mean it
	copies []loopCopy // the variables that each iteration has a copy of; a continue stores them first
	rf     *rangeFunc // the loop is a range over a function

	index, indexed types.Object // a variable that is below the length of another throughout the body
}

// A loopCopy is a variable of the iteration and the one that carries its value to the next.
type loopCopy struct{ inner, outer string }

func (l *lowerer) enter(lp *loop) func() {
	l.loops = append(l.loops, lp)
	return func() { l.loops = l.loops[:len(l.loops)-1] }
}

// forStmt lowers a for statement. Each iteration has its own copy of the variables (Go 1.22); the engine has one for all.
// The copy is made only where something can tell the difference: a function literal or a pointer (goroot.md 4.4).
func (l *lowerer) forStmt(s *ast.ForStmt, label string) []ast.Stmt {
	vars := l.loopVars(s)
	if !l.escapes(vars, s.Cond, s.Body, s.Post) {
		lp := &loop{label: label}
		l.countsUp(s, lp)
		init, before := l.simple(s.Init)
		post, after := l.simple(s.Post)
		if after == nil {
			leave := l.enter(lp)
			out := &ast.ForStmt{For: s.For, Init: init, Cond: l.condition(s.Cond), Post: post, Body: l.blockStmt(s.Body)}
			leave()
			return l.scoped(s.Pos(), before, out)
		}
	}
	pos := s.Pos()
	lp := &loop{label: label}
	out := l.stmt(s.Init)
	first := l.temp()
	for _, v := range vars {
		c := loopCopy{v.Name(), l.temp()}
		lp.copies = append(lp.copies, c)
		out = append(out, l.define(pos, l.ident(pos, c.inner), c.outer))
	}
	out = append(out, l.define(pos, l.ident(pos, "true"), first))
	var body []ast.Stmt
	for _, c := range lp.copies {
		body = append(body, l.define(pos, l.ident(pos, c.outer), c.inner))
	}
	step := &ast.IfStmt{If: pos, Cond: l.ident(pos, first),
		Body: l.block(pos, l.assign(pos, l.ident(pos, first), l.ident(pos, "false")))}
	if s.Post != nil {
		step.Else = l.block(s.Post.Pos(), l.stmt(s.Post)...)
	}
	body = append(body, step)
	if s.Cond != nil {
		body = append(body, &ast.IfStmt{If: s.Cond.Pos(), Cond: &ast.UnaryExpr{OpPos: s.Cond.Pos(), Op: token.NOT, X: l.expr(s.Cond)},
			Body: l.block(s.Cond.Pos(), &ast.BranchStmt{TokPos: pos, Tok: token.BREAK})})
	}
	leave := l.enter(lp)
	body = append(body, l.blockStmt(s.Body))
	leave()
	body = append(body, l.carry(pos, lp)...)
	return []ast.Stmt{l.block(pos, append(out, &ast.ForStmt{For: s.For, Body: l.block(pos, body...)})...)}
}

// countsUp notes where a for statement is `for i := …; i < len(x); i++`.
func (l *lowerer) countsUp(s *ast.ForStmt, lp *loop) {
	cond, ok := s.Cond.(*ast.BinaryExpr)
	init, defines := s.Init.(*ast.AssignStmt)
	post, counts := s.Post.(*ast.IncDecStmt)
	if !ok || cond.Op != token.LSS || !defines || init.Tok != token.DEFINE || len(init.Lhs) != 1 || !counts || post.Tok != token.INC {
		return
	}
	call, ok := ast.Unparen(cond.Y).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !l.isBuiltinCall(call) {
		return
	}
	fun, ok := ast.Unparen(call.Fun).(*ast.Ident)
	i := l.info.Defs[init.Lhs[0].(*ast.Ident)]
	for _, e := range []ast.Expr{cond.X, post.X} {
		if id, isName := e.(*ast.Ident); !isName || l.info.Uses[id] != i {
			return
		}
	}
	if ok && fun.Name == "len" {
		l.bounded(lp, init.Lhs[0], call.Args[0], s.Body)
	}
}

// carry stores the copies of an iteration for the next.
func (l *lowerer) carry(pos token.Pos, lp *loop) []ast.Stmt {
	var out []ast.Stmt
	for _, c := range lp.copies {
		out = append(out, l.assign(pos, l.ident(pos, c.outer), l.ident(pos, c.inner)))
	}
	return out
}

// branch lowers break, continue, goto and fallthrough.
func (l *lowerer) branch(s *ast.BranchStmt) []ast.Stmt {
	out := &ast.BranchStmt{TokPos: s.TokPos, Tok: s.Tok}
	if s.Label != nil {
		out.Label = l.ident(s.Label.Pos(), s.Label.Name)
	}
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		if s.Tok == token.GOTO && l.innermostRange() >= 0 {
			l.fail(s.Pos(), "goto does not work inside a range over a function yet")
		}
		return []ast.Stmt{out}
	}
	target := l.meant(s)
	if i := l.innermostRange(); i >= target && i >= 0 {
		rf := l.loops[i].rf
		switch {
		case i > target:
			return l.exitRange(rf, s)
		case s.Tok == token.BREAK:
			return []ast.Stmt{l.yieldResult(s.Pos(), "false")}
		}
		return []ast.Stmt{l.assign(s.Pos(), l.ident(s.Pos(), rf.done), l.ident(s.Pos(), "false")), l.yieldResult(s.Pos(), "true")}
	}
	if s.Tok == token.CONTINUE && target >= 0 {
		if list := l.carry(s.Pos(), l.loops[target]); len(list) > 0 {
			return []ast.Stmt{l.block(s.Pos(), append(list, out)...)}
		}
	}
	return []ast.Stmt{out}
}

// meant returns the index in loops of the statement that a break or continue means; -1 for a labeled block.
func (l *lowerer) meant(s *ast.BranchStmt) int {
	for i := len(l.loops) - 1; i >= 0; i-- {
		lp := l.loops[i]
		switch {
		case s.Label != nil:
			if lp.label == s.Label.Name {
				return i
			}
		case s.Tok == token.BREAK, !lp.breaks:
			return i
		}
	}
	return -1
}

// loopVars returns the variables that a for statement defines.
func (l *lowerer) loopVars(s *ast.ForStmt) []*types.Var {
	var out []*types.Var
	if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, e := range a.Lhs {
			if v, ok := l.info.Defs[e.(*ast.Ident)].(*types.Var); ok && v.Name() != "_" {
				out = append(out, v)
			}
		}
	}
	return out
}

// escapes reports whether one of the variables is used in a function literal or has its address taken in the nodes.
func (l *lowerer) escapes(vars []*types.Var, nodes ...ast.Node) bool {
	if len(vars) == 0 {
		return false
	}
	is := func(e ast.Expr) bool {
		id := root(e)
		return id != nil && slices.ContainsFunc(vars, func(v *types.Var) bool { return l.info.Uses[id] == v })
	}
	found := false
	for _, n := range nodes {
		if n == nil || isNilNode(n) {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				ast.Inspect(n, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && is(id) {
						found = true
					}
					return !found
				})
			case *ast.UnaryExpr:
				found = found || n.Op == token.AND && is(n.X)
			case *ast.SliceExpr:
				if _, array := l.typeOf(n.X).Underlying().(*types.Array); array {
					found = found || is(n.X)
				}
			case *ast.SelectorExpr:
				if sel := l.info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
					found = found || is(n.X)
				}
			}
			return !found
		})
	}
	return found
}

// isNilNode reports whether a node is a nil pointer in an interface.
func isNilNode(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n == nil
	}
	return false
}

// rangeStmt lowers a range statement. A range over an integer becomes a counting loop; the engine has none. Variables that
// the statement does not define are assigned in the body: the engine leaves them as they are.
func (l *lowerer) rangeStmt(s *ast.RangeStmt, label string) []ast.Stmt {
	lp := &loop{label: label}
	switch t := l.typeOf(s.X).Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsInteger != 0 {
			return l.rangeInt(s, lp)
		}
		if t.Info()&types.IsString != 0 && s.Key != nil {
			return l.rangeString(s, lp)
		}
	case *types.Signature:
		return l.rangeFunc(s, label, t)
	}
	_, pointer := l.typeOf(s.X).Underlying().(*types.Pointer)
	_, array := l.typeOf(s.X).Underlying().(*types.Array)
	if (pointer || array) && (s.Value == nil || isBlank(s.Value)) { // the elements do not matter, nor whether there are any
		return l.rangeInt(s, lp)
	}
	var before []ast.Stmt
	if l.rangesChannels(s) || pointer && s.Value != nil {
		before, s = l.byIndex(s)
		if pointer {
			return l.scoped(s.Pos(), before, l.rangeInt(s, lp)...)
		}
	}
	pos := s.Pos()
	out := &ast.RangeStmt{For: s.For, Tok: s.Tok, TokPos: s.TokPos, Range: s.Range}
	if _, isChan := l.typeOf(s.X).Underlying().(*types.Chan); isChan {
		out.X = l.channel(s.X)
	} else {
		out.X = l.expr(s.X)
	}
	var places, first []ast.Stmt
	var vars []*types.Var
	bind := func(e ast.Expr) ast.Expr {
		switch id, ok := e.(*ast.Ident); {
		case e == nil:
			return nil
		case ok && id.Name == "_":
			return l.ident(e.Pos(), "_")
		case s.Tok == token.DEFINE:
			if v, ok := l.info.Defs[id].(*types.Var); ok {
				vars = append(vars, v)
			}
			return l.ident(e.Pos(), id.Name)
		}
		name := l.temp()
		target := l.place(e, &places)
		first = append(first, l.assign(pos, target, l.ident(pos, name)))
		return l.ident(pos, name)
	}
	out.Key, out.Value = bind(s.Key), bind(s.Value)
	if len(first) > 0 {
		out.Tok = token.DEFINE
		first = append(places, first...) // both places are found before either is assigned to
	}
	if s.Key != nil && s.Tok == token.DEFINE {
		l.bounded(lp, s.Key, s.X, s.Body)
	}
	leave := l.enter(lp)
	body := l.blockStmt(s.Body)
	leave()
	// By its own variables the engine knows how far it is.
	assigns := slices.ContainsFunc(vars, func(v *types.Var) bool { return l.assigned(s.Body, v, v) })
	if assigns || l.escapes(vars, s.Body) {
		for _, v := range vars {
			first = append(first, l.define(pos, l.ident(pos, v.Name()), v.Name()))
		}
	}
	if len(first) > 0 {
		body = l.block(pos, append(first, body)...)
	}
	out.Body = body
	return l.scoped(pos, before, out)
}

// rangesChannels reports whether a range statement takes channels out of a slice, an array or a map: the engine ranges over
// the channels themselves then.
func (l *lowerer) rangesChannels(s *ast.RangeStmt) bool {
	if s.Value == nil {
		return false
	}
	t, ok := l.typeOf(s.X).Underlying().(interface{ Elem() types.Type })
	if !ok {
		return false
	}
	_, isChan := t.Elem().Underlying().(*types.Chan)
	return isChan
}

// rangeInt lowers `for i := range n`.
func (l *lowerer) rangeInt(s *ast.RangeStmt, lp *loop) []ast.Stmt {
	pos := s.Pos()
	t := types.Default(l.typeOf(s.X))
	if s.Key != nil && l.typeOf(s.Key) != nil {
		t = l.typeOf(s.Key)
	}
	var before []ast.Stmt
	limit := l.expr(s.X)
	constant := l.info.Types[s.X].Value != nil
	array, isArray := l.typeOf(s.X).Underlying().(*types.Array)
	if p, ok := l.typeOf(s.X).Underlying().(*types.Pointer); ok {
		array, isArray = p.Elem().Underlying().(*types.Array)
	}
	if isArray {
		t = types.Typ[types.Int]
		if l.calls(s.X) || receives(s.X) { // only then it is evaluated at all
			name := l.temp()
			before = append(before, l.variable(pos, name, l.typeOf(s.X), limit), l.use(pos, name))
		}
		limit, constant = l.intLit(pos, int(array.Len())), true
	}
	typed := func(x ast.Expr) ast.Expr {
		if _, isLit := x.(*ast.BasicLit); isLit && types.Identical(t, types.Typ[types.Int]) {
			return x
		}
		return l.call(pos, l.typeExpr(pos, t), x)
	}
	limit = typed(limit)
	if _, isLit := limit.(*ast.BasicLit); !constant || !isLit {
		n := l.temp()
		before = append(before, l.define(pos, limit, n))
		limit = l.ident(pos, n)
	}
	i, first := l.counter(s)
	leave := l.enter(lp)
	body := l.block(pos, append(first, l.blockStmt(s.Body))...)
	leave()
	return l.scoped(pos, before, &ast.ForStmt{
		For:  s.For,
		Init: l.define(pos, typed(l.intLit(pos, 0)), i),
		Cond: &ast.BinaryExpr{X: l.ident(pos, i), OpPos: pos, Op: token.LSS, Y: limit},
		Post: &ast.IncDecStmt{X: l.ident(pos, i), TokPos: pos, Tok: token.INC},
		Body: body,
	})
}

// counter returns the variable that counts the iterations, and what begins the body: the user's variable gets its value. It
// is the user's own where nothing can tell the difference.
func (l *lowerer) counter(s *ast.RangeStmt) (name string, first []ast.Stmt) {
	if id, ok := s.Key.(*ast.Ident); ok && s.Tok == token.DEFINE && id.Name != "_" {
		v, _ := l.info.Defs[id].(*types.Var)
		if v != nil && !l.escapes([]*types.Var{v}, s.Body) && !l.assigned(s.Body, v, v) {
			return id.Name, nil
		}
	}
	name = l.temp()
	return name, l.bind(s.Tok, []ast.Expr{s.Key}, []string{name})
}

// receives reports whether an expression receives from a channel.
func receives(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		found = found || ok && isReceive(x)
		return !found
	})
	return found
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}
