package session

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"orthant/kernel/session/internal/memory"
)

// TestWatchdogKnowsGarbage makes garbage as fast as four goroutines can, at a limit that what is made during one collection may
// pass: the collector counts what is made meanwhile as in use.
func TestWatchdogKnowsGarbage(t *testing.T) {
	type node struct {
		left, right *node
	}
	var grow func(depth int) *node
	grow = func(depth int) *node {
		if depth == 0 {
			return nil
		}
		return &node{grow(depth - 1), grow(depth - 1)}
	}
	kept := grow(21) // 32 MiB which the collector needs time for
	runtime.GC()
	before := read(liveName)
	w := watchdog{limit: memory.Limit{Bytes: before + 16<<20}, stack: read(stackName)} // of tests of endless recursion
	done := make(chan struct{})
	var makers sync.WaitGroup
	for range 4 {
		makers.Go(func() {
			var piece []byte
			for {
				select {
				case <-done:
					return
				default:
					piece = make([]byte, 1<<20)
					piece[0] = 1
				}
			}
		})
	}
	for range 20 {
		time.Sleep(checkEvery)
		if why := w.check(); why != "" {
			t.Error(why)
			break
		}
	}
	close(done)
	makers.Wait()
	runtime.KeepAlive(kept)
}
