package session

import (
	"context"

	"orthant/stdlib/display"
)

// Call runs a function that a cell has made, as Execute runs a cell: what it outputs goes to out, all of it before Call returns,
// but for what goroutines output that it leaves running; ctx in it is ctx; what ends a cell ends it, with an Error. The name
// says in messages what runs.
func (s *Session) Call(ctx context.Context, name string, out display.Sink, f func()) *Error {
	r, done, failure := s.open(ctx, Part{}, out)
	if failure != nil {
		return failure
	}
	defer done()
	r.name, r.body = name, f
	s.mu.Lock()
	s.enter(r)
	s.mu.Unlock()
	defer s.end(r)
	defer s.collecting()()
	failure = s.perform(r)
	s.streams.drain()
	return failure
}
