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

// check makes the calling goroutine leave if it shall. It is small enough to be inlined.
func (l *leavers) check() {
	if ask := l.ask.Load(); ask != nil {
		leave(*ask)
	}
}

func leave(ask func() Leaving) {
	switch ask() {
	case Exit:
		runtime.Goexit()
	case Abort:
		panic(rt.Stop{})
	}
}

// goesOn is the generator of operations that do nothing but name the next one, always the same.
const goesOn = "github.com/traefik/yaegi/interp.nop"

// leavingOnly is leaving for the operation of a generator that goes on: it need not be called in every round of a loop.
func leavingOnly(op operation, l *leavers) operation {
	next := op(nil)
	return func(unsafe.Pointer) unsafe.Pointer {
		l.check()
		return next
	}
}

// leaving returns an operation at which goroutines may leave.
func leaving(op operation, l *leavers) operation {
	return func(frame unsafe.Pointer) unsafe.Pointer {
		l.check()
		return op(frame)
	}
}
