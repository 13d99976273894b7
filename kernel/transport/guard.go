package transport

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
)

// greetingSize is the length of a ZMTP greeting, which precedes all frames.
const greetingSize = 64

// announcedBody is the longest frame body for which memory is set aside on the word of its header. A longer one is
// collected first, so that memory follows the bytes that have come and not the bytes that were announced.
const announcedBody = 1 << 20

// limits say how much a peer may send.
type limits struct {
	message uint64 // bytes of one message, all frames together
	frames  int    // frames of one message
	command uint64 // bytes of one command
}

// handshakeLimit bounds the one frame that a peer may send before the handshake is done (READY or ERROR).
const handshakeLimit = 64 << 10

// errGuard is what a peer did that ends its connection. It wraps io.EOF, by which zmq4 marks a Conn closed.
var errGuard = fmt.Errorf("transport: refused: %w", io.EOF)

// A guard is a net.Conn that stands between a connection and zmq4. zmq4 v0.17.0 believes what a frame header says: a
// length of 2^62 ends the process. The guard reads each header first and ends the connection if it is not acceptable,
// so that zmq4 sees well-formed frames of bounded size only.
//
// After the handshake it also takes the commands out of the stream and hands them to onCommand: zmq4 would answer
// PING by writing to the connection itself, in the middle of what our writer writes, and spoils a message within
// which libzmq sends one.
//
// Read must be called by one goroutine at a time.
type guard struct {
	net.Conn
	r *bufio.Reader

	limits    limits
	onCommand func(name string, data []byte) error // nil during the handshake

	greeting int    // bytes of greeting still to come
	header   []byte // of the current frame, not yet read by zmq4
	body     uint64 // bytes of the current frame still to come, header apart
	whole    []byte // the current frame's body when it was collected first, not yet read by zmq4

	handshaken bool   // the one frame of the handshake was seen
	size       uint64 // of the current message so far
	frames     int    // of the current message so far
}

func newGuard(conn net.Conn, l limits) *guard {
	return &guard{Conn: conn, r: bufio.NewReaderSize(conn, 64<<10), limits: l, greeting: greetingSize}
}

// established ends the handshake: messages are allowed now, and commands go to onCommand.
func (g *guard) established(onCommand func(name string, data []byte) error) { g.onCommand = onCommand }

// Read returns bytes of the greeting, then of acceptable frames.
func (g *guard) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if g.greeting > 0 {
		n, err := g.r.Read(p[:min(len(p), g.greeting)])
		g.greeting -= n
		return n, err
	}
	for len(g.header) == 0 && g.body == 0 && len(g.whole) == 0 {
		if err := g.next(); err != nil {
			return 0, err
		}
	}
	if len(g.header) > 0 {
		n := copy(p, g.header)
		g.header = g.header[n:]
		return n, nil
	}
	if len(g.whole) > 0 {
		n := copy(p, g.whole)
		if g.whole = g.whole[n:]; len(g.whole) == 0 {
			g.whole = nil
		}
		return n, nil
	}
	n, err := g.r.Read(p[:min(uint64(len(p)), g.body)])
	g.body -= uint64(n)
	return n, err
}

// next reads the header of the next frame and decides on it. It deals with a command itself.
func (g *guard) next() error {
	h, raw, err := readHeader(g.r, g.header[:0])
	if err != nil {
		return err
	}
	if h.flags&^knownFlags != 0 {
		return refuse("frame flags %#x", h.flags)
	}
	switch {
	case g.onCommand == nil:
		err = g.checkHandshake(h)
	case h.command():
		return g.command(h)
	default:
		err = g.checkMessage(h)
	}
	if err != nil {
		return err
	}
	if h.size > announcedBody {
		if g.whole, err = collect(g.r, h.size); err != nil {
			return err
		}
		h.size = 0
	}
	g.header, g.body = raw, h.size
	return nil
}

// checkHandshake allows one frame, a command of bounded size.
func (g *guard) checkHandshake(h frameHeader) error {
	switch {
	case g.handshaken:
		return refuse("more than one frame in the handshake")
	case !h.command() || h.more():
		return refuse("handshake frame with flags %#x", h.flags)
	case h.size > handshakeLimit:
		return refuse("handshake frame of %d bytes", h.size)
	}
	g.handshaken = true
	return nil
}

// checkMessage counts the frame into the current message.
func (g *guard) checkMessage(h frameHeader) error {
	// h.size is compared alone first: the sum could overflow.
	if h.size > g.limits.message || g.size+h.size > g.limits.message {
		return refuse("message of more than %d bytes", g.limits.message)
	}
	g.size += h.size
	if g.frames++; g.frames > g.limits.frames {
		return refuse("message of more than %d frames", g.limits.frames)
	}
	if !h.more() {
		g.size, g.frames = 0, 0
	}
	return nil
}

// command reads a command and hands it over. libzmq may send one between the frames of a message.
func (g *guard) command(h frameHeader) error {
	if h.more() || h.size > g.limits.command {
		return refuse("command of %d bytes with flags %#x", h.size, h.flags)
	}
	body := make([]byte, h.size)
	if _, err := io.ReadFull(g.r, body); err != nil {
		return err
	}
	if len(body) == 0 || int(body[0]) >= len(body) {
		return refuse("command without a name")
	}
	name, data := body[1:1+body[0]], body[1+body[0]:]
	return g.onCommand(string(name), data)
}

// collect reads n bytes into memory that grows with what has come.
func collect(r io.Reader, n uint64) ([]byte, error) {
	var buf bytes.Buffer
	_, err := io.CopyN(&buf, r, int64(n))
	return buf.Bytes(), err
}

// refuse returns an error that ends the connection.
func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errGuard}, args...)...)
}

// refused reports whether an error is the guard's, rather than the connection's.
func refused(err error) bool { return errors.Is(err, errGuard) }
