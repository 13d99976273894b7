package session

import (
	"runtime"

	"orthant/stdlib/display"
)

// Stream shortens a name that the tests use often.
type Stream = display.Stream

// heap returns the bytes in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // the first runs finalizers
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
