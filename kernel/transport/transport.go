package transport

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"orthant/kernel/wire"
)

// Options are a transport's settings; the zero value is good for a kernel.
type Options struct {
	// Sender makes the messages that the transport itself sends (iopub_welcome); give the kernel's, so that all carry
	// one session id. Nil makes a fresh one.
	Sender *wire.Sender
	// Logger is told what is dropped and why. Nil discards.
	Logger *slog.Logger
	// QueueBytes is how much may wait for one client before those who send to it are slowed down. 0 means 64 MiB.
	QueueBytes int
	// StallTimeout is how long a client with a full queue may take nothing at all before it loses its connection.
	// 0 means 3 s.
	StallTimeout time.Duration
	// Linger bounds the time in which Close hands over what is queued. 0 means 1 s.
	Linger time.Duration
	// BindTimeout is how long Listen tries again while a port is in use: after a restart the old process may still be
	// going. 0 means 2 s.
	BindTimeout time.Duration
	// AcceptReplays accepts a message whose signature was seen before. By default it is dropped: somebody else has
	// copied it.
	AcceptReplays bool
}

// Errors that callers decide on.
var (
	// ErrClosed is returned when the transport is closed.
	ErrClosed = errors.New("transport: closed")
	// ErrGone is returned when the client that should get a message is no longer connected.
	ErrGone = errors.New("transport: client is gone")
	// ErrNoStdin is returned by Input when the client has no stdin connection.
	ErrNoStdin = errors.New("transport: client has no stdin connection")
)

// A Request is a message that came in on shell or control.
type Request struct {
	// Message is the request; its signature was right.
	Message *wire.Message
	// Channel is wire.Shell or wire.Control.
	Channel wire.Channel
	// Seq numbers the requests of a channel in their order of arrival, from 1. See Transport.Arrived.
	Seq uint64

	peer *peer
}

// A Transport is the kernel's side of the five channels. Its methods may be called by any number of goroutines.
type Transport struct{}

type peer struct{}

// Listen binds the five channels and starts to serve them. Messages that arrive wait until they are received. The
// signature scheme must be known. A port of 0 is replaced by a free one, see Transport.Connection. A port that stays in
// use for Options.BindTimeout is an error.
func Listen(info wire.ConnectionInfo, opts Options) (*Transport, error) { return nil, ErrClosed }

// Connection returns where the transport listens: the info given to Listen with the ports it got.
func (t *Transport) Connection() wire.ConnectionInfo { return wire.ConnectionInfo{} }

// Receive returns the next request on shell or control, in order of arrival. It waits for one until ctx is done or the
// transport is closed; then it returns ctx's error or ErrClosed.
func (t *Transport) Receive(ctx context.Context, ch wire.Channel) (*Request, error) {
	return nil, ErrClosed
}

// Arrived returns the Seq of the last request that has arrived on a channel, received or not. A request with a greater
// Seq arrives later: to drop what is queued at some moment (stop_on_error), note Arrived then and abort the requests up
// to it as they are received.
func (t *Transport) Arrived(ch wire.Channel) uint64 { return 0 }

// Reply sends m to the client that sent req, on the connection req came from and with its identities. It only queues and
// never waits: a client that does not take its replies is not asked for more requests meanwhile. It returns ErrGone when
// that connection is closed.
func (t *Transport) Reply(req *Request, m *wire.Message) error { return ErrClosed }

// Publish sends m to all clients that subscribe to a prefix of topic; topic is the first frame. All clients see
// published messages in the same order. It only queues, unless much is waiting for a client: then it waits as Reply does; when
// ctx is done (an interrupt, a shutdown) it does not wait.
func (t *Transport) Publish(ctx context.Context, topic string, m *wire.Message) error {
	return ErrClosed
}

// Input sends m, an input_request, to the stdin connection of the client that sent req, and waits for that client's
// input_reply. The client is known by its identity, which its shell and stdin connections share. Replies that came
// before, or that name another input_request as their parent, are dropped. The wait ends with ctx's error, with ErrGone
// when the client's stdin or shell connection closes, and with ErrClosed. ErrNoStdin says that there is no such
// connection.
func (t *Transport) Input(ctx context.Context, req *Request, m *wire.Message) (*wire.Message, error) {
	return nil, ErrNoStdin
}

// Close stops accepting clients and requests, hands over what is queued, at most for Options.Linger and until ctx is done, closes all
// connections and waits for the transport's goroutines. Later calls wait for the first to end.
func (t *Transport) Close(ctx context.Context) error { return nil }
