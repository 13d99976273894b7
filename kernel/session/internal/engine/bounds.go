package engine

import (
	"go/constant"
	"reflect"
	"slices"
	"unsafe"

	"orthant/stdlib/rt"
)

// A panic of the engine for an index does not say which index it was (goroot.md 6). But the frame still has the operands.

// sliceActions are the actions of slice expressions, and whether these have a low bound.
var sliceActions = map[string]bool{"slice": true, "slice0": false}

// indexing returns what finds the panic of Go for an index or a slice expression that has panicked in a frame; nil for other
// nodes. It gets the panic of the engine, and returns this where it is about something else.
func (w *watch) indexing(n node) func(frame unsafe.Pointer, value any) any {
	l := w.layout
	kind, operands := l.kindOf(n), l.children(n)
	if kind != w.index && kind != w.slice {
		return nil
	}
	hasLow := kind == w.index || sliceActions[l.actionName(l.actionOf(n))]
	return func(frame unsafe.Pointer, value any) any {
		x := w.operand(frame, operands[0])
		indices := make([]reflect.Value, 0, 3) // one, or low, high and max as far as there are
		if !hasLow {
			indices = append(indices, reflect.ValueOf(0))
		}
		for _, o := range operands[1:] {
			indices = append(indices, w.operand(frame, o))
		}
		if !x.IsValid() || slices.ContainsFunc(indices, func(i reflect.Value) bool { return !i.CanInt() && !i.CanUint() }) {
			return value
		}
		if kind == w.index {
			return rt.IndexPanic(value, x, indices[0])
		}
		return rt.SlicePanic(value, x, indices)
	}
}

// operand returns the value of an operand in a frame: of a pointer to an array the array. It is not valid for a nil pointer.
func (w *watch) operand(frame unsafe.Pointer, n node) reflect.Value {
	v := *at[reflect.Value](n, w.layout.rval)
	if index := *at[int](n, w.layout.findex); !v.IsValid() && index >= 0 {
		v = w.layout.value(frame, *at[int](n, w.layout.level), index)
	}
	if !v.IsValid() || !v.CanInterface() {
		return reflect.Value{}
	}
	if c, ok := v.Interface().(constant.Value); ok {
		v = reflect.ValueOf(constant.Val(c))
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}
