package engine

import (
	"math"
	"reflect"
	"unsafe"
)

// The engine's call of a declared function leaves a parameter as it is where the argument is zero, and takes -0 for zero. So
// a call with such an argument goes another way, by the variable that holds the function for compiled code.

// An argument is a value that may be -0 or hold it, and where in a frame it is.
type argument struct{ level, index int }

// signed returns the generator of a call that has this one. functions are pointers to variables that hold the declared
// functions, by the engine's names for them.
func (w *watch) signed(call node, generate generator, functions map[string]reflect.Value) generator {
	l, below := w.layout, w.layout.children(call)
	function, ok := functions[*at[string](below[0], l.ident)]
	if !ok || !takesSigned(function.Type().Elem()) {
		return generate
	}
	return func(call node) {
		exec, callee := at[operation](call, l.exec), at[reflect.Value](below[0], l.rval)
		generate(call)
		byName, before := *exec, *callee
		*callee = function.Elem()
		generate(call)
		byVariable := *exec
		*callee = before
		args := l.signedArguments(below[1:], function.Type().Elem())
		*exec = func(frame unsafe.Pointer) unsafe.Pointer {
			for _, a := range args {
				if negativeZero(l.value(frame, a.level, a.index)) {
					return byVariable(frame)
				}
			}
			return byName(frame)
		}
	}
}

// takesSigned reports whether a function of type t has a parameter that may be -0.
func takesSigned(t reflect.Type) bool {
	for p := range t.Ins() {
		if maybeSigned(p) {
			return true
		}
	}
	return false
}

// signedArguments finds the arguments of a function of type t that are not constant.
func (l *layout) signedArguments(args []node, t reflect.Type) []argument {
	var out []argument
	for i := range t.NumIn() {
		if !maybeSigned(t.In(i)) {
			continue
		}
		arg, result := node(nil), 0
		if len(args) == t.NumIn() {
			arg = args[i]
		} else {
			arg, result = args[0], i // f(g())
		}
		if index := *at[int](arg, l.findex); index >= 0 && !at[reflect.Value](arg, l.rval).IsValid() {
			out = append(out, argument{*at[int](arg, l.level), index + result})
		}
	}
	return out
}

// maybeSigned reports whether a value of a type may be -0, or a part of it that is compared with it.
func maybeSigned(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array:
		return maybeSigned(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if maybeSigned(f.Type) {
				return true
			}
		}
	}
	return false
}

// negativeZero reports whether a value equals zero and is not all zero bits.
func negativeZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return v.Float() == 0 && math.Signbit(v.Float())
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return c == 0 && (math.Signbit(real(c)) || math.Signbit(imag(c)))
	case reflect.Array:
		if v.IsZero() {
			for i := range v.Len() {
				if negativeZero(v.Index(i)) {
					return true
				}
			}
		}
	case reflect.Struct:
		if v.IsZero() {
			for i := range v.NumField() {
				if negativeZero(v.Field(i)) {
					return true
				}
			}
		}
	}
	return false
}
