package session

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"orthant/stdlib/display"
)

// Inspection shows what a variable holds. It runs nothing of the session for that, neither String methods nor code that may block,
// panic or print, and reads only while nothing of the session's runs that may write.

// How much of a value is shown.
const (
	maxValueText     = 2000 // bytes
	maxValueElements = 10   // of a slice or map
	maxValueString   = 200  // bytes of a string
	maxValueDepth    = 4    // of pointers and what else nests
)

// valueText writes the present value of a variable; why not, where it cannot be read; nothing for what is no variable.
func (s *Session) valueText(obj types.Object) string {
	if _, ok := obj.(*types.Var); !ok {
		return ""
	}
	text := "value: not read while a cell runs"
	s.Still(func() { text = s.stillText(obj) })
	return text
}

// stillText is valueText while no cell runs.
func (s *Session) stillText(obj types.Object) string {
	if n := s.Goroutines(); n > 0 {
		return "value: not read while goroutines run: " + strconv.Itoa(n)
	}
	slot := s.world.Slot(obj)
	if slot == nil {
		return ""
	}
	v := slot.Value()
	text := boundedText(v)
	if strings.Contains(text, "\n") {
		return "value:\n" + text
	}
	return "value" + size(v) + ": " + text
}

// size writes how many elements a value has, where that cannot be seen.
func size(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		if v.Len() > maxValueElements {
			return fmt.Sprintf(" (len %d)", v.Len())
		}
	case reflect.String:
		if v.Len() > maxValueString {
			return fmt.Sprintf(" (len %d)", v.Len())
		}
	}
	return ""
}

// boundedText writes a value with the names of its fields, cut where it is long.
func boundedText(v reflect.Value) string {
	w := &valueWriter{}
	w.value(v, 0)
	text := w.String()
	if len(text) > maxValueText {
		text = strings.ToValidUTF8(text[:maxValueText], "") + "…"
	}
	return text
}

type valueWriter struct{ strings.Builder }

func (w *valueWriter) value(v reflect.Value, depth int) {
	if w.Len() > maxValueText {
		return
	}
	if text, ok := known(v); ok {
		w.WriteString(text)
		return
	}
	if depth > maxValueDepth {
		w.WriteString("…")
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		w.WriteString("<nil>")
	case reflect.String:
		w.WriteString(quoted(v.String()))
	case reflect.Pointer:
		w.pointer(v, depth)
	case reflect.Interface:
		w.value(v.Elem(), depth)
	case reflect.Struct:
		w.structure(v, depth)
	case reflect.Slice, reflect.Array:
		w.list(v, depth)
	case reflect.Map:
		w.mapping(v, depth)
	case reflect.Chan:
		w.channel(v)
	case reflect.Func:
		if v.IsNil() {
			w.WriteString("<nil>")
		} else {
			w.WriteString("func")
		}
	default:
		w.number(v)
	}
}

// known writes values of compiled types that are known to need nothing of the session: matrices, times, errors of package
// errors and their like.
func known(v reflect.Value) (text string, ok bool) {
	if !v.IsValid() || !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return "", false
	}
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.PkgPath() {
	case "gonum.org/v1/gonum/mat", "orthant/clustering/affinity":
		if _, ok := v.Interface().(mat.Matrix); !ok && !reflect.PointerTo(v.Type()).Implements(reflect.TypeFor[mat.Matrix]()) {
			return "", false
		}
		if strings.HasPrefix(t.Name(), "Transpose") || strings.HasPrefix(t.Name(), "Conjugate") {
			return "", false // these hold any matrix, perhaps one of the session
		}
		text, ok = display.Of(v.Interface()).Data["text/plain"].(string)
		return text, ok
	case "time", "math/big", "net/netip", "net/url", "regexp", "errors":
		return printedBy(v.Interface())
	}
	return "", false
}

// printedBy calls the method that prints a value, if there is one; a panic, as of a zero value that must not be used, leaves
// the value to be written field by field.
func printedBy(v any) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	switch v := v.(type) {
	case fmt.Stringer:
		return v.String(), true
	case error:
		return v.Error(), true
	}
	return "", false
}

// quoted writes a string, cut where it is long.
func quoted(s string) string {
	if len(s) > maxValueString {
		return strconv.Quote(strings.ToValidUTF8(s[:maxValueString], "")) + "…"
	}
	return strconv.Quote(s)
}

func (w *valueWriter) pointer(v reflect.Value, depth int) {
	if v.IsNil() {
		w.WriteString("<nil>")
		return
	}
	w.WriteString("&")
	w.value(v.Elem(), depth+1)
}

func (w *valueWriter) structure(v reflect.Value, depth int) {
	w.WriteString("{")
	for i := range v.NumField() {
		if i > 0 {
			w.WriteString(" ")
		}
		w.WriteString(v.Type().Field(i).Name + ":")
		w.value(v.Field(i), depth+1)
	}
	w.WriteString("}")
}

func (w *valueWriter) list(v reflect.Value, depth int) {
	w.WriteString("[")
	for i := range v.Len() {
		if i > 0 {
			w.WriteString(" ")
		}
		if i == maxValueElements {
			w.WriteString("…")
			break
		}
		w.value(v.Index(i), depth+1)
	}
	w.WriteString("]")
}

// mapping writes the entries of a map in the order of their keys; of a long map any.
func (w *valueWriter) mapping(v reflect.Value, depth int) {
	entries := map[string]string{}
	for it := v.MapRange(); it.Next() && len(entries) < maxValueElements; {
		var key, value valueWriter
		key.value(it.Key(), depth+1)
		value.value(it.Value(), depth+1)
		entries[key.String()] = value.String()
	}
	w.WriteString("map[")
	for i, key := range slices.SortedFunc(maps.Keys(entries), byNumber) {
		if i > 0 {
			w.WriteString(" ")
		}
		w.WriteString(key + ":" + entries[key])
	}
	if v.Len() > len(entries) {
		w.WriteString(" …")
	}
	w.WriteString("]")
}

// byNumber orders numbers by their values and other texts as texts.
func byNumber(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	}
	return cmp.Compare(a, b)
}

func (w *valueWriter) channel(v reflect.Value) {
	if v.IsNil() {
		w.WriteString("<nil>")
		return
	}
	fmt.Fprintf(w, "chan (%d of %d)", v.Len(), v.Cap())
}

// number writes a bool or number, without its methods.
func (w *valueWriter) number(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		fmt.Fprint(w, v.Bool())
	case v.CanInt():
		fmt.Fprint(w, v.Int())
	case v.CanUint():
		fmt.Fprint(w, v.Uint())
	case v.CanFloat() && v.Kind() == reflect.Float32:
		fmt.Fprint(w, float32(v.Float()))
	case v.CanFloat():
		fmt.Fprint(w, v.Float())
	case v.CanComplex():
		fmt.Fprint(w, v.Complex())
	default: // unsafe.Pointer
		fmt.Fprintf(w, "%#x", v.Pointer())
	}
}
