package rt

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"
)

// RuntimeError returns an error of the runtime with a text, "runtime error: " in front: a panic of the Go runtime that the
// engine met in a form of its own. It is what compiled code panics with, also by its type.
func RuntimeError(text string) runtime.Error {
	err := reflect.New(reflect.TypeOf(nilError)).Elem()
	err.SetString(text)
	return err.Interface().(runtime.Error)
}

// A plainError is a runtime.Error whose text Go shows as it is: that of a failed type assertion, for one.
type plainError string

var _ runtime.Error = plainError("")

func (e plainError) Error() string { return string(e) }
func (e plainError) RuntimeError() {}

// What Go says where reflect, by which the engine does most things, has words of its own: the runtime's own errors, as far as
// they can be had without what they tell of.
var (
	indexError  = RuntimeError("index out of range")
	boundsError = RuntimeError("slice bounds out of range")
	growError   = RuntimeError("growslice: len out of range")
	nilError    = thrown(func(p *int, _ int) { runtime.KeepAlive(*p) })
	lenError    = thrown(func(_ *int, n int) { runtime.KeepAlive(make([]int, n)) })
	capError    = thrown(func(_ *int, n int) { runtime.KeepAlive(make([]int, 0, n)) })
	chanError   = thrown(func(_ *int, n int) { runtime.KeepAlive(make(chan int, n)) })
)

// thrown returns the error with which the runtime panics in f, which gets nil and a negative number and keeps alive what it makes:
// the compiler leaves out what nobody wants.
func thrown(f func(*int, int)) (err runtime.Error) {
	defer func() { err = recover().(runtime.Error) }()
	f(nil, -1)
	return nil
}

// NilDereference panics as Go does where nil is looked into.
func NilDereference() { panic(nilError) }

// translations has Go's errors for the beginnings of what reflect says.
var translations = []struct {
	reflect string
	err     runtime.Error
}{
	{"reflect: slice index out of range", indexError},
	{"reflect: array index out of range", indexError},
	{"reflect: string index out of range", indexError},
	{"reflect.Value.Slice: slice index out of bounds", boundsError},
	{"reflect.Value.Slice: string slice index out of bounds", boundsError},
	{"reflect.Value.Slice3: slice index out of bounds", boundsError},
	{"reflect: call of Call on zero Value", nilError},
	{"reflect: Call using zero Value argument", nilError},
	{"reflect.Value.Call: call of nil function", nilError},
	{"reflect: Method on nil interface value", nilError},
	{"reflect: indirection through nil pointer to embedded struct", nilError},
	{"reflect.MakeSlice: negative len", lenError},
	{"reflect.Append: slice overflow", growError},
	{"reflect.Value.Grow: slice overflow", growError},
	{"reflect.MakeSlice: negative cap", capError},
	{"reflect.MakeSlice: len > cap", capError},
	{"reflect.MakeChan: negative buffer size", chanError},
}

// unhashable is what the runtime says of a map key that has no hash.
const unhashable = "hash of unhashable type"

// conversion is what reflect says where a slice is too short for an array.
var conversion = regexp.MustCompile(`^reflect: cannot convert slice with length (\d+) to (?:pointer to )?array with length (\d+)$`)

// assertion is what the engine says of a type assertion that fails, behind the place in its own program.
var assertion = regexp.MustCompile(`^.*?(interface conversion: .*)$`)

// missing is how the engine ends such a text where the type asserted is no interface.
var missing = regexp.MustCompile(`^interface conversion: (.*) is not (.*): missing method $`)

// lowered is what the lowering adds to the names of types.
var lowered = regexp.MustCompile(`ː\d+`)

// Value returns the value of a panic as Go has it. The engine panics with a reflect.Value where a cell called panic, and
// with reflect's texts where the runtime would have refused. As in Go since 1.21, no value is nil.
func Value(v any) any {
	for range 8 { // a panic that went through several functions is wrapped by each
		rv, ok := v.(reflect.Value)
		if !ok {
			break
		}
		if !rv.IsValid() {
			return new(runtime.PanicNilError)
		}
		if !rv.CanInterface() {
			return rv.String()
		}
		v = rv.Interface()
	}
	switch x := v.(type) {
	case nil:
		return new(runtime.PanicNilError)
	case *reflect.ValueError:
		if x.Kind == reflect.Invalid { // the engine has nothing where a nil pointer leads
			return nilError
		}
		return translate(x.Error(), x)
	case string:
		return translate(x, x)
	case error:
		if reflect.TypeOf(x).String() == engineError {
			return translate(x.Error(), x)
		}
		if t, ok := strings.CutPrefix(x.Error(), unhashable+": "); ok && reflect.TypeOf(x).PkgPath() != "main" { // as maps say it that reflection sets
			return RuntimeError(unhashable + " " + t)
		}
		return x
	default:
		return x
	}
}

// translate returns Go's error for a text of reflect or the engine.
func translate(text string, otherwise any) any {
	for _, e := range translations {
		if strings.HasPrefix(text, e.reflect) {
			return e.err
		}
	}
	if m := conversion.FindStringSubmatch(text); m != nil {
		return RuntimeError("cannot convert slice with length " + m[1] + " to array or pointer to array with length " + m[2])
	}
	if _, ok := otherwise.(string); ok {
		return otherwise // a cell may panic with the engine's words, but hardly with reflect's
	}
	if m := assertion.FindStringSubmatch(text); m != nil {
		said := missing.ReplaceAllString(m[1], "interface conversion: interface is $1, not $2")
		return plainError(lowered.ReplaceAllString(said, ""))
	}
	return otherwise
}

// engineError is the engine's error with a place in the program, which it does not export.
const engineError = "*interp.cfgError"

// Text is how a panic's value is shown behind "panic: ": as Go prints errors, Stringers and values of the predeclared
// types, and as %v where Go prints an address. It never panics, whatever the value's methods do.
func Text(v any) string {
	switch v.(type) {
	case error, fmt.Stringer:
		return fmt.Sprint(v)
	}
	if t := reflect.TypeOf(v); t != nil && t.PkgPath() == "" {
		switch t.Kind() {
		case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
			return builtinText(v) // %v writes large floats without an exponent
		}
	}
	return fmt.Sprint(v)
}

// Stop is the panic by which a function of a cell that has been stopped returns to compiled code. Cells cannot recover it.
type Stop struct{}

// stops reports whether a panic's value is Stop.
func stops(value any) bool {
	_, ok := value.(Stop)
	return ok
}
