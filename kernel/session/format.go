package session

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/lower"
	"orthant/stdlib/rt"
)

// The engine's values know neither the names nor the methods of the types that cells declared. So where such a type
// occurs, a result is formatted here, by its static type, to what fmt prints for %v in compiled Go.

// text formats a value as %v.
func (s *Session) text(v reflect.Value, t types.Type) string {
	if !s.ownText(v, t) {
		return fmt.Sprintf("%v", v.Interface())
	}
	var p valuePrinter
	p.session = s
	p.print(v, t, 0)
	return p.b.String()
}

// ownText reports whether a value needs the formatter: its type, or the type of what an interface holds, was declared in
// a cell.
func (s *Session) ownText(v reflect.Value, t types.Type) bool {
	return lower.MentionsSession(t) || holdsSession(v, 0)
}

// holdsSession looks for interface values that hold values of the engine's.
func holdsSession(v reflect.Value, depth int) bool {
	if depth > 4 || !v.IsValid() {
		return false
	}
	if v.Type().PkgPath() == enginePackage {
		return true
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return !v.IsNil() && holdsSession(v.Elem(), depth+1)
	case reflect.Struct:
		if v.Type().Name() == "" && v.NumField() > 0 && v.Type().Field(0).Tag.Get(lower.TypeTag) != "" {
			return true
		}
	case reflect.Slice, reflect.Array:
		return v.Len() > 0 && v.Type().Elem().Kind() == reflect.Interface && holdsSession(v.Index(0), depth+1)
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.Interface || v.Type().Key().Kind() == reflect.Interface {
			for it := v.MapRange(); it.Next(); {
				return holdsSession(it.Value(), depth+1) || holdsSession(it.Key(), depth+1)
			}
		}
	}
	return false
}

// enginePackage is where the engine's own value types come from.
const enginePackage = "github.com/traefik/yaegi/interp"

// maxDepth bounds the formatter where interfaces hold each other in a circle.
const maxDepth = 100

type valuePrinter struct {
	session *Session
	b       strings.Builder
}

// print writes a value of static type t at a nesting depth; t is nil where only the value is known.
func (p *valuePrinter) print(v reflect.Value, t types.Type, depth int) {
	if t != nil {
		t = types.Unalias(t)
	}
	if !v.IsValid() {
		p.b.WriteString("<nil>")
		return
	}
	if v.Kind() == reflect.Interface || v.Type().PkgPath() == enginePackage {
		p.dynamic(v, depth)
		return
	}
	if t == nil {
		t = p.session.declaredType(v.Type())
	}
	if text, ok := p.method(v, t); ok {
		p.b.WriteString(text)
		return
	}
	if t == nil || !lower.MentionsSession(t) {
		p.leaf(v, depth)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		p.structure(v, u, depth)
	case *types.Pointer:
		p.pointer(v, u.Elem(), depth)
	case *types.Slice:
		p.list(v, u.Elem(), depth)
	case *types.Array:
		p.list(v, u.Elem(), depth)
	case *types.Map:
		p.mapping(v, u, depth)
	default:
		p.leaf(v, depth)
	}
}

// leaf writes a value that holds nothing of the session's.
func (p *valuePrinter) leaf(v reflect.Value, depth int) {
	if depth > 0 && v.Kind() == reflect.Pointer {
		if v.IsNil() {
			p.b.WriteString("<nil>")
			return
		}
		fmt.Fprintf(&p.b, "0x%x", v.Pointer())
		return
	}
	fmt.Fprintf(&p.b, "%v", v)
}

// dynamic writes what an interface holds.
func (p *valuePrinter) dynamic(v reflect.Value, depth int) {
	if v.Kind() == reflect.Interface && v.IsNil() || depth > maxDepth {
		p.b.WriteString("<nil>")
		return
	}
	if !v.CanInterface() { // an unexported field of a compiled struct holds nothing of the session's
		p.leaf(v, depth)
		return
	}
	inner := reflect.ValueOf(rt.Concrete(v.Interface()))
	if !inner.IsValid() {
		p.b.WriteString("<nil>")
		return
	}
	if inner.Type().PkgPath() == enginePackage { // a form that rt does not know
		p.leaf(inner, depth)
		return
	}
	p.print(inner, p.session.declaredType(inner.Type()), depth)
}

func (p *valuePrinter) structure(v reflect.Value, t *types.Struct, depth int) {
	p.b.WriteByte('{')
	for i := range t.NumFields() {
		if i > 0 {
			p.b.WriteByte(' ')
		}
		f := t.Field(i)
		if f.Exported() {
			p.print(v.Field(i), f.Type(), depth+1)
		} else {
			p.hidden(v.Field(i), f.Type(), depth+1)
		}
	}
	p.b.WriteByte('}')
}

// hidden writes an unexported field: fmt calls no methods on it.
func (p *valuePrinter) hidden(v reflect.Value, t types.Type, depth int) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == check.Path {
		if _, isInterface := n.Underlying().(*types.Interface); !isInterface {
			t = n.Underlying()
		}
	}
	p.print(v, t, depth)
}

func (p *valuePrinter) pointer(v reflect.Value, elem types.Type, depth int) {
	if v.IsNil() {
		p.b.WriteString("<nil>")
		return
	}
	if depth == 0 {
		switch elem.Underlying().(type) {
		case *types.Struct, *types.Map, *types.Slice, *types.Array:
			p.b.WriteByte('&')
			p.print(v.Elem(), elem, depth+1)
			return
		}
	}
	fmt.Fprintf(&p.b, "0x%x", v.Pointer())
}

func (p *valuePrinter) list(v reflect.Value, elem types.Type, depth int) {
	p.b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			p.b.WriteByte(' ')
		}
		p.print(v.Index(i), elem, depth+1)
	}
	p.b.WriteByte(']')
}

// mapping writes a map with its keys in fmt's order, as far as they have one.
func (p *valuePrinter) mapping(v reflect.Value, t *types.Map, depth int) {
	keys := v.MapKeys()
	slices.SortStableFunc(keys, compareKeys)
	p.b.WriteString("map[")
	for i, k := range keys {
		if i > 0 {
			p.b.WriteByte(' ')
		}
		p.print(k, t.Key(), depth+1)
		p.b.WriteByte(':')
		p.print(v.MapIndex(k), t.Elem(), depth+1)
	}
	p.b.WriteByte(']')
}

func compareKeys(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(strconv.FormatBool(a.Bool()), strconv.FormatBool(b.Bool()))
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	}
	return 0
}

// method calls Error or String where the type has it.
func (p *valuePrinter) method(v reflect.Value, t types.Type) (string, bool) {
	for _, name := range []string{"Error", "String"} {
		m, ok := p.session.bind(v, t, name)
		if !ok || m.sig.Params().Len() != 1 || m.sig.Results().Len() != 1 || !types.Identical(m.sig.Results().At(0).Type(), types.Typ[types.String]) {
			continue
		}
		if !m.recv.IsValid() {
			return "<nil>", true
		}
		return callText(name, m.fun, m.recv), true
	}
	return "", false
}

// callText calls a String or Error method. A panic in it becomes what fmt makes of it.
func callText(name string, method, recv reflect.Value) (text string) {
	defer func() {
		v := recover()
		switch {
		case v == nil:
		case recv.Kind() == reflect.Pointer && recv.IsNil():
			text = "<nil>"
		default:
			text = "%!v(PANIC=" + name + " method: " + rt.Text(rt.Value(v)) + ")"
		}
	}()
	return method.Call([]reflect.Value{recv})[0].String()
}

// declaredType finds the type that a cell declared behind a struct type of the engine's, or a pointer to one, by the tag
// that the lowering gave it; nil where there is none.
func (s *Session) declaredType(rt reflect.Type) types.Type {
	if rt.Kind() == reflect.Pointer {
		if t := s.declaredType(rt.Elem()); t != nil {
			return types.NewPointer(t)
		}
		return nil
	}
	if rt.Kind() != reflect.Struct || rt.Name() != "" || rt.NumField() == 0 {
		return nil
	}
	_, engineName, ok := strings.Cut(rt.Field(0).Tag.Get(lower.TypeTag), "/")
	if !ok {
		return nil
	}
	return s.world.Declared(engineName)
}

// panicText is what Go prints of a panic's value behind "panic: ", also for values of types that cells declared.
func (s *Session) panicText(v any) string {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || s.declaredType(rv.Type()) == nil {
		return rt.Text(v)
	}
	return s.text(rv, s.declaredType(rv.Type()))
}
