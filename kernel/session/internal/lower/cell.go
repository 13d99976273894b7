package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

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

// New begins to lower a checked cell. run numbers the runs of a session.
func New(w *World, c *check.Cell, run int) *Cell {
	out := &Cell{l: newLowerer(w, c, run)}
	funcs, instances, natives := len(w.funcs), len(w.types), len(w.natives)
	out.undo = append(out.undo, func() {
		w.funcs, w.types, w.natives = w.funcs[:funcs], w.types[:instances], w.natives[:natives]
	})
	return out
}

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
//	Callback(func()) func()      a function that compiled code calls on a goroutine of its own
//	ErrorsIs, ErrorsAs           errors.Is and errors.As
//	Equal(any, any) bool         == for interfaces
//	Rune(string, int) (rune, int)  the rune at an index, and its length
//	Size(int, int, int) int      a size for make of what (rt.Made), in elements of some bytes; panics where there is no memory
//	ShiftCount(int64) uint64     panics for a negative count
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

// SlotOf returns the slot of a variable or function of the cell.
func (c *Cell) SlotOf(obj types.Object) *Slot { return c.l.slot(obj) }

// Declare returns the file with the cell's types and generic functions, and the questions about the types of the cell's
// variables; nil where there is neither.
func (c *Cell) Declare() (*ast.File, error) {
	l := c.l
	c.nameTypes()
	c.eraseCycles()
	c.makeSlots()
	var decls []ast.Decl
	for _, d := range l.c.Decls {
		for _, s := range d.Specs {
			spec, ok := s.(*ast.TypeSpec)
			if !ok || spec.Assign.IsValid() || spec.TypeParams != nil {
				continue
			}
			if tn, ok := l.info.Defs[spec.Name].(*types.TypeName); ok && l.w.Types[tn] != nil && !isConstraint(tn.Type()) {
				decls = append(decls, l.declare(spec.Pos(), l.typ(spec.Type), l.w.Types[tn], tn.Name())...)
			}
		}
	}
	for _, n := range l.c.Instantiated {
		t := l.w.Of(n)
		decls = append(decls, l.declare(n.Obj().Pos(), l.typeExpr(l.pos, n.Underlying()), t, types.TypeString(n, unqualified))...)
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
		l.w.recovers[f.Object] = recovers(l.info, f.Decl.Body)
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

// unqualified leaves the package out of a name.
func unqualified(*types.Package) string { return "" }

// nameTypes gives the cell's new types their names in the engine.
func (c *Cell) nameTypes() {
	w := c.l.w
	for _, tn := range c.l.c.Types {
		if tn.IsAlias() {
			continue
		}
		w.Types[tn] = newType(w.fresh(tn.Name() + mark))
	}
	for _, n := range c.l.c.Instantiated {
		w.types = append(w.types, typeInstance{n, newType(w.fresh(n.Obj().Name() + mark))})
	}
	for f, g := range c.l.c.Generics {
		w.Generics[f] = g
	}
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
	initAfter := l.lastVar()
	if initAfter < 0 {
		list = append(list, l.initCalls()...)
	}
	for i, s := range l.c.Body {
		l.pos = s.Pos()
		at(s.Pos(), i)
		if i == len(l.c.Body)-1 && l.c.Result != nil {
			list = append(list, c.result(l.c.Result)...)
		} else {
			list = append(list, l.top(s)...)
			list = append(list, l.unread(s, i, reads)...)
		}
		if i == initAfter {
			list = append(list, l.initCalls()...)
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

func newType(engine string) *Type {
	return &Type{Engine: engine, Methods: map[string]*Slot{}, erased: map[string]*erasure{}}
}

// lastVar returns the index of the cell's last var declaration, -1 where there is none. Functions named init run behind it,
// as they do in a Go file.
func (l *lowerer) lastVar() int {
	last := -1
	for i, s := range l.c.Body {
		if _, ok := s.(*ast.DeclStmt); ok {
			last = i
		}
	}
	return last
}

// initCalls calls the cell's functions named init.
func (l *lowerer) initCalls() []ast.Stmt {
	var out []ast.Stmt
	for _, f := range l.c.Funcs {
		if f.Recv == nil && f.Object.Name() == "init" {
			out = append(out, &ast.ExprStmt{X: l.call(f.Decl.Pos(), l.funcLit(f.Decl.Type, f.Decl.Body))})
		}
	}
	return out
}
