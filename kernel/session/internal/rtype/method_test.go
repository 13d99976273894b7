package rtype

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

type big struct {
	A, B, C, D, E int
	S             string
	P             *int
	F             [4]float64
}

// calls is an interface whose methods take and return all that goes in registers and all that does not.
type calls interface {
	None()
	Ints(a int8, b uint16, c int32, d uint64, e bool, f int, g, h, i, j, k, l int) (int, uint8, int)
	Floats(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q float64, r float32) (float64, float32)
	Texts(a, b, c, d, e, f string) (string, string)
	Big(a big, b int, c big) (big, error, big)
	Ifaces(a any, b error, c fmt.Stringer) (any, error)
	Variadic(prefix string, rest ...any) string
	Mixed(a complex128, b []string, c map[string]int, d [2]int, e [1]string, f func(int) int, g struct{}, h chan int) (func() int, complex64, struct{})
	Self() calls
	Pointers(a, b, c, d, e, f, g, h, i, j, k, l *int) (*int, *int)
}

// callsOf makes the methods of calls. They check that they got the receiver, which is 42 to id.
func callsOf(id func(reflect.Value) int) []Method {
	wrong := func(r reflect.Value, want int) {
		if got := id(r); got != want {
			panic(fmt.Sprint("receiver ", got))
		}
	}
	return []Method{
		m[func()]("None", func(a []reflect.Value) []reflect.Value { wrong(a[0], 42); return nil }),
		m[func(int8, uint16, int32, uint64, bool, int, int, int, int, int, int, int) (int, uint8, int)]("Ints", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			sum := int(a[1].Int()) + int(a[2].Uint()) + int(a[3].Int()) + int(a[4].Uint())
			for _, x := range a[6:] {
				sum = sum*2 + int(x.Int())
			}
			return []reflect.Value{value(sum), value(uint8(len(a))), value(int(a[12].Int()))}
		}),
		m[func(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q float64, r float32) (float64, float32)]("Floats", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			sum := 0.0
			for i, x := range a[1:] {
				sum += x.Float() * float64(i+1)
			}
			return []reflect.Value{value(sum), value(float32(a[18].Float()))}
		}),
		m[func(a, b, c, d, e, f string) (string, string)]("Texts", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			s := ""
			for _, x := range a[1:] {
				s += x.String()
			}
			return []reflect.Value{value(s), value(strings.ToUpper(s))}
		}),
		m[func(a big, b int, c big) (big, error, big)]("Big", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			return []reflect.Value{a[3], value(fmt.Errorf("error %d", a[2].Int())), a[1]}
		}),
		m[func(a any, b error, c fmt.Stringer) (any, error)]("Ifaces", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			return []reflect.Value{value[any](a[3].Interface().(fmt.Stringer).String()), a[2]}
		}),
		m[func(prefix string, rest ...any) string]("Variadic", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			return []reflect.Value{value(a[1].String() + fmt.Sprint(a[2].Interface().([]any)...))}
		}),
		m[func(complex128, []string, map[string]int, [2]int, [1]string, func(int) int, struct{}, chan int) (func() int, complex64, struct{})]("Mixed", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			n := len(a[2].String()) + a[3].Len() + int(a[4].Index(1).Int()) + a[5].Index(0).Len() + int(a[6].Call([]reflect.Value{value(5)})[0].Int()) + a[8].Cap()
			return []reflect.Value{value(func() int { return n }), value(complex64(a[1].Complex())), a[7]}
		}),
		m[func() calls]("Self", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			return []reflect.Value{a[0].Convert(reflect.TypeFor[calls]())}
		}),
		m[func(a, b, c, d, e, f, g, h, i, j, k, l *int) (*int, *int)]("Pointers", func(a []reflect.Value) []reflect.Value {
			wrong(a[0], 42)
			runtime.GC()
			return []reflect.Value{a[1], a[12]}
		}),
	}
}

func try(t *testing.T, c calls) {
	t.Helper()
	c.None()
	if a, b, d := c.Ints(-1, 2, 3, 4, true, 1, 1, 1, 1, 1, 1, 9); a != 1+0+8<<7+127+8-1 || b != 13 || d != 9 {
		t.Errorf("%T: %d %d %d", c, a, b, d)
	}
	if a, b := c.Floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18); a != 2109 || b != 18 {
		t.Errorf("%T: %v %v", c, a, b)
	}
	if a, b := c.Texts("a", "b", "c", "d", "e", "f"); a != "abcdef" || b != "ABCDEF" {
		t.Errorf("%T: %v %v", c, a, b)
	}
	x, y := big{A: 1, E: 5, S: "x", P: new(int), F: [4]float64{1, 2, 3, 4}}, big{B: 2, S: "y"}
	if a, err, b := c.Big(x, 7, y); a != y || b != x || err.Error() != "error 7" {
		t.Errorf("%T: %v %v %v", c, a, err, b)
	}
	if a, err := c.Ifaces(1, io.EOF, reflect.ValueOf(5)); a != "<int Value>" || err != io.EOF {
		t.Errorf("%T: %v %v", c, a, err)
	}
	if a, b := c.Variadic("p", 1, "x"), c.Variadic("p"); a != "p1x" && a != "p1 x" || b != "p" {
		t.Errorf("%T: %v %v", c, a, b)
	}
	f, z, _ := c.Mixed(1+2i, []string{"a"}, map[string]int{"": 1}, [2]int{3, 4}, [1]string{"xyz"}, func(n int) int { return n * n }, struct{}{}, make(chan int, 6))
	if z != 1+2i || f() != len(reflect.ValueOf([]string{"a"}).String())+1+4+3+25+6 {
		t.Errorf("%T: %v %v", c, z, f())
	}
	c.Self().Self().None()
	first, last := new(int), new(int)
	*first, *last = 1, 2
	if a, b := c.Pointers(first, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, last); *a+*b != 3 {
		t.Errorf("%T: %v %v", c, a, b)
	}
}

func TestCalls(t *testing.T) {
	n := 42
	word := unsafe.Pointer(&n)
	deref := func(r reflect.Value) int { return *(*int)(r.UnsafePointer()) }
	field := func(r reflect.Value) int { return int(r.Field(0).Int()) }
	length := func(r reflect.Value) int { return r.Len() }
	for _, c := range []struct {
		sample any
		id     func(reflect.Value) int
	}{
		{42, func(r reflect.Value) int { return int(r.Int()) }},
		{uint8(42), func(r reflect.Value) int { return int(r.Uint()) }},
		{float32(42), func(r reflect.Value) int { return int(r.Float()) }},
		{complex(42, 1), func(r reflect.Value) int { return int(real(r.Complex())) }},
		{strings.Repeat("x", 42), length},
		{make([]byte, 42), length},
		{[42]struct{}{}, length},
		{[42]big{}, length},
		{struct{}{}, func(reflect.Value) int { return 42 }},
		{make(chan *int, 42), func(r reflect.Value) int { return r.Cap() }},
		{map[int]int{1: 42}, func(r reflect.Value) int { return int(r.MapIndex(value(1)).Int()) }},
		{func() int { return 42 }, func(r reflect.Value) int { return int(r.Call(nil)[0].Int()) }},
		{word, deref},
		{[1]*int{&n}, func(r reflect.Value) int { return deref(r.Index(0)) }},
		{[1]map[int]bool{{1: true}}, func(r reflect.Value) int { return 41 + r.Index(0).Len() }},
	} {
		list := callsOf(c.id)
		named := declare(t, "Calls", reflect.TypeOf(c.sample), list, nil)
		try(t, to(named, c.sample).(calls))
		p := reflect.New(named)
		p.Elem().Set(reflect.ValueOf(c.sample).Convert(named))
		try(t, p.Interface().(calls))
		if _, err, _ := p.Elem().Method(0).Interface().(func(big, int, big) (big, error, big))(big{}, 1, big{}); err == nil {
			t.Error(named)
		}
	}
	ints, ptr := reflect.TypeFor[int](), reflect.TypeFor[*int]()
	for _, c := range []struct {
		fields []Field
		values []any
		id     func(reflect.Value) int
	}{
		{[]Field{{Name: "n", Type: ints}}, []any{42}, field},
		{[]Field{{Name: "P", Type: ptr}}, []any{&n}, func(r reflect.Value) int { return deref(r.Field(0)) }},
		{[]Field{{Name: "Z", Type: reflect.TypeFor[struct{}]()}, {Name: "p", Type: ptr}}, []any{struct{}{}, &n}, func(r reflect.Value) int { return deref(r.Field(1)) }},
		{[]Field{{Name: "p", Type: ptr}, {Name: "Z", Type: reflect.TypeFor[struct{}]()}}, []any{&n}, func(r reflect.Value) int { return deref(r.Field(0)) }},
		{[]Field{{Name: "n", Type: ints}, {Name: "b", Type: reflect.TypeFor[big]()}, {Name: "a", Type: reflect.TypeFor[any]()}}, []any{42}, field},
		{[]Field{{Name: "n", Type: reflect.TypeFor[int8]()}, {Name: "f", Type: reflect.TypeFor[float64]()}, {Name: "s", Type: reflect.TypeFor[string]()}}, []any{42, 1.5, "x"}, field},
	} {
		list := callsOf(c.id)
		named := declareStruct(t, "Struct", c.fields, list, nil)
		v := fill(named, c.values...)
		try(t, v.Interface().(calls))
		try(t, v.Addr().Interface().(calls))
	}
}

// A method with a pointer receiver changes what the pointer leads to; one with a value receiver has a copy.
func TestReceivers(t *testing.T) {
	set := m[func(int)]("Set", func(a []reflect.Value) []reflect.Value { a[0].Elem().Field(0).Set(a[1]); return nil })
	get := m[func() int]("Get", returns(func(r reflect.Value) int { return int(r.Field(0).Int()) }))
	low := m[func() int]("low", returns(func(r reflect.Value) int { return -int(r.Field(0).Int()) }))
	s := declareStruct(t, "S", []Field{{Name: "n", Type: reflect.TypeFor[int]()}}, []Method{get, low}, []Method{set})
	p := reflect.New(s)
	p.Interface().(interface{ Set(int) }).Set(5)
	v := p.Elem().Interface()
	p.Interface().(interface{ Set(int) }).Set(6)
	if a, b := v.(interface{ Get() int }).Get(), p.Interface().(interface{ Get() int }).Get(); a != 5 || b != 6 {
		t.Error(a, b)
	}
	if _, ok := v.(interface{ Set(int) }); ok {
		t.Error("a value has the pointer's method")
	}
	if s.NumMethod() != 1 || reflect.PointerTo(s).NumMethod() != 2 {
		t.Error(s.NumMethod())
	}
	// A receiver that an interface holds must not be settable: the runtime shares small numbers between interfaces.
	c := declare(t, "C", reflect.TypeFor[int](), []Method{m[func() bool]("Settable", returns(reflect.Value.CanSet))}, nil)
	if to(c, 1).(interface{ Settable() bool }).Settable() {
		t.Error("the receiver is settable")
	}
	// A nil pointer is the method's business.
	null := declareStruct(t, "N", nil, nil, []Method{m[func() bool]("IsNil", returns(reflect.Value.IsNil))})
	if !reflect.Zero(reflect.PointerTo(null)).Interface().(interface{ IsNil() bool }).IsNil() {
		t.Error("not nil")
	}
}

func TestOrder(t *testing.T) {
	nop := func(name, pkg string) Method {
		return Method{Name: name, Type: reflect.TypeFor[func()](), PkgPath: pkg, Call: func([]reflect.Value) []reflect.Value { return nil }}
	}
	list := []Method{nop("b", ""), nop("Z", ""), nop("a", "z"), nop("É", ""), nop("a", "b"), nop("A", ""), nop("é", "")}
	var got []string
	for _, m := range sorted(list) {
		got = append(got, m.PkgPath+m.Name)
	}
	if !slices.Equal(got, []string{"A", "Z", "É", "ba", "za", "b", "é"}) {
		t.Error(got)
	}
	s := declareStruct(t, "S", nil, list, nil)
	if s.NumMethod() != 3 {
		t.Error(s.NumMethod())
	}
	for _, name := range []string{"A", "Z", "É"} {
		if mt, ok := s.MethodByName(name); !ok || mt.Name != name || !mt.IsExported() {
			t.Error(name, mt)
		}
	}
}

func TestErrors(t *testing.T) {
	str := m[func() string]("String", returns(func(reflect.Value) string { return "" }))
	many := slices.Repeat([]reflect.Type{reflect.TypeFor[int]()}, maxArgs)
	unfit := reflect.FuncOf([]reflect.Type{begin("U", reflect.Struct, 0, nil, nil).Reflect()}, nil, false)
	for want, f := range map[string]func() error{
		"main.T was to have 1 methods, but has 0": func() error { return begin("T", reflect.Int, 0, []Method{str}, nil).SetMethods(nil, []Method{str}) },
		"method String of main.T is not one of *main.T": func() error {
			t := New(Spec{Name: "T", String: "main.T", Kind: reflect.Int, Methods: 1})
			t.SetLayout(reflect.TypeFor[int]())
			return t.SetMethods([]Method{str}, nil)
		},
		"method M of *main.T: more than 127 parameters and results do not work in cells": func() error {
			return begin("T", reflect.Int, 0, nil, []Method{str}).SetMethods(nil, []Method{{Name: "M", Type: reflect.FuncOf(many, nil, false)}})
		},
		"method M of *main.T: type main.U has no layout yet": func() error {
			return begin("T", reflect.Int, 0, nil, []Method{str}).SetMethods(nil, []Method{{Name: "M", Type: unfit}})
		},
		"type struct {} cannot have methods": func() error {
			return New(Spec{String: "struct {}", Kind: reflect.Struct}).SetMethods([]Method{str}, nil)
		},
	} {
		if err := f(); err == nil || err.Error() != want {
			t.Errorf("%v instead of %s", err, want)
		}
	}
	for _, f := range []func(){
		func() { begin("T", reflect.Int, 0, nil, nil).SetLayout(reflect.TypeFor[string]()) },
		func() {
			begin("T", reflect.Struct, 0, nil, nil).SetLayout(begin("T", reflect.Struct, 0, nil, nil).Reflect())
		},
		func() {
			t := begin("T", reflect.Struct, 0, nil, nil)
			t.SetLayout(reflect.TypeFor[struct{ A int }]())
			t.SetFields("main", []Field{{Name: "a", Type: reflect.TypeFor[string]()}})
		},
	} {
		if panicOf(f) == nil {
			t.Error("no panic")
		}
	}
}

// The methods of embedded types are given by the caller, as the compiler would write them.
func TestPromotion(t *testing.T) {
	u := reflect.TypeFor[int]()
	inner := declare(t, "Inner", u, stringer(u), []Method{m[func(int)]("Set", func(a []reflect.Value) []reflect.Value { a[0].Elem().Set(a[1].Convert(a[0].Type().Elem())); return nil })})
	text := m[func() string]("String", returns(func(r reflect.Value) string { return r.Field(0).Interface().(fmt.Stringer).String() }))
	set := m[func(int)]("Set", func(a []reflect.Value) []reflect.Value {
		reflect.Indirect(reflect.Indirect(a[0]).Field(0)).Addr().MethodByName("Set").Call(a[1:])
		return nil
	})
	type setter interface {
		fmt.Stringer
		Set(int)
	}
	by := declareStruct(t, "ByValue", []Field{{Name: "Inner", Type: inner, Embedded: true}}, []Method{text}, []Method{set})
	v := reflect.New(by)
	if _, ok := v.Elem().Interface().(setter); ok {
		t.Error("a value has the pointer's method")
	}
	v.Interface().(setter).Set(3)
	to := declareStruct(t, "ByPointer", []Field{{Name: "Inner", Type: reflect.PointerTo(inner), Embedded: true}}, []Method{text, set}, nil)
	p := fill(to, v.Elem().Field(0).Addr().Interface())
	p.Interface().(setter).Set(int(v.Elem().Field(0).Int()) + 1)
	if got := fmt.Sprint(v.Interface(), v.Elem().Interface(), p.Interface(), p.Addr().Interface()); got != "<4> <4> <4> <4>" {
		t.Error(got)
	}
	// A private method of another package is embedded, too.
	hidden := Method{Name: "private", Type: reflect.TypeFor[func()](), PkgPath: "testing", Call: func([]reflect.Value) []reflect.Value { return nil }}
	var list []Method
	for tb := range reflect.TypeFor[testing.TB]().Methods() {
		if tb.PkgPath == "" {
			list = append(list, Method{Name: tb.Name, Type: tb.Type, Call: func(a []reflect.Value) []reflect.Value {
				call := a[0].Field(0).MethodByName(tb.Name)
				if tb.Type.IsVariadic() {
					return call.CallSlice(a[1:])
				}
				return call.Call(a[1:])
			}})
		}
	}
	tb := declareStruct(t, "TB", []Field{{Name: "TB", Type: reflect.TypeFor[testing.TB](), Embedded: true}}, append(list, hidden), nil)
	if got, ok := fill(tb, t).Interface().(testing.TB); !ok || got.Name() != "TestPromotion" {
		t.Error(ok)
	}
	if _, ok := reflect.New(declareStruct(t, "Not", []Field{{Name: "TB", Type: reflect.TypeFor[testing.TB](), Embedded: true}}, list, nil)).Interface().(testing.TB); ok {
		t.Error("a type without the private method is a testing.TB")
	}
}
