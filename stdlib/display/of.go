package display

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
)

// plainText is the MIME type that every bundle has.
const plainText = "text/plain"

// maxText is how much of a value's text is kept, in bytes. A browser still scrolls through a mebibyte; the
// 200 MB of a printed slice of ten million numbers would make the notebook unusable.
const maxText = 1 << 20

// A Displayer is a value that renders itself.
type Displayer interface {
	// Display returns the value's representations. If text/plain is not among them, fmt's %v of the value is added.
	Display() Bundle
}

// renderers is the registry: what is known of a type, asked in this order, so that a type which is several of these
// is shown as the first. Each entry says whether it takes the value.
var renderers = []func(v any) (b Bundle, ok bool){
	renderBundle,
	renderDisplayer,
	renderAs(func(p *plot.Plot, _ string) Bundle { return plotBundle(p) }),
	renderAs(matrixBundle),
	renderAs(imageBundle),
}

// renderAs returns an entry of the registry for the values that are a T, which render gets with the name of their type.
func renderAs[T any](render func(v T, typ string) Bundle) func(v any) (Bundle, bool) {
	return func(v any) (Bundle, bool) {
		t, ok := as[T](v)
		if !ok {
			return Bundle{}, false
		}
		return render(t, fmt.Sprintf("%T", v)), true
	}
}

// as returns v as a T. A struct that is one only by its pointer, such as the m of var m mat.Dense, counts as well; then it is a
// pointer to a copy.
func as[T any](v any) (t T, ok bool) {
	if t, ok = v.(T); ok {
		return t, true
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Struct || !reflect.PointerTo(r.Type()).AssignableTo(reflect.TypeFor[T]()) {
		return t, false
	}
	p := reflect.New(r.Type())
	p.Elem().Set(r)
	return p.Interface().(T), true
}

// Of returns a value's representations: always text/plain, which is fmt's %v unless the type has something more
// readable, and
//
//   - for a [Displayer] what it returns, for a Bundle the bundle itself;
//   - for a *plot.Plot image/png and image/svg+xml, 640 by 400 pixels (see [Plot] for other sizes);
//   - for a mat.Matrix text/html, a table of at most its first and last five rows and columns;
//   - for an image.Image image/png.
//
// So it is for a value whose pointer is one of these, as that of a variable of type mat.Dense is.
// Text beyond a mebibyte is cut, and the last line says how much is missing. Of does not keep v and does not change it.
func Of(v any) Bundle {
	for _, render := range renderers {
		if b, ok := guarded(v, render); ok {
			return b
		}
	}
	return Text(textOf(v))
}

// guarded calls render and turns a panic into a bundle that says what was wrong with the value. It is a place beside
// the usual three where panics are recovered: gonum's plots and matrices answer a bad value (a nil matrix, an axis from
// NaN to NaN) by panicking, possibly deep in a plotter that the user wrote, and showing a value must not fail a cell.
func guarded(v any, render func(any) (Bundle, bool)) (b Bundle, ok bool) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case isNilPointer(v):
			b, ok = Text(fmt.Sprintf("nil %T", v)), true
		default:
			b, ok = Text(fmt.Sprintf("%T that cannot be shown: %v", v, p)), true
		}
	}()
	return render(v)
}

func isNilPointer(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

func renderBundle(v any) (Bundle, bool) {
	b, ok := v.(Bundle)
	if !ok {
		return Bundle{}, false
	}
	return withText(b, func() string { return "" }), true
}

func renderDisplayer(v any) (Bundle, bool) {
	d, ok := as[Displayer](v)
	if !ok {
		return Bundle{}, false
	}
	return withText(d.Display(), func() string { return textOf(v) }), true
}

// withText returns b with text/plain, without changing b's map.
func withText(b Bundle, text func() string) Bundle {
	if _, ok := b.Data[plainText]; ok {
		return b
	}
	data := map[string]any{plainText: text()}
	maps.Copy(data, b.Data)
	b.Data = data
	return b
}

// textOf returns fmt's %v of v, which is Error's or String's text where v has such a method and survives a panic in it.
func textOf(v any) string {
	s := fmt.Sprint(v)
	if len(s) <= maxText {
		return s
	}
	cut := maxText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	// Clone lets the rest of a huge text go.
	return fmt.Sprintf("%s\n… %d bytes more", strings.Clone(s[:cut]), len(s)-cut)
}
