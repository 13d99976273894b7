package session

import (
	"fmt"
	"reflect"
	"slices"

	"orthant/stdlib/rt"
)

// Package errors compares errors and looks for types in them. What a cell puts into an error is wrapped by the engine, and
// its methods Is, As and Unwrap are not seen by compiled code; so calls of errors.Is and errors.As are lowered to these,
// which look through the wrappers and otherwise do what package errors says.

// errorsIs is errors.Is. The arguments are errors; as parameters of that type the engine could not pass a value of a
// declared type.
func (s *Session) errorsIs(err, target any) bool {
	want := rt.Concrete(target)
	if rt.Concrete(err) == nil || want == nil {
		return rt.Concrete(err) == want
	}
	comparable := reflect.TypeOf(want).Comparable()
	return s.eachError(err, func(e, held any) bool {
		if comparable && reflect.TypeOf(held).Comparable() && held == want {
			return true
		}
		if x, ok := e.(interface{ Is(error) bool }); ok {
			native, ok := target.(error)
			return ok && x.Is(native)
		}
		return isTrue(s.callErrorMethod(held, "Is", target))
	})
}

// errorsAs is errors.As.
func (s *Session) errorsAs(err, target any) bool {
	if rt.Concrete(err) == nil {
		return false
	}
	to := reflect.ValueOf(target)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		panic("errors: target must be a non-nil pointer")
	}
	elem := to.Type().Elem()
	return s.eachError(err, func(e, held any) bool {
		for _, v := range []any{held, e} {
			if reflect.TypeOf(v).AssignableTo(elem) {
				to.Elem().Set(reflect.ValueOf(v))
				return true
			}
		}
		if x, ok := e.(interface{ As(any) bool }); ok {
			return x.As(target)
		}
		return isTrue(s.callErrorMethod(held, "As", target))
	})
}

func isTrue(out []reflect.Value) bool {
	return len(out) == 1 && out[0].Kind() == reflect.Bool && out[0].Bool()
}

// eachError calls f with an error and with those that it wraps, depth first, until f returns true. held is the value that
// the error holds.
func (s *Session) eachError(err any, f func(e, held any) bool) bool {
	for {
		held := rt.Concrete(err)
		if held == nil {
			return false
		}
		if f(err, held) {
			return true
		}
		var next any
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			next = x.Unwrap()
		case interface{ Unwrap() []error }:
			next = x.Unwrap()
		default:
			if out := s.callErrorMethod(held, "Unwrap"); len(out) == 1 {
				next = out[0].Interface()
			}
		}
		if list, ok := next.([]error); ok {
			return slices.ContainsFunc(list, func(e error) bool { return s.eachError(e, f) })
		}
		err = next
	}
}

// callErrorMethod calls a method of a value whose type a cell declared; it returns nothing where there is no such method
// for these arguments.
func (s *Session) callErrorMethod(held any, name string, args ...any) []reflect.Value {
	v := reflect.ValueOf(held)
	m, ok := s.bind(v, s.declaredType(v.Type()), name)
	if !ok || !m.recv.IsValid() || m.sig.Params().Len() != 1+len(args) {
		return nil
	}
	in := []reflect.Value{m.recv}
	for i, a := range args {
		v := reflect.ValueOf(a)
		if !v.Type().AssignableTo(m.fun.Type().In(i + 1)) {
			return nil
		}
		in = append(in, v)
	}
	return m.fun.Call(in)
}

// errorFirst extends the engine's table of the functions that look for methods of their arguments: those of fmt and log
// look for Error as well, and first, so that an error of the session's is one to them.
func errorFirst(table map[reflect.Value][]reflect.Type, printers map[string]reflect.Value) map[reflect.Value][]reflect.Type {
	out := map[reflect.Value][]reflect.Type{}
	var list []reflect.Type
	for f, wanted := range table {
		if slices.Contains(wanted, reflect.TypeFor[fmt.Stringer]()) {
			wanted = append([]reflect.Type{reflect.TypeFor[error]()}, wanted...)
			list = wanted
		}
		out[f] = wanted
	}
	for _, f := range printers {
		if f.Kind() == reflect.Func {
			out[f] = list
		}
	}
	return out
}
