package transport

import (
	"net"
	"slices"
	"testing"
	"time"

	"orthant/kernel/wire"
)

// pendingClients returns the addresses of the connections in their handshake, oldest first, as the socket sees them.
func pendingClients(s *socket) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for e := s.pending.Front(); e != nil; e = e.Next() {
		out = append(out, e.Value.(net.Conn).RemoteAddr().String())
	}
	return out
}

// TestPendingInOrder opens silent connections: they are noted in the order in which they came, so that it is the oldest
// that has to go when there are too many.
func TestPendingInOrder(t *testing.T) {
	tr := start(t, Options{})
	s := tr.sockets[slices.IndexFunc(tr.sockets, func(s *socket) bool { return s.channel == wire.Shell })]
	var want []string
	for range maxPending {
		want = append(want, raw(t, tr, wire.Shell).LocalAddr().String())
	}
	deadline := time.Now().Add(patience)
	for len(pendingClients(s)) < len(want) {
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are pending, want %d", len(pendingClients(s)), len(want))
		}
		time.Sleep(time.Millisecond) // nothing tells a client that it was accepted
	}
	if got := pendingClients(s); !slices.Equal(got, want) {
		t.Errorf("got %v, want the order of connecting %v", got, want)
	}
}
