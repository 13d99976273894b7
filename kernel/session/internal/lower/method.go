package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"orthant/kernel/session/internal/rtype"
	"orthant/stdlib/rt"
)

// The engine has no methods of the session's: a method is a function with the receiver as its first parameter, in a slot of
// its own, and x.M(a) is a call of it. Methods of interfaces and of compiled types are called as such (goroot.md 3).

// ownMethod returns the method that a cell declares and that x.M selects; nil for a method of an interface or of a compiled
// type.
func ownMethod(sel *types.Selection) *types.Func {
	f := sel.Obj().(*types.Func)
	if !inSession(f) || types.IsInterface(f.Signature().Recv().Type()) {
		return nil
	}
	return f
}

// isMethod reports whether x.M selects a method of a value.
func (l *lowerer) isMethod(e *ast.SelectorExpr) bool {
	sel := l.info.Selections[e]
	return sel != nil && sel.Kind() == types.MethodVal
}

// methodCall lowers the function of x.M(…), and the receiver where that is an argument.
func (l *lowerer) methodCall(e *ast.SelectorExpr) (fun ast.Expr, receiver []ast.Expr) {
	sel := l.info.Selections[e]
	_, x := l.receiver(e, sel)
	return l.bound(e, sel, x)
}

// bound writes a method of the lowered receiver x: the function, and x where it is an argument.
func (l *lowerer) bound(e *ast.SelectorExpr, sel *types.Selection, x ast.Expr) (fun ast.Expr, receiver []ast.Expr) {
	f := ownMethod(sel)
	if f == nil {
		switch m := sel.Obj().(*types.Func); {
		case inSession(m) && !m.Exported():
			return l.hiddenMethod(e, m), []ast.Expr{x}
		case isFatal(m):
			return l.helper(e.Sel.Pos(), "Logger"+m.Name()), []ast.Expr{x}
		case readsFile(m):
			return l.helper(e.Sel.Pos(), "File"+m.Name()), []ast.Expr{x}
		}
		return &ast.SelectorExpr{X: x, Sel: l.ident(e.Sel.Pos(), e.Sel.Name)}, nil
	}
	s := l.methodSlot(f)
	if s == nil {
		return x, nil // reported
	}
	return l.callable(e.Sel.Pos(), s), []ast.Expr{x}
}

// hiddenMethod writes a method of an interface that is not exported, as a function of the interface: reflection, by which the
// engine calls methods of interfaces, calls exported ones only.
func (l *lowerer) hiddenMethod(e *ast.SelectorExpr, m *types.Func) ast.Expr {
	f := l.reflect(e.Pos(), methodFunc(m))
	if f == nil {
		return e
	}
	name := m.Name()
	call := reflect.MakeFunc(f, func(args []reflect.Value) []reflect.Value {
		if args[0].IsNil() {
			rt.NilDereference()
		}
		return rtype.Call(args[0].Elem(), name, "", args[1:])
	})
	return l.export(e.Pos(), l.w.fresh("M"), call)
}

// receiver lowers the receiver of x.M as the method takes it: the embedded field that has it, or its address, or what it
// points to.
func (l *lowerer) receiver(e *ast.SelectorExpr, sel *types.Selection) (types.Type, ast.Expr) {
	l.hold(e.X) // a method with a pointer receiver takes its address
	return l.adjusted(e.Pos(), l.expr(e.X), sel)
}

// adjusted turns the lowered operand x of a selection into the receiver of the method.
func (l *lowerer) adjusted(pos token.Pos, x ast.Expr, sel *types.Selection) (types.Type, ast.Expr) {
	x, t := l.walk(pos, x, sel.Recv(), sel.Index()[:len(sel.Index())-1])
	f := sel.Obj().(*types.Func)
	recv := f.Signature().Recv().Type()
	if types.IsInterface(recv) {
		return t, x
	}
	_, isPointer := types.Unalias(t).Underlying().(*types.Pointer)
	_, wantsPointer := types.Unalias(recv).(*types.Pointer)
	switch {
	case wantsPointer && !isPointer:
		if star, ok := x.(*ast.StarExpr); ok { // &*p is p
			return types.NewPointer(t), star.X
		}
		return types.NewPointer(t), &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: x}
	case isPointer && !wantsPointer && inSession(f):
		return recv, &ast.StarExpr{Star: pos, X: x}
	}
	return t, x
}

// walk writes out the embedded fields of a lowered operand, and returns the type of the last. Compiled structs promote by
// themselves: their embedded fields may not be exported.
func (l *lowerer) walk(pos token.Pos, x ast.Expr, t types.Type, path []int) (ast.Expr, types.Type) {
	for _, at := range path {
		holder := t
		if p, ok := t.Underlying().(*types.Pointer); ok {
			holder = p.Elem()
		}
		if n, ok := types.Unalias(holder).(*types.Named); ok && !inSession(n.Obj()) {
			break
		}
		f := holder.Underlying().(*types.Struct).Field(at)
		x = &ast.SelectorExpr{X: x, Sel: l.ident(pos, f.Name())}
		t = f.Type()
	}
	return x, t
}

// isFatal reports whether a method is one of a Logger of package log that ends the process. In a cell it ends the cell.
func isFatal(m *types.Func) bool {
	return m.Pkg() != nil && m.Pkg().Path() == "log" && strings.HasPrefix(m.Name(), "Fatal")
}

// methodValue lowers x.M where it is a value: to a function that keeps the receiver as it is now.
func (l *lowerer) methodValue(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	pos := e.Pos()
	t, x := l.receiver(e, sel)
	sig := sel.Type().(*types.Signature)
	r := l.temp()
	inner := l.forward(pos, sig, func(args []ast.Expr) ast.Expr {
		fun, receiver := l.bound(e, sel, l.ident(pos, r))
		return l.call(pos, fun, append(receiver, l.shownParams(sel.Obj().(*types.Func), args, sig.Variadic())...)...)
	})
	outer := signature([]types.Type{t}, []types.Type{sig})
	body := []ast.Stmt{&ast.ReturnStmt{Return: pos, Results: []ast.Expr{inner}}}
	if types.IsInterface(t) { // of a nil interface Go takes no method
		body = append([]ast.Stmt{l.nilCheck(pos, r)}, body...)
	}
	return l.call(pos, &ast.FuncLit{Type: l.funcType(pos, outer, []string{r}), Body: l.block(pos, body...)}, x)
}

// nilCheck panics where a variable of an interface type is nil.
func (l *lowerer) nilCheck(pos token.Pos, name string) ast.Stmt {
	return &ast.IfStmt{If: pos, Cond: &ast.BinaryExpr{X: l.ident(pos, name), OpPos: pos, Op: token.EQL, Y: l.ident(pos, "nil")},
		Body: l.block(pos, &ast.ExprStmt{X: l.call(pos, l.helper(pos, "NilDereference"))})}
}

// methodExpr lowers T.M to a function with the receiver as its first parameter.
func (l *lowerer) methodExpr(e *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	return l.forward(e.Pos(), sel.Type().(*types.Signature), func(args []ast.Expr) ast.Expr {
		_, x := l.adjusted(e.Pos(), args[0], sel)
		fun, receiver := l.bound(e, sel, x)
		f := sel.Obj().(*types.Func)
		return l.call(e.Pos(), fun, append(receiver, l.shownParams(f, args[1:], f.Signature().Variadic())...)...)
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
