//go:build !amd64 && !arm64

package rt

import (
	"bytes"
	"runtime"
	"strconv"
)

// Goroutine returns the number of the calling goroutine, which Go shows in stack traces only.
func Goroutine() uintptr {
	var buf [64]byte
	head := buf[:runtime.Stack(buf[:], false)]
	head = bytes.TrimPrefix(head, []byte("goroutine "))
	number, _, _ := bytes.Cut(head, []byte(" "))
	id, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil {
		panic("rt: no goroutine number in " + strconv.Quote(string(buf[:])))
	}
	return uintptr(id)
}
