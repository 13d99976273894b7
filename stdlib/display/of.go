package display

import (
	"fmt"
	"image"
	"maps"
	"reflect"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
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
	func(v any) (Bundle, bool) { p, ok := v.(*plot.Plot); return renderIf(ok, plotBundle, p) },
	func(v any) (Bundle, bool) { m, ok := v.(mat.Matrix); return renderIf(ok, matrixBundle, m) },
	func(v any) (Bundle, bool) { m, ok := v.(image.Image); return renderIf(ok, imageBundle, m) },
}

// renderIf calls render if the value was of its type.
func renderIf[T any](ok bool, render func(T) Bundle, v T) (Bundle, bool) {
	if !ok {
		return Bundle{}, false
	}
	return render(v), true
}

// Of returns a value's representations: always text/plain, which is fmt's %v unless the type has something more
// readable, and
//
//   - for a [Displayer] what it returns, for a Bundle the bundle itself;
//   - for a *plot.Plot image/png and image/svg+xml, 640 by 400 pixels (see [Plot] for other sizes);
//   - for a mat.Matrix text/html, a table of at most its first and last five rows and columns;
//   - for an image.Image image/png.
//
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
	d, ok := v.(Displayer)
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
