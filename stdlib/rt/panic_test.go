package rt

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
)

// caught returns the value of a panic of f.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// TestValue compares what becomes of the engine's panics with the panics of compiled Go.
func TestValue(t *testing.T) {
	var (
		none     func()
		nilError error
		five     = 5
		list     = []int{1}
		nilValue reflect.Value
		minus        = -1
		asserted any = 1
	)
	boom := errors.New("boom")
	tests := []struct {
		name     string
		engine   any    // what the engine panics with
		compiled func() // what Go does instead
		less     bool   // the engine's text does not have the numbers of Go's
	}{
		{"value", reflect.ValueOf(1), func() { panic(1) }, false},
		{"error", reflect.ValueOf(boom), func() { panic(boom) }, false},
		{"wrapped twice", reflect.ValueOf(reflect.ValueOf("a")), func() { panic("a") }, false},
		{"error in an interface", reflect.ValueOf(&boom).Elem(), func() { panic(boom) }, false},
		{"nil", reflect.Value{}, func() { panic(nil) }, false},
		{"nil interface", reflect.ValueOf(&nilError).Elem(), func() { panic(nilError) }, false},
		{"text of a cell", "reflect on this", func() { panic("reflect on this") }, false},
		{"index of a slice", caught(func() { reflect.ValueOf(list).Index(five) }), func() { _ = list[five] }, true},
		{"index of an array", caught(func() { reflect.ValueOf([2]int{}).Index(five) }), func() { _ = [2]int{}[five] }, true},
		{"index of a string", caught(func() { reflect.ValueOf("a").Index(five) }), func() { _ = "a"[five] }, true},
		{"slice bounds", caught(func() { reflect.ValueOf(list).Slice(1, five) }), func() { _ = list[1:five] }, true},
		{"slice bounds of a string", caught(func() { reflect.ValueOf("a").Slice(1, five) }), func() { _ = "a"[1:five] }, true},
		{"three bounds", caught(func() { reflect.ValueOf(list).Slice3(0, 1, five) }), func() { _ = list[0:1:five] }, true},
		{"field of a nil pointer", caught(func() { reflect.ValueOf((*Frame)(nil)).Elem().Field(0) }), func() { _ = (*Frame)(nil).calls }, false},
		{"value of a nil pointer", caught(func() { nilValue.Interface() }), func() { _ = *(*int)(nil) }, false},
		{"setting nothing", caught(func() { nilValue.Set(reflect.ValueOf(1)) }), func() { *(*int)(nil) = 1 }, false},
		{"calling nil", caught(func() { reflect.ValueOf(none).Call(nil) }), func() { none() }, false},
		{"method of a nil interface", caught(func() { reflect.ValueOf(&nilError).Elem().Method(0) }), func() { _ = nilError.Error() }, false},
		{"slice for an array", caught(func() { reflect.ValueOf(list).Convert(reflect.TypeFor[[4]int]()) }), func() { _ = [4]int(list) }, false},
		{"slice for a pointer", caught(func() { reflect.ValueOf(list).Convert(reflect.TypeFor[*[4]int]()) }), func() { _ = (*[4]int)(list) }, false},
		{"negative length", caught(func() { reflect.MakeSlice(reflect.TypeFor[[]int](), minus, 0) }), func() { _ = make([]int, minus) }, false},
		{"negative capacity", caught(func() { reflect.MakeSlice(reflect.TypeFor[[]int](), 0, minus) }), func() { _ = make([]int, 0, minus) }, false},
		{"length above capacity", caught(func() { reflect.MakeSlice(reflect.TypeFor[[]int](), five, 1) }), func() { _ = make([]int, five, five-1) }, false},
		{"negative buffer", caught(func() { reflect.MakeChan(reflect.TypeFor[chan int](), minus) }), func() { _ = make(chan int, minus) }, false},
		{"assertion", inEngine(t, "", `var v any = 1; _ = v.(string)`), func() { _ = asserted.(string) }, false},
		{"assertion of nil", inEngine(t, "", `var v any; _ = v.(string)`), func() { var v any; _ = v.(string) }, false},
		{"panic in the engine", inEngine(t, "", `panic("a")`), func() { panic("a") }, false},
		{"error in the engine", inEngine(t, "", `panic(errors.New("boom"))`), func() { panic(errors.New("boom")) }, false},
		{"error variable in the engine", inEngine(t, "", `var err error = errors.New("boom"); panic(err)`), func() { panic(errors.New("boom")) }, false},
		{"division in the engine", inEngine(t, "", `zero := 0; _ = 1 / zero`), func() { zero := 0; _ = 1 / zero }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, want := Value(tt.engine), caught(tt.compiled)
			_, isRuntime := got.(runtime.Error)
			_, wantRuntime := want.(runtime.Error)
			if isRuntime != wantRuntime {
				t.Errorf("%T is a runtime.Error: %v, want %v", got, isRuntime, wantRuntime)
			}
			if !wantRuntime && reflect.TypeOf(got) != reflect.TypeOf(want) {
				t.Errorf("got a %T, want a %T", got, want)
			}
			g, w := fmt.Sprint(got), fmt.Sprint(want)
			// Compiled code knows the static type of what is asserted.
			w = strings.Replace(w, "interface conversion: interface {} is", "interface conversion: interface is", 1)
			g = strings.Replace(g, "interface conversion: interface {} is", "interface conversion: interface is", 1)
			if g != w && !(tt.less && strings.HasPrefix(w, g+" ")) {
				t.Errorf("got %q, want %q", g, w)
			}
		})
	}
}

// inEngine returns what the engine panics with when it runs statements, behind declarations.
func inEngine(t *testing.T, declarations, statements string) any {
	t.Helper()
	in := interp.New(interp.Options{Stderr: new(strings.Builder)})
	if err := in.Use(interp.Exports{"errors/errors": stdlib.Symbols["errors/errors"]}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Eval("import \"errors\"\nvar _ = errors.New\n" + declarations + "\nfunc run() { " + statements + " }"); err != nil {
		t.Fatal(err)
	}
	run, err := in.Eval("run")
	if err != nil {
		t.Fatal(err)
	}
	v := caught(run.Interface().(func()))
	if v == nil {
		t.Fatalf("%s does not panic", statements)
	}
	return v
}

// Types of cells have their own names, not those that the lowering gave them.
func TestValueNames(t *testing.T) {
	got := Value(inEngine(t, `type shapeː12 interface { Area() int }`, `var v any = "a"; _ = v.(shapeː12)`))
	if text := fmt.Sprint(got); !strings.HasPrefix(text, "interface conversion: ") || strings.Contains(text, "ː") || !strings.Contains(text, "shape") {
		t.Errorf("got %q", text)
	}
}

// A hidden value cannot be taken out of its struct.
func TestValueHidden(t *testing.T) {
	hidden := reflect.ValueOf(struct{ s string }{"a"}).Field(0)
	if got := Value(hidden); got != "a" {
		t.Errorf("got %v", got)
	}
}

// A stringer is shown by its method, which may fail.
type stringer struct{ p *int }

func (s stringer) String() string { return fmt.Sprint(*s.p) }

type failing struct{ p *int }

func (f *failing) Error() string { return fmt.Sprint(*f.p) }

func TestText(t *testing.T) {
	seven := 7
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"string", "a b", "a b"},
		{"error", errors.New("boom"), "boom"},
		{"runtime error", indexError, "runtime error: index out of range"},
		{"stringer", stringer{&seven}, "7"},
		{"stringer that panics", stringer{}, "%!v(PANIC=String method: runtime error: invalid memory address or nil pointer dereference)"},
		{"error that panics", &failing{}, "%!v(PANIC=Error method: runtime error: invalid memory address or nil pointer dereference)"},
		{"nil pointer that is an error", (*failing)(nil), "<nil>"},
		{"int", 3, "3"},
		{"float", 1e20, "1e+20"},
		{"complex", 1i, "(0+1i)"},
		{"struct", structure{3}, "{3}"},
		{"nil", nil, "<nil>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.value); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
