package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"orthant/kernel/session/internal/check"
)

// Declared functions and methods are functions of the engine's, called by their names. The engine's callers would keep the
// function that they were compiled with (engine.md 2a), so each has a slot beside (engine.md 7b), which later cells change.

// funcs returns the functions and methods that the engine gets: those without type parameters, and instances.
func (c *Cell) funcs() []*check.Func {
	var out []*check.Func
	for _, f := range c.l.c.Funcs {
		if !f.Generic {
			out = append(out, f)
		}
	}
	for _, i := range c.l.c.Instances {
		out = append(out, &i.Func)
	}
	return out
}

// methodSlot returns the storage of a method that a cell declares.
func (l *lowerer) methodSlot(f *types.Func) *Slot {
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, err := l.w.Reflect(t); err != nil {
		l.fail(f.Pos(), "%v", err)
		return nil
	}
	return l.w.Of(types.Unalias(t).(*types.Named)).Methods[f.Name()]
}

// methodFunc is the type of a method as a function of its receiver.
func methodFunc(m *types.Func) *types.Signature {
	sig := m.Signature()
	params := []*types.Var{types.NewParam(token.NoPos, nil, "", sig.Recv().Type())}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// A Direct is a function of the engine's that is what a slot holds. A call of it by its name costs a third of a call through
// the slot. It begins with a look at whether it is still the one that is meant, so that a later cell may replace it:
//
//	func f7(a int) int {
//		if *S.Over7 { return (*S.V3)(a) }
//		…
//	}
type Direct struct {
	name string
	typ  types.Type
	over reflect.Value // pointer to whether the slot holds another function
}

// direct makes the name of the function that a slot is to hold.
func (c *Cell) direct(s *Slot, name string) *Direct {
	d := &Direct{c.l.w.fresh(name + mark), s.Type, reflect.ValueOf(new(bool))}
	c.was[s] = s.direct
	s.direct = d
	return d
}

// Functions returns pointers to the variables that hold the engine's functions of the cell, by the engine's names.
func (c *Cell) Functions() map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for s := range c.was {
		out[s.direct.name] = s.Ptr
	}
	return out
}

// Calm returns where the functions of the cell begin that contain no recover themselves. Each function must know: the first
// one that a frame calls as a deferred call is the one whose recover is about the frame's panic.
func (c *Cell) Calm() map[token.Pos]bool { return c.l.calm }

// Replaced returns the engine's functions that the cell's take the place of.
func (c *Cell) Replaced() []string {
	var names []string
	for _, d := range c.was {
		if d != nil {
			names = append(names, d.name)
		}
	}
	return names
}

// function declares a function or method, and returns the statements that put it into its slot.
func (c *Cell) function(f *check.Func) (ast.Decl, []ast.Stmt) {
	l := c.l
	pos := f.Decl.Pos()
	s := c.slotOf(f)
	if s == nil {
		return nil, nil // init, or an error that was reported
	}
	d := s.direct
	typ := f.Decl.Type
	if f.Recv != nil {
		typ = withReceiver(f.Decl)
	}
	lowered, body := l.declared(typ, f.Decl.Body, func(params []ast.Expr, variadic bool) ast.Stmt { return l.superseded(pos, s, f, params, variadic) })
	decl := &ast.FuncDecl{Name: l.ident(f.Decl.Name.Pos(), d.name), Type: lowered, Body: body}
	list := []ast.Stmt{l.assign(pos, l.access(pos, s), l.ident(pos, d.name))}
	return decl, append(list, l.supersede(pos, c.was[s])...)
}

// superseded writes the beginning of a function: it passes its parameters on where a later cell has replaced it.
func (l *lowerer) superseded(pos token.Pos, s *Slot, f *check.Func, params []ast.Expr, variadic bool) ast.Stmt {
	slot := &ast.StarExpr{Star: pos, X: l.converted(pos, s)} // without an alias, which every call would have to make
	call := &ast.CallExpr{Fun: slot, Lparen: pos, Args: params, Rparen: pos}
	if variadic {
		call.Ellipsis = pos
	}
	then := []ast.Stmt{&ast.ReturnStmt{Return: pos, Results: []ast.Expr{call}}}
	if f.Object.Signature().Results().Len() == 0 {
		then = []ast.Stmt{&ast.ExprStmt{X: call}, &ast.ReturnStmt{Return: pos}}
	}
	return &ast.IfStmt{If: pos, Cond: l.over(pos, s.direct), Body: l.block(pos, then...)}
}

func (l *lowerer) over(pos token.Pos, d *Direct) ast.Expr {
	return &ast.StarExpr{Star: pos, X: l.export(pos, "Over"+d.name, d.over)}
}

// supersede marks a function as replaced.
func (l *lowerer) supersede(pos token.Pos, d *Direct) []ast.Stmt {
	if d == nil {
		return nil
	}
	return []ast.Stmt{l.assign(pos, l.over(pos, d), l.ident(pos, "true"))}
}

// callable writes the function in a slot for a call: by its name, where it has one and takes these types.
func (l *lowerer) callable(pos token.Pos, s *Slot) ast.Expr {
	if s.direct != nil && types.Identical(s.direct.typ, s.Type) {
		return l.ident(pos, s.direct.name)
	}
	return l.access(pos, s)
}

// slotOf returns the storage of a function or method of the cell.
func (c *Cell) slotOf(f *check.Func) *Slot {
	if f.Recv != nil {
		return c.l.methodSlot(f.Object)
	}
	return c.l.slot(f.Object)
}

// withReceiver is the type of a method with the receiver as its first parameter.
func withReceiver(f *ast.FuncDecl) *ast.FuncType {
	blank := func(pos token.Pos) []*ast.Ident { return []*ast.Ident{{NamePos: pos, Name: "_"}} }
	params := &ast.FieldList{Opening: f.Type.Params.Opening, Closing: f.Type.Params.Closing}
	for _, field := range append(f.Recv.List[:1:1], f.Type.Params.List...) {
		g := *field
		if len(g.Names) == 0 {
			g.Names = blank(g.Pos())
		}
		params.List = append(params.List, &g)
	}
	return &ast.FuncType{Func: f.Type.Func, Params: params, Results: f.Type.Results}
}
