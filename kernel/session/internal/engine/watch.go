package engine

import (
	"fmt"
	"go/token"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/traefik/yaegi/interp"

	"orthant/stdlib/rt"
)

// The engine reports the functions that a panic passes, but not where in them it does. So the operations that may panic are
// watched: each is put into a function that notes the place where the operation does not return. This costs some
// nanoseconds an operation.

// mayPanic has the kinds of nodes whose operations may panic.
var mayPanic = map[string]condition{
	"callExpr":       always, // conversions and builtins are among them
	"indexExpr":      always,
	"sliceExpr":      always,
	"starExpr":       ofValue,
	"selectorExpr":   ofValue, // of a nil pointer
	"typeAssertExpr": always,
	"sendStmt":       always,
	"assignStmt":     divides | toEntry,
	"incDecStmt":     toEntry,
	"binaryExpr":     divides,
}

// A condition says which nodes of a kind are meant; several may hold.
type condition int

const (
	divides condition = 1 << iota // those that divide
	toEntry                       // those that assign to an entry, which may be one of a nil map
	ofValue                       // all but packages' variables, among them those that point to the session's, and are not nil
	always
)

// divisions are the actions that divide.
var divisions = map[string]bool{"/": true, "%": true, "/=": true, "%=": true}

// The actions of a selector of a package's, and of a receive.
const (
	member  = "."
	receive = "<-"
)

// A watch puts the operations of programs under watch.
type watch struct {
	layout  *layout
	kinds   map[uint]condition
	funcs   map[uint]bool // the kinds that are functions
	index   uint          // the kind of index expressions
	slice   uint          // the kind of slice expressions
	call    uint          // the kind of calls
	unary   uint          // the kind of unary expressions
	loops   map[uint]bool // the kinds of loops that end with their body
	again   map[uint]bool // the kinds whose operations go back, or are come back to, in a loop
	ranges  uint          // the kind of range clauses
	sends   uint          // the kind of sends
	selects uint          // the kind of selects
	divides map[uint]bool // the actions that do
	member  uint          // the action of a package's selector
	receive uint          // the action of a receive
}

// newWatch returns a watch for this version of the engine. There is one, as it takes a while to make.
var newWatch = sync.OnceValues(func() (*watch, error) {
	l, err := newLayout(reflect.TypeFor[interp.Program]())
	if err != nil {
		return nil, err
	}
	w := &watch{layout: l, kinds: map[uint]condition{}, funcs: map[uint]bool{}, divides: map[uint]bool{},
		loops: map[uint]bool{}, again: map[uint]bool{}}
	const many = 200 // more than there are kinds or actions
	for i := range uint(many) {
		switch name := l.kindName(i); name {
		case "funcLit", "funcDecl":
			w.funcs[i] = true
		default:
			if c, ok := mayPanic[name]; ok {
				w.kinds[i] = c
			}
			switch name {
			case "indexExpr":
				w.index = i
			case "sliceExpr":
				w.slice = i
			case "callExpr":
				w.call = i
			case "unaryExpr":
				w.unary = i
			case "forStmt0", "forStmt1", "forStmt2", "forStmt3", "forStmt4", "forStmt5", "forStmt6", "forStmt7":
				w.loops[i] = true
			case "rangeStmt":
				w.ranges, w.again[i] = i, true
			case "gotoStmt", "continueStmt":
				w.again[i] = true
			case "sendStmt":
				w.sends = i
			case "selectStmt":
				w.selects = i
			}
		}
		switch action := l.actionName(i); {
		case divisions[action]:
			w.divides[i] = true
		case action == member:
			w.member = i
		case action == receive:
			w.receive = i
		}
	}
	const loops, again = 8, 3
	if len(w.kinds) != len(mayPanic) || len(w.funcs) != 2 || len(w.divides) != len(divisions) || w.index == 0 || w.member == 0 ||
		len(w.loops) != loops || len(w.again) != again || w.unary == 0 || w.sends == 0 || w.selects == 0 || w.receive == 0 {
		return nil, fmt.Errorf("%w: kinds of nodes", errVersion)
	}
	return w, nil
})

// program puts a compiled program under watch. The operations of function literals have been made by now, and each knows
// the next; so they are made again. Those of the other functions are made when the program is executed.
func (w *watch) program(p *interp.Program, u unit, calm map[token.Pos]bool) {
	if root := *(*node)(unsafe.Add(unsafe.Pointer(p), w.layout.root)); root != nil {
		w.below(root, token.NoPos, plain, u)
		w.disarm(root, calm)
		w.layout.generate(root, w.funcs)
	}
}

// A unit is a file that is being compiled, and the engine that compiles it.
type unit struct {
	engine *Engine
	code   *Code
}

// A place is where a watched operation is. It keeps the code from being taken for gone.
type place struct {
	rt.Place
	code *Code
}

// A role is what a node is to the one above it.
type role int

const (
	plain     role = iota
	round          // the body of a loop, whose operation comes last in each round
	selection      // the body of a select, whose operation is that of the select
)

// roleOf returns the role of a child of a node of a kind.
func (w *watch) roleOf(kind uint, isLast bool) role {
	switch {
	case w.loops[kind] && isLast:
		return round
	case kind == w.selects && isLast:
		return selection
	}
	return plain
}

// below watches a node and those below it; function is where the function around it begins.
func (w *watch) below(n node, function token.Pos, as role, u unit) {
	kind := w.layout.kindOf(n)
	if w.funcs[kind] {
		function = w.layout.position(n)
	}
	*at[operation](n, w.layout.exec) = nil
	if gen := at[generator](n, w.layout.gen); *gen != nil {
		*gen = w.watching(n, *gen, function, as, u)
	}
	children := w.layout.children(n)
	for i, c := range children {
		w.below(c, function, w.roleOf(kind, i == len(children)-1), u)
	}
}

// watching returns the generator of a node that has this one.
func (w *watch) watching(n node, generate generator, function token.Pos, as role, u unit) generator {
	panics, explain := w.mayPanic(n), w.indexing(n)
	waits, again := as == selection || w.waits(n, generate), as == round || w.again[w.layout.kindOf(n)]
	if !panics && !waits && !again {
		return generate
	}
	here, e := &place{rt.Place{At: w.layout.position(n), Func: function}, u.code}, u.engine
	if w.layout.kindOf(n) == w.call {
		generate = w.signed(n, generate, e.functions)
	}
	return func(n node) {
		generate(n)
		op := at[operation](n, w.layout.exec)
		if *op == nil {
			return
		}
		if as == selection {
			*op = w.layout.selecting(n, generate, *op)
		}
		if waits {
			*op = e.waiting(*op)
		}
		switch {
		case panics:
			*op = watched(*op, here, &e.leavers, explain)
		case again && !waits && is(generate, goesOn):
			*op = leavingOnly(*op, &e.leavers)
		case again:
			*op = leaving(*op, &e.leavers)
		}
	}
}

// is reports whether a generator is the engine's function of a name.
func is(g generator, name string) bool {
	return runtime.FuncForPC(reflect.ValueOf(g).Pointer()).Name() == name
}

// mayPanic reports whether the operation of a node may panic.
func (w *watch) mayPanic(n node) bool {
	c, l := w.kinds[w.layout.kindOf(n)], w.layout
	var operand node
	if below := l.children(n); len(below) > 0 {
		operand = below[0]
	}
	switch {
	case c&always != 0, c&divides != 0 && w.divides[l.actionOf(n)]:
		return true
	case c&toEntry != 0:
		return operand != nil && l.kindOf(operand) == w.index
	case c&ofValue != 0:
		return l.actionOf(n) != w.member && (operand == nil || l.actionOf(operand) != w.member)
	}
	return false
}

// watched returns an operation at which goroutines may leave, and that notes its place when a panic passes it. explain, which
// may be nil, returns what the operation panics with where the engine panics with a value. It is not inlined, as passing knows
// it by its name.
//
//go:noinline
func watched(op operation, here *place, l *leavers, explain func(frame unsafe.Pointer, value any) any) operation {
	return func(frame unsafe.Pointer) (next unsafe.Pointer) {
		returned := false
		defer func() {
			if returned {
				return
			}
			passing(here)
			if explain != nil {
				if value := recover(); value != nil { // nil while the goroutine exits
					panic(explain(frame, value))
				}
			}
		}()
		l.check()
		next = op(frame)
		returned = true
		return next
	}
}

// The functions by which passing knows what goes on, as they are called in stacks.
const (
	panics   = "runtime.gopanic"
	exits    = "runtime.Goexit"
	watching = "orthant/kernel/session/internal/engine.watched.func1"
)

// passing notes the place of an operation that does not return, if that is because of a panic. Functions between the engine
// and us recover a panic and panic again with the same value; so the stack tells whether the panic came from further
// inside: then the function that panicked was itself called by a panic, and else by a watched operation.
func passing(here *place) {
	var callers [64]uintptr // a panic that comes from further inside shows at once
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:1])])
	if f, _ := frames.Next(); f.Function != panics {
		return // runtime.Goexit, perhaps of a million calls, each of which comes here
	}
	frames = runtime.CallersFrames(callers[:runtime.Callers(4, callers[:])])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch f.Function {
		case panics:
			rt.Passed(here.Place, false)
			return
		case watching, exits:
			more = false
		}
	}
	rt.Passed(here.Place, true)
}
