package session

import (
	"context"

	"orthant/stdlib/display"
)

// Call runs a function that a cell has made, as Execute runs a cell: what it outputs goes to out, all of it before Call returns,
// but for what goroutines output that it leaves running; ctx in it is ctx; what ends a cell ends it, with an Error. The name
// says in messages what runs.
func (s *Session) Call(ctx context.Context, name string, out display.Sink, f func()) *Error {
	if err := ctx.Err(); err != nil {
		return &Error{Name: interrupted, Value: "interrupted before it began", Traceback: []string{}}
	}
	s.values.RLock()
	defer s.values.RUnlock()
	s.collect() // what came before is not this call's
	o, end := s.outputTo(out)
	defer end()
	r := s.newRun(ctx, Part{}, o)
	defer r.cancel()
	r.name, r.body = name, f
	s.mu.Lock()
	s.running, s.last = append(s.running, r), r
	s.mu.Unlock()
	defer s.end(r)
	defer s.collecting()()
	failure := s.perform(r)
	s.streams.drain()
	return failure
}
