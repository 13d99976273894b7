package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"

	"orthant/kernel/wire"
)

// patience is how long a test waits for what must come. It only bounds failing tests.
const patience = 20 * time.Second

// start returns a listening transport that the test's end closes; then no goroutine of this package may be left.
func start(t testing.TB, opts Options) *Transport {
	t.Helper()
	return startAt(t, wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "secret"}, opts)
}

func startAt(t testing.TB, info wire.ConnectionInfo, opts Options) *Transport {
	t.Helper()
	tr, err := Listen(info, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tr.Close(context.Background())
		checkGoroutines(t)
	})
	return tr
}

// checkGoroutines fails the test when a goroutine of this package is left. One that has told its WaitGroup that it is
// done may need a moment to end.
func checkGoroutines(t testing.TB) {
	t.Helper()
	deadline := time.Now().Add(time.Second)
	for {
		left := goroutines()
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("goroutines left behind:\n%s", strings.Join(left, "\n\n"))
			return
		}
		runtime.Gosched()
	}
}

// goroutines returns the stacks of the goroutines that run the transport's own code, tests apart.
func goroutines() []string {
	buf := make([]byte, 1<<20)
	var out []string
	for _, stack := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		for _, f := range []string{".(*socket).", ".(*peer).", ".drain(", ".(*queue)."} {
			if strings.Contains(stack, "orthant/kernel/transport"+f) {
				out = append(out, stack)
				break
			}
		}
	}
	return out
}

// A client is one client connection to one channel.
type client struct {
	t      testing.TB
	conn   net.Conn
	zmq    *zmq4.Conn
	codec  *wire.Codec
	sender *wire.Sender
}

// dial connects to a channel as a DEALER, or SUB for IOPub, with an identity, and closes the connection when the test
// ends.
func dial(t testing.TB, tr *Transport, ch wire.Channel, identity string) *client {
	t.Helper()
	kind := zmq4.Dealer
	if ch == wire.IOPub {
		kind = zmq4.Sub
	}
	c, err := tryDial(tr, ch, kind, identity)
	if err != nil {
		t.Fatalf("%s: %v", ch, err)
	}
	c.t = t
	t.Cleanup(func() { c.conn.Close() })
	return c
}

func tryDial(tr *Transport, ch wire.Channel, kind zmq4.SocketType, identity string) (*client, error) {
	network, address := tr.Connection().Address(ch) // go vet 1.26 panics on net.Dial(f())
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	z, err := zmq4.Open(conn, null.Security(), kind, zmq4.SocketIdentity(identity), false, nil)
	if err != nil {
		conn.Close()
		return nil, err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	codec, err := wire.NewCodec(tr.Connection())
	return &client{conn: conn, zmq: z, codec: codec, sender: wire.NewSender("test")}, err
}

// frames sends frames as they are.
func (c *client) frames(frames ...string) {
	c.t.Helper()
	if err := c.zmq.SendMsg(zmq4.NewMsgFromString(frames)); err != nil {
		c.t.Fatal(err)
	}
}

// send sends a signed message.
func (c *client) send(parent *wire.Message, content wire.Content) *wire.Message {
	c.t.Helper()
	m, err := c.sender.New(parent, content)
	if err != nil {
		c.t.Fatal(err)
	}
	c.sendMessage(m)
	return m
}

// sendMade sends an input_reply without a parent, as jupyter_client does, that was made at a time, the zero time for one that does
// not say when, for a subshell, if it is given.
func (c *client) sendMade(at time.Time, subshell, value string) {
	c.t.Helper()
	m, err := c.sender.New(nil, wire.InputReply{Value: value})
	if err != nil {
		c.t.Fatal(err)
	}
	m.Header.Date = ""
	if !at.IsZero() {
		m.Header.Date = at.Format(time.RFC3339Nano)
	}
	if err := m.SetSubshell(subshell); err != nil {
		c.t.Fatal(err)
	}
	c.sendMessage(m)
}

func (c *client) sendMessage(m *wire.Message) {
	c.t.Helper()
	frames, err := c.codec.Encode(m)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.zmq.SendMsg(zmq4.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
}

// recvFrames returns the next message as it came.
func (c *client) recvFrames() ([][]byte, error) {
	if err := c.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	m, err := c.zmq.RecvMsg()
	return m.Frames, err
}

// recv returns the next message.
func (c *client) recv() *wire.Message {
	c.t.Helper()
	frames, err := c.recvFrames()
	if err != nil {
		c.t.Fatal(err)
	}
	m, err := c.codec.Decode(frames)
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// subscribe subscribes and waits for the welcome.
func (c *client) subscribe(prefix string) *client {
	c.t.Helper()
	c.frames("\x01" + prefix)
	m := c.recv()
	var welcome wire.IOPubWelcome
	if err := m.Unmarshal(&welcome); err != nil {
		c.t.Fatal(err)
	}
	if m.Header.MsgType != "iopub_welcome" || welcome.Subscription != prefix || string(m.Identities[0]) != prefix || string(m.ParentHeader) != "{}" {
		c.t.Fatalf("got %s %q at topic %q with parent %s, want a welcome to %q", m.Header.MsgType, welcome.Subscription, m.Identities[0], m.ParentHeader, prefix)
	}
	return c
}

// closed waits until the other side closes the connection, and reports how many messages came before.
func (c *client) closed() int {
	c.t.Helper()
	for n := 0; ; n++ {
		if _, err := c.recvFrames(); err != nil {
			if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
				c.t.Fatal("connection is still open")
			}
			return n
		}
	}
}

// receive returns the next request of a channel.
func receive(t testing.TB, tr *Transport, ch wire.Channel) *Request {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := tr.Receive(ctx, ch)
	if err != nil {
		t.Fatalf("%s: %v", ch, err)
	}
	return r
}

// message returns a new message of the kernel's, not signed yet.
func message(t testing.TB, tr *Transport, parent *wire.Message, content wire.Content) *wire.Message {
	t.Helper()
	m, err := tr.opts.Sender.New(parent, content)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// line returns a stream message whose text is a number.
func line(t testing.TB, tr *Transport, n int) *wire.Message {
	t.Helper()
	return message(t, tr, nil, wire.Stream{Name: "stdout", Text: fmt.Sprintf("%d\n", n)})
}

// lineNumber is line's inverse.
func lineNumber(t testing.TB, m *wire.Message) int {
	t.Helper()
	var s wire.Stream
	if err := m.Unmarshal(&s); err != nil {
		t.Fatal(err)
	}
	var n int
	if _, err := fmt.Sscan(s.Text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// serve answers every shell request with its own code, until the transport is closed or the test fails.
func serve(t testing.TB, tr *Transport) {
	for {
		r, err := tr.Receive(context.Background(), wire.Shell)
		if err != nil {
			return
		}
		tr.Release(r)
		var in wire.ExecuteRequest
		if err := r.Message.Unmarshal(&in); err != nil {
			t.Error(err)
			return
		}
		m, err := tr.opts.Sender.New(r.Message, wire.InspectReply{Found: true, Metadata: wire.Object{"code": in.Code}})
		if err != nil {
			t.Error(err)
			return
		}
		if err := tr.Reply(r, m); err != nil && !errors.Is(err, ErrGone) && !errors.Is(err, ErrClosed) {
			t.Error(err)
			return
		}
	}
}

// ask sends a request to serve and checks the answer.
func (c *client) ask(code string) {
	c.t.Helper()
	sent := c.send(nil, wire.ExecuteRequest{Code: code})
	c.checkAnswer(sent, code)
}

func (c *client) checkAnswer(sent *wire.Message, code string) {
	c.t.Helper()
	m := c.recv()
	var reply wire.InspectReply
	if err := m.Unmarshal(&reply); err != nil {
		c.t.Fatal(err)
	}
	if got := reply.Metadata["code"]; got != code || string(m.ParentHeader) != string(sent.RawHeader) {
		c.t.Fatalf("got an answer with %q to %s, want %q to %s", got, m.ParentHeader, code, sent.RawHeader)
	}
}

// raw opens a connection without any protocol.
func raw(t testing.TB, tr *Transport, ch wire.Channel) net.Conn {
	t.Helper()
	network, address := tr.Connection().Address(ch) // go vet 1.26 panics on net.Dial(f())
	conn, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// ended waits until the other side closes a raw connection, whatever it sent before.
func ended(t testing.TB, conn net.Conn) {
	t.Helper()
	_, err := io.Copy(io.Discard, conn)
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		t.Fatal("connection is still open")
	}
}
