package session

import (
	"sync"
	"time"
)

// native is the text that compiled code writes past the session: to the process's own standard streams.
type native struct {
	mu   sync.Mutex
	take func() (stdout, stderr string) // nil where nobody collects it
}

// collectTime is how often native text is shown while a cell runs.
const collectTime = 50 * time.Millisecond

// Collect sets the function that returns what compiled code has written to the process's standard streams since the last call.
// It is called while a cell runs and at its end; what it returns is output of that cell. To be called before the first cell.
func (s *Session) Collect(take func() (stdout, stderr string)) { s.native.take = take }

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

// collecting shows native text until the function that it returns is called, which shows the rest.
func (s *Session) collecting() (end func()) {
	if s.native.take == nil {
		return func() {}
	}
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(collectTime)
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
		s.collect()
	}
}
