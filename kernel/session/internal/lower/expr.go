package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"orthant/kernel/session/internal/check"
	"orthant/stdlib/rt"
)

// expr lowers an expression. Parentheses go: the tree has no need of them, and the engine mistakes some (goroot.md 4.8).
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
		return l.showingValue(l.info.Uses[e], l.name(e))
	case *ast.SelectorExpr:
		x := l.selector(e)
		if l.info.Selections[e] == nil {
			x = l.showingValue(l.info.Uses[e.Sel], x)
		}
		return x
	case *ast.CallExpr:
		return l.callExpr(e)
	case *ast.FuncLit:
		return l.funcLit(e.Type, e.Body)
	case *ast.CompositeLit:
		return l.composite(e)
	case *ast.StarExpr:
		x := &ast.StarExpr{Star: e.Star, X: l.expr(e.X)}
		if t := l.typeOf(e); isString(t) { // behind a nil pointer the engine finds a text; a conversion panics
			return l.call(e.Pos(), l.typeExpr(e.Pos(), t), x)
		}
		return x
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
		if e.Op == token.ARROW {
			return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: l.channel(e.X)}
		}
		return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: l.expr(e.X)}
	case *ast.BinaryExpr:
		if e.Op == token.EQL || e.Op == token.NEQ {
			if x := l.compares(e); x != nil {
				if e.Op == token.NEQ {
					x = &ast.UnaryExpr{OpPos: e.OpPos, Op: token.NOT, X: x}
				}
				if _, named := types.Unalias(l.typeOf(e)).(*types.Named); named {
					return l.call(e.OpPos, l.typeExpr(e.OpPos, l.typeOf(e)), x)
				}
				return x
			}
		}
		if e.Op == token.LAND || e.Op == token.LOR {
			x := l.logical(e)
			if _, named := types.Unalias(l.typeOf(e)).(*types.Named); named { // the engine gives it the type of the first operand
				return l.call(e.OpPos, l.typeExpr(e.OpPos, l.typeOf(e)), x)
			}
			return x
		}
		if e.Op == token.QUO {
			return &ast.BinaryExpr{X: l.expr(e.X), OpPos: e.OpPos, Op: e.Op, Y: l.divisor(e.Y)}
		}
		if e.Op == token.SHL || e.Op == token.SHR {
			return &ast.BinaryExpr{X: l.expr(e.X), OpPos: e.OpPos, Op: e.Op, Y: l.shiftCount(e.Y)}
		}
		return &ast.BinaryExpr{X: l.expr(e.X), OpPos: e.OpPos, Op: e.Op, Y: l.expr(e.Y)}
	case *ast.IndexExpr:
		if f := l.instance(e.X); f != nil {
			return f
		}
		index := l.expr(e.Index)
		if m, ok := l.typeOf(e.X).Underlying().(*types.Map); ok {
			index = l.to(e.Index, m.Key())
		}
		return &ast.IndexExpr{X: l.indexed(e.X), Lbrack: e.Lbrack, Index: index, Rbrack: e.Rbrack}
	case *ast.IndexListExpr:
		if f := l.instance(e.X); f != nil {
			return f
		}
		return &ast.IndexListExpr{X: l.expr(e.X), Lbrack: e.Lbrack, Indices: l.exprs(e.Indices), Rbrack: e.Rbrack}
	case *ast.SliceExpr:
		l.hold(e.X) // the slice of an array refers to it
		return &ast.SliceExpr{X: l.indexed(e.X), Lbrack: e.Lbrack, Low: l.expr(e.Low), High: l.expr(e.High), Max: l.expr(e.Max),
			Slice3: e.Slice3, Rbrack: e.Rbrack}
	case *ast.TypeAssertExpr:
		if _, ok := l.typeOf(e).(*types.Tuple); ok {
			return l.assertion(e, rt.AssertOK)
		}
		return l.assertion(e, rt.Assert)
	case *ast.KeyValueExpr:
		return &ast.KeyValueExpr{Key: l.expr(e.Key), Colon: e.Colon, Value: l.expr(e.Value)}
	}
	l.fail(e.Pos(), "internal: no form for %T", e)
	return e
}

// indexed lowers the operand of an index or slice expression. The engine cannot take the address of an element behind a
// pointer to an array.
func (l *lowerer) indexed(e ast.Expr) ast.Expr {
	if _, pointer := l.typeOf(e).Underlying().(*types.Pointer); pointer {
		return &ast.StarExpr{Star: e.Pos(), X: l.expr(e)}
	}
	return l.expr(e)
}

// divisor lowers the right side of a division. The engine refuses a constant zero, by which floats may be divided.
func (l *lowerer) divisor(e ast.Expr) ast.Expr {
	tv := l.info.Types[e]
	if b, ok := tv.Type.Underlying().(*types.Basic); ok && tv.Value != nil && b.Info()&(types.IsFloat|types.IsComplex) != 0 && constant.Sign(constant.Real(tv.Value)) == 0 {
		return l.nativeConstant(e.Pos(), types.Default(b).(*types.Basic), tv)
	}
	return l.expr(e)
}

// shiftCount lowers the right side of a shift. The engine shifts by a negative count as if it were none; the helper panics
// as Go does.
func (l *lowerer) shiftCount(e ast.Expr) ast.Expr {
	if v := l.info.Types[e].Value; v != nil { // it may be written as a float or a complex number
		n, _ := constant.Uint64Val(constant.ToInt(v))
		return l.intLit(e.Pos(), int(min(n, math.MaxInt32)))
	}
	b, ok := l.typeOf(e).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUnsigned != 0 {
		return l.expr(e)
	}
	return l.call(e.Pos(), l.helper(e.Pos(), "ShiftCount"), l.call(e.Pos(), l.ident(e.Pos(), "int64"), l.expr(e)))
}

func (l *lowerer) exprs(list []ast.Expr) []ast.Expr {
	if list == nil {
		return nil
	}
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = l.expr(e)
	}
	return out
}

// hold notes that a pointer into a session variable is taken, if e is one or a part of one.
func (l *lowerer) hold(e ast.Expr) {
	if id := root(e); id != nil {
		if s := l.slot(l.info.Uses[id]); s != nil {
			s.Held = true
		}
	}
}

// root returns the name that an operand begins with: x for x.f[i]; nil where it begins with none.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}

// isPlain reports whether an element of a composite literal is a constant, a name or another literal.
func (l *lowerer) isPlain(e ast.Expr) bool {
	if l.info.Types[e].Value != nil || l.info.Types[e].IsNil() {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.KeyValueExpr:
		return l.isPlain(e.Value)
	case *ast.CompositeLit, *ast.FuncLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && isLiteral(e.X)
	case *ast.Ident:
		return true
	}
	return false
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
		if s := l.slot(obj); s != nil {
			return l.access(e.Pos(), s)
		}
		if f := l.instance(e); f != nil {
			return f
		}
		return l.native(e.Pos(), obj.Pkg(), obj.Name())
	}
	switch sel.Kind() {
	case types.MethodExpr:
		return l.methodExpr(e, sel)
	case types.MethodVal:
		return l.methodValue(e, sel)
	}
	return l.field(e, l.expr(e.X))
}

// field writes x.f for a selected field of the lowered x, with the embedded fields that lead to it.
func (l *lowerer) field(e *ast.SelectorExpr, x ast.Expr) ast.Expr {
	sel := l.info.Selections[e]
	x, _ = l.walk(e.Sel.Pos(), x, sel.Recv(), sel.Index()[:len(sel.Index())-1])
	return &ast.SelectorExpr{X: x, Sel: l.ident(e.Sel.Pos(), e.Sel.Name)}
}

// composite lowers T{...}. Elements that are parts of variables or results of calls get keys: without them the engine looks
// for these parts in the wrong place.
func (l *lowerer) composite(e *ast.CompositeLit) ast.Expr {
	typ := l.typeOf(e)
	t := typ.Underlying()
	if p, ok := t.(*types.Pointer); ok { // &T left out in a slice or map of *T
		t = p.Elem().Underlying()
		typ = p.Elem()
	}
	out := &ast.CompositeLit{Type: l.typeExpr(e.Pos(), typ), Lbrace: e.Lbrace, Rbrace: e.Rbrace}
	next := 0 // the index of the next element without a key
	keys := slices.ContainsFunc(e.Elts, func(x ast.Expr) bool { return !l.isPlain(x) })
	for i, elt := range e.Elts {
		kv, keyed := elt.(*ast.KeyValueExpr)
		value := elt
		if keyed {
			value = kv.Value
		}
		var key ast.Expr
		var want types.Type
		switch t := t.(type) {
		case *types.Struct:
			f := t.Field(min(i, t.NumFields()-1))
			if keyed {
				f = l.info.Uses[kv.Key.(*ast.Ident)].(*types.Var)
			}
			want = f.Type()
			if f.Name() == "_" {
				continue // nothing can read it
			}
			key = l.ident(elt.Pos(), f.Name()) // without keys the engine refuses names that are not exported
		case *types.Map:
			key, want = l.to(kv.Key, t.Key()), t.Elem()
		case interface{ Elem() types.Type }:
			want = t.Elem()
			if keyed {
				at, _ := constant.Int64Val(constant.ToInt(l.info.Types[kv.Key].Value))
				next = int(at)
			}
			if keyed || keys {
				key = l.intLit(elt.Pos(), next)
			}
			next++
		}
		x := l.to(value, want)
		if star, ok := x.(*ast.StarExpr); ok && isUserDeref(value) {
			if _, isMap := t.(*types.Map); isMap { // of nothing the engine makes no entry
				x = l.call(value.Pos(), l.typeExpr(value.Pos(), l.typeOf(value)), star)
			}
		}
		if lit, ok := x.(*ast.FuncLit); ok { // the engine would make it in the frame around it, for all iterations of a loop
			x = l.inOwnFrame(lit)
		}
		if key != nil {
			x = &ast.KeyValueExpr{Key: key, Colon: elt.Pos(), Value: x}
		}
		out.Elts = append(out.Elts, x)
	}
	if typ == l.typeOf(e) {
		return out
	}
	address := &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: out}
	if _, written := types.Unalias(l.typeOf(e)).(*types.Pointer); written {
		return address
	}
	return l.call(e.Pos(), l.typeExpr(e.Pos(), l.typeOf(e)), address)
}

// isUserDeref reports whether e is *p.
func isUserDeref(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.StarExpr)
	return ok
}

// funcLit lowers a function literal or a declared function to a literal.
func (l *lowerer) funcLit(t *ast.FuncType, body *ast.BlockStmt) *ast.FuncLit {
	typ, block := l.body(t, body)
	return &ast.FuncLit{Type: typ, Body: block}
}

func (l *lowerer) block(pos token.Pos, list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: pos}
}
