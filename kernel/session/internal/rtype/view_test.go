package rtype

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestView(t *testing.T) {
	duration := reflect.TypeFor[time.Duration]()
	inner := declareStruct(t, "inner", []Field{{Name: "d", Type: duration}, {Name: "E", Type: duration}}, nil, nil)
	key := declareStruct(t, "Key", []Field{{Name: "k", Type: reflect.TypeFor[string]()}}, nil, nil)
	list := declare(t, "List", reflect.SliceOf(inner), []Method{m[func() int]("Len", returns(reflect.Value.Len))}, nil)
	node := begin("Node", reflect.Struct, 0, nil, nil)
	layOut(node, []Field{
		{Name: "inner", Type: inner, Embedded: true},
		{Name: "List", Type: list},
		{Name: "Next", Type: reflect.PointerTo(node.Reflect())},
		{Name: "By", Type: reflect.MapOf(key, inner)},
		{Name: "two", Type: reflect.ArrayOf(2, duration), Tag: `k:"v"`},
	})
	nt := finish(t, node, nil, nil)
	v := reflect.New(nt).Elem()
	v.Field(0).Field(0).SetInt(1)
	v.Field(0).Field(1).SetInt(2)
	v.Field(1).Set(reflect.MakeSlice(list, 1, 1))
	v.Field(3).Set(reflect.MakeMap(v.Field(3).Type()))
	for i := range 100 {
		v.Field(3).SetMapIndex(fill(key, fmt.Sprint(i)), v.Field(0))
	}
	shown := Show(v.Interface())
	short := func(x any) string { s, _, _ := strings.Cut(fmt.Sprintf("%+v", x), " By"); return s }
	if got := short(shown); got != "{inner:{d:1 E:2ns} List:[{d:0 E:0s}] Next:<nil>" {
		t.Error(got)
	}
	if got := short(v.Interface()); got != "{inner:{d:1ns E:2ns} List:[{d:0s E:0s}] Next:<nil>" {
		t.Error(got)
	}
	view := reflect.TypeOf(shown)
	if view == nt || view != View(nt) || view.String() != "main.Node" || view.Field(2).Type != reflect.PointerTo(view) || View(reflect.PointerTo(nt)) != reflect.PointerTo(view) ||
		View(view) != view || view.Field(4).PkgPath != "main" || view.Field(4).Tag != `k:"v"` || nt.Field(4).Tag != `json:"-" xml:"-" k:"v"` || view.Field(1).PkgPath != "" ||
		view.Field(1).Type.Name() != "List" || !view.Field(0).Anonymous || view.Field(0).PkgPath != "main" || reflect.DeepEqual(nt, view) {
		t.Error(view)
	}
	if !view.ConvertibleTo(reflect.TypeFor[any]()) || reflect.ValueOf(shown).Field(1).MethodByName("Len").Call(nil)[0].Int() != 1 {
		t.Error("the methods are not shared")
	}
	// The maps of a view are the same in memory.
	by := reflect.ValueOf(shown).Field(3)
	for i := range 100 {
		k := reflect.ValueOf(Show(fill(key, fmt.Sprint(i)).Interface()))
		if got := by.MapIndex(k); !got.IsValid() || got.Field(1).Int() != 2 {
			t.Fatal(k, got)
		}
	}
	for _, same := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[struct{ a int }](), reflect.TypeFor[[]error](), reflect.TypeFor[time.Time](),
		declareStruct(t, "Open", []Field{{Name: "A", Type: duration}}, nil, nil), declare(t, "D", reflect.TypeFor[map[string]int](), nil, nil),
		reflect.FuncOf([]reflect.Type{nt}, nil, false), recursive(t, reflect.Slice, reflect.TypeFor[[]byte](), 0, reflect.SliceOf)} {
		if View(same) != same {
			t.Error(same, "has another view")
		}
	}
	if Show(nil) != nil || Show(1) != 1 {
		t.Error("Show")
	}
}

// A view's methods get receivers of the type that was declared.
func TestViewMethods(t *testing.T) {
	var got []reflect.Type
	see := func(args []reflect.Value) []reflect.Value {
		got = append(got, args[0].Type())
		return []reflect.Value{value("seen " + fmt.Sprint(reflect.Indirect(args[0]).Field(0)))}
	}
	for _, field := range []Field{{Name: "n", Type: reflect.TypeFor[int]()}, {Name: "p", Type: reflect.TypeFor[*int]()}} {
		s := declareStruct(t, "S", []Field{field}, []Method{m[func() string]("String", see)}, []Method{m[func() string]("GoString", see)})
		v := reflect.New(s)
		for i, x := range []any{v.Interface(), []any{v.Interface()}, v.Elem().Interface()} {
			s := fmt.Sprintf("%v %#[1]v", Show(x))
			if want := min(2, 3-i); !strings.HasPrefix(strings.Trim(s, "["), "seen ") || strings.Count(s, "seen ") != want {
				t.Error(s)
			}
		}
		for _, r := range got {
			if r != s && r != reflect.PointerTo(s) {
				t.Error(r)
			}
		}
		got = nil
		pv := reflect.ValueOf(Show(v.Elem().Interface()))
		if out := pv.Type().Method(0).Func.Call([]reflect.Value{pv}); !strings.HasPrefix(out[0].String(), "seen") {
			t.Error(out)
		}
		got = nil
	}
}

// What a package fills through a view is what the cell has.
func TestViewFill(t *testing.T) {
	point := declareStruct(t, "point", []Field{{Name: "X", Type: reflect.TypeFor[int]()}, {Name: "y", Type: reflect.TypeFor[int]()}}, nil, nil)
	s := declareStruct(t, "S", []Field{{Name: "M", Type: reflect.MapOf(reflect.TypeFor[string](), point)}, {Name: "L", Type: reflect.SliceOf(reflect.PointerTo(point))}}, nil, nil)
	v := reflect.New(s)
	if err := json.Unmarshal([]byte(`{"M":{"a":{"X":1,"y":5}},"L":[{"X":2,"Y":6}]}`), Show(v.Interface())); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %v %T", v.Elem().Field(0), v.Elem().Field(1).Index(0).Elem(), v.Elem().Field(0).MapIndex(value("a")).Interface()); got != "map[a:{1 0}] {2 0} main.point" {
		t.Error(got)
	}
	// Encoders skip lower-case fields that they see as exported, too: in an interface a value keeps its type.
	if out, err := json.Marshal(Show(map[string]any{"k": fill(point, 1, 2).Interface()})); string(out) != `{"k":{"X":1}}` || err != nil {
		t.Error(string(out), err)
	}
	e := declareStruct(t, "E", []Field{{Name: "err", Type: reflect.TypeFor[error]()}}, []Method{
		m[func() string]("Error", returns(func(reflect.Value) string { return "e" })),
		m[func() error]("Unwrap", returns(func(r reflect.Value) error { return r.Field(0).Interface().(error) }))}, nil)
	if err := Show(fill(e, io.EOF).Interface()).(error); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
