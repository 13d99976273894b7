package transport

import (
	"container/list"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/wire"
)

const (
	// maxPending is how many connections may be in their handshake. One more, and the oldest is closed: a real client
	// needs milliseconds, so the oldest is the one that is least likely to be one.
	maxPending = 64
	// Accept fails when the process has no file descriptors left; trying again at once would burn a core.
	acceptBackoff    = 5 * time.Millisecond
	maxAcceptBackoff = time.Second
	// closeGrace is how long a peer that has been sent everything may take to close its side. Closing while bytes of
	// it are unread would reset the connection and cost it the last messages.
	closeGrace = 250 * time.Millisecond
)

// A socket is one listening socket and its peers. What it does with messages is in its hooks, which run in the
// goroutine that reads from the peer.
type socket struct {
	channel    wire.Channel
	kind       zmq4.SocketType
	limits     limits
	queueBytes int
	log        *slog.Logger
	listener   net.Listener
	stop       <-chan struct{} // closed after shut

	handshakeTimeout time.Duration

	joined  func(p *peer)                  // may be nil
	left    func(p *peer)                  // may be nil
	message func(p *peer, frames [][]byte) // a message came
	command func(p *peer, name string, data []byte)

	anonymous anonymous
	closing   atomic.Bool
	wg        sync.WaitGroup // of all goroutines

	mu      sync.Mutex
	pending list.List // of net.Conn, oldest first
	peers   map[*peer]struct{}
}

// start begins to accept connections.
func (s *socket) start() {
	s.peers = make(map[*peer]struct{})
	s.wg.Add(1)
	go s.accept()
}

func (s *socket) accept() {
	defer s.wg.Done()
	backoff := acceptBackoff
	for order := uint64(0); ; order++ {
		conn, err := s.listener.Accept()
		switch {
		case err == nil:
			backoff = acceptBackoff
			// Noted here and not by the goroutine, which would note connections in any order: the youngest could pass for
			// the oldest and be closed for it.
			entry := s.addPending(conn)
			if entry == nil {
				conn.Close()
				continue
			}
			s.wg.Add(1)
			go s.serve(conn, entry, order)
		case s.closing.Load() || errors.Is(err, net.ErrClosed):
			return
		default:
			s.log.Warn("accept failed", "channel", s.channel, "error", err, "retry", backoff)
			select {
			case <-time.After(backoff):
			case <-s.stop:
			}
			backoff = min(2*backoff, maxAcceptBackoff)
		}
	}
}

// serve runs one connection from its handshake to its end; order is its place among all.
func (s *socket) serve(conn net.Conn, entry *list.Element, order uint64) {
	defer s.wg.Done()
	p := s.admit(conn, entry)
	if p == nil {
		conn.Close() // the handshake's error was logged; this one would say nothing new
		return
	}
	p.order = order
	if s.joined != nil {
		s.joined(p)
	}
	err := s.read(p)
	s.remove(p)
	if s.left != nil {
		s.left(p)
	}
	p.close()
	if refused(err) {
		s.log.Warn("connection closed", "channel", s.channel, "peer", conn.RemoteAddr(), "error", err)
		return
	}
	s.log.Debug("connection closed", "channel", s.channel, "peer", conn.RemoteAddr(), "error", err)
}

// admit does the handshake of a pending connection and starts the writer. It returns nil when the connection is not to be served.
func (s *socket) admit(conn net.Conn, entry *list.Element) *peer {
	p, err := s.handshake(conn)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending.Remove(entry)
	if err != nil {
		s.log.Warn("handshake failed", "channel", s.channel, "peer", conn.RemoteAddr(), "error", err)
		return nil
	}
	if s.closing.Load() {
		return nil
	}
	s.peers[p] = struct{}{}
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		p.write()
	}()
	return p
}

// addPending notes a connection whose handshake begins, nil when the socket is closing.
func (s *socket) addPending(conn net.Conn) *list.Element {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return nil
	}
	if s.pending.Len() >= maxPending {
		// Its handshake fails with this and takes the entry off the list.
		oldest := s.pending.Front()
		s.pending.MoveToBack(oldest)
		oldest.Value.(net.Conn).Close()
	}
	return s.pending.PushBack(conn)
}

// read hands over messages until the connection ends.
func (s *socket) read(p *peer) error {
	for {
		frames, err := p.receive()
		if err != nil {
			return err
		}
		if s.closing.Load() || len(frames) == 0 {
			continue // while closing, reading goes on only to see the peer close
		}
		s.message(p, frames)
	}
}

// onCommand deals with a command that came after the handshake.
func (s *socket) onCommand(p *peer, name string, data []byte) error {
	switch name {
	case zmq4.CmdPing:
		// PING is a time to live of two bytes and a context that goes back with PONG (https://rfc.zeromq.org/spec/37/).
		context := data[min(2, len(data)):]
		if err := p.queue.push(item{command: zmq4.CmdPong, frames: [][]byte{context}}); err == errQueueFull {
			return err
		}
		return nil
	case zmq4.CmdError:
		return refuse("peer reports an error: %q", data)
	}
	if s.command != nil {
		s.command(p, name, data)
	}
	return nil
}

func (s *socket) remove(p *peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.peers, p)
}

// shut stops accepting, and lets the writers finish. It does not wait.
func (s *socket) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing.Store(true)
	s.listener.Close()
	for e := s.pending.Front(); e != nil; e = e.Next() {
		e.Value.(net.Conn).Close()
	}
	for p := range s.peers {
		p.queue.finish()
	}
}

// close ends all connections after shut: each when its queue is written and its peer has closed, at the latest when
// deadline is closed. It returns when all goroutines have ended.
func (s *socket) close(deadline <-chan struct{}) {
	s.mu.Lock()
	for p := range s.peers {
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			p.linger(deadline)
		}()
	}
	s.mu.Unlock()
	s.wg.Wait()
}

// linger waits for the writer, then for the peer, and closes the connection.
func (p *peer) linger(deadline <-chan struct{}) {
	defer p.close()
	select {
	case <-p.flushed:
	case <-deadline:
		return
	}
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-p.done:
	case <-grace.C:
	case <-deadline:
	}
}
