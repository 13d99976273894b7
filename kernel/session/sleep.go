package session

import "time"

// sleep is time.Sleep for cells. One that is being stopped wakes up, and leaves at its next operation; in compiled code it would
// be waited for, and at last left alone.
func (s *Session) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.done():
	}
}
