package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"orthant/kernel/session/internal/check"
)

// A Cell is a cell on its way to the engine. The caller runs Declare, gives the answers to Answer, and runs Body.
type Cell struct {
	l       *lowerer
	asks    []ask
	results []*Slot
	undo    []func() // takes back what a cell that cannot be run has changed in older types
	loose   bool     // the result goes through Value: its type has no name that the engine could be told
}

// An ask is a slot that waits for the engine to say how it represents the slot's type.
type ask struct {
	typ types.Type
	set func(*Slot)
}

// New begins to lower a checked cell. run numbers the runs of a session.
func New(w *World, c *check.Cell, run int) *Cell { return &Cell{l: newLowerer(w, c, run)} }

// HelperPackage is the import path, and behind the slash the name, of the package in which the engine must find the
// functions that lowered code calls:
//
//	Enter(func())                the cell's body
//	At(int)                      the statement that begins
//	Type(int, any)               the answer to an ask: a nil pointer to the type
//	Value(any)                   the result, where it has no slot
//	Context() context.Context    the running cell's context
//	Unread(int, string, error)   an error variable that nothing reads was assigned, with its line
//	Go(func())                   a goroutine of the cell
//	Frame(func(any)), Defer(any, func()), DeferCall(any, func()), Arm() any, Recover(any) any
//	Iterated()                   panics: an iterator has called the body of a loop that has ended
//	Print(...any), Println(...any), Clear(any), MinFloat, MaxFloat
const HelperPackage = "orthant/cell/helpers"

// Undo takes back what the cell has changed in the world, where it does not come to run.
func (c *Cell) Undo() {
	for _, f := range c.undo {
		f()
	}
}

// Package returns the import path and name, joined by a slash, under which the engine must be given Exports.
func (c *Cell) Package() string { return c.l.path + "/" + slotPackage }

// Exports are the native values that the files import.
func (c *Cell) Exports() map[string]reflect.Value { return c.l.exports }

// Results are the slots of the cell's result, one a value; none where it shows nothing.
func (c *Cell) Results() []*Slot { return c.results }

// ResultType is the type of the result; a *types.Tuple for a call with several results, nil where there is none to show.
func (c *Cell) ResultType() types.Type {
	e := c.l.c.Result
	if e == nil || c.l.c.Muted || c.l.prints(e) {
		return nil
	}
	if c.l.c.Nil {
		return types.Typ[types.UntypedNil]
	}
	t := c.l.typeOf(e)
	if t == nil || c.l.info.Types[e].IsVoid() {
		return nil
	}
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 0 {
		return nil
	}
	return t
}

// SlotOf returns the slot of a variable or function of the cell.
func (c *Cell) SlotOf(obj types.Object) *Slot { return c.l.slot(obj) }

// Declare returns the file with the cell's types and generic functions, and the questions about the types of the cell's
// variables; nil where there is neither.
func (c *Cell) Declare() (*ast.File, error) {
	l := c.l
	c.nameTypes()
	c.makeSlots()
	var decls []ast.Decl
	for _, d := range l.c.Decls {
		for _, s := range d.Specs {
			spec, ok := s.(*ast.TypeSpec)
			if !ok || spec.Assign.IsValid() || spec.TypeParams != nil {
				continue
			}
			if tn, ok := l.info.Defs[spec.Name].(*types.TypeName); ok && l.w.Types[tn] != nil && !isConstraint(tn.Type()) {
				decls = append(decls, l.typeDecl(spec, l.w.Types[tn].Engine, tn.Name()))
			}
		}
	}
	for _, n := range l.c.Instantiated {
		t := l.w.Of(n)
		decls = append(decls, l.declare(n.Obj().Pos(), l.typeExpr(l.pos, n.Underlying()), t.Engine, types.TypeString(n, unqualified)))
	}
	if len(c.asks) > 0 {
		var list []ast.Stmt
		for i, a := range c.asks {
			null := l.call(l.pos, &ast.ParenExpr{X: &ast.StarExpr{Star: l.pos, X: l.typeExpr(l.pos, a.typ)}}, l.ident(l.pos, "nil"))
			list = append(list, &ast.ExprStmt{X: l.call(l.pos, l.helper(l.pos, "Type"), l.intLit(l.pos, i), null)})
		}
		decls = append(decls, l.initFunc(list))
	}
	if len(decls) == 0 {
		return nil, l.err()
	}
	return l.file(decls), l.err()
}

// Answer gives the reflect type of the i-th question that Declare's file asked through Type.
func (c *Cell) Answer(i int, nilPointer any) {
	a := c.asks[i]
	a.set(c.l.w.NewSlot(a.typ, reflect.TypeOf(nilPointer).Elem(), true))
}

// Body returns the file with the cell's methods and statements.
func (c *Cell) Body() (*ast.File, error) {
	l := c.l
	var decls []ast.Decl
	var list []ast.Stmt
	funcs := c.funcs()
	for _, f := range funcs {
		if f.Decl.Body == nil {
			l.fail(f.Decl.Pos(), "missing function body")
			return nil, l.err()
		}
		if f.Recv != nil {
			if d := c.methodDecl(f); d != nil {
				decls = append(decls, d)
			}
		}
	}
	l.inBody = true
	for _, f := range funcs {
		list = append(list, c.funcBody(f)...)
	}
	for _, f := range l.c.Funcs {
		if f.Recv == nil && f.Object.Name() == "init" {
			list = append(list, &ast.ExprStmt{X: l.call(f.Decl.Pos(), l.funcLit(f.Decl.Type, f.Decl.Body))})
		}
	}
	list = append(list, c.statements()...)
	list = append(l.aliases, list...)
	l.inBody = false
	body := &ast.FuncLit{Type: &ast.FuncType{Params: &ast.FieldList{}}, Body: &ast.BlockStmt{List: list}}
	decls = append(decls, l.initFunc([]ast.Stmt{&ast.ExprStmt{X: l.call(l.pos, l.helper(l.pos, "Enter"), body)}}))
	return l.file(decls), l.err()
}

// isConstraint reports whether a type is an interface that only constrains type parameters; the engine has none of these.
func isConstraint(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && !i.IsMethodSet()
}

func (l *lowerer) initFunc(list []ast.Stmt) ast.Decl {
	return &ast.FuncDecl{Name: l.ident(l.pos, "init"), Type: &ast.FuncType{Func: l.pos, Params: &ast.FieldList{}},
		Body: l.block(l.pos, list...)}
}

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

// receiver returns the type that a method belongs to.
func (c *Cell) receiver(f *check.Func) *Type {
	t := f.Object.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return c.l.w.Of(n)
}

// unqualified leaves the package out of a name.
func unqualified(*types.Package) string { return "" }

// nameTypes gives the cell's new types their names in the engine.
func (c *Cell) nameTypes() {
	w := c.l.w
	for _, tn := range c.l.c.Types {
		if tn.IsAlias() {
			continue
		}
		t := &Type{Engine: w.fresh(tn.Name() + mark)}
		t.Methods = map[string]*Slot{}
		w.Types[tn] = t
	}
	for _, n := range c.l.c.Instantiated {
		w.types = append(w.types, typeInstance{n, &Type{Engine: w.fresh(n.Obj().Name() + mark), Methods: map[string]*Slot{}}})
	}
	for f, g := range c.l.c.Generics {
		w.Generics[f] = g
	}
}

// makeSlots gives each variable, function, method and result its storage: the present one of its name where the type is
// the same, so that functions which use it see the new value; new storage otherwise.
func (c *Cell) makeSlots() {
	l := c.l
	for _, v := range l.c.Vars {
		if v.Object.Name() == ContextName { // lasts for the cell only
			c.newSlot(v.Object, v.Object.Type(), func(s *Slot) { l.slots[v.Local], l.slots[v.Object] = s, s })
			continue
		}
		c.slotFor(v.Object, func(s *Slot) {
			l.slots[v.Local], l.slots[v.Object] = s, s
			l.w.Slots[v.Object] = s
		})
	}
	for _, f := range l.c.Funcs {
		switch {
		case f.Generic:
		case f.Recv != nil:
			t := c.receiver(f)
			if t == nil || t.Methods[f.Object.Name()] != nil {
				continue
			}
			c.newSlot(f.Object, methodFunc(f.Object), func(s *Slot) { t.Methods[f.Object.Name()] = s })
			c.undo = append(c.undo, func() { delete(t.Methods, f.Object.Name()) })
		case f.Object.Name() != "init":
			c.slotFor(f.Object, func(s *Slot) { l.w.Slots[f.Object] = s })
		}
	}
	for _, i := range l.c.Instances {
		c.instanceSlot(i)
	}
	c.nativeSlots()
	t := c.ResultType()
	tuple, ok := t.(*types.Tuple)
	switch {
	case t == nil, l.c.Nil:
		return
	case !ok:
		tuple = types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Default(t)))
	}
	c.results = make([]*Slot, tuple.Len())
	for i := range c.results {
		if _, _, err := l.w.Native(tuple.At(i).Type()); err != nil && tuple.Len() == 1 {
			c.loose = true
			c.results = nil
			return
		}
		c.newSlot(nil, tuple.At(i).Type(), func(s *Slot) { c.results[i] = s })
	}
}

// instanceSlot makes the slot of an instance: for a function that replaces an older one the older one's.
func (c *Cell) instanceSlot(i *check.Instance) {
	w := c.l.w
	if i.Recv != nil {
		t := c.receiver(&i.Func)
		c.newSlot(i.Object, methodFunc(i.Object), func(s *Slot) { t.Methods[i.Object.Name()] = s })
		return
	}
	set := func(s *Slot) {
		w.funcs = append(w.funcs, funcInstance{i.Origin, i.Args, s})
		w.Slots[i.Object] = s
	}
	if old := c.l.c.Replaces[i.Origin]; old != nil {
		if s := w.Func(old, i.Args); s != nil {
			set(s)
			return
		}
	}
	c.newSlot(i.Object, i.Object.Type(), set)
}

// slotFor finds or makes the slot of a name.
func (c *Cell) slotFor(obj types.Object, set func(*Slot)) {
	if b, ok := c.l.c.Env.Lookup(obj.Name()); ok && b.Object != nil {
		_, oldVar := b.Object.(*types.Var)
		_, newVar := obj.(*types.Var)
		if s := c.l.w.Slots[b.Object]; s != nil && oldVar == newVar && types.Identical(b.Object.Type(), obj.Type()) {
			set(s)
			return
		}
	}
	c.newSlot(obj, obj.Type(), set)
}

// newSlot makes a slot, at once where the type is native, after the engine's answer otherwise.
func (c *Cell) newSlot(obj types.Object, t types.Type, set func(*Slot)) {
	rt, ok, err := c.l.w.Native(t)
	switch {
	case err != nil:
		pos := c.l.pos
		name := "the value"
		if obj != nil {
			pos, name = obj.Pos(), obj.Name()
		}
		c.l.fail(pos, "cannot keep %s: %v; assign it to a variable of an interface type", name, err)
	case ok:
		set(c.l.w.NewSlot(t, rt, composite(t)))
	default:
		c.asks = append(c.asks, ask{t, set})
	}
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

// methodDecl returns the engine's method, which calls the function in the method's slot; nil where the type has it from an
// earlier cell.
func (c *Cell) methodDecl(f *check.Func) ast.Decl {
	l := c.l
	pos := f.Decl.Pos()
	t := c.receiver(f)
	if t == nil {
		return nil
	}
	s := t.Methods[f.Object.Name()]
	if s == nil || l.w.wrapped(s) {
		return nil
	}
	l.w.setWrapped(s)
	sig := f.Object.Signature()
	lit := l.forward(pos, sig, func(args []ast.Expr) ast.Expr {
		return l.call(pos, l.access(pos, s), append([]ast.Expr{l.ident(pos, "r"+mark)}, args...)...)
	})
	recv := l.typeExpr(pos, sig.Recv().Type())
	return &ast.FuncDecl{
		Recv: &ast.FieldList{List: []*ast.Field{{Names: []*ast.Ident{l.ident(pos, "r"+mark)}, Type: recv}}},
		Name: l.ident(f.Decl.Name.Pos(), f.Object.Name()),
		Type: lit.Type,
		Body: lit.Body,
	}
}

// funcBody stores a function's or method's body in its slot.
func (c *Cell) funcBody(f *check.Func) []ast.Stmt {
	l := c.l
	pos := f.Decl.Pos()
	var s *Slot
	typ := f.Decl.Type
	if f.Recv != nil {
		if t := c.receiver(f); t != nil {
			s = t.Methods[f.Object.Name()]
		}
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

// statements lowers the cell's statements, each after a note that it begins.
func (c *Cell) statements() []ast.Stmt {
	l := c.l
	block := &ast.BlockStmt{List: l.c.Body}
	l.fn = function{}
	if recovers(l.info, block) {
		l.fn.armed = l.temp()
	}
	framed := defers(block)
	if framed {
		l.fn.frame = l.temp()
	}
	var list []ast.Stmt
	at := func(pos token.Pos, i int) {
		list = append(list, &ast.ExprStmt{X: l.call(pos, l.helper(pos, "At"), l.intLit(pos, i))})
	}
	reads := l.reads()
	for i, s := range l.c.Body {
		l.pos = s.Pos()
		at(s.Pos(), i)
		if i == len(l.c.Body)-1 && l.c.Result != nil {
			list = append(list, c.result(l.c.Result)...)
		} else {
			list = append(list, l.top(s)...)
			list = append(list, l.unread(s, i, reads)...)
		}
	}
	at(l.pos, len(l.c.Body))
	if framed {
		list = []ast.Stmt{l.frameCall(l.pos, list)}
	}
	if l.fn.armed != "" {
		list = append([]ast.Stmt{l.define(l.pos, l.call(l.pos, l.helper(l.pos, "Arm")), l.fn.armed)}, list...)
	}
	return list
}

// result stores the value of the last expression.
func (c *Cell) result(e ast.Expr) []ast.Stmt {
	l := c.l
	pos := e.Pos()
	tv := l.info.Types[e]
	switch {
	case l.c.Nil:
		return nil
	case c.loose:
		return []ast.Stmt{&ast.ExprStmt{X: l.call(pos, l.helper(pos, "Value"), l.expr(e))}}
	case len(c.results) == 0:
		if _, ok := ast.Unparen(e).(*ast.CallExpr); ok && !tv.IsValue() || l.isCall(e) {
			return []ast.Stmt{&ast.ExprStmt{X: l.expr(e)}}
		}
		return []ast.Stmt{l.assign(pos, l.ident(pos, "_"), l.expr(e))}
	}
	var names []string
	for range c.results {
		names = append(names, l.temp())
	}
	out := []ast.Stmt{}
	if len(c.results) == 1 {
		out = append(out, l.variable(pos, names[0], types.Default(l.typeOf(e)), l.expr(e)))
		if isReceive(e) {
			out[0] = l.define(pos, l.expr(e), names[0])
		}
	} else {
		out = append(out, l.define(pos, l.expr(e), names...))
	}
	for i, s := range c.results {
		out = append(out, l.assign(pos, l.access(pos, s), l.ident(pos, names[i])))
	}
	return out
}

// isCall reports whether e is a call of a function, not a conversion or a builtin with a value.
func (l *lowerer) isCall(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	tv := l.info.Types[ast.Unparen(call.Fun)]
	return !tv.IsType() && !tv.IsBuiltin()
}

// prints reports whether e is a call whose purpose is to print: its byte count and error are no result.
func (l *lowerer) prints(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return false
	}
	f, ok := l.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "fmt" {
		return false
	}
	return strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint")
}
