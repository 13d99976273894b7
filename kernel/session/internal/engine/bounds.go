package engine

import (
	"go/constant"
	"reflect"
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
	operands := l.children(n)
	switch l.kindOf(n) {
	case w.index:
		return func(frame unsafe.Pointer, value any) any {
			x := w.operand(frame, operands[0])
			if !x.IsValid() {
				return value
			}
			return rt.IndexPanic(value, x, w.operand(frame, operands[1]))
		}
	case w.slice:
		hasLow := sliceActions[l.actionName(l.actionOf(n))]
		return func(frame unsafe.Pointer, value any) any {
			x := w.operand(frame, operands[0])
			if !x.IsValid() {
				return value
			}
			bounds := make([]reflect.Value, 0, 3) // low, high and max, as far as there are
			if !hasLow {
				bounds = append(bounds, reflect.ValueOf(0))
			}
			for _, o := range operands[1:] {
				bounds = append(bounds, w.operand(frame, o))
			}
			return rt.SlicePanic(value, x, bounds)
		}
	}
	return nil
}

// operand returns the value of an operand in a frame: of a pointer to an array the array. It is not valid for a nil pointer.
func (w *watch) operand(frame unsafe.Pointer, n node) reflect.Value {
	v := *at[reflect.Value](n, w.layout.rval)
	if !v.IsValid() {
		v = w.layout.value(frame, *at[int](n, w.layout.level), *at[int](n, w.layout.findex))
	}
	if c, ok := v.Interface().(constant.Value); ok {
		v = reflect.ValueOf(constant.Val(c))
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}
