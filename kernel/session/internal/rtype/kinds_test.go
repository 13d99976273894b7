package rtype

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"
)

// stringer is a method that prints the value of the underlying type.
func stringer(u reflect.Type) []Method {
	return []Method{m[func() string]("String", returns(func(r reflect.Value) string { return fmt.Sprintf("<%v>", r.Convert(u).Interface()) }))}
}

func TestKinds(t *testing.T) {
	x, n := 7, any(nil)
	for _, sample := range []any{
		true, int(-1), int8(-2), int16(-3), int32(-4), int64(-5), uint(1), uint8(2), uint16(3), uint32(4), uint64(1 << 63),
		uintptr(9), float32(1.5), 2.5, complex64(1 + 2i), 3 + 4i, "text", [3]int{1, 2, 3}, [1]*int{&x}, [0]string{}, []string{"a"},
		map[string]int{"k": 1}, make(chan int, 1), (<-chan string)(nil), func(int, ...string) error { return nil }, &x, unsafe.Pointer(&x),
		[2]any{n, 1}, [300]string{}, [20000]*int{}, func() {}, &[2]int{}, map[[2]string][]byte{},
	} {
		u := reflect.TypeOf(sample)
		named := declare(t, "K", u, stringer(u), nil)
		if named.Kind() != u.Kind() || named.Name() != "K" || named.String() != "main.K" || named.PkgPath() != "main" ||
			named.Size() != u.Size() || named.Align() != u.Align() || named.Comparable() != u.Comparable() {
			t.Error(u, "is", named)
		}
		if named == u || !u.ConvertibleTo(named) || !named.ConvertibleTo(u) {
			t.Error(u, "does not convert")
		}
		if defined := u.Name() != ""; u.AssignableTo(named) == defined || named.AssignableTo(u) == defined {
			t.Error(u, "assigns wrongly")
		}
		sameParts(t, u, named)
		v := reflect.ValueOf(sample).Convert(named)
		want := fmt.Sprintf("<%v>", sample)
		for i, x := range []any{v.Interface(), reflect.New(named).Interface()} {
			if i == 1 {
				reflect.ValueOf(x).Elem().Set(v)
			}
			if got := x.(fmt.Stringer).String(); got != want {
				t.Errorf("%T: %s instead of %s", x, got, want)
			}
		}
		if got := named.Method(0).Func.Call([]reflect.Value{v})[0].String(); got != want {
			t.Errorf("%v: %s instead of %s", u, got, want)
		}
		if got := v.MethodByName("String").Interface().(func() string)(); got != want {
			t.Errorf("%v: %s instead of %s", u, got, want)
		}
		back := v.Convert(u).Interface()
		if u.Comparable() && (back != sample || v.Interface() != v.Interface() || v.Interface() == sample || map[any]int{v.Interface(): 1}[v.Interface()] != 1) {
			t.Error(u, "compares wrongly")
		}
		if !u.Comparable() && panicOf(func() { _ = v.Interface() == v.Interface() }) == nil {
			t.Error(u, "compares")
		}
	}
}

// sameParts compares what reflection says of a named type's parts with those of the underlying one.
func sameParts(t *testing.T, u, named reflect.Type) {
	describe := func(t reflect.Type) (list []any) {
		switch t.Kind() {
		case reflect.Map:
			list = append(list, t.Key(), t.Elem())
		case reflect.Array:
			list = append(list, t.Len(), t.Elem())
		case reflect.Chan:
			list = append(list, t.ChanDir(), t.Elem())
		case reflect.Slice, reflect.Pointer:
			list = append(list, t.Elem())
		case reflect.Func:
			list = append(list, t.IsVariadic())
			for p := range t.Ins() {
				list = append(list, p)
			}
			for r := range t.Outs() {
				list = append(list, r)
			}
		}
		return list
	}
	if got, want := describe(named), describe(u); !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %v", u, got)
	}
}

// Values of the types do what values of their kinds do.
func TestUse(t *testing.T) {
	f := declare(t, "F", reflect.TypeFor[func(int, ...string) string](), nil, nil)
	v := reflect.ValueOf(func(n int, s ...string) string { return fmt.Sprint(n, s) }).Convert(f)
	if got := v.Call([]reflect.Value{reflect.ValueOf(1), reflect.ValueOf("a"), reflect.ValueOf("b")})[0].String(); got != "1 [a b]" {
		t.Error(got)
	}
	c := reflect.MakeChan(declare(t, "C", reflect.TypeFor[chan string](), nil, nil), 1)
	c.Send(reflect.ValueOf("x"))
	if got, _ := c.Recv(); got.String() != "x" {
		t.Error(got)
	}
	mt := declare(t, "M", reflect.MapOf(reflect.TypeFor[string](), f), nil, nil)
	mv := reflect.MakeMap(mt)
	for i := range 100 {
		mv.SetMapIndex(reflect.ValueOf(fmt.Sprint(i)), v)
	}
	if mv.Len() != 100 || mv.MapIndex(reflect.ValueOf("50")).Type() != f {
		t.Error(mv.Len())
	}
	s := reflect.MakeSlice(declare(t, "S", reflect.SliceOf(mt), nil, nil), 0, 0)
	s = reflect.Append(s, mv, mv)
	if s.Len() != 2 || s.Type().String() != "main.S" || s.Index(1).Len() != 100 {
		t.Error(s)
	}
	g := declare(t, "List[main.C,[]int]", reflect.TypeFor[[]int](), nil, nil)
	if g.Name() != "List[main.C,[]int]" || reflect.PointerTo(g).String() != "*main.List[main.C,[]int]" {
		t.Error(g.Name())
	}
}
