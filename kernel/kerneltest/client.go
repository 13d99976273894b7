package kerneltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orthant/kernel/wire"
)

// Timeout is how long a client waits for what must come. It is generous: it only decides how late a broken test fails.
const Timeout = 30 * time.Second

// A Client is a strict client of one kernel. It fails its test at the first message that is malformed or out of order.
type Client struct {
	t      testing.TB
	info   wire.ConnectionInfo
	codec  *wire.Codec
	sender *wire.Sender

	sockets map[wire.Channel]*socket
	readers sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever something has come
	wrong   []string      // what the readers found wrong
	closing bool
	ended   map[wire.Channel]bool // connections that the kernel has closed
	session string                // the kernel's
	ids     map[string]bool       // message ids seen
	sent    map[string]*Exchange  // by message id of the request
	others  []*wire.Message       // IOPub messages of nobody's or other clients' requests
}

// Dial connects to the kernel at info, which may just be starting, and waits for IOPub's welcome, so that nothing is
// missed from then on. The connection is closed at the end of the test.
func Dial(t testing.TB, info wire.ConnectionInfo) *Client {
	t.Helper()
	codec, err := wire.NewCodec(info)
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{
		t: t, info: info, codec: codec, sender: wire.NewSender("kerneltest"),
		sockets: make(map[wire.Channel]*socket),
		changed: make(chan struct{}),
		ended:   make(map[wire.Channel]bool),
		ids:     make(map[string]bool),
		sent:    make(map[string]*Exchange),
	}
	t.Cleanup(c.Close)
	for _, ch := range wire.Channels() {
		s, err := dialPatiently(info, ch, c.sender.Session())
		if err != nil {
			t.Fatalf("cannot connect to %s: %v", ch, err)
		}
		c.sockets[ch] = s
		if ch != wire.Heartbeat {
			c.readers.Add(1)
			go c.read(ch, s)
		}
	}
	if err := c.sockets[wire.IOPub].subscribe(""); err != nil {
		t.Fatal(err)
	}
	c.waitFor("iopub_welcome", func() bool {
		return slices.ContainsFunc(c.others, func(m *wire.Message) bool { return m.Header.MsgType == "iopub_welcome" })
	})
	return c
}

// Close closes the connections. Dial has it called at the end of the test.
func (c *Client) Close() {
	c.mu.Lock()
	c.closing = true
	c.mu.Unlock()
	for _, s := range c.sockets {
		s.close() // the kernel may have closed it already
	}
	c.readers.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.wrong {
		c.t.Error(w)
	}
	c.wrong = nil
}

// Send sends a request and returns without waiting for its answer.
func (c *Client) Send(ch wire.Channel, content wire.Content) *Exchange {
	c.t.Helper()
	m, err := c.sender.New(nil, content)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.SendMessage(ch, m)
}

// SendMessage is Send for a message made by hand.
func (c *Client) SendMessage(ch wire.Channel, m *wire.Message) *Exchange {
	c.t.Helper()
	frames, err := c.codec.Encode(m)
	if err != nil {
		c.t.Fatal(err)
	}
	e := &Exchange{client: c, Request: m, channel: ch}
	e.progress.asks = m.Header.MsgType
	c.mu.Lock()
	c.sent[m.Header.MsgID] = e
	c.mu.Unlock()
	if err := c.sockets[ch].send(frames); err != nil {
		c.t.Fatalf("cannot send %s: %v", m.Header.MsgType, err)
	}
	return e
}

// Shell sends a request on shell and waits until it is answered.
func (c *Client) Shell(content wire.Content) *Exchange {
	c.t.Helper()
	return c.Send(wire.Shell, content).Wait()
}

// Control sends a request on control and waits until it is answered.
func (c *Client) Control(content wire.Content) *Exchange {
	c.t.Helper()
	return c.Send(wire.Control, content).Wait()
}

// Request returns an execute request as front ends send it for a cell of a notebook.
func Request(code string) wire.ExecuteRequest {
	return wire.ExecuteRequest{Code: code, StoreHistory: true, StopOnError: true}
}

// Execute runs a cell and waits until it is answered.
func (c *Client) Execute(code string) *Exchange {
	c.t.Helper()
	return c.Shell(Request(code))
}

// Ping sends a heartbeat and waits for its echo.
func (c *Client) Ping() {
	c.t.Helper()
	s, ping := c.sockets[wire.Heartbeat], [][]byte{{}, []byte("ping")} // a REQ socket puts an empty frame in front
	if err := s.raw.SetDeadline(time.Now().Add(Timeout)); err != nil {
		c.t.Fatal(err)
	}
	if err := s.send(ping); err != nil {
		c.t.Fatalf("heartbeat: %v", err)
	}
	if got, err := s.receive(); err != nil || !slices.EqualFunc(got, ping, bytes.Equal) {
		c.t.Fatalf("heartbeat: got %q, %v, want %q", got, err, ping)
	}
}

// Others returns the IOPub messages so far that belong to no request of this client: those without a parent, and those
// of other clients.
func (c *Client) Others() []*wire.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.others)
}

// WaitClosed waits until the kernel has closed all connections.
func (c *Client) WaitClosed() {
	c.t.Helper()
	c.waitFor("the end of all connections", func() bool { return len(c.ended) == len(c.sockets)-1 })
}

// waitFor waits until done, which is called with c.mu held. It fails the test when something wrong has come or when it
// takes longer than Timeout.
func (c *Client) waitFor(what string, done func() bool) {
	c.t.Helper()
	timeout := time.NewTimer(Timeout)
	defer timeout.Stop()
	for {
		c.mu.Lock()
		wrong, ok, changed := c.wrong, done(), c.changed
		c.wrong = nil
		c.mu.Unlock()
		if len(wrong) > 0 {
			c.t.Fatalf("waiting for %s: %s", what, wrong)
		}
		if ok {
			return
		}
		select {
		case <-changed:
		case <-timeout.C:
			c.t.Fatalf("%s did not come within %v", what, Timeout)
		}
	}
}

// read takes the messages of a channel until its connection ends.
func (c *Client) read(ch wire.Channel, s *socket) {
	defer c.readers.Done()
	for {
		frames, err := s.receive()
		c.mu.Lock()
		if err != nil {
			c.ended[ch] = true
		} else if err := c.take(ch, frames); err != nil && !c.closing {
			c.wrong = append(c.wrong, fmt.Sprintf("%s: %v", ch, err))
		}
		close(c.changed)
		c.changed = make(chan struct{})
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// take checks a message and puts it where it belongs. c.mu is held.
func (c *Client) take(ch wire.Channel, frames [][]byte) error {
	m, err := c.codec.Decode(frames)
	if err != nil {
		return err
	}
	if err := c.check(ch, m); err != nil {
		return fmt.Errorf("%s: %w\n%s", m.Header.MsgType, err, m.Content)
	}
	parent, err := m.Parent()
	if err != nil {
		return err
	}
	e := c.sent[parent.MsgID]
	switch {
	case e == nil && ch == wire.IOPub:
		c.others = append(c.others, m)
		return nil
	case e == nil:
		return fmt.Errorf("%s answers no request of this client: %s", m.Header.MsgType, m.ParentHeader)
	case !bytes.Equal(m.ParentHeader, e.Request.RawHeader):
		return fmt.Errorf("%s: parent header\n%s, want\n%s", m.Header.MsgType, m.ParentHeader, e.Request.RawHeader)
	}
	if err := e.take(ch, m); err != nil {
		return fmt.Errorf("%s %w, in\n%s", m.Header.MsgType, err, strings.Join(e.lines(), "\n"))
	}
	return nil
}

// check checks what is the same for all messages.
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
	if ch == wire.IOPub && m.Header.MsgType != "iopub_welcome" && len(m.Identities) != 1 {
		return fmt.Errorf("%d frames of topic, want 1", len(m.Identities))
	}
	var metadata map[string]any
	if err := json.Unmarshal(m.Metadata, &metadata); err != nil || metadata == nil {
		return fmt.Errorf("metadata is no object: %s", m.Metadata)
	}
	return checkContent(m.Header.MsgType, m.Content)
}
