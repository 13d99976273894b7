package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/wire"
)

// Errors that callers decide on.
var (
	// ErrClosed is returned when the transport is closed.
	ErrClosed = errors.New("transport: closed")
	// ErrGone is returned when the client that should get a message is no longer connected.
	ErrGone = errors.New("transport: client is gone")
	// ErrNoStdin is returned by Input when the client has no stdin connection.
	ErrNoStdin = errors.New("transport: client has no stdin connection")
	// ErrInUse is wrapped by Listen's error when an address stays in use.
	ErrInUse = errors.New("address is in use by another process")
)

// A Request is a message that came in on shell or control.
type Request struct {
	// Message is the request; its signature was right.
	Message *wire.Message
	// Channel is wire.Shell or wire.Control.
	Channel wire.Channel
	// Seq numbers the requests of a channel in their order of arrival, from 1. See Transport.Arrived.
	Seq uint64

	arrived time.Time // when it did

	peer *peer
	size int // bytes it counts for in the inbox
}

// A Transport is the kernel's side of the five channels. Its methods may be called by any number of goroutines.
type Transport struct {
	info    wire.ConnectionInfo
	opts    Options
	codec   *wire.Codec
	session string

	shell, control *inbox
	inputs         *inputs
	publisher      *publisher
	sockets        []*socket

	closing chan struct{} // closed when Close begins
	closed  chan struct{} // closed when Close has ended
	once    sync.Once
}

// Listen binds the five channels and starts to serve them. Messages that arrive wait until they are received. The
// signature scheme must be known. A tcp port of 0 is replaced by a free one, see Transport.Connection. An address that
// stays in use for Options.BindTimeout is an error that wraps ErrInUse.
func Listen(info wire.ConnectionInfo, opts Options) (*Transport, error) {
	if err := info.Validate(); err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	codec, err := wire.NewCodec(info)
	if err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	if !opts.AcceptReplays {
		codec.RefuseReplays()
	}
	opts = opts.withDefaults()
	t := newTransport(info, codec, opts)
	if err := t.bind(); err != nil {
		return nil, err
	}
	for _, s := range t.sockets {
		s.start()
	}
	return t, nil
}

// newTransport wires the channels up; nothing runs yet.
func newTransport(info wire.ConnectionInfo, codec *wire.Codec, opts Options) *Transport {
	t := &Transport{
		info: info, opts: opts, codec: codec, session: opts.Sender.Session(),
		closing: make(chan struct{}), closed: make(chan struct{}),
		inputs: &inputs{log: opts.Logger, changed: make(chan struct{})},
		publisher: &publisher{
			codec: codec, sender: opts.Sender, stall: opts.StallTimeout, log: opts.Logger,
			subscribers: make(map[*peer]topics), any: make(chan struct{}),
		},
	}
	t.shell = newInbox(opts.QueueBytes, t.closing)
	t.control = newInbox(opts.QueueBytes, t.closing)
	t.sockets = []*socket{
		{channel: wire.Shell, kind: zmq4.Router, limits: requestLimits, message: t.intake(wire.Shell, t.shell)},
		{channel: wire.Control, kind: zmq4.Router, limits: requestLimits, message: t.intake(wire.Control, t.control)},
		{channel: wire.Stdin, kind: zmq4.Router, limits: requestLimits, message: t.answered,
			joined: t.inputs.joined, left: t.inputs.left},
		{channel: wire.IOPub, kind: zmq4.XPub, limits: smallLimits, message: t.publisher.message,
			command: t.publisher.command, left: t.publisher.left},
		{channel: wire.Heartbeat, kind: zmq4.Router, limits: smallLimits, message: echo},
	}
	for _, s := range t.sockets {
		s.log, s.queueBytes, s.stop, s.handshakeTimeout = opts.Logger, opts.QueueBytes, t.closing, opts.handshake
		if s.channel == wire.Heartbeat {
			s.queueBytes = min(opts.QueueBytes, echoQueue)
		}
	}
	return t
}

// bind binds all sockets or none.
func (t *Transport) bind() error {
	deadline := time.Now().Add(t.opts.BindTimeout)
	var bound []net.Listener
	for _, s := range t.sockets {
		l, err := bind(t.info, s.channel, deadline)
		if err != nil {
			for _, b := range bound {
				b.Close() // the error that matters is the one being returned
			}
			return err
		}
		s.listener = l
		bound = append(bound, l)
		if port := portOf(l); port != 0 {
			t.info = t.info.SetPort(s.channel, port)
		}
	}
	return nil
}

// Connection returns where the transport listens: the info given to Listen with the ports it got.
func (t *Transport) Connection() wire.ConnectionInfo { return t.info }

// Receive returns the next request on shell or control, in order of arrival. It waits for one until ctx is done or the
// transport is closed; then it returns ctx's error or ErrClosed.
func (t *Transport) Receive(ctx context.Context, ch wire.Channel) (*Request, error) {
	b, err := t.inbox(ch)
	if err != nil {
		return nil, err
	}
	return b.get(ctx)
}

// Release says that a received request waits no longer: it is being answered. Until then it counts against
// Options.QueueBytes of its client, so that a receiver may queue requests without a bound of its own. Further calls for the
// same request do nothing.
func (t *Transport) Release(req *Request) {
	if b, err := t.inbox(req.Channel); err == nil { // requests come in on channels with an inbox only
		b.release(req)
	}
}

// Arrived returns the Seq of the last request that has arrived on shell or control, received or not. A request with a
// greater Seq arrives later: to drop what is queued at some moment (stop_on_error), note Arrived then and abort the
// requests up to it as they are received.
func (t *Transport) Arrived(ch wire.Channel) uint64 {
	b, err := t.inbox(ch)
	if err != nil {
		return 0
	}
	return b.last()
}

func (t *Transport) inbox(ch wire.Channel) (*inbox, error) {
	switch ch {
	case wire.Shell:
		return t.shell, nil
	case wire.Control:
		return t.control, nil
	}
	return nil, fmt.Errorf("transport: no requests come in on channel %q", ch)
}

// Reply sends m to the client that sent req, on the connection req came from and with its identities. It only queues
// and never waits: a client that does not take its replies is not asked for more requests meanwhile. It returns
// ErrGone when that connection is closed.
func (t *Transport) Reply(req *Request, m *wire.Message) error {
	return t.send(req.peer, m, req.Message.Identities)
}

// send queues m for one peer with identities in front.
func (t *Transport) send(p *peer, m *wire.Message, identities [][]byte) error {
	out := *m
	out.Identities = identities
	frames, err := t.codec.Encode(&out)
	if err != nil {
		return err
	}
	select {
	case <-t.closing:
		return ErrClosed
	default:
	}
	switch err := p.send(frames); err {
	case nil:
		return nil
	case errQueueFull:
		t.opts.Logger.Warn("client does not take its replies; connection closed", "peer", p.conn.RemoteAddr())
	}
	return ErrGone
}

// Subscribed returns a channel that is closed when somebody has subscribed on IOPub for the first time.
func (t *Transport) Subscribed() <-chan struct{} { return t.publisher.any }

// Publish sends m to all clients that subscribe to a prefix of topic; topic is the first frame. All clients see
// published messages in the same order. Publish only queues, unless Options.QueueBytes wait for a client: then it waits
// for room while that client reads, and closes its connection when it reads nothing for Options.StallTimeout. When ctx
// is done (an interrupt, a shutdown) the message is queued without waiting.
func (t *Transport) Publish(ctx context.Context, topic string, m *wire.Message) error {
	out := *m
	out.Identities = [][]byte{[]byte(topic)}
	frames, err := t.codec.Encode(&out)
	if err != nil {
		return err
	}
	select {
	case <-t.closing:
		return ErrClosed
	default:
	}
	t.publisher.publish(ctx, topic, frames)
	return nil
}

// Input sends m, an input_request, to the stdin connection of the client that sent req, and waits for that client's
// input_reply. The client is known by its identity, which its shell and stdin connections share. Replies that came or
// were made before, and that are for another message or subshell, are dropped. The wait ends with ctx's error, with ErrGone when
// the client's stdin or shell connection closes, and with ErrClosed. ErrNoStdin says that there is no such connection.
func (t *Transport) Input(ctx context.Context, req *Request, m *wire.Message) (*wire.Message, error) {
	p, err := t.inputs.await(ctx, req.peer, t.opts.StallTimeout, t.closing)
	if err != nil {
		return nil, err
	}
	q := t.inputs.ask(p, req, m)
	defer t.inputs.forget(q)
	if err := t.send(p, m, nil); err != nil {
		return nil, err
	}
	select {
	case answer := <-q.answer:
		return answer, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.done:
		return nil, ErrGone
	case <-req.peer.done:
		return nil, ErrGone
	case <-t.closing:
		return nil, ErrClosed
	}
}

// Close stops accepting clients and requests, hands over what is queued, at most for Options.Linger and until ctx is
// done, closes all connections and waits for the transport's goroutines. Later calls wait for the first to end. The
// process must not end before Close returns: Receive returns ErrClosed when Close begins.
func (t *Transport) Close(ctx context.Context) {
	t.once.Do(func() {
		defer close(t.closed)
		linger, cancel := context.WithTimeout(ctx, t.opts.Linger)
		defer cancel()
		for _, s := range t.sockets {
			s.shut()
		}
		close(t.closing)
		var wg sync.WaitGroup
		for _, s := range t.sockets {
			wg.Go(func() { s.close(linger.Done()) })
		}
		wg.Wait()
	})
	<-t.closed
}

// intake returns the hook that puts a channel's requests into its inbox.
func (t *Transport) intake(ch wire.Channel, b *inbox) func(p *peer, frames [][]byte) {
	return func(p *peer, frames [][]byte) {
		m := t.decode(ch, p, frames)
		if m == nil {
			return
		}
		size := requestOverhead
		for _, f := range frames {
			size += len(f)
		}
		b.put(&Request{Message: m, Channel: ch, peer: p, size: size})
		t.holdBack(p)
	}
}

// holdBack keeps the reader of a client from reading on while too many replies wait for that client. Nobody else waits
// with it, so there is no hurry: a suspended client finds its replies when it wakes up.
func (t *Transport) holdBack(p *peer) {
	for {
		room, _, full := p.queue.full()
		if !full {
			return
		}
		select {
		case <-room:
		case <-p.done:
			return
		case <-t.closing:
			return
		}
	}
}

// answered is the hook of the stdin channel.
func (t *Transport) answered(p *peer, frames [][]byte) {
	m := t.decode(wire.Stdin, p, frames)
	if m == nil {
		return
	}
	if want := (wire.InputReply{}).MessageType(); m.Header.MsgType != want {
		t.drop(wire.Stdin, p, fmt.Errorf("message type %q, want %s", m.Header.MsgType, want))
		return
	}
	t.inputs.reply(p, m)
}

// decode checks a message; it logs what is wrong with one and returns nil.
func (t *Transport) decode(ch wire.Channel, p *peer, frames [][]byte) *wire.Message {
	m, err := t.codec.Decode(frames)
	if err != nil {
		t.drop(ch, p, err)
		return nil
	}
	if m.Header.Session == t.session {
		// Anybody can subscribe to IOPub without the key, and what is published is signed with it: a comm_msg of ours
		// must not come back as a client's.
		t.drop(ch, p, errors.New("a message of our own"))
		return nil
	}
	return m
}

func (t *Transport) drop(ch wire.Channel, p *peer, reason error) {
	t.opts.Logger.Warn("message dropped", "channel", ch, "peer", p.conn.RemoteAddr(), "error", reason)
}

// echo is the hook of the heartbeat channel. The bytes are not a Jupyter message and not signed.
func echo(p *peer, frames [][]byte) {
	// A peer that is gone does not need its echo, and send has closed one that does not read.
	_ = p.send(frames)
}
