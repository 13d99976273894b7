package session

import (
	"context"

	"orthant/stdlib/display"
)

// Call runs a function that a cell has made, as Execute runs a cell: what it outputs goes to out, all of it before Call returns,
// but for what goroutines output that it leaves running; ctx in it is ctx; what ends a cell ends it, with an Error. Like cells,
// calls do not overlap with one another. The name says in messages what runs.
func (s *Session) Call(ctx context.Context, name string, out display.Sink, f func()) *Error {
	if err := ctx.Err(); err != nil {
		return &Error{Name: interrupted, Value: "interrupted before it began", Traceback: []string{}}
	}
	s.executing.Lock()
	defer s.executing.Unlock()
	s.values.RLock()
	defer s.values.RUnlock()
	r := s.newRun(ctx, Part{}, out)
	defer r.cancel()
	r.name = name
	s.mu.Lock()
	s.current = r
	s.mu.Unlock()
	failure := s.perform(r, func() error {
		r.enter(f)
		return nil
	})
	s.streams.drain()
	return failure
}
