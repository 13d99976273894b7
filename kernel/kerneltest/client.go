package kerneltest

import (
	"bytes"
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
	// lenient clients note what is wrong and go on.
	lenient bool

	sockets map[wire.Channel]*socket
	readers sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever something has come
	wrong   []string      // what the readers found wrong
	noted   []string      // the same, of a lenient client
	closing bool
	ended   map[wire.Channel]bool // connections that the kernel has closed
	session string                // the kernel's
	started bool                  // status starting has come
	ids     map[string]bool       // message ids seen
	sent    map[string]*Exchange  // by message id of the request
	others  []*wire.Message       // IOPub messages of nobody's or other clients' requests
	foreign map[string]*progress  // of other clients' requests, by message id
	gate    chan struct{}         // the readers wait until it is closed; nil for an open one
}

// Dial connects to the kernel at info, which may just be starting, and waits for IOPub's welcome, so that nothing is
// missed from then on. The connection is closed at the end of the test.
func Dial(t testing.TB, info wire.ConnectionInfo) *Client {
	t.Helper()
	return dial(t, info, wire.NewSender("kerneltest"), false)
}

// Watch is Dial for a kernel that is not ours to judge: its messages are taken as they are, so that they can be compared
// with others. What the strict client would have refused is in Complaints.
func Watch(t testing.TB, info wire.ConnectionInfo) *Client {
	t.Helper()
	return dial(t, info, wire.NewSender("kerneltest"), true)
}

// Another returns another client of the kernel, as strict as c.
func (c *Client) Another() *Client {
	c.t.Helper()
	return dial(c.t, c.info, wire.NewSender("kerneltest"), c.lenient)
}

// Twin returns another client with the session id of c, and so with the same routing ids: a front end that connects to
// its kernel twice.
func (c *Client) Twin() *Client {
	c.t.Helper()
	return dial(c.t, c.info, c.sender, c.lenient)
}

func dial(t testing.TB, info wire.ConnectionInfo, sender *wire.Sender, lenient bool) *Client {
	t.Helper()
	codec, err := wire.NewCodec(info)
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{
		t: t, info: info, codec: codec, sender: sender, lenient: lenient,
		sockets: make(map[wire.Channel]*socket),
		changed: make(chan struct{}),
		ended:   make(map[wire.Channel]bool),
		ids:     make(map[string]bool),
		sent:    make(map[string]*Exchange),
		foreign: make(map[string]*progress),
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
	if lenient {
		c.nudge()
		return c
	}
	c.waitFor("iopub_welcome", func() bool {
		return slices.ContainsFunc(c.others, func(m *wire.Message) bool { return m.Header.MsgType == "iopub_welcome" })
	})
	return c
}

// nudge asks for kernel_info until what is published comes, as servers do with kernels that welcome nobody; ipykernel's
// socket welcomes only the first client.
func (c *Client) nudge() {
	const patience = 100 * time.Millisecond
	for deadline := time.Now().Add(Timeout); time.Now().Before(deadline); {
		e := c.Send(wire.Shell, wire.KernelInfoRequest{})
		c.waitFor("kernel_info_reply", func() bool { return e.Reply != nil })
		for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(time.Millisecond) {
			if len(e.Messages()) == 0 {
				continue
			}
			// It may have been too late for busy, so the end is not waited for by itself.
			c.waitFor("idle", func() bool { return len(c.noted) > 0 || e.ended() })
			c.mu.Lock()
			c.noted, c.others = nil, nil
			c.mu.Unlock()
			return
		}
	}
	c.t.Fatalf("nothing is published within %v", Timeout)
}

// Close closes the connections. Dial has it called at the end of the test.
func (c *Client) Close() {
	c.mu.Lock()
	c.closing = true
	c.mu.Unlock()
	c.Resume()
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
	return c.SendMessage(ch, c.Message(content))
}

// SendBuffers is Send for a comm message on shell, with buffers behind it.
func (c *Client) SendBuffers(content wire.Content, buffers ...[]byte) *Exchange {
	c.t.Helper()
	m := c.Message(content)
	m.Buffers = buffers
	return c.SendMessage(wire.Shell, m)
}

// Message returns a request to be changed and sent with SendMessage. Its header is its RawHeader.
func (c *Client) Message(content wire.Content) *wire.Message {
	c.t.Helper()
	m, err := c.sender.New(nil, content)
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// SendMessage is Send for a message made by hand.
func (c *Client) SendMessage(ch wire.Channel, m *wire.Message) *Exchange {
	c.t.Helper()
	frames, err := c.codec.Encode(m)
	if err != nil {
		c.t.Fatal(err)
	}
	e := c.expect(ch, m)
	if err := c.sockets[ch].send(frames); err != nil {
		c.t.Fatalf("cannot send %s: %v", m.Header.MsgType, err)
	}
	return e
}

// SendFrames sends frames as they are; nothing is expected to come of them.
func (c *Client) SendFrames(ch wire.Channel, frames [][]byte) {
	c.t.Helper()
	if err := c.sockets[ch].send(frames); err != nil {
		c.t.Fatalf("cannot send %d frames: %v", len(frames), err)
	}
}

// expect returns the exchange that a request begins.
func (c *Client) expect(ch wire.Channel, m *wire.Message) *Exchange {
	e := &Exchange{client: c, Request: m, channel: ch}
	e.progress.asks = m.Header.MsgType
	e.progress.silent = m.Header.MsgType == "execute_request" && isSilent(m)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[m.Header.MsgID] = e
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

// Forget drops what has come of the requests that have ended, and of others: a test that asks for hours need not keep it.
// What comes late of a forgotten request counts as another client's.
func (c *Client) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, e := range c.sent {
		if e.ended() {
			delete(c.sent, id)
		}
	}
	c.others = nil
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
		c.waitAtGate()
		frames, err := s.receive()
		c.mu.Lock()
		if err != nil {
			c.ended[ch] = true
		} else if err := c.take(ch, frames); err != nil && !c.closing {
			c.complain(fmt.Sprintf("%s: %v", ch, err))
		}
		close(c.changed)
		c.changed = make(chan struct{})
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// complain notes what is wrong. c.mu is held.
func (c *Client) complain(what string) {
	if c.lenient {
		c.noted = append(c.noted, what)
	} else {
		c.wrong = append(c.wrong, what)
	}
}

// Complaints returns what a client of Watch would not have taken from a kernel of ours.
func (c *Client) Complaints() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.noted)
}

// Pause lets the client read nothing more, as if its process were suspended; a message on its way may still come.
func (c *Client) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gate == nil {
		c.gate = make(chan struct{})
	}
}

// Resume ends a Pause.
func (c *Client) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gate != nil {
		close(c.gate)
		c.gate = nil
	}
}

// waitAtGate waits for the end of a Pause.
func (c *Client) waitAtGate() {
	c.mu.Lock()
	gate := c.gate
	c.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

// take checks a message and puts it where it belongs. c.mu is held.
func (c *Client) take(ch wire.Channel, frames [][]byte) error {
	if err := checkFrames(frames); err != nil {
		return err
	}
	m, err := c.codec.Decode(frames)
	if err != nil {
		return err
	}
	if err := c.check(ch, m); err != nil {
		err = fmt.Errorf("%s: %w\n%s", m.Header.MsgType, err, m.Content)
		if !c.lenient {
			return err
		}
		c.complain(err.Error())
	}
	parent, err := m.Parent()
	if err != nil {
		return err
	}
	e := c.sent[parent.MsgID]
	switch {
	case e == nil && ch == wire.IOPub && parent.MsgID == "":
		return c.takeOrphan(m)
	case e == nil && ch == wire.IOPub:
		return c.takeOther(parent, m)
	case e == nil:
		return fmt.Errorf("%s answers no request of this client: %s", m.Header.MsgType, m.ParentHeader)
	case !bytes.Equal(m.ParentHeader, e.Request.RawHeader):
		err = fmt.Errorf("%s: parent header\n%s, want\n%s", m.Header.MsgType, m.ParentHeader, e.Request.RawHeader)
		if !c.lenient {
			return err
		}
		c.complain(err.Error())
	}
	if err := e.take(ch, m); err != nil {
		return fmt.Errorf("%s %w, in\n%s", m.Header.MsgType, err, strings.Join(e.lines(), "\n"))
	}
	return nil
}

// isSilent says whether an execute_request is silent. A content that cannot be read is not.
func isSilent(m *wire.Message) bool {
	var in wire.ExecuteRequest
	return m.Unmarshal(&in) == nil && in.Silent
}
