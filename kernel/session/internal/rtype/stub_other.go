//go:build !amd64 && !arm64

package rtype

import (
	"errors"
	"reflect"
	"runtime"
)

// text fails: there are no stubs for this architecture.
func text(reflect.Value) (int32, error) {
	return 0, errors.New("methods of types that cells declare do not work on " + runtime.GOARCH)
}

// IsStub reports false: there are none.
func IsStub(uintptr) bool { return false }
