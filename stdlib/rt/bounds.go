package rt

import (
	"math"
	"reflect"
	"runtime"
	"strings"
)

// The runtime's own errors say best what the runtime would say. So these functions do what the engine was about to do, to
// slices of the same lengths whose elements take no memory.

// IndexPanic returns what Go panics with for x[i], where x is a slice, an array or a string, and reflection has panicked with
// value. A value that is not about the index is returned.
func IndexPanic(value any, x, i reflect.Value) any {
	if Value(value) != any(indexError) {
		return value
	}
	s := make([]struct{}, x.Len())
	if i.CanUint() {
		return failure(func() { _ = s[i.Uint()] })
	}
	return failure(func() { _ = s[i.Int()] })
}

// SlicePanic is IndexPanic for x[low:high:max]; bounds has as many of these as there are, low at least.
func SlicePanic(value any, x reflect.Value, bounds []reflect.Value) any {
	if Value(value) != any(boundsError) {
		return value
	}
	for _, b := range bounds {
		if b.CanUint() && b.Uint() > math.MaxInt {
			return sliceFailure[uint64](x, bounds)
		}
	}
	return sliceFailure[int64](x, bounds)
}

// sliceFailure is SlicePanic for bounds that are of type T.
func sliceFailure[T int64 | uint64](x reflect.Value, bounds []reflect.Value) error {
	bound := func(i int) T { return bounds[i].Convert(reflect.TypeFor[T]()).Interface().(T) }
	low, high := bound(0), T(x.Len())
	if len(bounds) > 1 {
		high = bound(1)
	}
	switch {
	case len(bounds) == 3:
		limit := bound(2)
		err := failure(func() { _ = make([]struct{}, x.Len(), x.Cap())[low:high:limit] })
		if x.Kind() == reflect.Array { // an array has no capacity, and no slice fails as it does
			return RuntimeError(strings.TrimPrefix(strings.Replace(err.Error(), "capacity", "length", 1), "runtime error: "))
		}
		return err
	case x.Kind() == reflect.Slice:
		return failure(func() { _ = make([]struct{}, x.Len(), x.Cap())[low:high] })
	}
	text := string(make([]byte, x.Len())) // Go says the same of an array
	return failure(func() { _ = text[low:high] })
}

// failure returns the error with which the runtime panics in f.
func failure(f func()) (err error) {
	defer func() { err = recover().(runtime.Error) }()
	f()
	return nil
}
