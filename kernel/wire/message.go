package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// A Content is the content of one kind of message; every struct of this package that is sent or received is one.
type Content interface {
	// MessageType returns the message's name in the specification, such as "execute_request".
	MessageType() string
}

// A Message is one message in either direction. Its JSON parts are kept as bytes. A message must not be changed
// after it was given to a Codec or a transport, which may still read it.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#general-message-format
type Message struct {
	// Identities are the frames before the delimiter, as they came or as they are to be sent: routing ids of a
	// request, the topic of an IOPub message. Usually none for a request, because the transport keeps the routing id.
	Identities [][]byte
	// Header is the decoded header.
	Header Header
	// RawHeader is the header as it came or will be sent: the parent header of what answers this message.
	RawHeader json.RawMessage
	// ParentHeader is the header of the message that this one answers, byte for byte; {} when there is none.
	ParentHeader json.RawMessage
	// Metadata and Content are JSON objects.
	Metadata json.RawMessage
	Content  json.RawMessage
	// Buffers are binary frames behind the content. They are not signed.
	Buffers [][]byte
}

// Unmarshal decodes the content into v, which is a pointer to one of the content structs. Fields that are missing get
// their defaults, unknown fields are ignored. The error names the message type and the field.
func (m *Message) Unmarshal(v any) error {
	if err := json.Unmarshal(m.Content, v); err != nil {
		return fmt.Errorf("wire: %s: %w", m.Header.MsgType, contentError(err))
	}
	return nil
}

// contentError says what is wrong with a field in the words of the specification, which knows JSON and not the types of Go.
func contentError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return err
	}
	want, known := jsonTypes[wrong.Type.Kind()]
	if !known {
		return err
	}
	return fmt.Errorf("%s: got %s, want %s", wrong.Field, wrong.Value, want)
}

// jsonTypes has the types of JSON that fields of contents have.
var jsonTypes = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.Int: "an integer", reflect.String: "a string", reflect.Slice: "an array",
	reflect.Map: "an object", reflect.Struct: "an object",
}

// Parent decodes the parent header; it is the zero Header when there is none.
func (m *Message) Parent() (Header, error) {
	var h Header
	if len(m.ParentHeader) == 0 {
		return h, nil
	}
	if err := json.Unmarshal(m.ParentHeader, &h); err != nil {
		return Header{}, fmt.Errorf("wire: %s: parent header: %w", m.Header.MsgType, err)
	}
	return h, nil
}

// SetMetadata replaces the metadata; nil means {}.
func (m *Message) SetMetadata(metadata Object) error {
	data, err := encodeObject(metadata)
	if err != nil {
		return fmt.Errorf("wire: %s: metadata: %w", m.Header.MsgType, err)
	}
	m.Metadata = data
	return nil
}

// SetSubshell names the subshell that the message is for or from, in its header (JEP 91); empty for the main shell.
func (m *Message) SetSubshell(id string) error {
	header := m.Header
	header.SubshellID = id
	data, err := encodeObject(header)
	if err != nil {
		return fmt.Errorf("wire: %s: header: %w", m.Header.MsgType, err)
	}
	m.Header, m.RawHeader = header, data
	return nil
}

// size returns the number of bytes of all frames.
func size(frames [][]byte) int {
	n := 0
	for _, f := range frames {
		n += len(f)
	}
	return n
}
