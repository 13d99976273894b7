package transport

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// A peer is one established connection with its queue. Two connections with the same identity are two peers.
type peer struct {
	conn     net.Conn
	guard    *guard
	zmq      *zmq4.Conn
	order    uint64 // grows from connection to connection of a socket
	identity string // as the client announced it, or made up: then it begins with a zero byte
	queue    *queue
	flushed  chan struct{} // closed when the writer has ended
	done     chan struct{} // closed when the connection is closed
	once     sync.Once

	inbound int           // bytes of requests not yet released; the inbox guards it
	read    chan struct{} // has room for one token: inbound has shrunk
}

// anonymous counts the identities that were made up.
type anonymous struct{ n atomic.Uint64 }

// next returns an identity that no client can announce: ZMTP reserves a first byte of zero for the side that makes them
// up.
func (a *anonymous) next() string {
	return string(binary.BigEndian.AppendUint64([]byte{0}, a.n.Add(1)))
}

// named reports whether the client announced its identity.
func (p *peer) named() bool { return !strings.HasPrefix(p.identity, "\x00") }

// handshake makes a peer of a connection. It returns within s.handshakeTimeout. The connection is the caller's to close
// when it fails.
func (s *socket) handshake(conn net.Conn) (p *peer, err error) {
	defer func() {
		// zmq4 v0.17.0 indexes out of range on a READY whose last property is cut short (protocol.go, Property.Write),
		// and panics on socket types that it does not know.
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("transport: handshake: %v", r)
		}
	}()
	if err := conn.SetDeadline(time.Now().Add(s.handshakeTimeout)); err != nil {
		return nil, err
	}
	g := newGuard(conn, s.limits)
	z, err := zmq4.Open(g, null.Security(), s.kind, nil, true, nil)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	p = &peer{
		conn: conn, guard: g, zmq: z,
		identity: z.Peer.Meta["Identity"],
		queue:    newQueue(s.queueBytes),
		flushed:  make(chan struct{}),
		done:     make(chan struct{}),
		read:     make(chan struct{}, 1),
	}
	if p.identity == "" || p.identity[0] == 0 {
		p.identity = s.anonymous.next()
	}
	g.established(func(name string, data []byte) error { return s.onCommand(p, name, data) })
	return p, nil
}

// receive returns the frames of the next message.
func (p *peer) receive() (frames [][]byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("transport: receive: %v", r)
		}
	}()
	msg, err := p.zmq.RecvMsg()
	return msg.Frames, err
}

// write runs until the queue or the connection ends. When the queue was finished, the peer reads the end of the stream
// after the last message.
func (p *peer) write() {
	defer close(p.flushed)
	if err := drain(p.conn, p.queue); err != nil {
		p.close()
		return
	}
	if half, ok := p.conn.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
		p.close()
	}
}

// send queues a message, or closes the connection of a peer that has let too much pile up.
func (p *peer) send(frames [][]byte) error {
	err := p.queue.push(item{frames: frames})
	if err == errQueueFull {
		p.close()
	}
	return err
}

// waitRoom waits while the peer's queue is full and ctx is not done. A peer that does not read for stall loses its
// connection; then it returns false.
func (p *peer) waitRoom(ctx context.Context, stall time.Duration) bool {
	for {
		room, idle, full := p.queue.full()
		if !full {
			return true
		}
		if idle >= stall {
			p.close()
			return false
		}
		timer := time.NewTimer(stall - idle)
		select {
		case <-room:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return true
		}
		timer.Stop()
	}
}

// close ends the connection and drops what waits for it. It does not block.
func (p *peer) close() {
	p.once.Do(func() {
		p.queue.abort()
		p.conn.Close() // nobody can do anything about an error here
		close(p.done)
	})
}
