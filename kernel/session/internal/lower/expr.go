package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"orthant/kernel/session/internal/check"
)

// expr lowers an expression. Parentheses go: the tree has no need of them, and the engine mistakes some.
func (l *lowerer) expr(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	if tv, ok := l.info.Types[e]; ok {
		if tv.IsType() {
			return l.typ(e)
		}
		if tv.Value != nil {
			if c := l.constant(e.Pos(), tv); c != nil {
				return c
			}
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.expr(e.X)
	case *ast.BasicLit:
		return e
	case *ast.Ident:
		return l.name(e)
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.CallExpr:
		return l.callExpr(e)
	case *ast.FuncLit:
		return l.funcLit(e.Type, e.Body)
	case *ast.CompositeLit:
		return l.composite(e)
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: l.expr(e.X)}
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(e.X).(*ast.Ident); ok && e.Op == token.AND { // &*p is p, and the engine cannot take it
			if s := l.slot(l.info.Uses[id]); s != nil {
				s.Held = true
				return l.pointer(e.Pos(), s)
			}
		}
		if e.Op == token.AND {
			l.hold(e.X)
		}
		return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: l.expr(e.X)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: l.expr(e.X), OpPos: e.OpPos, Op: e.Op, Y: l.expr(e.Y)}
	case *ast.IndexExpr:
		if f := l.instance(e.X); f != nil {
			return f
		}
		return &ast.IndexExpr{X: l.expr(e.X), Lbrack: e.Lbrack, Index: l.expr(e.Index), Rbrack: e.Rbrack}
	case *ast.IndexListExpr:
		if f := l.instance(e.X); f != nil {
			return f
		}
		return &ast.IndexListExpr{X: l.expr(e.X), Lbrack: e.Lbrack, Indices: l.exprs(e.Indices), Rbrack: e.Rbrack}
	case *ast.SliceExpr:
		l.hold(e.X) // the slice of an array refers to it
		return &ast.SliceExpr{X: l.expr(e.X), Lbrack: e.Lbrack, Low: l.expr(e.Low), High: l.expr(e.High), Max: l.expr(e.Max),
			Slice3: e.Slice3, Rbrack: e.Rbrack}
	case *ast.TypeAssertExpr:
		return &ast.TypeAssertExpr{X: l.expr(e.X), Lparen: e.Lparen, Type: l.typ(e.Type), Rparen: e.Rparen}
	case *ast.KeyValueExpr:
		return &ast.KeyValueExpr{Key: l.expr(e.Key), Colon: e.Colon, Value: l.expr(e.Value)}
	}
	l.fail(e.Pos(), "internal: no form for %T", e)
	return e
}

func (l *lowerer) exprs(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = l.expr(e)
	}
	return out
}

// hold notes that a pointer into a session variable is taken, if e is one or a part of one.
func (l *lowerer) hold(e ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
			continue
		case *ast.IndexExpr:
			e = x.X
			continue
		case *ast.Ident:
			if s := l.slot(l.info.Uses[x]); s != nil {
				s.Held = true
			}
		}
		return
	}
}

// name lowers an identifier that stands for a value.
func (l *lowerer) name(e *ast.Ident) ast.Expr {
	obj := l.info.Uses[e]
	if obj == nil {
		obj = l.info.Defs[e]
	}
	if obj == nil {
		return l.ident(e.Pos(), e.Name)
	}
	if isContext(obj) {
		return l.call(e.Pos(), l.helper(e.Pos(), "Context"))
	}
	if s := l.slot(obj); s != nil {
		return l.access(e.Pos(), s)
	}
	switch obj := obj.(type) {
	case *types.Func:
		if f := l.instance(e); f != nil {
			return f
		}
		if obj.Pkg() != nil && obj.Pkg().Path() != check.Path { // a dot import
			return l.native(e.Pos(), obj.Pkg(), obj.Name())
		}
	case *types.Var:
		if obj.Pkg() != nil && obj.Pkg().Path() != check.Path && !obj.IsField() {
			return l.native(e.Pos(), obj.Pkg(), obj.Name())
		}
	}
	return l.ident(e.Pos(), e.Name)
}

// ContextName is the predeclared name of the running cell's context.
const ContextName = "ctx"

// isContext reports whether obj is the predeclared context: the one object of its name that belongs to no package.
func isContext(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Pkg() == nil && v.Name() == ContextName
}

// instance lowers the use of a generic function, of the session or compiled: to the function for its type arguments. It
// returns nil for anything else.
func (l *lowerer) instance(e ast.Expr) ast.Expr {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	inst, ok := l.info.Instances[id]
	f, isFunc := l.info.Uses[id].(*types.Func)
	if !ok || !isFunc {
		return nil
	}
	args := slices.Collect(inst.TypeArgs.Types())
	s := l.w.Func(f.Origin(), args)
	if name := genericName(f); name != "" {
		s = l.w.native(name, args)
		if s == nil {
			l.fail(e.Pos(), "the generic function %s.%s does not work in cells yet", f.Pkg().Name(), f.Name())
			return e
		}
	}
	if s == nil {
		return nil
	}
	return l.access(id.Pos(), s)
}

// selector lowers x.f, a field, a method or a name of a package.
func (l *lowerer) selector(e *ast.SelectorExpr) ast.Expr {
	sel := l.info.Selections[e]
	if sel == nil { // a qualified name
		obj := l.info.Uses[e.Sel]
		if obj == nil || obj.Pkg() == nil {
			return e
		}
		if f := l.instance(e); f != nil {
			return f
		}
		return l.native(e.Pos(), obj.Pkg(), obj.Name())
	}
	name := e.Sel.Name
	if v, ok := sel.Obj().(*types.Var); ok {
		name = l.fieldName(v)
	}
	switch sel.Kind() {
	case types.MethodExpr:
		return l.methodExpr(e, sel)
	case types.MethodVal:
		return l.methodValue(e, sel)
	}
	return &ast.SelectorExpr{X: l.expr(e.X), Sel: l.ident(e.Sel.Pos(), name)}
}

// method lowers x.M where it is called.
func (l *lowerer) method(e *ast.SelectorExpr) ast.Expr {
	l.hold(e.X) // a method with a pointer receiver takes its address
	return &ast.SelectorExpr{X: l.expr(e.X), Sel: l.ident(e.Sel.Pos(), l.methodName(e))}
}

// methodName is the name of the method that x.M calls. (*log.Logger).Fatal would end the process: Panic says the same and
// ends the cell.
func (l *lowerer) methodName(e *ast.SelectorExpr) string {
	name := e.Sel.Name
	if f, ok := l.info.Uses[e.Sel].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "log" {
		if rest, fatal := strings.CutPrefix(name, "Fatal"); fatal {
			return "Panic" + rest
		}
	}
	return name
}

// methodValue lowers x.M where it is a value: to a function that keeps the receiver as it is now. The engine's own method
// values see later changes of x.
func (l *lowerer) methodValue(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	pos := e.Pos()
	l.hold(e.X)
	t, x := l.receiverOf(e, sel)
	sig := sel.Type().(*types.Signature)
	r := l.temp()
	inner := l.forward(pos, sig, func(args []ast.Expr) ast.Expr {
		return l.call(pos, &ast.SelectorExpr{X: l.ident(pos, r), Sel: l.ident(e.Sel.Pos(), l.methodName(e))}, args...)
	})
	outer := signature([]types.Type{t}, []types.Type{sig})
	return l.call(pos, &ast.FuncLit{
		Type: l.funcType(pos, outer, []string{r}),
		Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{inner}})}, x)
}

// receiverOf returns the receiver of x.M as it is passed: x, or its address where M wants a pointer.
func (l *lowerer) receiverOf(e *ast.SelectorExpr, sel *types.Selection) (types.Type, ast.Expr) {
	t := l.typeOf(e.X)
	x := l.expr(e.X)
	recv := sel.Obj().(*types.Func).Signature().Recv()
	_, isPointer := t.Underlying().(*types.Pointer)
	_, wantsPointer := recv.Type().(*types.Pointer)
	if wantsPointer && !isPointer && l.info.Types[e.X].Addressable() {
		if star, ok := x.(*ast.StarExpr); ok { // &*p is p
			return types.NewPointer(t), star.X
		}
		return types.NewPointer(t), &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: x}
	}
	return t, x
}

// methodExpr lowers T.M to a function with the receiver as its first parameter.
func (l *lowerer) methodExpr(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	return l.forward(e.Pos(), sel.Type().(*types.Signature), func(args []ast.Expr) ast.Expr {
		return l.call(e.Pos(), &ast.SelectorExpr{X: args[0], Sel: l.ident(e.Sel.Pos(), l.methodName(e))}, args[1:]...)
	})
}

// forward makes a function literal of a signature that passes its parameters to a call.
func (l *lowerer) forward(pos token.Pos, sig *types.Signature, to func(args []ast.Expr) ast.Expr) *ast.FuncLit {
	names := make([]string, sig.Params().Len())
	args := make([]ast.Expr, len(names))
	for i := range names {
		names[i] = l.temp()
		args[i] = l.ident(pos, names[i])
	}
	call := to(args).(*ast.CallExpr)
	if sig.Variadic() {
		call.Ellipsis = pos
	}
	var body ast.Stmt = &ast.ExprStmt{X: call}
	if sig.Results().Len() > 0 {
		body = &ast.ReturnStmt{Return: pos, Results: []ast.Expr{call}}
	}
	return &ast.FuncLit{Type: l.funcType(pos, sig, names), Body: l.block(pos, body)}
}

// fieldName is the engine's name of a field: an embedded field is named after its type, and types have names of their own
// there.
func (l *lowerer) fieldName(v *types.Var) string {
	if !v.Embedded() {
		return v.Name()
	}
	t := types.Unalias(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		if known := l.w.Of(n); known != nil {
			return known.Engine
		}
	}
	return v.Name()
}

// composite lowers T{...}.
func (l *lowerer) composite(e *ast.CompositeLit) ast.Expr {
	out := &ast.CompositeLit{Type: l.typ(e.Type), Lbrace: e.Lbrace, Rbrace: e.Rbrace}
	t := l.typeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok { // &T left out in a slice or map of *T
		t = p.Elem()
	}
	_, isStruct := t.Underlying().(*types.Struct)
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			out.Elts = append(out.Elts, l.expr(elt))
			continue
		}
		key := kv.Key
		if id, ok := key.(*ast.Ident); ok && isStruct {
			name := id.Name
			if v, ok := l.info.Uses[id].(*types.Var); ok {
				name = l.fieldName(v)
			}
			key = l.ident(id.Pos(), name)
		} else {
			key = l.expr(key)
		}
		out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: key, Colon: kv.Colon, Value: l.expr(kv.Value)})
	}
	return out
}

// funcLit lowers a function literal or a declared function to a literal.
func (l *lowerer) funcLit(t *ast.FuncType, body *ast.BlockStmt) *ast.FuncLit {
	typ, block := l.body(t, body)
	return &ast.FuncLit{Type: typ, Body: block}
}

// callExpr lowers a call, a conversion or the use of a builtin.
func (l *lowerer) callExpr(e *ast.CallExpr) ast.Expr {
	fun := ast.Unparen(e.Fun)
	if tv := l.info.Types[fun]; tv.IsBuiltin() {
		if id, ok := fun.(*ast.Ident); ok {
			if x := l.builtin(e, id.Name); x != nil {
				return x
			}
		}
	}
	out := &ast.CallExpr{Lparen: e.Lparen, Ellipsis: e.Ellipsis, Rparen: e.Rparen}
	if s, ok := fun.(*ast.SelectorExpr); ok && l.isMethod(s) {
		out.Fun = l.method(s)
	} else {
		out.Fun = l.expr(fun)
	}
	out.Args = l.exprs(e.Args)
	return out
}

// isMethod reports whether x.M selects a method of a value.
func (l *lowerer) isMethod(e *ast.SelectorExpr) bool {
	sel := l.info.Selections[e]
	return sel != nil && sel.Kind() == types.MethodVal
}

// builtin lowers the builtins that the engine lacks or gets wrong; nil leaves the call as it is.
func (l *lowerer) builtin(e *ast.CallExpr, name string) ast.Expr {
	pos := e.Pos()
	switch name {
	case "print", "println": // go to standard error in formats of their own
		return l.call(pos, l.helper(pos, map[string]string{"print": "Print", "println": "Println"}[name]), l.exprs(e.Args)...)
	case "recover":
		return l.call(pos, l.helper(pos, "Recover"), l.ident(pos, l.fn.armed))
	case "min", "max":
		return l.minMax(e, name)
	case "clear":
		return l.call(pos, l.helper(pos, "Clear"), l.expr(e.Args[0]))
	case "new":
		if !l.info.Types[e.Args[0]].IsType() { // new(expr), Go 1.26
			t := l.typeOf(e).(*types.Pointer).Elem()
			v := l.ident(pos, "v"+mark)
			return l.call(pos, &ast.FuncLit{
				Type: l.funcType(pos, signature([]types.Type{t}, []types.Type{types.NewPointer(t)}), []string{v.Name}),
				Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{&ast.UnaryExpr{OpPos: pos, Op: token.AND, X: v}}}),
			}, l.expr(e.Args[0]))
		}
	}
	return nil
}

// minMax lowers min and max to calls of two arguments, from the left.
func (l *lowerer) minMax(e *ast.CallExpr, name string) ast.Expr {
	pos := e.Pos()
	t := l.typeOf(e)
	x := l.expr(e.Args[0])
	for _, arg := range e.Args[1:] {
		y := l.expr(arg)
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 { // NaN and -0 have rules of their own
			f := l.ident(pos, "float64")
			helper := map[string]string{"min": "MinFloat", "max": "MaxFloat"}[name]
			x = l.call(pos, l.typeExpr(pos, t), l.call(pos, l.helper(pos, helper), l.call(pos, f, x), l.call(pos, f, y)))
			continue
		}
		op := map[string]token.Token{"min": token.LSS, "max": token.GTR}[name]
		a, b := l.ident(pos, "a"+mark), l.ident(pos, "b"+mark)
		x = l.call(pos, &ast.FuncLit{
			Type: l.funcType(pos, signature([]types.Type{t, t}, []types.Type{t}), []string{a.Name, b.Name}),
			Body: l.block(pos,
				&ast.IfStmt{If: pos, Cond: &ast.BinaryExpr{X: b, OpPos: pos, Op: op, Y: a},
					Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{b}})},
				&ast.ReturnStmt{Return: pos, Results: []ast.Expr{a}}),
		}, x, y)
	}
	return x
}

func (l *lowerer) block(pos token.Pos, list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: pos}
}

// signature makes a signature of plain types.
func signature(params, results []types.Type) *types.Signature {
	tuple := func(list []types.Type) *types.Tuple {
		var vars []*types.Var
		for _, t := range list {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", t))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(params), tuple(results), false)
}
