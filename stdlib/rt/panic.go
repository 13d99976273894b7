package rt

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// A RuntimeError is a panic of the Go runtime that the engine met in a form of its own. It is a runtime.Error, as the
// panics of compiled code are.
type RuntimeError string

var _ runtime.Error = RuntimeError("")

// Error returns Go's text, "runtime error: " first.
func (e RuntimeError) Error() string { return "runtime error: " + string(e) }

// RuntimeError marks the type as a runtime.Error.
func (e RuntimeError) RuntimeError() {}

// texts maps the beginnings of what reflect says to what Go says.
var texts = []struct{ reflect, text string }{
	{"reflect: slice index out of range", "index out of range"},
	{"reflect: array index out of range", "index out of range"},
	{"reflect: string index out of range", "index out of range"},
	{"reflect.Value.Slice: slice index out of bounds", "slice bounds out of range"},
	{"reflect.Value.Slice: string slice index out of bounds", "slice bounds out of range"},
	{"reflect.Value.Slice3: slice index out of bounds", "slice bounds out of range"},
	{"reflect: call of reflect.Value.Field on zero Value", "invalid memory address or nil pointer dereference"},
	{"reflect: call of reflect.Value.Set on zero Value", "invalid memory address or nil pointer dereference"},
	{"reflect: call of reflect.Value.Interface on zero Value", "invalid memory address or nil pointer dereference"},
	{"reflect: call of reflect.Value.Int on zero Value", "invalid memory address or nil pointer dereference"},
	{"reflect: call of reflect.Value.Type on zero Value", "invalid memory address or nil pointer dereference"},
	{"reflect: call of reflect.Value.Call on zero Value", "invalid memory address or nil pointer dereference"},
	{"reflect: call of Call on zero Value", "invalid memory address or nil pointer dereference"},
	{"reflect.Value.Call: call of nil function", "invalid memory address or nil pointer dereference"},
	{"assignment to entry in nil map", "assignment to entry in nil map"},
}

// Value returns the value of a panic as Go has it. The engine panics with a reflect.Value where a cell called panic, and
// with reflect's texts where the runtime would have refused.
func Value(v any) any {
	for range 8 { // a panic that went through several functions is wrapped by each
		rv, ok := v.(reflect.Value)
		if !ok {
			break
		}
		if !rv.IsValid() {
			return nil
		}
		if !rv.CanInterface() {
			return rv.String()
		}
		v = rv.Interface()
	}
	v = unwrap(v)
	switch x := v.(type) {
	case *reflect.ValueError:
		return translate(x.Error(), v)
	case string:
		if strings.HasPrefix(x, "reflect") {
			return translate(x, v)
		}
	}
	return v
}

func translate(text string, otherwise any) any {
	for _, t := range texts {
		if strings.HasPrefix(text, t.reflect) {
			return RuntimeError(t.text)
		}
	}
	return otherwise
}

// unwrap takes a value out of the struct in which the engine passes interface values about.
func unwrap(v any) any {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || rv.Type().String() != engineValue {
		return v
	}
	held := Held(rv)
	if !held.IsValid() || !held.CanInterface() {
		return nil
	}
	return held.Interface()
}

// engineValue is the type in which the engine passes interface values about: an unexported struct whose second field is
// the reflect.Value.
const engineValue = "interp.valueInterface"

// Held returns the value inside such a struct; the zero Value for a nil interface.
func Held(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Struct || v.Type().String() != engineValue || v.NumField() != 2 {
		return v
	}
	ptr := reflect.New(v.Type()) // the field is unexported: reach it through its address
	ptr.Elem().Set(v)
	field := ptr.Elem().Field(1)
	held, _ := reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Interface().(reflect.Value)
	return held
}

// Text is what Go prints of a panic's value behind "panic: ".
func Text(v any) string {
	switch v := v.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	}
	return fmt.Sprintf("%v", v)
}
