package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// A Sender makes the messages of one side of a conversation: a kernel process or a client. Its session id is fixed for
// its life. It is safe for concurrent use.
type Sender struct {
	session  string
	username string
	count    atomic.Uint64
}

// NewSender returns a sender with a fresh session id. The user name is shown to people and means nothing else.
func NewSender(username string) *Sender {
	return &Sender{session: uuid.NewString(), username: username}
}

// Session returns the session id.
func (s *Sender) Session() string { return s.session }

// New returns a message with content that answers parent, or that answers nothing when parent is nil. It carries the
// parent's header byte for byte. A reply's identities are not set: a transport's Reply does it.
func (s *Sender) New(parent *Message, content Content) (*Message, error) {
	m := &Message{
		Header: Header{
			MsgID:    s.session + "_" + strconv.FormatUint(s.count.Add(1), 10),
			Session:  s.session,
			Username: s.username,
			Date:     Date(time.Now()),
			MsgType:  content.MessageType(),
			Version:  ProtocolVersion,
		},
		ParentHeader: json.RawMessage("{}"),
		Metadata:     json.RawMessage("{}"),
	}
	if parent != nil && len(parent.RawHeader) > 0 {
		m.ParentHeader = parent.RawHeader
	}
	var err error
	if m.Content, err = encodeObject(content); err != nil {
		return nil, fmt.Errorf("wire: %s: content: %w", m.Header.MsgType, err)
	}
	if m.RawHeader, err = encodeObject(m.Header); err != nil {
		return nil, fmt.Errorf("wire: %s: header: %w", m.Header.MsgType, err)
	}
	return m, nil
}
