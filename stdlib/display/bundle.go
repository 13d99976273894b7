package display

// A Bundle is a value in one or more MIME representations; front ends choose the richest they can show.
type Bundle struct {
	// Data maps a MIME type to its content: a string for text, []byte for binary content (base64 on the wire),
	// json.RawMessage or a JSON-marshalable value for application/json and +json types. text/plain is always present.
	Data map[string]any
	// Metadata holds hints by MIME type, such as {"image/png": {"width": 640, "height": 400}}. May be nil.
	Metadata map[string]any
	// ID is the display id by which the display can be updated; empty for none.
	ID string
}

// Text returns a bundle with only a text/plain representation.
func Text(s string) Bundle { return Bundle{Data: map[string]any{"text/plain": s}} }
