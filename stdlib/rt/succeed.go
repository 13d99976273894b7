package rt

import (
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// A type that gets methods in a later cell is a new type at run time, with the same memory. Functions of earlier cells go on
// making values of the old one, and closures, channels and compiled code hold some. To Go both are one type: so assertions,
// type switches and comparisons take a value of the one for one of the other.

// A succession is the types that a declared type has been, oldest first. It only grows.
type succession struct{ types []reflect.Type }

var successions struct {
	sync.RWMutex
	of     map[reflect.Type]*succession
	number atomic.Int64 // how often a type has succeeded another
}

// Succeed notes that values of type old are values of type to from now on.
func Succeed(old, to reflect.Type) {
	successions.Lock()
	defer successions.Unlock()
	s := successions.of[old]
	if s == nil {
		s = &succession{[]reflect.Type{old}}
	}
	if successions.of == nil {
		successions.of = map[reflect.Type]*succession{}
	}
	if slices.Contains(s.types, to) {
		return
	}
	s.types = append(slices.Clip(s.types), to)
	successions.of[old], successions.of[to] = s, s
	successions.number.Add(1)
}

// ages lists what a type has been and is, the present first: for a pointer those of what it points to.
func ages(t reflect.Type) []reflect.Type {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		list := ages(t.Elem())
		for i, e := range list {
			list[i] = reflect.PointerTo(e)
		}
		return list
	}
	successions.RLock()
	defer successions.RUnlock()
	if s := successions.of[t]; s != nil {
		list := slices.Clone(s.types)
		slices.Reverse(list)
		return list
	}
	return []reflect.Type{t}
}

// newest returns the present form of a type, or of one that is written with others.
func newest(t reflect.Type) reflect.Type {
	if t.Name() == "" {
		switch t.Kind() {
		case reflect.Slice:
			return reflect.SliceOf(newest(t.Elem()))
		case reflect.Array:
			return reflect.ArrayOf(t.Len(), newest(t.Elem()))
		case reflect.Map:
			return reflect.MapOf(newest(t.Key()), newest(t.Elem()))
		case reflect.Chan:
			return reflect.ChanOf(t.ChanDir(), newest(t.Elem()))
		case reflect.Func:
			list := func(types []reflect.Type) []reflect.Type {
				for i := range types {
					types[i] = newest(types[i])
				}
				return types
			}
			return reflect.FuncOf(list(slices.Collect(t.Ins())), list(slices.Collect(t.Outs())), t.IsVariadic())
		}
	}
	return ages(t)[0]
}

// succeeded reports whether there are successions at all: without, types are as they are.
func succeeded() bool { return successions.number.Load() > 0 }

// form returns the type as which a value of type x is one of type t, or implements t; nil where there is none.
func form(x, t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Interface {
		if x == t || succeeded() && newest(x) == newest(t) {
			return t
		}
		return nil
	}
	if x.Implements(t) {
		return x
	}
	if succeeded() {
		for _, f := range ages(x) {
			if f.Implements(t) {
				return f
			}
		}
	}
	return nil
}

// retyped returns a value as one of a type with the same memory.
func retyped(x reflect.Value, t reflect.Type) reflect.Value {
	if x.Type() == t {
		return x
	}
	p := reflect.New(x.Type())
	p.Elem().Set(x)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}

// Newest returns v with the present form of its type; for a Stdin the file.
func Newest(v any) any {
	if s, ok := v.(*Stdin); ok {
		return s.File
	}
	if v == nil || !succeeded() {
		return v
	}
	x := reflect.ValueOf(v)
	return retyped(x, newest(x.Type())).Interface()
}

// ErrorAs is errors.As.
func ErrorAs(err error, target any) bool {
	if errors.As(err, target) {
		return true
	}
	if !succeeded() {
		return false
	}
	to := reflect.ValueOf(target).Elem()
	return anyError(err, func(err error) bool {
		x := reflect.ValueOf(err)
		if !holds(x, to.Type()) {
			return false
		}
		to.Set(as(x, to.Type()))
		return true
	})
}

// ErrorIs is errors.Is.
func ErrorIs(err, target error) bool {
	if errors.Is(err, target) {
		return true
	}
	if !succeeded() || target == nil || !reflect.TypeOf(target).Comparable() {
		return false
	}
	return anyError(err, func(err error) bool { return reflect.TypeOf(err).Comparable() && Equal(err, target) })
}

// anyError reports whether an error or one that it wraps is one for which f holds.
func anyError(err error, f func(error) bool) bool {
	for err != nil {
		if f(err) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			return slices.ContainsFunc(x.Unwrap(), func(err error) bool { return anyError(err, f) })
		default:
			return false
		}
	}
	return false
}
