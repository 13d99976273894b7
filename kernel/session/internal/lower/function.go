package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A function is the state of the function being lowered.
type function struct {
	frame   string       // the variable that holds the frame of its deferred calls; empty where it defers nothing
	results []string     // the names of its results, where it has a frame or a range over a function
	types   []types.Type // the types of its results
	named   bool         // whether they have names
	armed   string       // the variable or frame that recover() asks
	// pointers has the variables that point to results whose names the body declares again.
	pointers map[string]string
}

// body lowers a function's body.
//
// The engine evaluates what a defer statement defers too late, and stops for ever where a deferred function calls
// another (engine.md 2c). So a function that defers runs its body as a literal under the native Frame, which keeps the
// deferred calls; return stores the results and leaves the literal (goroot.md 4.1):
//
//	func f(a int) (r T) {
//		Frame(func(fr any) { …; r = x; return })
//		return r
//	}
func (l *lowerer) body(t *ast.FuncType, body *ast.BlockStmt) (*ast.FuncType, *ast.BlockStmt) {
	outer, loops := l.fn, l.loops
	l.depth++
	defer func() { l.fn, l.loops = outer, loops; l.depth-- }()
	l.fn, l.loops = function{types: l.resultTypes(t), named: t.Results.NumFields() > 0 && len(t.Results.List[0].Names) > 0}, nil
	lowered := l.funcTypeOf(t)
	l.nameParams(lowered)
	pos := body.Pos()
	var head []ast.Stmt
	if recovers(l.info, body) {
		if l.recoverFrame != "" {
			l.fn.armed = l.recoverFrame
		} else {
			l.fn.armed = l.temp()
			head = append(head, l.define(pos, l.call(pos, l.helper(pos, "Arm")), l.fn.armed))
		}
	} else {
		l.calm[t.Pos()] = true
	}
	l.recoverFrame = ""
	if l.rangesFunc(body) || defers(body) {
		head = append(head, l.nameResults(lowered)...)
		head = append(head, l.pointToResults(body)...)
	}
	if !defers(body) {
		return lowered, &ast.BlockStmt{Lbrace: body.Lbrace, List: append(head, l.stmts(body.List)...), Rbrace: body.Rbrace}
	}
	l.fn.frame = l.temp()
	run := l.frameCall(pos, l.stmts(body.List))
	tail := &ast.ReturnStmt{Return: body.Rbrace}
	for _, r := range l.fn.results {
		tail.Results = append(tail.Results, l.ident(body.Rbrace, r))
	}
	return lowered, &ast.BlockStmt{Lbrace: body.Lbrace, List: append(head, run, tail), Rbrace: body.Rbrace}
}

// nameParams gives every parameter a name: the engine counts those only that have one.
func (l *lowerer) nameParams(t *ast.FuncType) {
	for _, f := range t.Params.List {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{l.ident(f.Pos(), l.temp())}
		}
		for i, n := range f.Names {
			if n.Name == "_" {
				f.Names[i] = l.ident(n.Pos(), l.temp())
			}
		}
	}
}

// declared lowers the body of a declared function. The engine puts the results of one straight into the variables that take
// them, so they get no names; the variables that the user named are variables of the body. first makes its first statement.
func (l *lowerer) declared(t *ast.FuncType, body *ast.BlockStmt, first func(params []ast.Expr, variadic bool) ast.Stmt) (*ast.FuncType, *ast.BlockStmt) {
	pos := body.Pos()
	aliased, aliases := l.aliased, l.aliases
	l.aliased, l.aliases = map[*Slot]bool{}, nil
	defer func() { l.aliased, l.aliases = aliased, aliases }()
	lit := l.funcLit(t, body)
	list := lit.Body.List
	var params []ast.Expr
	variadic := false
	for _, f := range lit.Type.Params.List {
		_, variadic = f.Type.(*ast.Ellipsis)
		for _, n := range f.Names {
			params = append(params, l.ident(n.Pos(), n.Name))
		}
	}
	head := []ast.Stmt{first(params, variadic)}
	if r := lit.Type.Results; r != nil && len(r.List) > 0 && len(r.List[0].Names) > 0 {
		// The results are variables of a literal inside, as they have to outlive what defers.
		inner := &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}, Results: r}, Body: lit.Body}
		lit.Type.Results = &ast.FieldList{Opening: r.Opening, Closing: r.Closing}
		for _, f := range r.List {
			for range f.Names {
				lit.Type.Results.List = append(lit.Type.Results.List, &ast.Field{Type: f.Type})
			}
		}
		list = []ast.Stmt{&ast.ReturnStmt{Return: pos, Results: []ast.Expr{l.call(pos, inner)}}}
	}
	return lit.Type, &ast.BlockStmt{Lbrace: body.Lbrace, List: append(append(head, l.aliases...), list...), Rbrace: body.Rbrace}
}

// resultTypes returns the types of a function's results.
func (l *lowerer) resultTypes(t *ast.FuncType) []types.Type {
	var out []types.Type
	if t.Results != nil {
		for _, f := range t.Results.List {
			for range max(1, len(f.Names)) {
				out = append(out, l.typeOf(f.Type))
			}
		}
	}
	return out
}

// frameCall runs statements as the body of a frame.
func (l *lowerer) frameCall(pos token.Pos, list []ast.Stmt) ast.Stmt {
	lit := &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{List: []*ast.Field{
			{Names: []*ast.Ident{l.ident(pos, l.fn.frame)}, Type: l.ident(pos, "any")}}}},
		Body: l.block(pos, append([]ast.Stmt{l.use(pos, l.fn.frame)}, list...)...),
	}
	return &ast.ExprStmt{X: l.call(pos, l.helper(pos, "Frame"), lit)}
}

// nameResults gives every result a name, so that return can store it, and returns statements that set them to zero: the
// engine leaves the value of the variable that will receive them (goroot.md 4.10).
func (l *lowerer) nameResults(t *ast.FuncType) []ast.Stmt {
	if t.Results == nil {
		return nil
	}
	var out []ast.Stmt
	for _, f := range t.Results.List {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{l.ident(f.Pos(), l.temp())}
		}
		for i, n := range f.Names {
			if n.Name == "_" {
				f.Names[i] = l.ident(n.Pos(), l.temp())
				n = f.Names[i]
			}
			l.fn.results = append(l.fn.results, n.Name)
			zero := l.temp()
			spec := &ast.ValueSpec{Names: []*ast.Ident{l.ident(n.Pos(), zero)}, Type: f.Type}
			out = append(out,
				&ast.DeclStmt{Decl: &ast.GenDecl{TokPos: n.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}},
				l.assign(n.Pos(), l.ident(n.Pos(), n.Name), l.ident(n.Pos(), zero)))
		}
	}
	return out
}

// storeResults stores what a return returns in the named results: inside a frame or the body of a range over a function
// it cannot return them by itself.
func (l *lowerer) storeResults(s *ast.ReturnStmt) []ast.Stmt {
	pos := s.Pos()
	results := l.fn.results
	if len(s.Results) == 0 {
		return nil
	}
	if len(s.Results) == 1 && len(results) == 1 && !isReceive(s.Results[0]) && !isLiteral(s.Results[0]) {
		return []ast.Stmt{l.assign(pos, l.resultVar(pos, results[0]), l.to(s.Results[0], l.resultType(s, 0)))}
	}
	names := make([]string, len(results))
	for i := range names {
		names[i] = l.temp()
	}
	var out, last []ast.Stmt
	if len(s.Results) == 1 && len(results) == 1 {
		out = append(out, l.variable(pos, names[0], l.fn.types[0], l.to(s.Results[0], l.fn.types[0])))
	} else if len(s.Results) == 1 {
		out = append(out, l.define(pos, l.expr(s.Results[0]), names...))
	}
	for i, r := range results {
		value := ast.Expr(l.ident(pos, names[i]))
		if len(s.Results) > 1 {
			if e := s.Results[i]; l.info.Types[e].IsNil() {
				value = l.zero(e.Pos(), l.fn.types[i])
			} else {
				out = append(out, l.variable(pos, names[i], l.fn.types[i], l.to(e, l.fn.types[i])))
			}
		}
		last = append(last, l.assign(pos, l.resultVar(pos, r), value))
	}
	return append(out, last...)
}

// defers reports whether a body has a defer statement of its own, outside function literals.
func defers(body *ast.BlockStmt) bool {
	return within(body, func(n ast.Node) bool {
		_, ok := n.(*ast.DeferStmt)
		return ok
	})
}

// recovers reports whether a body calls recover itself, outside function literals.
func recovers(info *types.Info, body *ast.BlockStmt) bool {
	return within(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		return ok && id.Name == "recover" && info.Types[id].IsBuiltin()
	})
}

// within reports whether a node of a function body, outside function literals, satisfies f.
func within(body ast.Node, f func(ast.Node) bool) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || found || n == nil {
			return false
		}
		found = f(n)
		return !found
	})
	return found
}
