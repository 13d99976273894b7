package rtype

import (
	"fmt"
	"reflect"
	"testing"
)

func TestComposites(t *testing.T) {
	u := reflect.TypeFor[int]()
	c := declare(t, "C", u, stringer(u), nil)
	s := declareStruct(t, "S", []Field{{Name: "a", Type: c}, {Name: "B", Type: reflect.TypeFor[*string]()}}, nil, nil)
	for _, e := range []reflect.Type{c, s} {
		for _, x := range []struct {
			typ  reflect.Type
			want string
		}{
			{reflect.SliceOf(e), "[]" + e.String()}, {reflect.ArrayOf(3, e), "[3]" + e.String()}, {reflect.PointerTo(reflect.PointerTo(e)), "**" + e.String()},
			{reflect.ChanOf(reflect.RecvDir, e), "<-chan " + e.String()}, {reflect.MapOf(e, e), "map[" + e.String() + "]" + e.String()},
			{reflect.FuncOf([]reflect.Type{e, reflect.SliceOf(e)}, []reflect.Type{e}, true), fmt.Sprintf("func(%[1]s, ...%[1]s) %[1]s", e)},
			{reflect.StructOf([]reflect.StructField{{Name: "X", Type: e}}), "struct { X " + e.String() + " }"},
		} {
			if x.typ.String() != x.want {
				t.Errorf("%s instead of %s", x.typ, x.want)
			}
			_ = fmt.Sprint(reflect.New(x.typ).Elem().Interface())
		}
		if reflect.SliceOf(e) != reflect.SliceOf(e) || reflect.PointerTo(e).Elem() != e || reflect.TypeOf(reflect.New(e).Interface()) != reflect.PointerTo(e) {
			t.Error(e, "is not one")
		}
	}
	m := reflect.MakeMap(reflect.MapOf(s, c))
	for i := range 1000 {
		m.SetMapIndex(fill(s, i), reflect.ValueOf(i).Convert(c))
	}
	for i := range 1000 {
		if got := m.MapIndex(fill(s, i)); got.Int() != int64(i) {
			t.Fatal(got)
		}
	}
	ch := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, s), 1)
	ch.Send(fill(s, 7))
	if v, _ := ch.Recv(); v.Field(0).Int() != 7 || v.Type() != s {
		t.Error(v)
	}
	inStruct := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "X", Type: c}, {Name: "Y", Type: s}})).Elem()
	if got := fmt.Sprint(inStruct.Interface()); got != "{<0> {<0> <nil>}}" {
		t.Error(got)
	}
	deep := [2]reflect.Value{fill(s, 1, new(string)), fill(s, 1, new(string))}
	if !reflect.DeepEqual(deep[0].Interface(), deep[1].Interface()) || deep[0].Interface() == deep[1].Interface() {
		t.Error("DeepEqual")
	}
}

func TestMethodsByReflection(t *testing.T) {
	u := reflect.TypeFor[int]()
	add := m[func(...int) int]("Add", func(a []reflect.Value) []reflect.Value {
		sum := int(a[0].Int())
		for i := range a[1].Len() {
			sum += int(a[1].Index(i).Int())
		}
		return []reflect.Value{value(sum)}
	})
	c := declare(t, "C", u, append(stringer(u), add), nil)
	for _, v := range []reflect.Value{reflect.ValueOf(1).Convert(c), func() reflect.Value { p := reflect.New(c); p.Elem().SetInt(1); return p }()} {
		if got := v.MethodByName("Add").Call([]reflect.Value{value(2), value(3)})[0].Int(); got != 6 {
			t.Error(got)
		}
		mt, ok := v.Type().MethodByName("Add")
		if !ok || mt.Index != 0 || mt.Type != reflect.FuncOf([]reflect.Type{v.Type(), reflect.TypeFor[[]int]()}, []reflect.Type{u}, true) {
			t.Error(mt)
		}
		if got := mt.Func.CallSlice([]reflect.Value{v, value([]int{4, 5})})[0].Int(); got != 10 {
			t.Error(got)
		}
		if got := v.Method(0).Interface().(func(...int) int)(1, 1, 1); got != 4 {
			t.Error(got)
		}
		if v.MethodByName("Sub").IsValid() || !v.Type().Implements(reflect.TypeFor[fmt.Stringer]()) || v.Type().Implements(reflect.TypeFor[error]()) {
			t.Error(v.Type())
		}
		var s fmt.Stringer
		if reflect.ValueOf(&s).Elem().Set(v); s.String() != "<1>" {
			t.Error(s)
		}
		if got := reflect.ValueOf(&s).Elem().MethodByName("String").Call(nil)[0].String(); got != "<1>" {
			t.Error(got)
		}
	}
}

// A struct that is written out and a declared one with the same fields assign and convert, lower-case fields or not.
func TestUnnamedStructs(t *testing.T) {
	unnamed := func(fields ...Field) reflect.Type {
		u := New(Spec{String: "struct { ... }", Kind: reflect.Struct})
		layOut(u, fields)
		return u.Reflect()
	}
	fields := func(tag string) []Field {
		return []Field{{Name: "a", Type: reflect.TypeFor[int](), Tag: tag}, {Name: "B", Type: reflect.TypeFor[string]()}}
	}
	u, named, tagged := unnamed(fields("")...), declareStruct(t, "S", fields(""), nil, nil), declareStruct(t, "T", fields(`k:"v"`), nil, nil)
	if !u.AssignableTo(named) || !named.AssignableTo(u) || u.AssignableTo(tagged) || !u.ConvertibleTo(tagged) || !tagged.ConvertibleTo(named) || named.AssignableTo(tagged) {
		t.Error("assigns wrongly")
	}
	if u.Name() != "" || u.PkgPath() != "" || u.String() != "struct { ... }" || reflect.PointerTo(u).String() != "*struct { ... }" || u.NumMethod() != 0 {
		t.Error(u)
	}
	v := fill(u, 1, "b").Convert(tagged).Convert(named)
	if got := fmt.Sprintf("%+v %T", v.Interface(), v.Interface()); got != "{a:1 B:b} main.S" {
		t.Error(got)
	}
	// Compiled structs have upper-case fields only, to a cell.
	big := declareStruct(t, "Big", []Field{{Name: "A", Type: reflect.TypeFor[int]()}, {Name: "B", Type: reflect.TypeFor[string]()}}, nil, nil)
	compiled := reflect.TypeFor[struct {
		A int
		B string
	}]()
	if !compiled.AssignableTo(big) || !big.AssignableTo(compiled) || compiled.AssignableTo(named) {
		t.Error("assigns wrongly")
	}
	if got := fill(big, 1, "x").Convert(compiled).Interface(); got != any(struct {
		A int
		B string
	}{1, "x"}) {
		t.Error(got)
	}
}

func TestInterfaces(t *testing.T) {
	str := Method{Name: "String", Type: reflect.TypeFor[func() string]()}
	low := func(pkg string) Method { return Method{Name: "low", Type: reflect.TypeFor[func() int](), PkgPath: pkg} }
	u := reflect.TypeFor[int]()
	body := func(pkg string) []Method {
		l := low(pkg)
		l.Call = returns(func(r reflect.Value) int { return int(r.Int()) })
		return append(stringer(u), l)
	}
	c, foreign := declare(t, "C", u, body(""), nil), declare(t, "F", u, body("other"), nil)
	plain := declare(t, "P", u, stringer(u), nil)
	for _, x := range []struct {
		typ               reflect.Type
		c, foreign, plain bool
	}{
		{declareInterface("I", "main", str), true, true, true},
		{declareInterface("", "", str), true, true, true},
		{declareInterface("J", "main", str, low("")), true, false, false},
		{declareInterface("", "main", str, low("")), true, false, false},
		{declareInterface("K", "other", low("")), false, true, false},
		{declareInterface("L", "main", low("other")), false, true, false},
		{declareInterface("M", "main", str, Method{Name: "Other", Type: reflect.TypeFor[func()]()}), false, false, false},
		{declareInterface("A", "main"), true, true, true},
	} {
		for i, typ := range []reflect.Type{c, foreign, plain} {
			want := []bool{x.c, x.foreign, x.plain}[i]
			if typ.Implements(x.typ) != want || reflect.PointerTo(typ).Implements(x.typ) != want || typ.AssignableTo(x.typ) != want {
				t.Error(typ, x.typ, want)
			}
			if !want {
				continue
			}
			v := reflect.New(x.typ).Elem()
			v.Set(reflect.ValueOf(7).Convert(typ))
			if v.Elem().Type() != typ || v.IsNil() || v.Interface() != to(typ, 7) || !v.Comparable() {
				t.Error(v)
			}
			if mv := v.MethodByName("String"); mv.IsValid() && mv.Call(nil)[0].String() != "<7>" {
				t.Error(mv)
			}
			if x.typ.NumMethod() > 0 && !x.typ.Implements(declareInterface("A", "main")) {
				t.Error(x.typ)
			}
			// Maps and comparison of interface values hash and compare what they hold.
			mv := reflect.MakeMap(reflect.MapOf(x.typ, u))
			for i := range 20 {
				mv.SetMapIndex(reflect.ValueOf(i).Convert(typ).Convert(x.typ), value(i))
			}
			if mv.Len() != 20 || mv.MapIndex(reflect.ValueOf(13).Convert(typ).Convert(x.typ)).Int() != 13 {
				t.Error(mv)
			}
		}
	}
	j := declareInterface("J", "main", low(""), str)
	if j.NumMethod() != 2 || j.Method(0).Name != "String" || j.Method(1).PkgPath != "main" || j.Method(1).Type != low("").Type || j.Name() != "J" || j.Kind() != reflect.Interface {
		t.Error(j.Method(0), j.Method(1))
	}
	if !j.Implements(reflect.TypeFor[fmt.Stringer]()) || reflect.TypeFor[fmt.Stringer]().Implements(j) {
		t.Error(j)
	}
	// A method of an interface that another mentions, and whose methods mention that.
	r := New(Spec{Name: "R", String: "main.R", PkgPath: "main", Kind: reflect.Interface})
	next := reflect.FuncOf(nil, []reflect.Type{r.Reflect()}, false)
	r.SetInterface("main", []Method{{Name: "Next", Type: next}})
	nt := begin("N", reflect.Int, 0, []Method{{Name: "Next", Type: next}}, nil)
	nt.SetLayout(u)
	finish(t, nt, []Method{{Name: "Next", Type: next, Call: func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(int(a[0].Int()) + 1).Convert(nt.Reflect()).Convert(r.Reflect())}
	}}}, nil)
	v := reflect.ValueOf(1).Convert(nt.Reflect()).Convert(r.Reflect())
	for range 3 {
		v = v.Method(0).Call(nil)[0]
	}
	if v.Elem().Int() != 4 {
		t.Error(v)
	}
}

func TestComparison(t *testing.T) {
	f := declareStruct(t, "F", []Field{{Name: "f", Type: reflect.TypeFor[func()]()}}, nil, nil)
	if f.Comparable() || panicOf(func() { _ = map[any]int{reflect.Zero(f).Interface(): 1} }) == nil {
		t.Error("a struct with a function is comparable")
	}
	a := declareStruct(t, "A", []Field{{Name: "a", Type: reflect.TypeFor[any]()}}, nil, nil)
	if e := panicOf(func() { _ = fill(a, []int{}).Interface() == fill(a, []int{}).Interface() }); e == nil {
		t.Error("slices in interfaces are comparable")
	}
	b := declareStruct(t, "B", []Field{{Name: "_", Type: reflect.TypeFor[int]()}, {Name: "n", Type: reflect.TypeFor[int]()}, {Name: "_", Type: reflect.TypeFor[string]()}}, nil, nil)
	x, y, z := fill(b, 1, 2, "x").Interface(), fill(b, 3, 2, "y").Interface(), fill(b, 1, 3, "x").Interface()
	if x != y || x == z || map[any]int{x: 1}[y] != 1 {
		t.Error("blank fields are compared")
	}
	// Nor are they hashed, where the rest might be hashed as one block of memory.
	flat := declareStruct(t, "Flat", []Field{{Name: "_", Type: reflect.TypeFor[int]()}}, nil, nil)
	many := map[any]int{}
	for i := range 100 {
		many[fill(flat, i).Interface()] = i
	}
	if len(many) != 1 {
		t.Error("blank fields are hashed:", len(many))
	}
	pad := declareStruct(t, "Pad", []Field{{Name: "a", Type: reflect.TypeFor[int8]()}, {Name: "b", Type: reflect.TypeFor[float64]()}, {Name: "c", Type: reflect.TypeFor[int8]()}}, nil, nil)
	zero, negative := fill(pad, 1, 0.0, 2), fill(pad, 1, 0.0, 2)
	negative.Field(1).SetFloat(-zero.Field(1).Float())
	if zero.Interface() != negative.Interface() || map[any]int{zero.Interface(): 1}[negative.Interface()] != 1 {
		t.Error("0 is not -0")
	}
}
