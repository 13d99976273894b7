package rtype

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
)

// The engine takes the types for compiled ones, lower-case fields included.
func TestEngine(t *testing.T) {
	text := m[func() string]("String", returns(func(r reflect.Value) string { return fmt.Sprint("C<", r.Int(), ">") }))
	c := declare(t, "C", reflect.TypeFor[int](), []Method{text}, nil)
	e := begin("E", reflect.Struct, 0, []Method{text}, nil) // one method
	fail := []Method{m[func() string]("Error", returns(func(r reflect.Value) string { return fmt.Sprint("E", r.Field(0)) }))}
	layOut(e, []Field{{Name: "a", Type: reflect.TypeFor[int]()}, {Name: "Next", Type: reflect.PointerTo(e.Reflect())}, {Name: "M", Type: reflect.TypeFor[map[byte]byte]()}},
		nil, nil, func() reflect.Type { return reflect.MapOf(reflect.TypeFor[string](), e.Reflect()) })
	et := finish(t, e, fail, nil)
	i := declareInterface("I", "main", Method{Name: "String", Type: text.Type})
	var out bytes.Buffer
	in := interp.New(interp.Options{Stdout: &out, Stderr: &out})
	symbols := map[string]reflect.Value{}
	for name, t := range map[string]reflect.Type{"C": c, "E": et, "I": i} {
		symbols[name] = reflect.Zero(reflect.PointerTo(t))
	}
	if err := in.Use(stdlib.Symbols); err != nil {
		t.Fatal(err)
	}
	if err := in.Use(interp.Exports{"session/y/y": symbols}); err != nil {
		t.Fatal(err)
	}
	eval := func(s string) {
		t.Helper()
		if _, err := in.Eval(s); err != nil {
			t.Error(s, err)
		}
	}
	eval(`import ("fmt"; "errors"; "session/y")`)
	eval(`func double(c y.C) y.C { return c * 2 }`)
	eval(`func text(i y.I) string { return i.String() }`)
	for n, x := range []struct{ body, want string }{
		{`fmt.Println(c, c+1, []y.C{1,2}, map[y.C]string{3:"x"})`, "C<7> C<8> [C<1> C<2>] map[C<3>:x]"},
		{`fmt.Println(i, i.String()); _, ok := i.(y.C); fmt.Println(ok)`, "C<7> C<7>\ntrue"},
		{`e := y.E{a: 4}; e.a++; e.Next = &y.E{a: 9}; fmt.Printf("%T %d %d ", e, e.a, e.Next.a); f := e; f.a = 100; fmt.Println(e.a, f.a)`, "main.E 5 9 5 100"},
		{`e := y.E{}; e.M = map[string]y.E{"k": {a: 3}}; fmt.Println(e.M["k"].a, len(e.M))`, "3 1"},
		{`w := fmt.Errorf("x %w", err); var t y.E; fmt.Println(errors.As(w, &t), t.a, w)`, "true 5 x E5"},
		{`switch v := err.(type) { case y.E: fmt.Println("E", v.a); case *y.E: fmt.Println("*E") ; default: fmt.Println("?") }`, "E 5"},
		{`var a any = c; switch v := a.(type) { case int: fmt.Println("int", v); case y.I: fmt.Println("I", v); case y.C: fmt.Println("C", v+1) }`, "I C<7>"},
		{`var a any = c; switch v := a.(type) { case int: fmt.Println("int", v); case y.C: fmt.Println("C", v+1) }`, "C C<8>"},
		{`var a any = c; z, ok := a.(fmt.Stringer); _, ok2 := a.(int); fmt.Println(z, ok, ok2)`, "C<7> true false"},
		{`fmt.Println(any(y.C(1)) == any(1), any(y.C(1)) == any(y.C(1)))`, "false true"},
		{`fmt.Println(double(4), text(y.C(4)), text(double(4)))`, "C<8> C<4> C<8>"},
		{`for i, x := range []y.C{4,5} { fmt.Print(i, x, " ") }; p := &c; *p = 77; fmt.Println(c)`, "0 C<4> 1 C<5> C<77>"},
		{`s := []y.I{y.C(1), c}; s = append(s, y.C(3)); fmt.Println(s, len(s))`, "[C<1> C<7> C<3>] 3"},
	} {
		out.Reset()
		eval(fmt.Sprintf("func cell%d() { var _ = errors.As; c := y.C(7); var i y.I = c; var err error = y.E{a: 5}; _, _, _ = i, err, c; %s }", n, x.body))
		eval(fmt.Sprintf("cell%d()", n))
		if got := strings.TrimSpace(out.String()); got != x.want {
			t.Errorf("%s: %s instead of %s", x.body, got, x.want)
		}
	}
}
