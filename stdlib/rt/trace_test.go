package rt

import (
	"go/token"
	"reflect"
	"sync"
	"testing"
)

// through passes a panic by places as watched operations do, and lets it go on.
func through(first bool, f func(), places ...token.Pos) {
	returned := false
	defer func() {
		if returned {
			return
		}
		for _, p := range places {
			Passed(Place{At: p}, first)
			first = false
		}
	}()
	f()
	returned = true
}

// taken calls f, which panics, and returns the places that the panic passed.
func taken(f func()) (places []token.Pos) {
	defer func() {
		if recover() == nil {
			panic("no panic")
		}
		for _, s := range TakeTrace() {
			places = append(places, s.At)
		}
	}()
	f()
	return nil
}

func fails() { panic("fails") }

func TestTrace(t *testing.T) {
	for _, test := range []struct {
		name string
		f    func()
		want []token.Pos
	}{
		{"a panic", func() { through(false, func() { through(true, fails, 1, 2) }, 3) }, []token.Pos{1, 2, 3}},
		{"through a frame", func() {
			through(true, func() { run(func(any) { through(true, fails, 1) }) }, 2)
		}, []token.Pos{1, 2}},
		{"after one that compiled code recovered", func() {
			func() {
				defer func() { _ = recover() }()
				through(true, fails, 1)
			}()
			through(true, fails, 2)
		}, []token.Pos{2}},
		{"one in a deferred call takes the place", func() {
			run(func(frame any) {
				Defer(frame, func() { through(true, fails, 2) })
				through(true, fails, 1)
			})
		}, []token.Pos{2}},
		{"one recovered in a deferred call leaves the other", func() {
			run(func(frame any) {
				Defer(frame, func() {
					run(func(frame any) {
						Defer(frame, func() { Recover(frame) })
						through(true, fails, 2)
					})
				})
				through(true, fails, 1)
			})
		}, []token.Pos{1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := taken(test.f); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestLongTrace leaves out the middle of a trace and counts what it was.
func TestLongTrace(t *testing.T) {
	var trace Trace
	const places = 1000
	for i := range places {
		trace = trace.add(Place{At: token.Pos(1 + i%2)})
	}
	total := 0
	for _, s := range trace {
		total += s.Times
		for _, times := range s.Lost {
			total += times
		}
	}
	if len(trace) != 2*traceEnd || total != places {
		t.Errorf("%d steps of %d places, want %d of %d", len(trace), total, 2*traceEnd, places)
	}
	trace = nil
	for range places {
		trace = trace.add(Place{At: 1})
	}
	if len(trace) != 1 || trace[0].Times != places {
		t.Errorf("got %v, want one step %d times", trace, places)
	}
}

// TestTracesOfGoroutines lets goroutines panic at once.
func TestTracesOfGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for range 100 {
				at := token.Pos(1 + g)
				if got := taken(func() { through(true, fails, at) }); !reflect.DeepEqual(got, []token.Pos{at}) {
					t.Errorf("got %v, want %v", got, at)
				}
			}
		})
	}
	wg.Wait()
}

// TestTracesAreBounded lets many goroutines leave the traces of panics behind that compiled code has recovered.
func TestTracesAreBounded(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 * maxFlights {
		wg.Go(func() {
			defer func() { _ = recover() }()
			through(true, fails, 1)
		})
	}
	wg.Wait()
	if n := len(flying.by); n > maxFlights {
		t.Errorf("%d traces are kept, want %d at most", n, maxFlights)
	}
}
