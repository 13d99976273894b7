package comm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// A Message is what one side says to the other, also when it opens or closes a comm.
type Message struct {
	// Data is a JSON value, usually an object; nil is sent as {}.
	Data json.RawMessage
	// Metadata goes with the message outside of its data; usually nil. Widgets have the version of their protocol there.
	Metadata map[string]any
	// Buffers are binary: what would be clumsy in JSON.
	Buffers [][]byte
}

// NewMessage returns a message whose data is the JSON of a value, as encoding/json writes it; {} for nil. The error says what
// of the value JSON cannot express, such as NaN.
func NewMessage(data any, buffers ...[]byte) (Message, error) {
	m := Message{Buffers: buffers}
	if data == nil {
		return m, nil
	}
	var err error
	if m.Data, err = encode(data); err != nil {
		return Message{}, fmt.Errorf("comm: data of type %T: %w", data, err)
	}
	return m, nil
}

// encode is json.Marshal without the escaping meant for HTML.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Decode stores the data in what v points to, as json.Unmarshal does.
func (m Message) Decode(v any) error {
	if err := json.Unmarshal(m.data(), v); err != nil {
		return fmt.Errorf("comm: data of a message: %w", err)
	}
	return nil
}

// String returns the data, and what there is of buffers: {"x":1} and 2 buffers of 300 bytes.
func (m Message) String() string {
	text := string(m.data())
	size := 0
	for _, b := range m.Buffers {
		size += len(b)
	}
	switch n := len(m.Buffers); n {
	case 0:
		return text
	case 1:
		return fmt.Sprintf("%s and 1 buffer of %d bytes", text, size)
	default:
		return fmt.Sprintf("%s and %d buffers of %d bytes", text, n, size)
	}
}

// data returns the data as it is sent.
func (m Message) data() json.RawMessage {
	if m.Data == nil {
		return json.RawMessage("{}")
	}
	return m.Data
}

// errNotJSON is what is wrong with data that somebody wrote by hand.
var errNotJSON = errors.New("the data is not JSON; NewMessage encodes a value")

// checked returns a copy of the message that the sender cannot change any more.
func (m Message) checked() (Message, error) {
	m.Data = bytes.Clone(m.data())
	if !json.Valid(m.Data) {
		return Message{}, errNotJSON
	}
	copied := make([][]byte, len(m.Buffers))
	for i, b := range m.Buffers {
		copied[i] = bytes.Clone(b)
	}
	m.Buffers = copied
	return m, nil
}
