package transport

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/wire"
)

// maxTopics is how many different prefixes one subscriber may ask for. Jupyter clients ask for one, the empty one.
const maxTopics = 1024

// A publisher is the IOPub side: who subscribes to what, and the one order of what is published.
//
// Its mutex is the order. It is never held while something blocks.
type publisher struct {
	codec  *wire.Codec
	sender *wire.Sender
	stall  time.Duration
	log    *slog.Logger

	mu          sync.Mutex
	subscribers map[*peer]topics
	any         chan struct{} // closed when there has been a subscriber
}

// topics counts the subscriptions of one peer by prefix: two subscriptions and one cancellation leave one.
type topics map[string]int

// match reports whether a topic begins with one of the prefixes.
func (t topics) match(topic string) bool {
	for prefix := range t {
		if strings.HasPrefix(topic, prefix) {
			return true
		}
	}
	return false
}

// publish sends a message to all who subscribe to its topic. Before that it waits for those whose queue is full, each
// until it has room, is dropped for not reading, or ctx is done.
func (b *publisher) publish(ctx context.Context, topic string, frames [][]byte) {
	var lost []*peer
	for _, p := range b.full(topic) {
		if !p.waitRoom(ctx, b.stall) {
			lost = append(lost, p)
		}
	}
	b.report(lost)
	b.report(b.enqueue(topic, frames))
}

// enqueue queues a message for its subscribers and returns those who lost their connection over it.
func (b *publisher) enqueue(topic string, frames [][]byte) (lost []*peer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for p, t := range b.subscribers {
		if t.match(topic) && p.send(frames) == errQueueFull {
			lost = append(lost, p)
		}
	}
	return lost
}

// report logs who lost the connection; not under the mutex, because a logger may block.
func (b *publisher) report(lost []*peer) {
	for _, p := range lost {
		b.log.Warn("subscriber takes too little or asks too much; connection closed", "peer", p.conn.RemoteAddr())
	}
}

// full returns the subscribers of a topic whose queues are full.
func (b *publisher) full(topic string) []*peer {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []*peer
	for p, t := range b.subscribers {
		if _, _, full := p.queue.full(); full && t.match(topic) {
			out = append(out, p)
		}
	}
	return out
}

// message is a subscription as ZMTP 3.0 sends it: one frame, 1 or 0 and the prefix.
func (b *publisher) message(p *peer, frames [][]byte) {
	if len(frames) != 1 || len(frames[0]) == 0 {
		return // XSUB clients may send anything upstream; nobody here reads it
	}
	prefix := string(frames[0][1:])
	switch frames[0][0] {
	case 1:
		b.subscribe(p, prefix)
	case 0:
		b.cancel(p, prefix)
	}
}

// command is a subscription as ZMTP 3.1 sends it.
func (b *publisher) command(p *peer, name string, data []byte) {
	switch name {
	case zmq4.CmdSubscribe:
		b.subscribe(p, string(data))
	case zmq4.CmdCancel:
		b.cancel(p, string(data))
	}
}

// subscribe notes a subscription. The first one of a prefix is answered with a welcome, to that peer and nobody else;
// everything that is published later and matches comes after the welcome.
func (b *publisher) subscribe(p *peer, prefix string) {
	welcome := b.welcome(prefix)
	if !b.add(p, prefix, welcome) {
		p.close()
		b.report([]*peer{p})
	}
}

// add counts a subscription and queues the welcome for a new one. It reports whether the peer stays within bounds.
func (b *publisher) add(p *peer, prefix string, welcome [][]byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.subscribers[p]
	if t == nil {
		t = make(topics)
		b.subscribers[p] = t
	}
	if t[prefix] == 0 && len(t) >= maxTopics {
		return false
	}
	t[prefix]++
	select {
	case <-b.any:
	default:
		close(b.any)
	}
	return t[prefix] > 1 || welcome == nil || p.send(welcome) != errQueueFull
}

// welcome returns the frames of iopub_welcome (JEP 65). There is none for a prefix that JSON cannot hold.
func (b *publisher) welcome(prefix string) [][]byte {
	if !utf8.ValidString(prefix) {
		return nil
	}
	m, err := b.sender.New(nil, wire.IOPubWelcome{Subscription: prefix})
	if err == nil {
		m.Identities = [][]byte{[]byte(prefix)}
		var frames [][]byte
		if frames, err = b.codec.Encode(m); err == nil {
			return frames
		}
	}
	b.log.Error("no welcome", "error", err) // a string in a struct always encodes; this is for readers of logs only
	return nil
}

// cancel takes back one subscription.
func (b *publisher) cancel(p *peer, prefix string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.subscribers[p]
	if t == nil || t[prefix] == 0 {
		return
	}
	if t[prefix]--; t[prefix] == 0 {
		delete(t, prefix)
	}
}

// left forgets a peer.
func (b *publisher) left(p *peer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.subscribers, p)
}
