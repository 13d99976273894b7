package session

import (
	"sync"
	"time"
)

// native is the text that compiled code writes past the session: to the process's own standard streams.
type native struct {
	mu   sync.Mutex
	take func() (stdout, stderr string) // nil where nobody collects it
	stop func()                         // ends the showing
}

// How often native text is shown: while a cell runs, and while none does, when only what cells have left running writes any.
const (
	collectTime     = 50 * time.Millisecond
	collectIdleTime = 250 * time.Millisecond
)

// Collect sets the function that returns what compiled code has written to the process's standard streams since the last call.
// It is called until the session is closed, and at the end of each cell; what it returns is output of the cell that runs, or of the
// last one. To be called before the first cell.
func (s *Session) Collect(take func() (stdout, stderr string)) {
	s.native.take = take
	s.native.stop = s.collectEvery(collectIdleTime)
}

// collect shows native text as the running cell's, or the last one's.
func (s *Session) collect() {
	if s.native.take == nil {
		return
	}
	s.native.mu.Lock()
	defer s.native.mu.Unlock()
	out, err := s.native.take()
	r := s.currentRun()
	if r == nil {
		return // before the first cell: nobody's
	}
	if out != "" {
		r.out.Text(streamNames[stdout], out)
	}
	if err != "" {
		r.out.Text(streamNames[stderr], err)
	}
}

// collecting shows native text of a cell until the function that it returns is called, which shows the rest.
func (s *Session) collecting() (end func()) {
	if s.native.take == nil {
		return func() {}
	}
	stop := s.collectEvery(collectTime)
	return func() {
		stop()
		s.collect()
	}
}

// collectEvery shows native text again and again until the function that it returns is called.
func (s *Session) collectEvery(d time.Duration) (stop func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(d)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.collect()
			case <-over:
				return
			}
		}
	}()
	return func() {
		close(over)
		<-done
	}
}
