package kerneltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"orthant/kernel/wire"
)

// header is the shape of every header. The version is that which kernel_info claims.
var header = shape{
	"msg_id":      nonEmpty,
	"session":     nonEmpty,
	"username":    text,
	"date":        matching(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`),
	"msg_type":    nonEmpty,
	"version":     oneOf(wire.ProtocolVersion),
	"subshell_id": optional(nonEmpty),
}

// partsOfMessage names the frames behind the delimiter, before the buffers.
var partsOfMessage = []string{"signature", "header", "parent header", "metadata", "content"}

var hexadecimal = regexp.MustCompile(`^[0-9a-f]*$`)

// checkFrames checks a message's bytes, of which decoding forgives some.
func checkFrames(frames [][]byte) error {
	at := slices.IndexFunc(frames, func(f []byte) bool { return string(f) == "<IDS|MSG>" })
	if at < 0 || len(frames)-at-1 < len(partsOfMessage) {
		return fmt.Errorf("%d frames are no message", len(frames))
	}
	for i, name := range partsOfMessage {
		part := frames[at+1+i]
		switch {
		case i == 0 && !hexadecimal.Match(part):
			return fmt.Errorf("%s %q is not in lower-case hexadecimal", name, part)
		case i == 0:
		case !utf8.Valid(part):
			return fmt.Errorf("%s is not UTF-8: %q", name, part)
		case !bytes.HasPrefix(bytes.TrimSpace(part), []byte("{")) || !json.Valid(part):
			return fmt.Errorf("%s is no object: %s", name, part)
		}
	}
	return nil
}

// checkChannel says where a kernel sends a message of a type: replies on the channel of their request, questions on stdin,
// all else to everybody.
func checkChannel(ch wire.Channel, messageType string) error {
	isReply := strings.HasSuffix(messageType, "_reply")
	switch {
	case messageType == "shutdown_reply" && ch != wire.Stdin: // told to everybody besides
	case messageType == "input_request" && ch == wire.Stdin:
	case isReply && (ch == wire.Shell || ch == wire.Control):
	case !isReply && messageType != "input_request" && ch == wire.IOPub:
	default:
		return fmt.Errorf("does not belong on %s", ch)
	}
	return nil
}

// check checks what is the same for all messages. c.mu is held.
func (c *Client) check(ch wire.Channel, m *wire.Message) error {
	if err := header.checkJSON(m.RawHeader); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if c.ids[m.Header.MsgID] {
		return fmt.Errorf("message id %s was seen before", m.Header.MsgID)
	}
	c.ids[m.Header.MsgID] = true
	if c.session == "" {
		c.session = m.Header.Session
	}
	if m.Header.Session != c.session {
		return fmt.Errorf("session %s, before it was %s", m.Header.Session, c.session)
	}
	if err := checkChannel(ch, m.Header.MsgType); err != nil {
		return err
	}
	if err := checkContent(m.Header.MsgType, m.Content); err != nil {
		return err
	}
	if err := checkTopic(ch, m); err != nil {
		return err
	}
	if len(m.Buffers) > 0 && !strings.HasPrefix(m.Header.MsgType, "comm_") {
		return fmt.Errorf("%d buffers, which only comm messages have", len(m.Buffers))
	}
	if err := checkMetadata(m); err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	return nil
}

// checkTopic checks the frames in front of a message. On IOPub that is a topic; a welcome's is the subscription, which may
// be missing where it is empty. The transport takes the routing id off the others.
func checkTopic(ch wire.Channel, m *wire.Message) error {
	switch n := len(m.Identities); {
	case ch != wire.IOPub:
		if n != 0 {
			return fmt.Errorf("%d frames before the delimiter that the client never sent", n)
		}
	case m.Header.MsgType == "iopub_welcome":
		if subscription := decode[wire.IOPubWelcome](m).Subscription; n > 1 || n == 1 && string(m.Identities[0]) != subscription {
			return fmt.Errorf("topic %q, the subscription is %q", m.Identities, subscription)
		}
	case n != 1:
		return fmt.Errorf("%d frames of topic, want 1", n)
	}
	return nil
}

// metadata are the shapes of the metadata that a kernel sends; messages of other types may have any.
var metadata = map[string]shape{
	"execute_reply": {
		"started": optional(matching(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)), "dependencies_met": optional(boolean),
		"engine": optional(text), "status": optional(oneOf("ok", "error", "aborted")),
	},
	"kernel_info_reply": {},
	"status":            {},
	"stream":            {},
}

// widgetTarget is the comm target of widgets, whose comm_open says in its metadata which version of them it follows.
const widgetTarget = "jupyter.widget"

func checkMetadata(m *wire.Message) error {
	var v any
	if err := json.Unmarshal(m.Metadata, &v); err != nil {
		return err
	}
	if m.Header.MsgType == "comm_open" && decode[wire.CommOpen](m).TargetName == widgetTarget {
		return shape{"version": matching(`^\d+\.\d+\.\d+$`)}.check(v)
	}
	if s, known := metadata[m.Header.MsgType]; known {
		return s.check(v)
	}
	return object(v)
}

// takeOrphan takes a message that answers nothing. Only the kernel's own have no parent.
func (c *Client) takeOrphan(m *wire.Message) error {
	starting := m.Header.MsgType == "status" && decode[wire.KernelStatus](m).ExecutionState == wire.Starting
	switch {
	case string(bytes.TrimSpace(m.ParentHeader)) != "{}":
		return fmt.Errorf("its parent header has no msg_id: %s", m.ParentHeader)
	case starting && c.started:
		return errors.New("starting comes twice")
	case starting:
		c.started = true
	case m.Header.MsgType != "iopub_welcome" && m.Header.MsgType != "debug_event":
		return errors.New("has no parent")
	}
	c.others = append(c.others, m)
	return nil
}

// takeOther takes a message that answers another client, whose order is checked from where this client joined.
func (c *Client) takeOther(parent wire.Header, m *wire.Message) error {
	c.others = append(c.others, m)
	state := string(decode[wire.KernelStatus](m).ExecutionState)
	p := c.foreign[parent.MsgID]
	if p == nil {
		// The first that this client sees may be any, and those before it went to others only.
		p = &progress{asks: parent.MsgType, joined: state != "busy", busy: state != "busy"}
		c.foreign[parent.MsgID] = p
	}
	if err := p.next(m.Header.MsgType, state); err != nil {
		return fmt.Errorf("%s, of another client's %s, %w", m.Header.MsgType, parent.MsgType, err)
	}
	return nil
}
