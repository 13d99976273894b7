package session

import (
	"runtime"
	"time"

	"orthant/kernel/session/internal/engine"
	"orthant/stdlib/display"
	"orthant/stdlib/rt"
)

// How long the end of a run waits for what.
const (
	// politely is the time that a cell has to end by itself after its ctx was cancelled.
	politely = 200 * time.Millisecond
	// leaving is the time that the cell's goroutines have to reach an operation at which they leave. All code does at once that
	// is not compiled and does not wait.
	leaving = 100 * time.Millisecond
	// giveUp is the time after which deferred calls of the cell are ended, too. A cell that hangs in native code is left alone
	// then.
	giveUp = 2 * time.Second
)

// stop ends a run: after patience its goroutines leave, at their next operation; then those that wait for channels; at last
// those that run deferred calls. Other runs, goroutines of earlier cells and all closures go on as if nothing had been.
func (s *Session) stop(executed <-chan struct{}, r *run, patience time.Duration) ending {
	if waitFor(executed, patience) {
		return byItself
	}
	r.stopped.Store(true)
	r.release()
	s.leave(1)
	ended := r.leave(executed)
	if ended != hanging && r.awaitGoroutines(0) {
		s.leave(-1)
		return ended
	}
	go func() { // what is in compiled code now leaves when it comes back
		<-executed
		for r.goroutines.Load() > 0 {
			<-r.alone
		}
		s.leave(-1)
	}()
	return ended
}

// release lets go what an interrupt has cut short, see await.
func (r *run) release() { r.waited.Do(func() { close(r.waits) }) }

// await is for what an interrupt of the run has cut short in compiled code, a question to the user: the calling goroutine leaves
// here, so that the cell does not take the error for an answer. Where the cell ends by itself meanwhile, or runs deferred calls, it
// returns.
func (r *run) await() {
	if r.ctx.Err() == nil {
		return
	}
	<-r.waits
	leaveHere()
}

// leaveHere ends the calling goroutine where it is to leave. Not all operations behind a call of compiled code are watched.
func leaveHere() {
	switch leaves() {
	case engine.Exit:
		runtime.Goexit()
	case engine.Abort:
		panic(rt.Stop{})
	}
}

// leave notes that there is one more run, or one less, whose goroutines leave.
func (s *Session) leave(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaving += change
	if s.leaving > 0 {
		s.engine.Leave(leaves)
	} else {
		s.engine.Leave(nil)
	}
}

// leave waits until the goroutines of a stopped run have left.
func (r *run) leave(executed <-chan struct{}) ending {
	ended := waitFor(executed, leaving)
	if ended && r.awaitGoroutines(leaving) {
		return stopped
	}
	close(r.done)
	if !ended && !waitFor(executed, giveUp) {
		r.forced.Store(true)
		close(r.forcedDone)
		if !waitFor(executed, leaving) {
			return hanging
		}
	}
	r.awaitGoroutines(leaving)
	return stopped
}

// leaves says what the calling goroutine does at an operation: those of a run that was stopped end, but for deferred calls.
func leaves() engine.Leaving {
	r, ok := display.Current().(*run)
	if !ok || !r.stopped.Load() {
		return engine.Stay
	}
	here := rt.Goroutine()
	if r.unwinds(here) && !r.forced.Load() {
		return engine.Stay
	}
	if _, foreign := r.foreign.Load(here); foreign {
		return engine.Abort
	}
	return engine.Exit
}

// doneFor returns the channel that ends the channel operations of one of the run's goroutines.
func (r *run) doneFor(goroutine uintptr) <-chan struct{} {
	if r.stopped.Load() && r.unwinds(goroutine) {
		return r.forcedDone
	}
	return r.done
}

// unwinds reports whether one of the run's goroutines runs deferred calls although the run is stopped.
func (r *run) unwinds(goroutine uintptr) bool {
	_, ok := r.unwinders.Load(goroutine)
	return ok
}

// unwinding runs the deferred calls of one of the run's functions. Where the run is being stopped they run all the same.
func (r *run) unwinding(unwind func()) {
	if here := rt.Goroutine(); r.stopped.Load() && !r.unwinds(here) {
		r.unwinders.Store(here, true)
		defer r.unwinders.Delete(here) // also where a deferred call panics
	}
	unwind()
}

// awaitGoroutines gives the goroutines of a stopped cell time to leave, and reports whether they have. One that is in compiled
// code for longer leaves when it comes back.
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
