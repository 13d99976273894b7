package clustering

import (
	"fmt"
	"math"
	"runtime"
	"time"
)

// Options say how long, how often and from which seed a method runs. They are the same for all methods; the zero value runs
// the method once, with its own defaults, from seed 0.
type Options struct {
	// MaxIter is the most iterations of one restart, >= 0. 0: the method's default.
	MaxIter int
	// Tol stops a restart once the change of an iteration (Point.Change) is at most Tol. 0: the method's default;
	// negative: never stop early, run MaxIter iterations.
	Tol float64
	// Seed makes the random starts. Any value is as good as any other, 0 included.
	Seed uint64
	// Restarts is the number of independent starts, >= 0. 0: one.
	Restarts int
	// Workers is the number of goroutines that share the restarts, >= 0. 0: GOMAXPROCS. It never changes a result.
	Workers int
	// Observe, if not nil, is called with iterations as they happen: by one goroutine at a time, in order within a restart,
	// and at most once in ObserveEvery. It slows the fit down by the time it takes. If it panics the fit ends with an
	// error. It is never called after Fit has returned, and must not change what the Point holds.
	Observe func(Point)
	// ObserveEvery is the least time between two calls of Observe. 0: 50 ms; negative: every iteration is observed.
	ObserveEvery time.Duration
}

// observeEvery is the pause between two observations that nobody asked to be other: 20 pictures a second look fluid.
const observeEvery = 50 * time.Millisecond

// resolve checks o and fills in what its zero values stand for.
func (o Options) resolve(maxIter int, tol float64) (Options, error) {
	switch {
	case o.MaxIter < 0:
		return o, fmt.Errorf("Options.MaxIter = %d is negative", o.MaxIter)
	case math.IsNaN(o.Tol):
		return o, fmt.Errorf("Options.Tol is NaN")
	case o.Restarts < 0:
		return o, fmt.Errorf("Options.Restarts = %d is negative", o.Restarts)
	case o.Workers < 0:
		return o, fmt.Errorf("Options.Workers = %d is negative", o.Workers)
	}
	if o.MaxIter == 0 {
		o.MaxIter = maxIter
	}
	if o.Tol == 0 {
		o.Tol = tol
	}
	if o.Restarts == 0 {
		o.Restarts = 1
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = min(o.Workers, o.Restarts)
	if o.ObserveEvery == 0 {
		o.ObserveEvery = observeEvery
	}
	return o, nil
}

// String lists what influences a result: neither Workers nor Observe is in it.
func (o Options) String() string {
	return fmt.Sprintf("MaxIter: %d, Tol: %g, Seed: %d, Restarts: %d", o.MaxIter, o.Tol, o.Seed, o.Restarts)
}
