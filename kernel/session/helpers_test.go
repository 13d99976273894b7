package session

import (
	"math"
	"runtime"

	"orthant/stdlib/display"
)

// Stream shortens a name that the tests use often.
type Stream = display.Stream

// heap returns the bytes in use when nothing more is freed. What is freed by a cleanup is so a while after the collection, which
// ends before; the sentinel's cleanup tells of others.
func heap() uint64 {
	for last := uint64(math.MaxUint64); ; {
		cleaned := make(chan struct{})
		runtime.AddCleanup(new([64]byte), func(done chan struct{}) { close(done) }, cleaned)
		runtime.GC()
		<-cleaned
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc >= last {
			return last
		}
		last = m.HeapAlloc
	}
}
