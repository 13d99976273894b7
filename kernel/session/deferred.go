package session

import (
	"reflect"
	"time"

	"orthant/kernel/session/internal/rtype"
	"orthant/stdlib/rt"
)

// deferValue adds a deferred call of a function value to a frame. One of compiled code does not recover itself, and what it
// calls is not the deferred call.
func deferValue(frame any, call func(), function any) {
	if isOfCell(function) {
		rt.DeferCall(frame, call)
	} else {
		rt.Defer(frame, call)
	}
}

// isOfCell reports whether a function, as compiled code sees it, is one of a cell: it was made by reflection, or it is a method
// of a declared type.
func isOfCell(function any) bool {
	code := reflect.ValueOf(function).Pointer()
	return code == madeFunc || code == madeMethod || rtype.IsStub(code)
}

// The code of functions that reflection makes, and of methods that it takes.
var (
	madeFunc   = reflect.MakeFunc(reflect.TypeFor[func()](), nil).Pointer()
	madeMethod = reflect.ValueOf(reflect.ValueOf(time.Time{}).MethodByName("Unix").Interface()).Pointer()
)
