package notebook

import (
	"bytes"
	"encoding/json"
	"errors"

	orderedmap "github.com/wk8/go-ordered-map/v2"
)

// An object is a JSON object whose members keep their order and, until they are set, the exact text of their values:
// numbers are not rounded, unknown values are not understood.
type object = orderedmap.OrderedMap[string, json.RawMessage]

// newObject returns an object without members.
func newObject() *object { return orderedmap.New[string, json.RawMessage]() }

// parseObject reads one JSON object. Of a member that stands twice, the last value counts.
func parseObject(raw []byte) (*object, error) {
	o := newObject()
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(raw, o); {
	case errors.As(err, &syntax):
		return nil, err
	case err != nil: // the ordered map's parser words it at length
		return nil, errors.New("it is not a JSON object with names in Unicode")
	}
	return o, nil
}

// encodeObject writes o. The ordered map's own MarshalJSON is not used because it escapes <, > and & in every value,
// which would change the text of members that nobody touched.
func encodeObject(o *object) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for pair := o.Oldest(); pair != nil; pair = pair.Next() {
		key, err := encode(pair.Key)
		if err != nil {
			return nil, err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(pair.Value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes v as JSON on one line, with <, > and & as they are.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// mustEncode is encode for values whose encoding cannot fail: strings, numbers, and slices and structs of them.
func mustEncode(v any) json.RawMessage {
	raw, err := encode(v)
	if err != nil {
		panic(err)
	}
	return raw
}
