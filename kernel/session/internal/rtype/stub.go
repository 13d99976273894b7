//go:build amd64 || arm64

package rtype

import (
	"errors"
	"reflect"
	"sync"
	"unsafe"
)

// stubCount is how many functions the methods of a process can have, and stubSize the bytes of one stub. A method takes one
// function for the pointer to its type, and one more for the type itself where it is in its method set.
const (
	stubCount = 65536
	stubSize  = 16
)

// stubs are the functions that method tables point to: number i calls the closure contexts[i].
//
//lint:ignore U1000 firstStub returns its address
func stubs()

// firstStub returns the address of the first stub.
func firstStub() unsafe.Pointer

var (
	contexts [stubCount]unsafe.Pointer
	used     int
	stubLock sync.Mutex
)

// errFull is the error of a process whose stubs are all in use.
var errFull = errors.New("too many methods were declared: restart the kernel")

// IsStub reports whether code is that of a method of a type that was made here.
func IsStub(code uintptr) bool {
	return code-uintptr(firstStub()) < stubCount*stubSize
}

// text returns the offset of a function that calls f, a function value, with its arguments.
func text(f reflect.Value) (int32, error) {
	stubLock.Lock()
	defer stubLock.Unlock()
	if used == stubCount {
		return 0, errFull
	}
	v := f.Interface()
	contexts[used] = (*words)(unsafe.Pointer(&v)).data
	at := unsafe.Add(firstStub(), used*stubSize)
	used++
	return addReflectOff(at), nil
}
