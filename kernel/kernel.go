package kernel

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"orthant/kernel/history"
	"orthant/kernel/session"
	"orthant/kernel/transport"
	"orthant/kernel/wire"
	"orthant/stdlib/comm"
	"orthant/stdlib/display"
)

// implementation names the kernel in kernel_info_reply.
const implementation = "orthant"

// An interpreter is what the kernel needs of a session.Session.
type interpreter interface {
	Execute(ctx context.Context, c session.Cell, out display.Sink) (*display.Bundle, *session.Error)
	Evaluate(ctx context.Context, expr string, out display.Sink) (*display.Bundle, *session.Error)
	Call(ctx context.Context, name string, out display.Sink, f func()) *session.Error
	IsComplete(source string) (status session.Status, indent string)
	Complete(source string, pos int) session.Completion
	Inspect(source string, pos, detail int) (display.Bundle, bool)
	Close() error
}

// A kernel serves one session to any number of clients.
type kernel struct {
	options   Options
	info      wire.ConnectionInfo
	log       *slog.Logger
	transport *transport.Transport
	sender    *wire.Sender
	pub       *publisher
	handlers  map[wire.Channel]map[string]handler
	shells    *shells
	history   *history.Store
	usage     usage
	comms     comm.Registry

	opened     chan struct{} // closed when the session is open, or has failed to
	opening    error         // why it failed; read after opened
	interprets interpreter   // read after opened

	lastWords  lastWords
	subscribed sync.Once // see awaitSubscriber

	stopping chan struct{} // closed by stop
	stopOnce sync.Once
	stopped  error // why; read after stopping
}

// newKernel returns a kernel on a transport. open makes its session; the kernel answers what needs no session before open
// has returned, because clients measure a kernel by its first reply.
func newKernel(t *transport.Transport, sender *wire.Sender, opts Options, open func() (interpreter, error)) *kernel {
	k := &kernel{
		options: opts, info: t.Connection(), log: opts.Logger, transport: t, sender: sender,
		pub:      newPublisher(t, sender, opts.Logger),
		handlers: handlers,
		shells:   newShells(),
		opened:   make(chan struct{}),
		stopping: make(chan struct{}),
		history:  opts.history,
	}
	if k.history == nil {
		k.history = history.Open("", opts.Logger)
	}
	go func() {
		k.interprets, k.opening = open()
		close(k.opened)
		if k.opening != nil {
			k.stop(k.opening)
		}
	}()
	return k
}

// session waits for the session to be open, until ctx is done.
func (k *kernel) session(ctx context.Context) (interpreter, error) { return k.sessionFor(ctx, ctx) }

// sessionFor waits for the session to be open, until one of the contexts is done.
func (k *kernel) sessionFor(ctx, cell context.Context) (interpreter, error) {
	select {
	case <-k.opened:
		return k.interprets, k.opening
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-cell.Done():
		return nil, cell.Err()
	}
}

// stop lets serve return err. The first call counts.
func (k *kernel) stop(err error) {
	k.stopOnce.Do(func() {
		k.stopped = err
		close(k.stopping)
	})
}

// How long the steps of the end may take. A manager sends SIGTERM 2.5 s after its shutdown request; with the transport's
// linger of 1 s all steps together stay below that.
const (
	cellEndTime     = 600 * time.Millisecond // an interrupted cell has 200 ms to end by itself, then it is stopped
	sessionEndTime  = 300 * time.Millisecond
	outputFlushTime = 300 * time.Millisecond
)

// serve answers requests until a client shuts the kernel down, stop is called or ctx is done. Then it interrupts the cells
// that run, closes the session and the history, hands over what has been published, and closes the transport.
func (k *kernel) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	k.pub.status(nil, wire.Starting)
	var receivers sync.WaitGroup
	receivers.Go(func() { k.routeShell(ctx) })
	receivers.Go(func() { k.serveControl(ctx) })
	go k.serveShell(ctx, k.shells.main())
	select {
	case <-k.stopping:
	case <-ctx.Done():
		k.stop(nil)
	}
	cancel()
	receivers.Wait() // afterwards nobody makes a subshell
	k.interrupt()
	k.awaitShells()
	historyClosed := k.closeHistory()
	k.closeSession()
	<-historyClosed
	k.closeOutput()
	return k.stopped
}

// awaitShells gives the interrupted cells of all shells time to end.
func (k *kernel) awaitShells() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, sh := range k.shells.list() {
			<-sh.ended
		}
	}()
	waitFor(ended, cellEndTime)
}

// closeSession closes the session if it was ever open.
func (k *kernel) closeSession() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		<-k.opened
		if k.interprets == nil {
			return
		}
		if err := k.interprets.Close(); err != nil {
			k.log.Warn("cannot close the session", "error", err)
		}
	}()
	waitFor(closed, sessionEndTime)
}

// closeOutput hands over what has been published and closes the transport.
func (k *kernel) closeOutput() {
	flush, cancel := context.WithTimeout(context.Background(), outputFlushTime)
	defer cancel()
	k.pub.close(flush)
	k.transport.Close(context.Background()) // bounded by its own linger
}

// waitFor waits until done is closed, at most for d. What is still going then ends with the process.
func waitFor(done <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// serveControl answers the requests of the control channel, which never wait for a shell, until ctx is done.
func (k *kernel) serveControl(ctx context.Context) {
	for {
		from, err := k.transport.Receive(ctx, wire.Control)
		if err != nil {
			return
		}
		k.dispatch(ctx, &request{Message: from.Message, from: from}, k.handlers[wire.Control][from.Message.Header.MsgType])
	}
}
