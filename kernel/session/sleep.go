package session

import "time"

// sleep is time.Sleep for cells. A goroutine of one that is being stopped leaves; in compiled code it would be waited for, and at
// last left alone.
func (s *Session) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.done():
		leaveHere()
	}
}
