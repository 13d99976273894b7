package transport

import (
	"context"
	"sync"
	"time"
)

// requestOverhead is what a waiting request costs beside its bytes, roughly.
const requestOverhead = 1 << 10

// An inbox holds the requests of one channel that nobody has received yet, in their order of arrival. What one client may
// have waiting, here and with the receiver until that releases it, is bounded: a client is not read from while it is over
// its share, so that ZeroMQ and TCP hold it back at its own side.
type inbox struct {
	share  int             // bytes of one peer
	closed <-chan struct{} // ends all waiting

	mu      sync.Mutex
	waiting []*Request
	arrived uint64
	wake    chan struct{} // has room for one token: there may be a request
}

func newInbox(share int, closed <-chan struct{}) *inbox {
	return &inbox{share: share, closed: closed, wake: make(chan struct{}, 1)}
}

// put adds a request, then waits while its peer is over its share.
func (b *inbox) put(r *Request) {
	b.mu.Lock()
	b.arrived++
	r.Seq, r.arrived = b.arrived, time.Now()
	b.waiting = append(b.waiting, r)
	r.peer.inbound += r.size
	over := r.peer.inbound > b.share
	b.signal()
	b.mu.Unlock()
	for over {
		select {
		case <-r.peer.read:
		case <-r.peer.done:
			return
		case <-b.closed:
			return
		}
		b.mu.Lock()
		over = r.peer.inbound > b.share
		b.mu.Unlock()
	}
}

// get returns the next request, waiting for one until ctx is done or the inbox is closed.
func (b *inbox) get(ctx context.Context) (*Request, error) {
	for {
		select {
		case <-b.closed: // first of all: what is left is not served any more
			return nil, ErrClosed
		default:
		}
		if r := b.pop(); r != nil {
			return r, nil
		}
		select {
		case <-b.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-b.closed:
			return nil, ErrClosed
		}
	}
}

// pop takes the first request off, nil if there is none.
func (b *inbox) pop() *Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		return nil
	}
	r := b.waiting[0]
	b.waiting[0] = nil
	b.waiting = b.waiting[1:]
	if len(b.waiting) > 0 {
		b.signal() // for another goroutine that waits
	}
	return r
}

// release takes a received request off its peer's share.
func (b *inbox) release(r *Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r.peer.inbound -= r.size
	r.size = 0 // so that it counts once
	select {
	case r.peer.read <- struct{}{}:
	default: // its reader has not yet seen the last one
	}
}

// last returns the number of the last request that arrived.
func (b *inbox) last() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.arrived
}

// signal wakes a receiver. b.mu is held.
func (b *inbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}
