package rtype

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
	"text/template"
	"time"
)

func TestFmt(t *testing.T) {
	c := declare(t, "C", reflect.TypeFor[int](), []Method{m[func() string]("String", returns(func(r reflect.Value) string { return fmt.Sprint("C", r.Int()) }))}, nil)
	plain := declare(t, "P", reflect.TypeFor[string](), nil, nil)
	goer := declare(t, "G", reflect.TypeFor[[]int](), []Method{m[func() string]("GoString", returns(func(r reflect.Value) string { return "G!" }))}, nil)
	former := declare(t, "F", reflect.TypeFor[bool](), []Method{m[func(fmt.State, rune)]("Format", func(a []reflect.Value) []reflect.Value {
		fmt.Fprintf(a[1].Interface().(fmt.State), "F(%c)", rune(a[2].Int()))
		return nil
	})}, nil)
	s := declareStruct(t, "S", []Field{{Name: "A", Type: c}, {Name: "b", Type: plain}, {Name: "L", Type: reflect.SliceOf(c)}}, nil, nil)
	e := declareStruct(t, "E", nil, []Method{m[func() string]("Error", returns(func(reflect.Value) string { panic("oh") }))}, nil)
	v := fill(s, 1, "x")
	v.Field(2).Set(reflect.MakeSlice(reflect.SliceOf(c), 2, 2))
	for _, x := range []struct {
		format string
		arg    any
		want   string
	}{
		{"%v %[1]d %[1]T %[1]s %[1]q %[1]x %#[1]v", to(c, 5), `C5 5 main.C C5 "C5" 4335 5`},
		{"%v %[1]d %[1]T %[1]s %[1]q", to(plain, "p"), `p %!d(main.P=p) main.P p "p"`},
		{"%v %#[1]v %[1]T", to(goer, []int{1}), "[1] G! main.G"},
		{"%v %[1]s %[1]d", to(former, true), "F(v) F(s) F(d)"},
		{"%v %+[1]v %[1]T", v.Interface(), "{C1 x [C0 C0]} {A:C1 b:x L:[C0 C0]} main.S"},
		{"%#v", v.Interface(), `main.S{A:1, b:"x", L:[]main.C{0, 0}}`},
		{"%v %+[1]v %[1]T", v.Addr().Interface(), "&{C1 x [C0 C0]} &{A:C1 b:x L:[C0 C0]} *main.S"},
		{"%v", []any{to(c, 1), map[any]any{to(c, 2): to(c, 3)}}, "[C1 map[C2:C3]]"},
		{"%v", reflect.Zero(e).Interface(), "%!v(PANIC=Error method: oh)"},
		{"%T %[1]v", reflect.Zero(reflect.PointerTo(c)).Interface(), "*main.C <nil>"},
	} {
		if got := fmt.Sprintf(x.format, x.arg); got != x.want {
			t.Errorf("%s: %s instead of %s", x.format, got, x.want)
		}
	}
	scanner := declare(t, "Scan", reflect.TypeFor[string](), nil, []Method{m[func(fmt.ScanState, rune) error]("Scan", func(a []reflect.Value) []reflect.Value {
		token, err := a[1].Interface().(fmt.ScanState).Token(true, nil)
		a[0].Elem().SetString("scanned " + string(token))
		return []reflect.Value{value(err)}
	})})
	p := reflect.New(scanner)
	if _, err := fmt.Sscan("word", p.Interface()); err != nil || p.Elem().String() != "scanned word" {
		t.Error(p.Elem(), err)
	}
}

func TestErrorChains(t *testing.T) {
	base := []Field{{Name: "msg", Type: reflect.TypeFor[string]()}, {Name: "err", Type: reflect.TypeFor[error]()}}
	text := m[func() string]("Error", returns(func(r reflect.Value) string { return "e:" + r.Field(0).String() }))
	unwrap := m[func() error]("Unwrap", returns(func(r reflect.Value) error { err, _ := r.Field(1).Interface().(error); return err }))
	is := m[func(error) bool]("Is", func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{value(a[1].Interface() == io.ErrNoProgress)}
	})
	e := declareStruct(t, "E", base, []Method{text, unwrap, is}, nil)
	other := declareStruct(t, "O", base, []Method{text}, nil)
	v := fill(e, "1", io.EOF).Interface().(error)
	err := fmt.Errorf("outer: %w", errors.Join(errors.New("x"), v))
	if !strings.HasPrefix(err.Error(), "outer: x\ne:1") || !errors.Is(err, io.EOF) || !errors.Is(err, v) || !errors.Is(err, io.ErrNoProgress) || errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	target := reflect.New(e)
	if !errors.As(err, target.Interface()) || target.Elem().Field(0).String() != "1" || errors.As(err, reflect.New(other).Interface()) {
		t.Error(target)
	}
	pe := declareStruct(t, "P", base, nil, []Method{m[func() string]("Error", returns(func(r reflect.Value) string { return "p:" + r.Elem().Field(0).String() }))})
	pv := reflect.New(pe)
	pv.Elem().Set(fill(pe, "2", v))
	ptarget := reflect.New(reflect.PointerTo(pe))
	if !errors.As(fmt.Errorf("%w", pv.Interface().(error)), ptarget.Interface()) || ptarget.Elem().Interface() != pv.Interface() {
		t.Error(ptarget)
	}
}

func TestEncoding(t *testing.T) {
	str := reflect.TypeFor[string]()
	color := declare(t, "Color", reflect.TypeFor[int](), []Method{
		m[func() ([]byte, error)]("MarshalText", func(a []reflect.Value) []reflect.Value {
			return []reflect.Value{value([]byte(fmt.Sprintf("color-%d", a[0].Int()))), value[error](nil)}
		})}, []Method{
		m[func([]byte) error]("UnmarshalText", func(a []reflect.Value) []reflect.Value {
			var n int
			_, err := fmt.Sscanf(string(a[1].Bytes()), "color-%d", &n)
			a[0].Elem().SetInt(int64(n))
			return []reflect.Value{value(err)}
		})})
	base := declareStruct(t, "base", []Field{{Name: "ID", Type: reflect.TypeFor[int](), Tag: `json:"id"`}, {Name: "secret", Type: str}}, nil, nil)
	node := begin("Node", reflect.Struct, 0, nil, nil)
	layOut(node, []Field{
		{Name: "base", Type: base, Embedded: true},
		{Name: "Name", Type: str, Tag: `json:"name,omitempty" xml:"name,attr"`},
		{Name: "Color", Type: color},
		{Name: "By", Type: reflect.MapOf(color, str), Tag: `xml:"-"`},
		{Name: "Kids", Type: reflect.SliceOf(reflect.PointerTo(node.Reflect())), Tag: `json:",omitempty"`},
		{Name: "lower", Type: reflect.TypeFor[time.Duration](), Tag: `json:"lower"`},
	})
	nt := finish(t, node, nil, nil)
	in := `{"id":1,"name":"a","Color":"color-3","By":{"color-4":"x"},"Kids":[{"id":2,"Color":"color-0","By":null}],"lower":5,"secret":"s"}`
	for _, show := range []func(any) any{func(x any) any { return x }, Show} {
		v := reflect.New(nt)
		if err := json.Unmarshal([]byte(in), show(v.Interface())); err != nil {
			t.Fatal(err)
		}
		v.Elem().Field(5).SetInt(9)
		if kid := v.Elem().Field(4).Index(0); kid.Type() != reflect.PointerTo(nt) || kid.Elem().Field(0).Field(0).Int() != 2 {
			t.Error(kid)
		}
		if got := v.Elem().Field(3).MapIndex(reflect.ValueOf(4).Convert(color)).String(); got != "x" {
			t.Error(got)
		}
		out, err := json.Marshal(show(v.Interface()))
		if want := `{"id":1,"name":"a","Color":"color-3","By":{"color-4":"x"},"Kids":[{"id":2,"Color":"color-0","By":null}]}`; string(out) != want || err != nil {
			t.Error(string(out), err)
		}
		out, err = xml.Marshal(show(v.Interface()))
		if want := `<Node name="a"><ID>1</ID><Color>color-3</Color><Kids name=""><ID>2</ID><Color>color-0</Color></Kids></Node>`; string(out) != want || err != nil {
			t.Error(string(out), err)
		}
	}
	custom := declare(t, "Custom", reflect.TypeFor[[]int](), []Method{m[func() ([]byte, error)]("MarshalJSON", func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{value([]byte(fmt.Sprintf(`"len %d"`, a[0].Len()))), value[error](nil)}
	})}, nil)
	if out, err := json.Marshal([]any{to(custom, []int{1}), map[string]any{"x": to(custom, []int{})}}); string(out) != `["len 1",{"x":"len 0"}]` || err != nil {
		t.Error(string(out), err)
	}
}

func TestSort(t *testing.T) {
	by := declare(t, "By", reflect.TypeFor[[]string](), []Method{
		m[func() int]("Len", returns(reflect.Value.Len)),
		m[func(i, j int) bool]("Less", func(a []reflect.Value) []reflect.Value {
			return []reflect.Value{value(a[0].Index(int(a[1].Int())).Len() < a[0].Index(int(a[2].Int())).Len())}
		}),
		m[func(i, j int)]("Swap", func(a []reflect.Value) []reflect.Value {
			reflect.Swapper(a[0].Interface())(int(a[1].Int()), int(a[2].Int()))
			return nil
		})}, nil)
	v := to(by, []string{"ccc", "a", "dddd", "bb"})
	sort.Sort(sort.Reverse(v.(sort.Interface)))
	if got := fmt.Sprint(v); got != "[dddd ccc bb a]" {
		t.Error(got)
	}
}

func TestReader(t *testing.T) {
	r := declareStruct(t, "R", []Field{{Name: "left", Type: reflect.TypeFor[int]()}}, nil, []Method{m[func([]byte) (int, error)]("Read", func(a []reflect.Value) []reflect.Value {
		left := a[0].Elem().Field(0)
		n := min(int(left.Int()), a[1].Len(), 1000)
		if left.SetInt(left.Int() - int64(n)); n == 0 {
			return []reflect.Value{value(0), value(io.EOF)}
		}
		for i := range n {
			a[1].Index(i).SetUint('x')
		}
		return []reflect.Value{value(n), value[error](nil)}
	})})
	v := reflect.New(r)
	v.Elem().Field(0).SetInt(12345)
	var b bytes.Buffer
	if n, err := io.Copy(&b, v.Interface().(io.Reader)); n != 12345 || err != nil || strings.Trim(b.String(), "x") != "" {
		t.Error(n, err)
	}
}

func TestTemplate(t *testing.T) {
	p := declareStruct(t, "P", []Field{{Name: "Name", Type: reflect.TypeFor[string]()}},
		[]Method{m[func(greeting string, n ...int) (string, error)]("Greet", func(a []reflect.Value) []reflect.Value {
			return []reflect.Value{value(fmt.Sprint(a[1], " ", a[0].Field(0), a[2].Interface())), value[error](nil)}
		})},
		[]Method{m[func() string]("Loud", returns(func(r reflect.Value) string { return strings.ToUpper(r.Elem().Field(0).String()) }))})
	v := reflect.New(p)
	v.Elem().Field(0).SetString("ann")
	var b strings.Builder
	err := template.Must(template.New("").Parse(`{{.Greet "hi" 1 2}} {{.Loud}} {{.Name}} {{.Greet "x" | printf "%T"}}`)).Execute(&b, v.Interface())
	if err != nil || b.String() != "hi ann [1 2] ANN ann string" {
		t.Error(b.String(), err)
	}
}

// Compiled generic code, too, takes the types for what they are.
func is[T any](x any) (T, bool) { v, ok := x.(T); return v, ok }

func which(x any) string {
	switch x := x.(type) {
	case int:
		return "int"
	case error:
		return "error " + x.Error()
	case fmt.Stringer:
		return "Stringer " + x.String()
	case interface{ M(int) int }:
		return fmt.Sprint("M ", x.M(2))
	}
	return "other"
}

func TestAssertions(t *testing.T) {
	u := reflect.TypeFor[int]()
	s := to(declare(t, "S", u, stringer(u), nil), 1)
	e := to(declare(t, "E", u, []Method{m[func() string]("Error", returns(func(reflect.Value) string { return "!" }))}, nil), 1)
	x := to(declare(t, "X", u, []Method{m[func(int) int]("M", func(a []reflect.Value) []reflect.Value { return []reflect.Value{value(int(a[0].Int() + a[1].Int()))} })}, nil), 1)
	n := to(declare(t, "N", u, []Method{m[func(int8) int]("M", nil)}, nil), 1)
	for range 3 { // the runtime caches what it finds
		if got := []string{which(1), which(s), which(e), which(x), which(n)}; !slices.Equal(got, []string{"int", "Stringer <1>", "error !", "M 3", "other"}) {
			t.Error(got)
		}
	}
	_, a := is[fmt.Stringer](s)
	_, b := is[error](s)
	_, c := is[int](s)
	_, d := is[interface{ String() string }](s)
	_, f := is[any](s)
	if !a || b || c || !d || !f {
		t.Error(a, b, c, d, f)
	}
	if e, ok := panicOf(func() { _ = s.(error) }).(error); !ok || !strings.Contains(e.Error(), "main.S is not error: missing method Error") {
		t.Error(e)
	}
	again := declare(t, "S", u, stringer(u), nil)
	if reflect.TypeOf(s) == again || s == to(again, 1) || again.AssignableTo(reflect.TypeOf(s)) {
		t.Error("types of the same name are one")
	}
}
