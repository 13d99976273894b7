package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/wire"
)

// long reports whether the long forms of the tests are asked for.
func long() bool { return os.Getenv("ORTHANT_LONG") == "1" }

// attacks are what somebody who can connect may send without knowing the key. Each of the first kind locked up or
// killed a kernel built on zmq4.Socket v0.17.0 (zmq4 issue 132 and others).
var attacks = []struct {
	name string
	send string
	stay bool // the connection is not refused at once
}{
	{name: "silence", stay: true},
	{name: "half a greeting", send: goodGreeting()[:32], stay: true},
	{name: "greeting without READY", send: goodGreeting(), stay: true},
	{name: "HTTP", send: "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser that looks for servers\r\n\r\n"},
	{name: "ZMTP 2.0", send: strings.Replace(goodGreeting(), "\x7f\x03", "\x7f\x01", 1)},
	{name: "CURVE", send: strings.Replace(goodGreeting(), "NULL\x00", "CURVE", 1)},
	{name: "a message before READY", send: goodGreeting() + frame(0, "x")},
	{name: "another command", send: goodGreeting() + frame(flagCommand, "\x05ERROR\x03why")},
	{name: "READY without a socket type", send: goodGreeting() + frame(flagCommand, "\x05READY")},
	{name: "READY of an unknown socket type", send: goodGreeting() + frame(flagCommand, "\x05READY\x0bSocket-Type\x00\x00\x00\x05KLEIN")},
	{name: "READY with a truncated property", send: goodGreeting() + frame(flagCommand, "\x05READY\x0bSock")},
	{name: "READY with a property of one byte", send: goodGreeting() + frame(flagCommand, "\x05READY\x40")},
	{name: "READY with a value that is cut", send: goodGreeting() + frame(flagCommand, "\x05READY\x0bSocket-Type\x7f\xff\xff\xff")},
	{name: "READY of 2^36 bytes", send: goodGreeting() + longHeader(flagCommand, 1<<36)},
	{name: "READY of 2^62 bytes", send: goodGreeting() + longHeader(flagCommand, 1<<62)},
	{name: "frame of 2^36 bytes", send: goodGreeting() + ready() + longHeader(0, 1<<36)},
	{name: "frame of 2^62 bytes", send: goodGreeting() + ready() + longHeader(0, 1<<62)},
	{name: "frame of 2^64-1 bytes", send: goodGreeting() + ready() + longHeader(0, 1<<64-1)},
	{name: "unknown frame flags", send: goodGreeting() + ready() + "\xf8\x01x"},
	{name: "a command without a name", send: goodGreeting() + ready() + frame(flagCommand, "")},
	{name: "frames without end", send: goodGreeting() + ready() + strings.Repeat(frame(flagMore, ""), requestLimits.frames+1)},
	{name: "a frame announced and not sent", send: goodGreeting() + ready() + longHeader(0, 1<<30), stay: true},
}

// ready is READY of a socket that goes with ROUTER.
func ready() string {
	return frame(flagCommand, "\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER\x08Identity\x00\x00\x00\x00")
}

// TestAttacks makes each attack on each channel. Where the connection should end it does; then a client works as ever.
func TestAttacks(t *testing.T) {
	for _, attack := range attacks {
		t.Run(attack.name, func(t *testing.T) {
			tr := start(t, Options{})
			go serve(t, tr)
			for _, ch := range wire.Channels() {
				conn := raw(t, tr, ch)
				// The other side may be gone before all is written: that is the point.
				_, _ = conn.Write([]byte(attack.send))
				if !attack.stay {
					ended(t, conn)
				}
			}
			checkHealthy(t, tr)
		})
	}
}

// checkHealthy uses all channels as a client does.
func checkHealthy(t *testing.T, tr *Transport) {
	t.Helper()
	dial(t, tr, wire.Shell, "me").ask("1+1")
	hb := dial(t, tr, wire.Heartbeat, "")
	hb.frames("ping")
	if got, err := hb.recvFrames(); err != nil || string(got[0]) != "ping" {
		t.Fatalf("heartbeat: got %q, %v", got, err)
	}
	sub := dial(t, tr, wire.IOPub, "").subscribe("")
	if err := tr.Publish(context.Background(), "stream", line(t, tr, 5)); err != nil {
		t.Fatal(err)
	}
	if got := lineNumber(t, sub.recv()); got != 5 {
		t.Fatalf("got line %d, want 5", got)
	}
	control := dial(t, tr, wire.Control, "me")
	control.send(nil, wire.InterruptRequest{})
	r := receive(t, tr, wire.Control)
	if err := tr.Reply(r, message(t, tr, r.Message, wire.InterruptReply{})); err != nil {
		t.Fatal(err)
	}
	control.recv()
	dial(t, tr, wire.Stdin, "me")
}

// TestSilentConnections opens more silent connections to each channel than may be in their handshake: a client gets
// through.
func TestSilentConnections(t *testing.T) {
	tr := start(t, Options{})
	go serve(t, tr)
	for _, ch := range wire.Channels() {
		for range maxPending + 10 {
			raw(t, tr, ch)
		}
	}
	checkHealthy(t, tr)
}

// TestHandshakeDeadline closes connections that do not become peers in time, and only those.
func TestHandshakeDeadline(t *testing.T) {
	tr := start(t, Options{handshake: 50 * time.Millisecond})
	go serve(t, tr)
	early := dial(t, tr, wire.Shell, "")
	for _, send := range []string{"", goodGreeting()[:10], goodGreeting(), goodGreeting() + ready()[:5]} {
		conn := raw(t, tr, wire.Shell)
		if _, err := conn.Write([]byte(send)); err != nil {
			t.Fatal(err)
		}
		ended(t, conn)
	}
	early.ask("after the deadline") // it does not hold for peers
}

// TestAnnouncedMemory announces 100 GiB on a hundred connections: memory follows what comes.
func TestAnnouncedMemory(t *testing.T) {
	tr := start(t, Options{})
	go serve(t, tr)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		conn := raw(t, tr, wire.Shell)
		if _, err := conn.Write([]byte(goodGreeting() + ready() + longHeader(0, 1<<30) + "some")); err != nil {
			t.Fatal(err)
		}
	}
	checkHealthy(t, tr)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 256<<20 {
		t.Errorf("%d MiB were allocated", got>>20)
	}
}

// TestStoppedShellClient has a client send many requests and read nothing, as a suspended one does. The kernel must
// stop reading from it. A second client is answered meanwhile; when the first reads again it finds all replies, in
// order.
func TestStoppedShellClient(t *testing.T) {
	requests := 8_000 // of 4 KB: more than the system's buffers and all queues hold
	if long() {
		requests = 200_000
	}
	code := func(i int) string { return fmt.Sprintf("%d %s", i, strings.Repeat("x", 4000)) }
	tr := start(t, Options{QueueBytes: 1 << 20})
	go serve(t, tr)
	stopped := dial(t, tr, wire.Shell, "stopped")
	sent := make(chan *wire.Message, requests)
	go func() {
		defer close(sent)
		for i := range requests {
			m, err := stopped.sender.New(nil, wire.ExecuteRequest{Code: code(i)})
			if err != nil {
				t.Error(err)
				return
			}
			stopped.sendMessage(m) // blocks while the kernel does not read on
			sent <- m
		}
	}()
	arrived := awaitHold(t, tr)
	second := dial(t, tr, wire.Shell, "second")
	before := time.Now()
	for range 10 {
		second.ask("at once")
	}
	if took := time.Since(before); took > 2*time.Second {
		t.Errorf("the second client was answered after %v", took)
	}
	if got := tr.Arrived(wire.Shell); got != arrived+10 {
		t.Errorf("%d requests have arrived, want the %d of before and 10", got, arrived)
	}
	for i := range requests {
		stopped.checkAnswer(<-sent, code(i))
	}
}

// awaitHold waits until a peer's queue is full and nothing more arrives on shell, and returns how much has. That
// nothing arrives cannot be waited for, only be seen for a while.
func awaitHold(t *testing.T, tr *Transport) uint64 {
	t.Helper()
	last, since := uint64(0), time.Now()
	for deadline := time.Now().Add(patience); time.Since(since) < time.Second; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("requests keep arriving")
		}
		if n := tr.Arrived(wire.Shell); n != last || tr.fullPeers(wire.Shell) == 0 {
			last, since = n, time.Now()
		}
	}
	return last
}

// fullPeers counts the peers of a channel whose queue is full.
func (t *Transport) fullPeers(ch wire.Channel) int {
	n := 0
	for _, s := range t.sockets {
		if s.channel != ch {
			continue
		}
		s.mu.Lock()
		for p := range s.peers {
			if _, _, full := p.queue.full(); full {
				n++
			}
		}
		s.mu.Unlock()
	}
	return n
}

// TestHeartbeatFlood does not let one who reads no echoes use more than its share, nor disturb others.
func TestHeartbeatFlood(t *testing.T) {
	tr := start(t, Options{})
	go serve(t, tr)
	conn := raw(t, tr, wire.Heartbeat)
	flood := []byte(goodGreeting() + ready() + strings.Repeat(frame(0, strings.Repeat("x", 64<<10)), 16))
	for range 1000 {
		if _, err := conn.Write(flood); err != nil {
			break
		}
		flood = []byte(strings.Repeat(frame(0, strings.Repeat("x", 64<<10)), 16))
	}
	ended(t, conn)
	checkHealthy(t, tr)
}

// TestLastMessages publishes and replies and closes at once, many times: nothing is lost.
func TestLastMessages(t *testing.T) {
	rounds := 50
	if long() {
		rounds = 1000
	}
	const messages = 20
	for range rounds {
		tr, err := Listen(wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "secret"}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sub := dial(t, tr, wire.IOPub, "").subscribe("")
		shell := dial(t, tr, wire.Shell, "")
		for range messages {
			shell.send(nil, wire.ExecuteRequest{}) // most of them stay unread
		}
		r := receive(t, tr, wire.Shell)
		for i := range messages {
			if err := tr.Publish(context.Background(), "stream", line(t, tr, i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := tr.Reply(r, message(t, tr, r.Message, wire.ShutdownReply{})); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			tr.Close(context.Background())
		}()
		for i := range messages {
			if got := lineNumber(t, sub.recv()); got != i {
				t.Fatalf("got line %d, want %d", got, i)
			}
		}
		if got := shell.recv().Header.MsgType; got != "shutdown_reply" {
			t.Fatalf("got %s, want shutdown_reply", got)
		}
		sub.conn.Close()
		shell.conn.Close()
		<-done
		checkGoroutines(t)
	}
}

// TestOrderlyEnd closes while bytes of a client are unread: it must read the end of the stream behind the last message,
// not a reset, which on some systems costs it what it has not read yet.
func TestOrderlyEnd(t *testing.T) {
	tr := start(t, Options{QueueBytes: 1 << 10}) // so that one request is enough to stop reading
	c := dial(t, tr, wire.Shell, "")
	c.send(nil, wire.ExecuteRequest{Code: strings.Repeat("x", 10<<10)})
	r := receive(t, tr, wire.Shell)
	go func() { // goes on sending until the connection ends
		for c.zmq.SendMsg(zmq4.NewMsg(make([]byte, 64<<10))) == nil {
		}
	}()
	if err := tr.Reply(r, message(t, tr, r.Message, wire.ShutdownReply{})); err != nil {
		t.Fatal(err)
	}
	go tr.Close(context.Background())
	if got := c.recv().Header.MsgType; got != "shutdown_reply" {
		t.Errorf("got %s, want shutdown_reply", got)
	}
	if _, err := c.recvFrames(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want the end of the stream", err)
	}
}

// TestCloseIsBounded closes with all kinds of unwilling clients: it takes no longer than Linger and a bit, or than the
// context allows.
func TestCloseIsBounded(t *testing.T) {
	for _, tc := range []struct {
		name    string
		timeout time.Duration // of the context, 0 for none
		most    time.Duration
	}{
		{"linger", 0, 2500 * time.Millisecond},
		{"context", 10 * time.Millisecond, time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tr := start(t, Options{})
			sub := dial(t, tr, wire.IOPub, "").subscribe("") // reads nothing any more
			raw(t, tr, wire.Shell)                           // never greets
			dial(t, tr, wire.Control, "")                    // does not close its side
			m := message(t, tr, nil, wire.Stream{Text: strings.Repeat("x", 1<<20)})
			for range 16 {
				if err := tr.Publish(context.Background(), "stream", m); err != nil {
					t.Fatal(err)
				}
			}
			ctx := context.Background()
			if tc.timeout > 0 {
				var cancel func()
				ctx, cancel = context.WithTimeout(ctx, tc.timeout)
				defer cancel()
			}
			before := time.Now()
			tr.Close(ctx)
			if took := time.Since(before); took > tc.most {
				t.Errorf("took %v", took)
			}
			checkGoroutines(t)
			tr.Close(ctx) // again, and at once
			sub.closed()
		})
	}
}

// TestAllLines publishes many small messages to a subscriber that reads all of them.
func TestAllLines(t *testing.T) {
	lines := 20_000
	if long() {
		lines = 1_000_000
	}
	tr := start(t, Options{})
	sub := dial(t, tr, wire.IOPub, "").subscribe("")
	go func() {
		for i := range lines {
			if err := tr.Publish(context.Background(), "stream", line(t, tr, i)); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for i := range lines {
		if got := lineNumber(t, sub.recv()); got != i {
			t.Fatalf("got line %d, want %d", got, i)
		}
	}
}

// BenchmarkPublish is a small stream message to one subscriber that reads.
func BenchmarkPublish(b *testing.B) {
	tr := start(b, Options{})
	sub := dial(b, tr, wire.IOPub, "").subscribe("")
	go drainConn(sub.conn)
	m := message(b, tr, nil, wire.Stream{Name: "stdout", Text: "line\n"})
	b.ReportAllocs()
	for b.Loop() {
		if err := tr.Publish(context.Background(), "stream", m); err != nil {
			b.Fatal(err)
		}
	}
}

// drainConn reads until the connection ends.
func drainConn(conn net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		if _, err := conn.Read(buf); err != nil {
			return
		}
	}
}

// BenchmarkRoundTrip is a request and its reply on the shell channel.
func BenchmarkRoundTrip(b *testing.B) {
	tr := start(b, Options{})
	go serve(b, tr)
	c := dial(b, tr, wire.Shell, "")
	b.ReportAllocs()
	for b.Loop() {
		c.ask("1+1")
	}
}
