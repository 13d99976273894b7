package engine

import (
	"reflect"
	"sync"
	"unsafe"
)

// The interpreter ends a channel operation that waits when a channel is closed that its frame was given when the function was
// made: that of whoever made a closure, not of who calls it. So before it waits, a frame gets the channel of its goroutine.

// rangeChannel is the generator of ranging over a channel, which nothing else in a node tells from ranging over other things.
const rangeChannel = "github.com/traefik/yaegi/interp.rangeChan"

// waits reports whether the operation of a node may wait for a channel; that of a select is the body's.
func (w *watch) waits(n node, generate generator) bool {
	switch w.layout.kindOf(n) {
	case w.unary:
		return w.layout.actionOf(n) == w.receive
	case w.ranges:
		return is(generate, rangeChannel)
	case w.sends:
		return true
	}
	return false
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
