package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// A MIMEBundle is a value in one or more representations, each as the JSON that stands for it on the wire: text as one
// string, binary data as a base64 string, JSON types as JSON. It is {} when nil. Make one with Bundle.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#display-data
type MIMEBundle map[string]json.RawMessage

// MarshalJSON writes an object, never null.
func (b MIMEBundle) MarshalJSON() ([]byte, error) {
	if b == nil {
		return []byte("{}"), nil
	}
	return encodeJSON(map[string]json.RawMessage(b))
}

// Text returns a representation that is a JSON string; the empty string when it is missing or another kind of JSON.
func (b MIMEBundle) Text(mime string) string {
	var s string
	if json.Unmarshal(b[mime], &s) != nil {
		return ""
	}
	return s
}

// Bundle encodes representations by MIME type. A string is text. Bytes are text for text types, JSON for JSON types and
// base64 otherwise. For JSON types any value that encoding/json can write is embedded as JSON, with NaN and infinities
// as null.
//
// A representation that cannot be written is left out and named in the error; the bundle holds the others even then,
// so that a bad one does not cost the reader the text.
func Bundle(data map[string]any) (MIMEBundle, error) {
	out := make(MIMEBundle, len(data))
	var failed []error
	for _, mime := range sortedKeys(data) {
		raw, err := encodeMIME(mime, data[mime])
		if err != nil {
			failed = append(failed, fmt.Errorf("wire: %s: %w", mime, err))
			continue
		}
		out[mime] = raw
	}
	return out, errors.Join(failed...)
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func encodeMIME(mime string, v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case json.RawMessage:
		return rawJSON(v)
	case []byte:
		switch {
		case isJSONType(mime):
			return rawJSON(v)
		case isTextType(mime):
			return encodeJSON(string(v))
		}
		return encodeJSON(base64.StdEncoding.EncodeToString(v))
	case string:
		return encodeJSON(v)
	}
	return encodeAny(v)
}

// rawJSON checks JSON that somebody else wrote. NaN, which Python and JavaScript libraries like to write, is refused
// here: it is no JSON, and replacing it would need a parser of its own.
func rawJSON(data []byte) (json.RawMessage, error) {
	data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	if !json.Valid(data) {
		return nil, errors.New("not valid JSON")
	}
	return data, nil
}

// isJSONType reports whether a MIME type is embedded as JSON: application/json and every type with the suffix +json.
func isJSONType(mime string) bool {
	mime = mediaType(mime)
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}

// isTextType reports whether bytes of a MIME type are text, which front ends expect as one string.
func isTextType(mime string) bool {
	mime = mediaType(mime)
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+xml") || mime == "application/javascript"
}

// mediaType strips parameters such as "; charset=utf-8".
func mediaType(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return strings.TrimSpace(mime)
}
