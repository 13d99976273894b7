package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"

	"orthant/kernel/session/internal/check"
)

// A Cell is a cell on its way to the engine (engine.md 8). The caller gives the engine Exports and runs the file that Body
// returns.
type Cell struct {
	l       *lowerer
	results []*Slot
	was     map[*Slot]*Direct // the functions that the cell's replace
	undo    func()
	loose   bool // the result goes through Value: its type has no name that the engine could be told
}

// New begins to lower a checked cell. run numbers the runs of a session.
func New(w *World, c *check.Cell, run int) *Cell {
	out := &Cell{l: newLowerer(w, c, run), was: map[*Slot]*Direct{}}
	funcs, natives, generics := len(w.funcs), len(w.natives), maps.Clone(w.Generics)
	out.undo = func() {
		w.funcs, w.natives, w.Generics = w.funcs[:funcs], w.natives[:natives], generics
		for s, d := range out.was {
			s.direct = d
		}
	}
	maps.Copy(w.locals, c.Locals)
	maps.Copy(w.Generics, c.Rebuilt)
	maps.Copy(w.Generics, c.Generics)
	return out
}

// HelperPackage is the import path, and behind the slash the name, of the package in which the engine must find the
// functions that lowered code calls:
//
//	Enter(func())                the cell's body
//	At(int)                      the statement that begins
//	Value(any)                   the result, where it has no slot
//	Context() context.Context    the running cell's context
//	Unread(int, string, error)   an error variable that nothing reads was assigned, with its line
//	Go(func())                   a goroutine of the cell
//	Frame(func(any)), Defer(any, func()), DeferCall(any, func()), DeferValue(any, func(), any), DeferRecover(any, any), Arm() any, Recover(any) any
//	Iterated()                   panics: an iterator has called the body of a loop that has ended
//	Callback(func()) func()      a function that compiled code calls on a goroutine of its own
//	Equal(any, any) bool         == for interfaces
//	ErrorAs, ErrorIs             errors.As and errors.Is, which see old values of types that have grown
//	Rune(string, int) (rune, int)  the rune at an index, and its length
//	Size(int, int, int) int      a size for make of what (rt.Made), in elements of some bytes; panics where there is no memory
//	ShiftCount(int64) uint64     panics for a negative count
//	Print(...any), Println(...any), PrintedInterface(any) any, Clear(any), MinFloat, MaxFloat
//	NilDereference()               panics
//	LoggerFatal, LoggerFatalf, LoggerFatalln  methods of *log.Logger
//	Show(any) any                  the value with the views of their types; also Printed and PrintedOrError
//	PrintedList(...any) []any  likewise
const HelperPackage = "orthant/cell/helpers"

// Undo takes back what the cell has changed in the world, where it does not come to run.
func (c *Cell) Undo() {
	c.undo()
}

// Package returns the import path and name, joined by a slash, under which the engine must be given Exports.
func (c *Cell) Package() string { return c.l.path + "/" + slotPackage }

// Exports are the native values that the files import.
func (c *Cell) Exports() map[string]reflect.Value { return c.l.exports }

// SlotOf returns the slot of a variable or function of the cell.
func (c *Cell) SlotOf(obj types.Object) *Slot { return c.l.slot(obj) }

// Body returns the file with the cell's functions and statements.
func (c *Cell) Body() (*ast.File, error) {
	l := c.l
	c.makeSlots()
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	var list []ast.Stmt
	funcs := c.funcs()
	for _, f := range funcs {
		if f.Decl.Body == nil {
			l.fail(f.Decl.Pos(), "missing function body")
			return nil, l.err()
		}
		l.w.recovers[f.Object] = recovers(l.info, f.Decl.Body)
	}
	for _, f := range funcs {
		if s := c.slotOf(f); s != nil {
			c.direct(s, f.Object.Name())
		}
	}
	var decls []ast.Decl
	l.inBody = true
	for _, f := range funcs {
		decl, store := c.function(f)
		l.boxed(f.Name())
		if decl != nil {
			decls = append(decls, decl)
		}
		list = append(list, store...)
	}
	list = append(list, c.statements()...)
	l.boxed("")
	list = append(l.aliases, list...)
	l.inBody = false
	body := &ast.FuncLit{Type: &ast.FuncType{Params: &ast.FieldList{}}, Body: &ast.BlockStmt{List: list}}
	enter := &ast.ExprStmt{X: l.call(l.pos, l.helper(l.pos, "Enter"), body)}
	return l.file(append(decls, l.initFunc([]ast.Stmt{enter}))), l.err()
}

func (l *lowerer) initFunc(list []ast.Stmt) ast.Decl {
	return &ast.FuncDecl{Name: l.ident(l.pos, "init"), Type: &ast.FuncType{Func: l.pos, Params: &ast.FieldList{}},
		Body: l.block(l.pos, list...)}
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
