package rt

import (
	"go/token"
	"sync"
)

// A Place is an operation of lowered code that a panic has passed: the one that panicked, or a call.
type Place struct {
	At   token.Pos // of the operation
	Func token.Pos // where the function that it stands in begins; none at the top of a file
}

// A Step is a place of a trace.
type Step struct {
	Place
	Times int           // how often in a row
	Lost  map[Place]int // the steps in front of this one that were left out: how often each place was passed
}

// A Trace is the places that a panic has passed, innermost first.
type Trace []Step

// traceEnd is the number of steps that a trace keeps at either end: an endless recursion would have millions.
const traceEnd = 64

// add appends a place.
func (t Trace) add(p Place) Trace {
	if n := len(t); n > 0 && t[n-1].Place == p {
		t[n-1].Times++
		return t
	}
	if len(t) == 2*traceEnd {
		first, lost := t[traceEnd], t[traceEnd].Lost
		if lost == nil {
			lost = map[Place]int{}
		}
		lost[first.Place] += first.Times
		t = append(t[:traceEnd], t[traceEnd+1:]...)
		t[traceEnd].Lost = lost
	}
	return append(t, Step{Place: p, Times: 1})
}

// flying are the traces of the panics that pass lowered code, by goroutine.
var flying traces

type traces struct {
	mu sync.Mutex
	by map[uintptr]flight
}

// A flight is the trace of a panic that passes.
type flight struct {
	trace Trace
	again bool // a frame has recovered the panic and panics again with it
}

// maxFlights bounds what is kept of panics that compiled code recovered, in goroutines that may be gone.
const maxFlights = 256

// Passed notes that the panic of the calling goroutine passes a place; first says that it begins there.
func Passed(p Place, first bool) {
	id := Goroutine()
	flying.mu.Lock()
	defer flying.mu.Unlock()
	f, known := flying.by[id]
	if first && !f.again {
		f.trace = nil // of a panic that compiled code has recovered
	}
	f.trace, f.again = f.trace.add(p), false
	if flying.by == nil || !known && len(flying.by) >= maxFlights {
		flying.by = map[uintptr]flight{} // costs panics that fly just now their beginnings
	}
	flying.by[id] = f
}

// TakeTrace returns the trace of the panic that the calling goroutine has just recovered, and forgets it.
func TakeTrace() Trace {
	id := Goroutine()
	flying.mu.Lock()
	defer flying.mu.Unlock()
	t := flying.by[id].trace
	delete(flying.by, id)
	return t
}

// putTrace puts a trace back for a panic with the recovered value.
func putTrace(t Trace) {
	if len(t) == 0 {
		return
	}
	id := Goroutine()
	flying.mu.Lock()
	defer flying.mu.Unlock()
	if flying.by == nil {
		flying.by = map[uintptr]flight{}
	}
	flying.by[id] = flight{t, true}
}
