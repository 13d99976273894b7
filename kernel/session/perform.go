package session

import (
	"fmt"
	"runtime"
	"time"

	"orthant/stdlib/display"
	"orthant/stdlib/rt"
)

// perform runs a compiled cell and waits for its end.
func (s *Session) perform(r *run) *Error {
	executed := make(chan struct{})
	go func() {
		defer close(executed)
		r.enter()
	}()
	tooMuch, unwatch := s.watch(r)
	defer unwatch()
	select {
	case <-executed:
		if r.ctx.Err() != nil { // interrupted and ended at the same moment
			return s.interruption(r, byItself, 0)
		}
		return r.failed()
	case <-r.failure:
		r.cancel()
		s.stop(executed, r, 0)
		return r.failed()
	case why := <-tooMuch:
		r.cancel() // compiled code may look at ctx
		s.stop(executed, r, 0)
		runtime.GC() // gives the memory back
		r.finish()
		return runError(panicError, why, r.number, r.typed, r.line())
	case <-r.ctx.Done():
	}
	line := r.line()
	return s.interruption(r, s.stop(executed, r, politely), line)
}

// interruption makes the error of a run that was interrupted in a line, and how it ended.
func (s *Session) interruption(r *run, ended ending, line int) *Error {
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
	r.finish()
	return runError(interrupted, text, r.number, r.typed, line)
}

// guarded renders the result of a run that has ended, which may call String methods of the session's: under the same
// watch as the run.
func (s *Session) guarded(r *run, render func() *Error) *Error {
	result, executed := make(chan *Error, 1), make(chan struct{})
	go func() {
		failed := &Error{Name: panicError, Value: "runtime.Goexit while the result was shown", Traceback: []string{}}
		defer func() {
			if v := recover(); v != nil {
				failed = r.panicError(rt.Text(rt.Value(v))+" (while the result was shown)", rt.TakeTrace())
			}
			result <- failed
			close(executed)
		}()
		display.Run(r, func() { failed = render() })
	}()
	tooMuch, unwatch := s.watch(r)
	defer unwatch()
	var failed *Error
	select {
	case e := <-result:
		return e
	case why := <-tooMuch:
		failed = runError(panicError, why+" while the result was shown", r.number, r.typed, 0)
	case <-r.ctx.Done():
		failed = runError(interrupted, "interrupted while the result was shown", r.number, r.typed, 0)
	}
	s.stop(executed, r, 0)
	runtime.GC()
	return failed
}

// An ending is how an interrupted cell ended.
type ending int

const (
	byItself ending = iota // its ctx was enough
	stopped                // its goroutines were told to leave
	hanging                // it is still in native code
)

// waitFor waits for the end of an execution, for a time at most, and reports whether it came.
func waitFor(executed <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-executed:
		return true
	case <-t.C:
		return false
	}
}
