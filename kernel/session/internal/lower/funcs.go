package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/check"
)

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

// funcBody stores a function's or method's body in its slot.
func (c *Cell) funcBody(f *check.Func) []ast.Stmt {
	l := c.l
	pos := f.Decl.Pos()
	var s *Slot
	typ := f.Decl.Type
	if f.Recv != nil {
		s = l.methodSlot(f.Object)
		typ = withReceiver(f.Decl)
	} else {
		s = l.slot(f.Object)
	}
	if s == nil {
		return nil // init, or an error that was reported
	}
	return []ast.Stmt{l.assign(pos, l.access(pos, s), l.funcLit(typ, f.Decl.Body))}
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
