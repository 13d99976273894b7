package rtype

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// recursive makes a type whose underlying one mentions it.
func recursive(tb testing.TB, kind reflect.Kind, like reflect.Type, args int, u func(self reflect.Type) reflect.Type) reflect.Type {
	value := []Method{m[func() string]("String", returns(func(r reflect.Value) string { return r.Type().Name() }))}
	t := begin("T", kind, args, value, nil)
	t.SetLayout(like)
	t.SetUnderlying(u(t.Reflect()))
	return finish(tb, t, value, nil)
}

func TestRecursion(t *testing.T) {
	str := reflect.TypeFor[string]()
	for _, c := range []struct {
		kind reflect.Kind
		like reflect.Type
		args int
		u    func(reflect.Type) reflect.Type
	}{
		{reflect.Slice, reflect.TypeFor[[]byte](), 0, reflect.SliceOf},
		{reflect.Map, reflect.TypeFor[map[byte]byte](), 0, func(t reflect.Type) reflect.Type { return reflect.MapOf(str, t) }},
		{reflect.Pointer, reflect.TypeFor[*byte](), 0, reflect.PointerTo},
		{reflect.Chan, reflect.TypeFor[chan byte](), 0, func(t reflect.Type) reflect.Type { return reflect.ChanOf(reflect.BothDir, t) }},
		{reflect.Func, reflect.TypeFor[func()](), 2, func(t reflect.Type) reflect.Type {
			return reflect.FuncOf([]reflect.Type{t}, []reflect.Type{t}, false)
		}},
		{reflect.Array, reflect.TypeFor[[2]*byte](), 0, func(t reflect.Type) reflect.Type { return reflect.ArrayOf(2, reflect.PointerTo(t)) }},
	} {
		self := recursive(t, c.kind, c.like, c.args, c.u)
		switch c.kind {
		case reflect.Func:
			if self.In(0) != self || self.Out(0) != self {
				t.Error(self)
			}
		case reflect.Array:
			if self.Elem().Elem() != self {
				t.Error(self)
			}
		default:
			if self.Elem() != self {
				t.Error(self)
			}
		}
		if got := reflect.Zero(self).Interface().(fmt.Stringer).String(); got != "T" {
			t.Error(got)
		}
	}
	list := recursive(t, reflect.Slice, reflect.TypeFor[[]byte](), 0, reflect.SliceOf)
	v := reflect.MakeSlice(list, 3, 3)
	v.Index(1).Set(reflect.MakeSlice(list, 2, 2))
	if v.Index(1).Len() != 2 || v.Index(1).Type() != list {
		t.Error(v)
	}
}

// Reflection looks into what a type holds by value when it makes types and calls. So it must know that before a type is
// complete.
func TestLayoutIsEnough(t *testing.T) {
	inner := begin("Inner", reflect.Struct, 0, nil, nil)
	inner.SetLayout(reflect.TypeFor[struct {
		A int
		B *int
		C string
		D [2]map[int]int
	}]())
	array := begin("Array", reflect.Array, 0, nil, nil)
	array.SetLayout(reflect.TypeFor[[3]any]())
	i, a := inner.Reflect(), array.Reflect()
	outer := reflect.StructOf([]reflect.StructField{{Name: "X", Type: i}, {Name: "Y", Type: a}, {Name: "Z", Type: reflect.ArrayOf(2, i)}})
	one := []bool{false, true, true, false, true, true}
	want := slices.Concat(one, slices.Repeat([]bool{true}, 6), one, one)
	if got := pointerBits(outer); !slices.Equal(got, want) {
		t.Error(got)
	}
	group := as[mapType](of(reflect.MapOf(reflect.TypeFor[int](), i))).group.reflected()
	want = append([]bool{false}, slices.Repeat(append([]bool{false}, one...), 8)...)
	if got := pointerBits(group); !slices.Equal(got, want) {
		t.Error(got)
	}
	f := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{i}, []reflect.Type{i}, false), func(args []reflect.Value) []reflect.Value { return args })
	layOut(inner, []Field{
		{Name: "a", Type: reflect.TypeFor[int]()}, {Name: "b", Type: reflect.TypeFor[*int]()},
		{Name: "c", Type: reflect.TypeFor[string]()}, {Name: "d", Type: reflect.TypeFor[[2]map[int]int]()}})
	array.SetUnderlying(reflect.TypeFor[[3]any]())
	v := fill(i, 1, new(int), "c", [2]map[int]int{{1: 2}})
	if got := f.Call([]reflect.Value{v})[0]; got.Field(2).String() != "c" || got.Field(3).Index(0).Len() != 1 {
		t.Error(got)
	}
	if e := panicOf(func() { reflect.MapOf(reflect.TypeFor[string](), begin("New", reflect.Struct, 0, nil, nil).Reflect()) }); e == nil {
		t.Error("a map has elements without a layout")
	}
}

// A struct that holds itself in a map by value, another by value that has a slice of it, and lists of both.
func TestRecursiveStructs(t *testing.T) {
	a := begin("A", reflect.Struct, 0, nil, nil)
	b := begin("B", reflect.Struct, 0, nil, nil)
	layOut(b, []Field{{Name: "List", Type: reflect.SliceOf(a.Reflect())}, {Name: "Up", Type: reflect.PointerTo(a.Reflect())}, {Name: "s", Type: reflect.TypeFor[string]()}})
	layOut(a, []Field{
		{Name: "n", Type: reflect.TypeFor[int]()},
		{Name: "M", Type: reflect.TypeFor[map[byte]byte]()},
		{Name: "B", Type: b.Reflect()},
		{Name: "F", Type: reflect.TypeFor[func()]()},
	}, nil, func() reflect.Type { return reflect.MapOf(reflect.TypeFor[string](), a.Reflect()) }, nil,
		func() reflect.Type { return reflect.FuncOf([]reflect.Type{a.Reflect()}, nil, false) })
	at := finish(t, a, nil, nil)
	finish(t, b, nil, nil)
	var grow func(depth int) reflect.Value
	grow = func(depth int) reflect.Value {
		v := reflect.New(at).Elem()
		v.Field(0).SetInt(int64(depth))
		v.Field(2).Field(2).SetString(fmt.Sprint("depth ", depth))
		if depth > 0 {
			v.Field(1).Set(reflect.MakeMap(v.Field(1).Type()))
			for i := range 20 {
				v.Field(1).SetMapIndex(reflect.ValueOf(fmt.Sprint(i)), grow(depth-1))
			}
			v.Field(2).Field(0).Set(reflect.Append(v.Field(2).Field(0), grow(depth-1)))
		}
		return v
	}
	v := grow(3)
	for range 3 {
		runtime.GC()
		_ = make([]byte, 1<<20)
	}
	for depth, v := 3, v; depth > 0; depth-- {
		v = v.Field(1).MapIndex(reflect.ValueOf("13"))
		if got := v.Field(2).Field(2).String(); got != fmt.Sprint("depth ", depth-1) {
			t.Fatal(got)
		}
	}
	if v.Field(2).Field(0).Index(0).Type() != at || at.Comparable() {
		t.Error(at)
	}
}
