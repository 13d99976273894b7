package transport

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"orthant/kernel/wire"
)

// inputs pairs input_requests with input_replies on the stdin channel.
type inputs struct {
	log *slog.Logger

	mu      sync.Mutex
	peers   []*peer       // stdin connections, oldest first
	changed chan struct{} // closed and replaced when a connection is added
	waiting []*question   // oldest first
}

// A question is an input_request that waits for its reply.
type question struct {
	peer    *peer
	request string        // msg_id of the input_request
	cause   wire.Header   // of the execute_request behind it
	after   time.Duration // how long that had been here
	answer  chan *wire.Message
}

// joined adds a connection. Handshakes that go on at the same time may end in any order.
func (in *inputs) joined(p *peer) {
	in.mu.Lock()
	defer in.mu.Unlock()
	i, _ := slices.BinarySearchFunc(in.peers, p.order, func(q *peer, order uint64) int { return cmp.Compare(q.order, order) })
	in.peers = slices.Insert(in.peers, i, p)
	close(in.changed)
	in.changed = make(chan struct{})
}

func (in *inputs) left(p *peer) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.peers = slices.DeleteFunc(in.peers, func(q *peer) bool { return q == p })
}

// find returns the newest stdin connection with an identity, nil if there is none, and a channel that is closed when
// there may be one. The newest, because a client that reconnects has the identity of a connection that we may not have
// seen die.
func (in *inputs) find(identity string) (*peer, <-chan struct{}) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, p := range slices.Backward(in.peers) {
		if p.identity == identity {
			return p, nil
		}
	}
	return nil, in.changed
}

// await finds the stdin connection of a client, and waits a little for one: a client opens its connections at the
// same time and may have a request served before its stdin handshake is through.
func (in *inputs) await(
	ctx context.Context, client *peer, patience time.Duration, closed <-chan struct{},
) (*peer, error) {
	if !client.named() {
		return nil, ErrNoStdin
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		p, changed := in.find(client.identity)
		if p != nil {
			return p, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return nil, ErrNoStdin
		case <-client.done:
			return nil, ErrGone
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-closed:
			return nil, ErrClosed
		}
	}
}

// ask notes a question.
func (in *inputs) ask(p *peer, req *Request, m *wire.Message) *question {
	q := &question{
		peer: p, request: m.Header.MsgID, cause: req.Message.Header, after: time.Since(req.arrived),
		answer: make(chan *wire.Message, 1),
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.waiting = append(in.waiting, q)
	return q
}

// forget takes a question back.
func (in *inputs) forget(q *question) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.waiting = slices.DeleteFunc(in.waiting, func(x *question) bool { return x == q })
}

// reply gives an input_reply to the oldest question of its connection that it fits.
func (in *inputs) reply(p *peer, m *wire.Message) {
	parent, err := m.Parent()
	in.mu.Lock()
	defer in.mu.Unlock()
	for i, q := range in.waiting {
		if err == nil && q.peer == p && q.fits(m.Header, parent.MsgID) {
			in.waiting = slices.Delete(in.waiting, i, i+1)
			q.answer <- m // has room, and this is the only time
			return
		}
	}
	in.log.Warn("input_reply that nobody waits for", "peer", p.conn.RemoteAddr(), "parent", parent.MsgID, "error", err)
}

// fits reports whether a reply may be the answer. JupyterLab names the input_request as its parent. jupyter_client names nothing,
// so that its reply may be for any question of its connection, or for an earlier one that was taken back since, when the cell was
// interrupted: then it was made before this one was asked.
func (q *question) fits(reply wire.Header, parent string) bool {
	if parent != "" {
		return parent == q.request || parent == q.cause.MsgID
	}
	if reply.SubshellID != "" && reply.SubshellID != q.cause.SubshellID {
		return false
	}
	return !q.precededBy(reply)
}

// clockResolution is how exact the dates of a client are, which are milliseconds or better.
const clockResolution = 10 * time.Millisecond

// precededBy reports whether a reply was certainly made before the question was asked. The client's clock may differ from ours,
// but not in how much time goes by: between its execute_request and an answer at least what went by here between that request and
// the question. A clock that counts whole seconds or stands still says nothing.
func (q *question) precededBy(reply wire.Header) bool {
	sent, made := q.cause.Time(), reply.Time()
	if sent.IsZero() || made.IsZero() || sent.Equal(made) || sent.Nanosecond() == 0 || made.Nanosecond() == 0 {
		return false
	}
	return made.Sub(sent) < q.after-clockResolution
}
