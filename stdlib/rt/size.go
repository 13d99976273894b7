package rt

import "math/bits"

// A Made is what a call of make gives a size of.
type Made int

// The order is known to the lowering.
const (
	MadeLen Made = iota // the length of a slice
	MadeCap             // the capacity of a slice
	MadeChan
	MadeMap
)

// maxBytes is more than the runtime ever allocates: the addresses that processors have (runtime/malloc.go, heapAddrBits).
const maxBytes = 1 << 48

// CheckSize returns the bytes that n elements of a size take, and panics as Go does where n is no size at all. The size of
// a map is a hint, of which Go takes no notice then; so it counts as none.
func CheckSize(what Made, elem uint64, n int) uint64 {
	high, low := bits.Mul64(elem, uint64(n))
	if n >= 0 && high == 0 && low < maxBytes {
		return low
	}
	switch what {
	case MadeLen:
		panic(lenError)
	case MadeCap:
		panic(capError)
	case MadeChan:
		panic(chanError)
	}
	return 0
}

// A MemoryError is the panic where Go would end the process for want of memory.
type MemoryError string

// Error returns the text.
func (e MemoryError) Error() string { return string(e) }

// RuntimeError marks the type as a runtime.Error.
func (e MemoryError) RuntimeError() {}
