package display

// Show shows a value in the running cell, as it would be shown if it were the value of the cell's last expression.
// What a goroutine shows appears in the cell that started the goroutine.
func Show(v any) { Current().Display(Of(v)) }

// Clear removes what the running cell has output so far: at once, or, with wait, when its next output comes, which
// replaces the old output without a flicker.
func Clear(wait bool) { Current().Clear(wait) }

// HTML returns s as a value that is shown as HTML, by being the last expression of a cell or the argument of Show. It
// is taken as it is: use html.EscapeString for text from elsewhere. Where HTML cannot be shown, its source is.
func HTML(s string) Bundle {
	return Bundle{Data: map[string]any{plainText: s, "text/html": s}}
}
