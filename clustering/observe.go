package clustering

import (
	"fmt"
	"sync"
	"time"
)

// An observer passes the points of all runs to Options.Observe and keeps what that field promises.
type observer struct {
	call  func(Point)
	every time.Duration
	fail  func(error) // told of a panic in call

	mu   sync.Mutex
	last time.Time // when the last call returned
	dead bool      // a call panicked: there will be no other
}

// see calls the function with p unless it is too soon. After a panic, which goes to fail, it calls it no more.
func (o *observer) see(p Point) {
	if o.call == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dead || time.Since(o.last) < o.every {
		return
	}
	returned := false
	defer func() {
		o.last = time.Now()
		if !returned {
			o.dead = true
			// Not a result of see: after runtime.Goexit nothing but deferred functions runs.
			o.fail(panicError("Observe", recover()))
		}
	}()
	o.call(p)
	returned = true
}

// panicError is the error for a panic with the given value in the function called what. A value that is an error is wrapped;
// nil stands for runtime.Goexit, which unwinds a goroutine without a value.
func panicError(what string, value any) error {
	switch v := value.(type) {
	case nil:
		return fmt.Errorf("%s called runtime.Goexit", what)
	case error:
		return fmt.Errorf("%s panicked: %w", what, v)
	default:
		return fmt.Errorf("%s panicked: %v", what, v)
	}
}
