package engine

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"orthant/stdlib/rt"
)

// A Leaving is what a goroutine does at its next watched operation.
type Leaving int

const (
	Stay  Leaving = iota // go on
	Exit                 // end, by runtime.Goexit
	Abort                // panic with rt.Stop: the goroutine belongs to compiled code, which waits for the function to return
)

// leavers is asked while somebody is to leave.
type leavers struct {
	ask atomic.Pointer[func() Leaving]
}

// Leave has every watched operation ask what its goroutine shall do, until it is called with nil. It ends single goroutines,
// and what compiled code calls ends the compiled code, too. Code without a watched operation comes to an end by itself.
func (e *Engine) Leave(ask func() Leaving) {
	if ask == nil {
		e.leavers.ask.Store(nil)
		return
	}
	e.leavers.ask.Store(&ask)
}

// check makes the calling goroutine leave if it shall.
func (l *leavers) check() {
	ask := l.ask.Load()
	if ask == nil {
		return
	}
	switch (*ask)() {
	case Exit:
		runtime.Goexit()
	case Abort:
		panic(rt.Stop{})
	}
}

// leaving returns an operation at which goroutines may leave.
func leaving(op operation, l *leavers) operation {
	return func(frame unsafe.Pointer) unsafe.Pointer {
		l.check()
		return op(frame)
	}
}
