package engine

import (
	"reflect"
	"sync"
	"unsafe"
)

// A channel operation of the engine that blocks also waits for the channel done of its frame, by which it can be ended. A frame
// has that of the function that made its closure, which may be one of an earlier execution that nobody wants to end. So the
// operations that may block first give their frame the done of those on whose behalf they run.

// mayBlock has the kinds of nodes whose operations may block. A select's is made at the first node below it.
var mayBlock = map[string]bool{"rangeStmt": true, "selectStmt": true, "sendStmt": true, "unaryExpr": true}

// receive is the action of the unary expression that may block.
const receive = "<-"

// blocking wraps the operation of a node that may block.
func (w *watch) blocking(n node, e *Engine) {
	l, kind := w.layout, w.layout.kindOf(n)
	switch {
	case !w.blocks[kind], kind == w.unary && l.actionOf(n) != w.receive:
		return
	case kind == w.selects:
		n = l.children(n)[0]
	}
	gen := at[generator](n, l.gen)
	generate := *gen
	if generate == nil {
		return
	}
	*gen = func(n node) {
		generate(n)
		op := at[operation](n, l.exec)
		if *op == nil {
			return
		}
		next := *op
		if kind == w.selects {
			next = l.severally(n, generate)
		}
		*op = func(frame unsafe.Pointer) unsafe.Pointer {
			e.adopt(frame)
			return next(frame)
		}
	}
}

// severally returns the operation of a node for several goroutines at once. The engine's operation of a select puts its channels
// into a list of its own, where those of another goroutine would take their places; so each goroutine gets an operation that no
// other uses meanwhile.
func (l *layout) severally(n node, generate generator) operation {
	free := sync.Pool{New: func() any {
		own := l.copied(n)
		generate(own)
		return at[operation](own, l.exec)
	}}
	return func(frame unsafe.Pointer) unsafe.Pointer {
		op := free.Get().(*operation)
		defer free.Put(op)
		return (*op)(frame)
	}
}

// copied returns a copy of a node, whose neighbours do not know it.
func (l *layout) copied(n node) node {
	c := reflect.New(l.node)
	c.Elem().Set(reflect.NewAt(l.node, unsafe.Pointer(n)).Elem())
	return node(c.UnsafePointer())
}

// adopt gives a frame the done of the calling goroutine. Only the goroutine that runs the frame does so. Others may copy the
// old done for frames of closures meanwhile, which adopt theirs before they look at it; and it is one word that changes. The
// race detector would not know that.
//
//go:norace
func (e *Engine) adopt(frame unsafe.Pointer) {
	done := e.doneOf()
	held := (*chan struct{})(unsafe.Add(frame, e.watch.layout.done))
	if *held != nil && *held != done {
		*held = done
	}
}

// doneOffset returns where a frame holds the channel done: in the value Chan of a case of a select.
func doneOffset(frame reflect.Type) (uintptr, error) {
	done, ok := frame.FieldByName("done")
	if !ok || done.Type != reflect.TypeFor[reflect.SelectCase]() {
		return 0, errVersion
	}
	channel, ok := done.Type.FieldByName("Chan")
	if !ok {
		return 0, errVersion
	}
	// A channel is a pointer, which a reflect.Value holds itself.
	pointer, ok := channel.Type.FieldByName("ptr")
	if !ok || pointer.Type.Kind() != reflect.UnsafePointer {
		return 0, errVersion
	}
	return done.Offset + channel.Offset + pointer.Offset, nil
}
