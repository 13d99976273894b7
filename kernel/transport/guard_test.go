package transport

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A recording is a net.Conn that plays bytes and swallows what is written.
type recording struct {
	net.Conn // nil: what the guard must not use panics
	io.Reader
}

func (r recording) Read(p []byte) (int, error)       { return r.Reader.Read(p) }
func (r recording) Write(p []byte) (int, error)      { return len(p), nil }
func (r recording) Close() error                     { return nil }
func (r recording) SetDeadline(time.Time) error      { return nil }
func (r recording) SetReadDeadline(time.Time) error  { return nil }
func (r recording) SetWriteDeadline(time.Time) error { return nil }

// play returns a guard in front of data, past the greeting and the handshake.
func play(data []byte, l limits) (*guard, *[]string) {
	var commands []string
	g := newGuard(recording{Reader: bytes.NewReader(data)}, l)
	g.greeting, g.handshaken = 0, true
	g.established(func(name string, data []byte) error {
		commands = append(commands, fmt.Sprintf("%s %q", name, data))
		return nil
	})
	return g, &commands
}

// frame returns the bytes of one frame.
func frame(flags byte, body string) string {
	var buf bytes.Buffer
	w := bufio.NewWriter(&buf)
	if err := writeFrame(w, flags, []byte(body)); err != nil {
		panic(err)
	}
	w.Flush()
	return buf.String()
}

// longHeader returns a frame header with an 8-byte size, and no body.
func longHeader(flags byte, size uint64) string {
	return string(binary.BigEndian.AppendUint64([]byte{flags | flagLong}, size))
}

var testLimits = limits{message: 4 << 20, frames: 3, command: 64}

func TestGuard(t *testing.T) {
	big := strings.Repeat("x", 3<<20)
	for _, tc := range []struct {
		name     string
		in       string
		want     string // what zmq4 reads
		commands []string
		refused  string // part of the guard's error; "" means that the stream ends by itself
	}{
		{name: "nothing"},
		{name: "one frame", in: frame(0, "abc"), want: frame(0, "abc")},
		{name: "empty frame", in: frame(0, ""), want: frame(0, "")},
		{name: "255 and 256 bytes", in: frame(1, big[:255]) + frame(0, big[:256]), want: frame(1, big[:255]) + frame(0, big[:256])},
		{name: "long header for a short frame", in: longHeader(0, 2) + "ab", want: longHeader(0, 2) + "ab"},
		{name: "a frame that is collected first", in: frame(1, big) + frame(0, "x"), want: frame(1, big) + frame(0, "x")},
		{name: "commands are taken out", in: frame(4, "\x04PINGttctx") + frame(0, "a") + frame(4, "\x09SUBSCRIBE"), want: frame(0, "a"),
			commands: []string{`PING "ttctx"`, `SUBSCRIBE ""`}},
		{name: "a command within a message", in: frame(1, "a") + frame(4, "\x04PING") + frame(0, "b"), want: frame(1, "a") + frame(0, "b"), commands: []string{`PING ""`}},
		{name: "unknown flags", in: "\x08\x00", refused: "frame flags 0x8"},
		{name: "all flags", in: strings.Repeat("\xff", maxHeader), refused: "frame flags 0xff"},
		{name: "length 2^36", in: longHeader(0, 1<<36), refused: "message of more than"},
		{name: "length 2^62", in: longHeader(0, 1<<62), refused: "message of more than"},
		{name: "length 2^64-1", in: longHeader(0, 1<<64-1), refused: "message of more than"},
		{name: "lengths whose sum overflows", in: frame(1, "a") + longHeader(0, 1<<64-1), want: frame(1, "a"), refused: "message of more than"},
		{name: "frames that are too large together", in: frame(1, big) + frame(0, big), want: frame(1, big), refused: "message of more than"},
		{name: "as many frames as allowed, twice", in: strings.Repeat(frame(1, "")+frame(1, "")+frame(0, ""), 2), want: strings.Repeat(frame(1, "")+frame(1, "")+frame(0, ""), 2)},
		{name: "too many frames", in: strings.Repeat(frame(1, ""), 4), want: strings.Repeat(frame(1, ""), 3), refused: "message of more than 3 frames"},
		{name: "a command that goes on", in: frame(5, "\x04PING"), refused: "command of"},
		{name: "a long command", in: frame(4, "\x04PING"+big[:100]), refused: "command of"},
		{name: "a command without a name", in: frame(4, ""), refused: "command without a name"},
		{name: "a command whose name is cut", in: frame(4, "\x05PING"), refused: "command without a name"},
		{name: "a header that is cut", in: "\x02\x00\x00"},
		{name: "a body that is cut", in: frame(0, "abcd")[:4], want: frame(0, "abcd")[:4]},
		{name: "a collected body that is cut", in: frame(0, big)[:1<<20]},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g, commands := play([]byte(tc.in), testLimits)
			got, err := io.ReadAll(readerOf(g))
			if string(got) != tc.want {
				t.Errorf("got %d bytes %.40q, want %d bytes %.40q", len(got), got, len(tc.want), tc.want)
			}
			if fmt.Sprint(*commands) != fmt.Sprint(tc.commands) {
				t.Errorf("commands: got %v, want %v", *commands, tc.commands)
			}
			switch {
			case tc.refused == "" && refused(err):
				t.Errorf("got %v, want no refusal", err)
			case tc.refused != "" && (!refused(err) || !errors.Is(err, io.EOF) || !strings.Contains(err.Error(), tc.refused)):
				t.Errorf("got %v, want a refusal with %q that wraps io.EOF", err, tc.refused)
			}
		})
	}
}

// readerOf hides a guard's other methods and gives its errors as they are: io.ReadAll would take errors that are
// io.EOF for the end, but not those that wrap it.
func readerOf(g *guard) io.Reader { return struct{ io.Reader }{g} }

// TestGuardHandshake allows one command of bounded size behind the greeting.
func TestGuardHandshake(t *testing.T) {
	greeting := strings.Repeat("g", greetingSize)
	ready := frame(flagCommand, "\x05READY")
	for _, tc := range []struct {
		name, in, want string
		refused        bool
	}{
		{"READY", greeting + ready, greeting + ready, false},
		{"half a greeting", greeting[:10], greeting[:10], false},
		{"a message", greeting + frame(0, "x"), greeting, true},
		{"READY that goes on", greeting + frame(flagCommand|flagMore, "\x05READY"), greeting, true},
		{"READY of 64 KiB and one", greeting + longHeader(flagCommand, handshakeLimit+1), greeting, true},
		{"READY of 2^40", greeting + longHeader(flagCommand, 1<<40), greeting, true},
		{"READY twice", greeting + ready + ready, greeting + ready, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := newGuard(recording{Reader: strings.NewReader(tc.in)}, testLimits)
			got, err := io.ReadAll(readerOf(g))
			if string(got) != tc.want || refused(err) != tc.refused {
				t.Fatalf("got %q, %v, want %q, refused %v", got, err, tc.want, tc.refused)
			}
		})
	}
}

// FuzzGuard plays any stream to the guard: what zmq4 would read is a sequence of acceptable frames, whose last may be
// cut, and it is the stream without its commands.
func FuzzGuard(f *testing.F) {
	f.Add([]byte(frame(1, "a") + frame(0, "b")))
	f.Add([]byte(frame(4, "\x04PINGttctx") + frame(0, "a") + frame(4, "\x00") + frame(0, "")))
	f.Add([]byte(frame(1, "a") + frame(4, "\x04PING") + frame(0, "b")))
	f.Add([]byte(longHeader(0, 1<<62)))
	f.Add([]byte(longHeader(1, 300) + strings.Repeat("x", 300) + "\x00\x00"))
	f.Add([]byte(strings.Repeat(frame(1, ""), 5)))
	f.Add([]byte("\xff\xff"))
	small := limits{message: 4096, frames: 4, command: 32}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, _ := play(data, small)
		got, err := io.ReadAll(readerOf(g))
		if err != nil && !refused(err) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("unexpected error %v", err)
		}
		if len(got) > len(data) {
			t.Fatalf("%d bytes came out of %d", len(got), len(data))
		}
		frames, size := 0, uint64(0)
		for r := bytes.NewReader(got); r.Len() > 0; {
			h, _, err := readHeader(r, nil)
			if err != nil {
				t.Fatalf("cut header in %q", got)
			}
			frames++
			size += h.size
			if h.flags&^knownFlags != 0 || h.command() || frames > small.frames || size > small.message {
				t.Fatalf("flags %#x, frame %d, %d bytes got through", h.flags, frames, size)
			}
			if !h.more() {
				frames, size = 0, 0
			}
			if n, _ := r.Seek(int64(min(h.size, uint64(r.Len()))), io.SeekCurrent); n > int64(len(got)) {
				t.Fatal("beyond the end")
			}
		}
		// The same through zmq4, which must neither panic nor take memory for what did not come.
		z, _ := play(data, small)
		for p := (&peer{zmq: zmqOver(z)}); ; {
			frames, err := p.receive()
			if err != nil {
				if strings.Contains(err.Error(), "transport: receive:") {
					t.Fatal(err) // recovered panic
				}
				return
			}
			if len(frames) == 0 || len(frames) > small.frames {
				t.Fatalf("message of %d frames", len(frames))
			}
		}
	})
}

// zmqOver returns a zmq4 connection that reads from a guard past its handshake.
func zmqOver(g *guard) *zmq4.Conn {
	over := &handshaken{guard: g}
	z, err := zmq4.Open(over, readySecurity{}, zmq4.Router, nil, true, nil)
	if err != nil {
		panic(err)
	}
	return z
}

// handshaken plays a good greeting before what its guard reads.
type handshaken struct {
	*guard
	greeted int
}

func (h *handshaken) Read(p []byte) (int, error) {
	if h.greeted < greetingSize {
		n := copy(p, goodGreeting()[h.greeted:])
		h.greeted += n
		return n, nil
	}
	return h.guard.Read(p)
}

// goodGreeting is what a ZMTP 3.0 client with the NULL mechanism sends first.
func goodGreeting() string {
	g := make([]byte, greetingSize)
	g[0], g[9], g[10] = 0xff, 0x7f, 3
	copy(g[12:], "NULL")
	return string(g)
}

// readySecurity is the NULL mechanism with the handshake done.
type readySecurity struct{}

func (readySecurity) Type() zmq4.SecurityType { return zmq4.NullSecurity }
func (readySecurity) Handshake(c *zmq4.Conn, _ bool) error {
	c.Peer.Meta["Socket-Type"] = string(zmq4.Dealer)
	return nil
}
func (readySecurity) Encrypt(w io.Writer, data []byte) (int, error) { return w.Write(data) }
func (readySecurity) Decrypt(w io.Writer, data []byte) (int, error) { return w.Write(data) }

// FuzzHandshake plays any stream to the whole handshake: it ends with an error or a peer, never with a panic that
// gets out.
func FuzzHandshake(f *testing.F) {
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER\x08Identity\x00\x00\x00\x02me"
	f.Add([]byte(goodGreeting() + frame(flagCommand, ready)))
	f.Add([]byte(goodGreeting() + frame(flagCommand, ready[:len(ready)-7])))
	f.Add([]byte(goodGreeting() + frame(flagCommand, "\x05READY\xff")))
	f.Add([]byte(goodGreeting() + frame(flagCommand, "\x05READY\x0bSocket-Type\x00\x00\x00\x06NOSUCH")))
	f.Add([]byte(goodGreeting() + frame(flagCommand, "\x05ERROR\x00")))
	f.Add([]byte(goodGreeting()[:32]))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &socket{kind: zmq4.Router, limits: testLimits, queueBytes: 1024}
		p, err := s.handshake(recording{Reader: bytes.NewReader(data)})
		if (p == nil) == (err == nil) {
			t.Fatalf("got peer %v and error %v", p, err)
		}
		if p != nil && p.identity == "" {
			t.Fatal("a peer without identity")
		}
	})
}
