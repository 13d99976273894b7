package engine

import (
	"runtime"
	"sync/atomic"

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

// Leave has every watched operation ask what its goroutine shall do, until it is called with nil. Unlike Stop it ends single
// goroutines, and what compiled code calls ends the compiled code, too; but code without a watched operation, such as an
// empty loop, does not notice.
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
