package transport

import (
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
	// QueueBytes is how much may wait for one client before Publish is slowed down for it, and how much may wait of
	// one client's requests before it is not read from. 0 means 64 MiB. Four times as much ends a connection.
	QueueBytes int
	// StallTimeout is how long a subscriber with a full queue may take nothing at all before it loses its connection,
	// and how long Input waits for a client's stdin connection. 0 means 3 s.
	StallTimeout time.Duration
	// Linger bounds the time in which Close hands over what is queued. 0 means 1 s.
	Linger time.Duration
	// BindTimeout is how long Listen tries again while an address is in use: after a restart the old process may still
	// be going. 0 means 2 s.
	BindTimeout time.Duration
	// AcceptReplays accepts a message whose signature was seen before. By default it is dropped: somebody has copied
	// it.
	AcceptReplays bool

	handshake time.Duration // how long a connection may take to become a peer; tests shorten it
}

// The defaults of Options.
const (
	defaultQueueBytes   = 64 << 20
	defaultStallTimeout = 3 * time.Second
	defaultLinger       = time.Second // a manager waits 2.5 s from shutdown_request to SIGTERM
	defaultBindTimeout  = 2 * time.Second
	defaultHandshake    = 10 * time.Second
)

// echoQueue is how much of a heartbeat may wait for one client.
const echoQueue = 1 << 20

// requestLimits bound what a client may send on shell, control and stdin. Widgets send images and arrays in the buffers
// of comm messages, so a message may be large.
var requestLimits = limits{message: 1 << 30, frames: 1 << 14, command: handshakeLimit}

// smallLimits bound what a client may send on IOPub (subscriptions) and heartbeat.
var smallLimits = limits{message: 1 << 20, frames: 64, command: handshakeLimit}

func (o Options) withDefaults() Options {
	if o.Sender == nil {
		o.Sender = wire.NewSender("kernel")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.QueueBytes == 0 {
		o.QueueBytes = defaultQueueBytes
	}
	if o.StallTimeout == 0 {
		o.StallTimeout = defaultStallTimeout
	}
	if o.Linger == 0 {
		o.Linger = defaultLinger
	}
	if o.BindTimeout == 0 {
		o.BindTimeout = defaultBindTimeout
	}
	if o.handshake == 0 {
		o.handshake = defaultHandshake
	}
	return o
}
