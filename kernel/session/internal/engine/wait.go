package engine

import (
	"reflect"
	"sync"
	"unsafe"
)

// The interpreter ends a channel operation that waits when a channel is closed that its frame was given when the function was
// made: that of whoever made a closure, not of who calls it. So before it waits, a frame gets the channel of its goroutine.

// waits reports whether the operation of a node may wait for a channel.
func (w *watch) waits(n node) bool {
	switch kind := w.layout.kindOf(n); kind {
	case w.unary:
		return w.layout.actionOf(n) == w.receive
	default:
		return w.waiting[kind]
	}
}

// waiting returns an operation that waits for a channel no longer than its goroutine may. One that is ended so returns no
// next operation, as at the end of a function; the goroutine leaves then.
func (e *Engine) waiting(op operation) operation {
	return func(frame unsafe.Pointer) unsafe.Pointer {
		e.setDone(frame)
		next := op(frame)
		if next == nil {
			e.leavers.check()
		}
		return next
	}
}

// setDone gives a frame the channel of the calling goroutine. Only that reads or writes it, but for those who copy the frame.
func (e *Engine) setDone(frame unsafe.Pointer) {
	done := e.done()
	if done == nil {
		return
	}
	l := e.watch.layout
	now := (*reflect.SelectCase)(unsafe.Add(frame, l.done))
	c := reflect.ValueOf(done)
	if now.Chan.IsValid() && now.Chan.Pointer() == c.Pointer() {
		return
	}
	mu := (*sync.RWMutex)(unsafe.Add(frame, l.mutex))
	mu.Lock()
	defer mu.Unlock()
	*now = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: c}
}
