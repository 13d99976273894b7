package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"unicode/utf8"
)

// A List is a JSON array that is [] and not null when it is nil: clients index it without looking. It is generic,
// against the house rule, because the alternative is one such type and method for every element type; no cell ever
// sees it.
type List[T any] []T

// MarshalJSON writes an array, never null.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return encodeJSON([]T(l))
}

// An Object is a JSON object of any content that is {} and not null when it is nil. Numbers that JSON cannot express
// (NaN, infinities) are written as null.
type Object map[string]any

// MarshalJSON writes an object, never null.
func (o Object) MarshalJSON() ([]byte, error) {
	if o == nil {
		return []byte("{}"), nil
	}
	return encodeAny(map[string]any(o))
}

// encodeJSON is json.Marshal without the escaping meant for HTML.
func encodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// encodeAny encodes free-form data: what JSON cannot express as a number becomes null.
func encodeAny(v any) ([]byte, error) {
	data, err := encodeJSON(v)
	if unsupported := (*json.UnsupportedValueError)(nil); errors.As(err, &unsupported) {
		return encodeJSON(finite{}.copy(reflect.ValueOf(v)))
	}
	return data, err
}

// finite copies maps, slices and arrays with NaN and infinities as nil. Values of struct types and those that marshal
// themselves are kept as they are: only their own code knows their JSON. The set holds the pointers on the way down: a
// cycle is left in place, for encoding/json to complain about.
type finite map[uintptr]bool

func (f finite) copy(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	if _, own := v.Interface().(json.Marshaler); own && v.Type() != reflect.TypeFor[Object]() {
		return v.Interface()
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
	case reflect.Interface:
		return f.copy(v.Elem())
	case reflect.Array:
		return f.list(v)
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return f.reference(v)
	}
	return v.Interface()
}

// reference copies what a pointer, map or slice refers to.
func (f finite) reference(v reflect.Value) any {
	if v.IsNil() || f[v.Pointer()] {
		return v.Interface()
	}
	f[v.Pointer()] = true
	defer delete(f, v.Pointer())
	switch {
	case v.Kind() == reflect.Pointer:
		return f.copy(v.Elem())
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8: // bytes are written as base64
		return f.list(v)
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		out := make(map[string]any, v.Len())
		for iter := v.MapRange(); iter.Next(); {
			out[iter.Key().String()] = f.copy(iter.Value())
		}
		return out
	}
	return v.Interface()
}

func (f finite) list(v reflect.Value) any {
	out := make([]any, v.Len())
	for i := range out {
		out[i] = f.copy(v.Index(i))
	}
	return out
}

// encodeObject encodes v, which must become a JSON object, in valid UTF-8. Raw JSON inside v may hold invalid bytes;
// encoding/json copies it unchecked, and clients cannot decode it.
func encodeObject(v any) (json.RawMessage, error) {
	data, err := encodeJSON(v)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	if !isObject(data) {
		return nil, errors.New("not a JSON object")
	}
	return data, nil
}

// isObject reports whether valid JSON is an object.
func isObject(data []byte) bool {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{'
}

// checkObject returns an error unless data is a JSON object in valid UTF-8.
func checkObject(data []byte) error {
	switch {
	case !utf8.Valid(data):
		return errors.New("not valid UTF-8")
	case !isObject(data):
		return errors.New("not a JSON object")
	case !json.Valid(data):
		return errors.New("not valid JSON")
	}
	return nil
}
