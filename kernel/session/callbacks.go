package session

import (
	"math"
	"path"
	"reflect"
	"strings"
	"sync/atomic"

	"orthant/stdlib/display"
	"orthant/stdlib/rt"
)

// backgrounds are compiled functions that call functions they are given on goroutines of their own, where a panic would end
// the process and, where the runtime starts them, output would have no cell. A package stands for all its functions.
var backgrounds = []string{
	"context.AfterFunc",
	"gonum.org/v1/gonum/diff/fd",
	"gonum.org/v1/gonum/integrate/quad",
	"gonum.org/v1/gonum/optimize",
	"testing.Benchmark",
	"time.AfterFunc",
}

// guardedBackgrounds replaces these functions by ones that guard what they are given.
func (s *Session) guardedBackgrounds(natives table) table {
	out := table{}
	for _, name := range backgrounds {
		pkg, symbol := name, ""
		if dot := strings.LastIndexByte(path.Base(name), '.'); dot >= 0 {
			dot += len(name) - len(path.Base(name))
			pkg, symbol = name[:dot], name[dot+1:]
		}
		key := pkg + "/" + path.Base(pkg)
		out[key] = map[string]reflect.Value{}
		for name, f := range natives[key] {
			if (symbol == "" || name == symbol) && f.Kind() == reflect.Func {
				out[key][name] = s.guardArguments(f)
			}
		}
	}
	return out
}

// guardArguments returns a function that guards the functions among its arguments, and in structs among them, and calls f.
func (s *Session) guardArguments(f reflect.Value) reflect.Value {
	return reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
		c := &caller{run: s.run(), goroutine: rt.Goroutine()}
		defer c.returned.Store(true)
		for i, v := range in {
			in[i] = c.guard(v)
		}
		if f.Type().IsVariadic() {
			return f.CallSlice(in)
		}
		return f.Call(in)
	})
}

// A caller is who called a compiled function.
type caller struct {
	run       *run
	goroutine uintptr     // another one may be the same when this one has ended
	returned  atomic.Bool // from the compiled function
}

// guard returns an argument with the functions in it guarded.
func (c *caller) guard(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Func:
		if !v.IsNil() {
			return c.guardFunc(v)
		}
	case reflect.Interface:
		if held := v.Elem(); held.Kind() == reflect.Func && !held.IsNil() {
			out := reflect.New(v.Type()).Elem()
			out.Set(c.guardFunc(held))
			return out
		}
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if field := out.Field(i); v.Type().Field(i).IsExported() && field.Kind() == reflect.Func {
				field.Set(c.guard(field))
			}
		}
		return out
	}
	return v
}

// guardFunc returns a function that calls f. On another goroutine than the caller's a panic of f fails the run. The result is
// zero then, NaN for floats, with which numerical code ends soonest; and f is not called again.
func (c *caller) guardFunc(f reflect.Value) reflect.Value {
	f = reflect.ValueOf(f.Interface()) // not the variable that will hold the result
	var failed atomic.Bool
	return reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
		call := f.Call
		if f.Type().IsVariadic() {
			call = f.CallSlice
		}
		if !c.returned.Load() && rt.Goroutine() == c.goroutine {
			return call(in)
		}
		var out []reflect.Value
		if failed.Load() {
			return none(f.Type())
		}
		here := rt.Goroutine()
		body := func() {
			c.run.foreign.Store(here, true)
			defer c.run.foreign.Delete(here)
			c.run.goroutine(func() { out = call(in) })
		}
		display.Owned(c.run, body)() // a timer's goroutine may pass for one of the cell that happened to run
		if len(out) < f.Type().NumOut() {
			failed.Store(true)
			return none(f.Type())
		}
		return out
	})
}

// none returns results of a function that has none to give.
func none(t reflect.Type) []reflect.Value {
	var out []reflect.Value
	for i := range t.NumOut() {
		v := reflect.New(t.Out(i)).Elem()
		if v.CanFloat() {
			v.SetFloat(math.NaN())
		}
		out = append(out, v)
	}
	return out
}
