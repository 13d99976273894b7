package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// delimiter ends the routing frames of a message.
var delimiter = []byte("<IDS|MSG>")

// partsPerMessage counts the frames that follow the delimiter at least: signature, header, parent header, metadata,
// content.
const partsPerMessage = 5

// What can be wrong with the frames of a message. Decode wraps one of these; such a message is dropped without a reply.
var (
	ErrFraming   = errors.New("malformed frames")
	ErrSignature = errors.New("wrong signature")
	ErrReplay    = errors.New("signature seen before")
	ErrJSON      = errors.New("malformed JSON part")
)

// A Codec turns messages into signed frames and frames into checked messages, with one key. It is safe for concurrent
// use.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#the-wire-protocol
type Codec struct {
	signer signer
	replay *replayGuard // nil when repeated signatures are accepted
}

// NewCodec returns a codec for a connection's key and scheme. An unknown scheme is an error.
func NewCodec(info ConnectionInfo) (*Codec, error) {
	hash, err := lookupScheme(info.SignatureScheme)
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	return &Codec{signer: signer{key: []byte(info.Key), hash: hash}}, nil
}

// RefuseReplays makes Decode refuse a signature that it accepted among the last 65,536. It has no effect without a key.
// It must be called before the first Decode.
func (c *Codec) RefuseReplays() { c.replay = new(replayGuard) }

// Encode returns the frames of m: identities, delimiter, signature, header, parent header, metadata, content, buffers.
// Parts that are missing are written as {}. The frames share memory with m and must not be changed.
func (c *Codec) Encode(m *Message) ([][]byte, error) {
	header := m.RawHeader
	if len(header) == 0 {
		var err error
		if header, err = encodeObject(m.Header); err != nil {
			return nil, fmt.Errorf("wire: %s: header: %w", m.Header.MsgType, err)
		}
	}
	parts := [][]byte{header, orEmpty(m.ParentHeader), orEmpty(m.Metadata), orEmpty(m.Content)}
	for i, name := range []string{"header", "parent header", "metadata", "content"} {
		if !isObject(parts[i]) {
			return nil, fmt.Errorf("wire: %s: %s is not a JSON object", m.Header.MsgType, name)
		}
	}
	frames := make([][]byte, 0, len(m.Identities)+1+partsPerMessage+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, delimiter, c.signer.sign(parts))
	frames = append(frames, parts...)
	return append(frames, m.Buffers...), nil
}

// orEmpty returns a JSON object, {} for nothing or null.
func orEmpty(part json.RawMessage) []byte {
	if len(part) == 0 || string(part) == "null" {
		return []byte("{}")
	}
	return part
}

// Decode checks the frames of one message and returns it. The message shares memory with the frames. The error wraps
// one of ErrFraming, ErrSignature, ErrReplay and ErrJSON.
//
// Frames are split at the first delimiter: a buffer may hold anything, a second delimiter too. The content must be an
// object but is not typed here; a parent header of null or none is {}.
func (c *Codec) Decode(frames [][]byte) (*Message, error) {
	at := delimiterIndex(frames)
	if at < 0 {
		return nil, fmt.Errorf("wire: %w: no delimiter in %d frames of %d bytes", ErrFraming, len(frames), size(frames))
	}
	rest := frames[at+1:]
	if len(rest) < partsPerMessage {
		return nil, fmt.Errorf("wire: %w: %d frames after the delimiter, want %d", ErrFraming, len(rest), partsPerMessage)
	}
	signature, parts := rest[0], rest[1:partsPerMessage]
	if !c.signer.verify(signature, parts) {
		return nil, fmt.Errorf("wire: %w", ErrSignature)
	}
	m := &Message{
		Identities:   frames[:at:at],
		RawHeader:    parts[0],
		ParentHeader: orEmpty(parts[1]),
		Metadata:     orEmpty(parts[2]),
		Content:      parts[3],
		Buffers:      rest[partsPerMessage:],
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("wire: %w: %w", ErrJSON, err)
	}
	if c.replay != nil && len(c.signer.key) > 0 && !c.replay.admit(signature) {
		return nil, fmt.Errorf("wire: %s %s: %w", m.Header.MsgType, m.Header.MsgID, ErrReplay)
	}
	return m, nil
}

// delimiterIndex returns where the first delimiter is, -1 when there is none.
func delimiterIndex(frames [][]byte) int {
	for i, f := range frames {
		if bytes.Equal(f, delimiter) {
			return i
		}
	}
	return -1
}

// check checks the JSON parts and decodes the header.
func (m *Message) check() error {
	for _, part := range []struct {
		name string
		data []byte
	}{
		{"header", m.RawHeader}, {"parent header", m.ParentHeader}, {"metadata", m.Metadata}, {"content", m.Content},
	} {
		if err := checkObject(part.data); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	if err := json.Unmarshal(m.RawHeader, &m.Header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if m.Header.MsgType == "" {
		return errors.New("header: no msg_type")
	}
	return nil
}
