package display

import (
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"
)

// A recorder is a sink that keeps what it gets, one line a call.
type recorder struct {
	sync.Mutex
	lines []string
}

func (r *recorder) add(format string, args ...any) {
	r.Lock()
	defer r.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func (r *recorder) Text(stream Stream, text string) { r.add("%s %s", stream, text) }
func (r *recorder) Display(b Bundle)                { r.add("display %s", b.Data[plainText]) }
func (r *recorder) Update(b Bundle)                 { r.add("update %s %s", b.ID, b.Data[plainText]) }
func (r *recorder) Clear(wait bool)                 { r.add("clear %v", wait) }

func (r *recorder) String() string {
	r.Lock()
	defer r.Unlock()
	return strings.Join(r.lines, "; ")
}

func TestCurrent(t *testing.T) {
	first, second := &recorder{}, &recorder{}
	say := func(s string) { Current().Text(Stdout, s) }

	t.Run("in the run", func(t *testing.T) {
		out := &recorder{}
		Run(out, func() { say("a"); Show(1.5); Clear(true); Show(HTML("<b>x</b>")) })
		if got, want := out.String(), "stdout a; display 1.5; clear true; display <b>x</b>"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("late goroutine of an earlier run", func(t *testing.T) {
		release, done := make(chan bool), make(chan bool)
		Run(first, func() {
			go func() {
				<-release
				inner := make(chan bool)
				go func() { say("grandchild"); close(inner) }()
				<-inner
				say("child")
				close(done)
			}()
		})
		Run(second, func() {
			close(release)
			<-done
			say("own")
		})
		if got, want := first.String(), "stdout grandchild; stdout child"; got != want {
			t.Errorf("first run got %q, want %q", got, want)
		}
		if got, want := second.String(), "stdout own"; got != want {
			t.Errorf("second run got %q, want %q", got, want)
		}
	})
	t.Run("nested", func(t *testing.T) {
		outer, inner := &recorder{}, &recorder{}
		Run(outer, func() {
			Run(inner, func() { say("in") })
			say("out")
		})
		if got, want := outer.String()+"/"+inner.String(), "stdout out/stdout in"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("after a panic", func(t *testing.T) {
		func() {
			defer func() { _ = recover() }()
			Run(&recorder{}, func() { panic("x") })
		}()
		if got, ok := Current().(process); !ok {
			t.Errorf("after the run the sink is %T, want the process's", got)
		}
	})
	t.Run("after Goexit", func(t *testing.T) {
		left := make(chan Sink)
		go func() {
			defer func() { left <- Current() }()
			Run(&recorder{}, runtime.Goexit)
		}()
		if got, ok := (<-left).(process); !ok {
			t.Errorf("after the run the sink is %T, want the process's", got)
		}
	})
	t.Run("callback of the runtime", func(t *testing.T) {
		out, done := &recorder{}, make(chan bool)
		Run(out, func() {
			time.AfterFunc(0, Owned(Current(), func() { say("tick"); close(done) }))
		})
		<-done
		if got, want := out.String(), "stdout tick"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("owned function called from another run", func(t *testing.T) {
		mine, other := &recorder{}, &recorder{}
		f := Owned(mine, func() { say("f") })
		Run(other, func() { f(); say("g"); f() })
		if got, want := mine.String()+"/"+other.String(), "stdout f; stdout f/stdout g"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("foreign labels", func(t *testing.T) {
		Run(&recorder{}, func() {
			pprof.Do(context.Background(), pprof.Labels("a", "b"), func(context.Context) {
				if got, ok := Current().(process); !ok {
					t.Errorf("got %T, want the process's sink", got)
				}
			})
		})
	})
}

// TestRunsAtOnce is for the race detector: runs begin, end and look up their sinks together.
func TestRunsAtOnce(t *testing.T) {
	const runs, lines = 50, 20
	var all sync.WaitGroup
	sinks := make([]*recorder, runs)
	for i := range sinks {
		sinks[i] = &recorder{}
		all.Go(func() {
			Run(sinks[i], func() {
				for range lines {
					all.Go(func() { Current().Text(Stderr, fmt.Sprint(i)) })
				}
			})
		})
	}
	all.Wait()
	for i, s := range sinks {
		want := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("stderr %d; ", i), lines), "; ")
		if got := s.String(); got != want {
			t.Errorf("run %d got %q, want %q", i, got, want)
		}
	}
}

// TestOwnersAreDropped checks that a run leaves nothing behind once its last goroutine has ended.
func TestOwnersAreDropped(t *testing.T) {
	entries := func() int {
		if m := owners.sinks.Load(); m != nil {
			return len(*m)
		}
		return 0
	}
	collect := func(atMost int) bool {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); runtime.Gosched() {
			runtime.GC()
			if entries() <= atMost {
				return true
			}
		}
		return false
	}
	if !collect(0) {
		t.Fatalf("%d entries of earlier tests stay", entries())
	}

	release, done := make(chan bool), make(chan bool)
	out := &recorder{}
	for range 100 {
		Run(&recorder{}, func() {})
	}
	Run(out, func() {
		go func() { <-release; Current().Text(Stdout, "still"); close(done) }()
	})
	if !collect(1) {
		t.Errorf("%d entries while one goroutine lives, want 1", entries())
	}
	close(release)
	<-done
	if got, want := out.String(), "stdout still"; got != want {
		t.Errorf("late goroutine after collections: got %q, want %q", got, want)
	}
	if !collect(0) {
		t.Errorf("%d entries after the last goroutine ended, want 0", entries())
	}
}

func BenchmarkCurrent(b *testing.B) {
	Run(&recorder{}, func() {
		for b.Loop() {
			Current()
		}
	})
}

func BenchmarkRun(b *testing.B) {
	out := &recorder{}
	for b.Loop() {
		Run(out, func() {})
	}
}
