package session

import (
	"fmt"
	"runtime"
	"time"

	"orthant/kernel/session/internal/engine"
	"orthant/stdlib/display"
	"orthant/stdlib/rt"
)

// How long an interrupt waits for what.
const (
	// politely is the time that a cell has to end by itself after its ctx was cancelled.
	politely = 200 * time.Millisecond
	// leaving is the time that the cell's goroutines have to reach an operation that may panic, at which they end without
	// touching those of earlier cells. Nearly all code does at once.
	leaving = 30 * time.Millisecond
	// stopping is the time that the engine has to reach a next statement before the channel operations of the cell
	// are ended too.
	stopping = 100 * time.Millisecond
	// giveUp is the time after which a cell that hangs in native code is left alone.
	giveUp = 2 * time.Second
)

// perform runs the body of a run and waits for its end. The error of execute is one of the engine.
func (s *Session) perform(r *run, execute func() error) *Error {
	executed := make(chan error, 1)
	go func() {
		var err error
		defer func() { executed <- err }() // also when the cell calls runtime.Goexit
		err = execute()
	}()
	tooMuch, unwatch := s.watch()
	defer unwatch()
	halt := func(patience time.Duration) ending { return s.stop(executed, r, patience) }
	select {
	case err := <-executed:
		if err != nil {
			return &Error{Name: internalError, Value: err.Error(), Traceback: []string{err.Error()}}
		}
		if r.ctx.Err() != nil { // interrupted and ended at the same moment
			return s.interruption(r, byItself, 0, 0)
		}
		return r.failed()
	case <-r.failure:
		r.cancel()
		halt(0)
		return r.failed()
	case why := <-tooMuch:
		r.cancel() // compiled code may look at ctx
		halt(0)
		runtime.GC() // gives the memory back
		r.finish()
		return runError(panicError, why, r.number, r.source, r.line())
	case <-r.ctx.Done():
	}
	line, others := r.line(), s.strangers(r)
	ended := halt(politely)
	if ended != byItself && others > 0 {
		time.Sleep(leaving) // goroutines that were stopped need a moment to end
	}
	return s.interruption(r, ended, line, others-s.strangers(r))
}

// interruption makes the error of a run that was interrupted in a line, and how it ended; lost is the number of goroutines
// of earlier cells that ended with it.
func (s *Session) interruption(r *run, ended ending, line, lost int) *Error {
	if ended == byItself {
		if e := r.failed(); e != nil {
			e.Name = interrupted
			return e
		}
		line = 0
	}
	text := "interrupted"
	if line > 0 {
		text = fmt.Sprintf("interrupted in line %d", line)
	}
	if ended == hanging {
		text += "; a call of compiled code has not returned yet"
	}
	if n := r.goroutines.Load(); n > 0 && ended == stopped {
		text += fmt.Sprintf("; goroutines that are still in compiled code: %d", n)
	}
	if lost > 0 {
		text += fmt.Sprintf("; goroutines of earlier cells that were stopped with it: %d", lost)
	}
	r.finish()
	return runError(interrupted, text, r.number, r.source, line)
}

// guarded renders the result of a run that has ended, which may call String methods of the session's: under the same
// watch as the run.
func (s *Session) guarded(r *run, render func() *Error) *Error {
	done := make(chan *Error, 1)
	go func() {
		failed := &Error{Name: panicError, Value: "runtime.Goexit while the result was shown", Traceback: []string{}}
		defer func() {
			if v := recover(); v != nil {
				failed = r.panicError(rt.Text(rt.Value(v))+" (while the result was shown)", rt.TakeTrace())
			}
			done <- failed
		}()
		display.Run(r, func() { failed = render() })
	}()
	tooMuch, unwatch := s.watch()
	defer unwatch()
	var failed *Error
	select {
	case e := <-done:
		return e
	case why := <-tooMuch:
		failed = runError(panicError, why+" while the result was shown", r.number, r.source, 0)
	case <-r.ctx.Done():
		failed = runError(interrupted, "interrupted while the result was shown", r.number, r.source, 0)
	}
	s.engine.Stop()
	defer s.engine.Resume()
	select {
	case <-done:
	case <-time.After(giveUp):
	}
	runtime.GC()
	return failed
}

// An ending is how an interrupted cell ended.
type ending int

const (
	byItself ending = iota // its ctx was enough
	stopped                // the engine stopped it
	hanging                // it is still in native code
)

// stop ends a running cell: after patience, by letting its own goroutines leave, then by stopping the engine, then by ending
// channel operations. Closures of earlier cells live on.
func (s *Session) stop(executed <-chan error, r *run, patience time.Duration) ending {
	if waitFor(executed, patience) {
		return byItself
	}
	r.stopped.Store(true)
	s.engine.Leave(leaves)
	ended := s.stopEngine(executed, r)
	if ended != hanging && r.awaitGoroutines(0) && !s.lingers {
		s.engine.Leave(nil)
	} else {
		s.lingers = true // what is in compiled code now leaves when it comes back
	}
	return ended
}

// stopEngine is stop for a run whose goroutines have been told to leave.
func (s *Session) stopEngine(executed <-chan error, r *run) ending {
	ended := waitFor(executed, leaving)
	if ended && r.awaitGoroutines(leaving) {
		return stopped
	}
	r.halt(true)
	defer r.halt(false)
	defer r.awaitGoroutines(stopping)
	if ended || waitFor(executed, stopping) {
		return stopped
	}
	// Compiled code may be calling functions of the cell, which the stopped engine does not run: let them leave.
	r.halt(false)
	if waitFor(executed, leaving) {
		return stopped
	}
	r.halt(true)
	close(r.done)
	if waitFor(executed, giveUp) {
		return stopped
	}
	r.halt(true) // the cell's deferred calls may be running
	if waitFor(executed, stopping) {
		return stopped
	}
	return hanging
}

// leaves says what the calling goroutine does at an operation: those of a run that was stopped end, but for deferred calls.
func leaves() engine.Leaving {
	r, ok := display.Current().(*run)
	if !ok || !r.stopped.Load() || r.unwinds.Load() > 0 {
		return engine.Stay
	}
	if _, foreign := r.foreign.Load(rt.Goroutine()); foreign {
		return engine.Abort
	}
	return engine.Exit
}

// halt stops the engine for the run that is to end, or ends that.
func (r *run) halt(stop bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.halting = stop
	if stop {
		r.session.engine.Stop()
	} else {
		r.session.engine.Resume()
	}
}

// unwinding runs the deferred calls of one of the run's functions. Where the run is being stopped they run all the same:
// for them the engine goes on, and stops again for what is around the function.
func (r *run) unwinding(unwind func()) {
	if !r.stopped.Load() {
		unwind()
		return
	}
	r.session.engine.Resume()
	r.unwinds.Add(1)
	defer r.unwinds.Add(-1) // also where a deferred call panics
	unwind()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.halting {
		r.session.engine.Stop()
	}
}

// awaitGoroutines gives the goroutines of a stopped cell time to reach a statement, at which they end, and reports whether
// they have. One that is in compiled code for longer goes on when the engine does.
func (r *run) awaitGoroutines(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	for r.goroutines.Load() > 0 {
		select {
		case <-r.alone:
		case <-t.C:
			return false
		}
	}
	return true
}

// waitFor waits for the end of an execution, for a time at most.
func waitFor(executed <-chan error, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-executed: // an error of the engine does not matter any more
		return true
	case <-t.C:
		return false
	}
}

// strangers counts the goroutines of other cells that are alive.
func (s *Session) strangers(r *run) int {
	return int(s.goroutines.Load() - r.goroutines.Load())
}
