package rt

import (
	"sync"
	"sync/atomic"
)

// A function's recover is about the panic of the frame that calls the function, as a deferred call. The function itself does
// not see who calls it, often through compiled code. So the frame arms the goroutine for the call, and the first function
// called takes that: it asks for the frame (Arm), or has no use for it (Disarm).

// Arm is called first by a function that contains recover. It returns the frame that is calling the function as a
// deferred call, or nil where anybody else calls it; recover then does nothing, as in Go.
func Arm() any {
	if f := armed.take(); f != nil {
		return f
	}
	return nil
}

// Disarm is called first by a function that contains no recover: what it calls is not the deferred call.
func Disarm() {
	if armed.any.Load() {
		armed.take()
	}
}

// armed knows, by goroutine, the frame whose deferred call is about to begin.
var armed = arming{by: map[uintptr]*Frame{}}

type arming struct {
	any atomic.Bool // whether there is one
	mu  sync.Mutex
	by  map[uintptr]*Frame
}

// set arms the calling goroutine and returns the function that disarms it.
func (a *arming) set(f *Frame) func() {
	before := a.put(f)
	return func() { a.put(before) }
}

// take returns the calling goroutine's frame and disarms it: only the first function called may take it.
func (a *arming) take() *Frame { return a.put(nil) }

// put arms the calling goroutine with a frame, or disarms it for nil, and returns the frame that it was armed with.
func (a *arming) put(f *Frame) (before *Frame) {
	id := Goroutine()
	a.mu.Lock()
	defer a.mu.Unlock()
	before = a.by[id]
	if f != nil {
		a.by[id] = f
	} else {
		delete(a.by, id)
	}
	a.any.Store(len(a.by) > 0)
	return before
}
