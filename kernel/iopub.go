package kernel

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
	"orthant/stdlib/display"
)

// pendingBytes is how much may wait to be sent before who outputs more is held up.
const pendingBytes = 4 << 20

// A broadcaster sends a message to all subscribers of IOPub; a transport.Transport. It may hold the caller up for a slow
// subscriber until ctx is done. Once it returns transport.ErrClosed, it sends nothing more.
type broadcaster interface {
	Publish(ctx context.Context, topic string, m *wire.Message) error
}

// A publisher is the owner of IOPub: all messages of all cells and handlers go through its queue, and its goroutine sends
// them in the order in which they were handed over. It joins text that follows text of the same cell and stream; whatever
// else is published first sends the text before it. Its methods are safe for concurrent use.
type publisher struct {
	out    broadcaster
	sender *wire.Sender
	log    *slog.Logger

	mu      sync.Mutex
	queue   []outgoing
	pending int           // bytes of the queue
	urgent  int           // items of the queue that are not text: what waits before them waits no longer
	room    chan struct{} // closed and replaced when pending falls
	closing bool

	patience context.Context // done when slow subscribers are waited for no longer
	hurry    context.CancelFunc

	wake chan struct{} // holds a token when the queue has changed
	done chan struct{} // closed when the goroutine has ended
}

// An outgoing item is text, a message, or a mark.
type outgoing struct {
	source *output // whose text
	stream display.Stream
	text   []byte
	since  time.Time // when the text began to wait

	message *wire.Message
	size    int // of message

	sent chan<- struct{} // a mark: closed when everything before it has been sent
}

// newPublisher starts a publisher.
func newPublisher(out broadcaster, sender *wire.Sender, log *slog.Logger) *publisher {
	p := &publisher{
		out: out, sender: sender, log: log,
		room: make(chan struct{}), wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	p.patience, p.hurry = context.WithCancel(context.Background())
	go p.run()
	return p
}

// publish sends a message that answers parent; nil for none. The content is encoded before publish returns, so it may
// change afterwards. The error is that of encoding.
func (p *publisher) publish(parent *wire.Message, content wire.Content) error {
	m, err := p.sender.New(parent, content)
	if err != nil {
		return err
	}
	p.push(outgoing{message: m, size: len(m.Content)})
	return nil
}

// status sends the kernel's state on behalf of a request.
func (p *publisher) status(parent *wire.Message, state wire.ExecutionState) {
	if err := p.publish(parent, wire.KernelStatus{ExecutionState: state}); err != nil {
		p.log.Error("cannot encode a status", "error", err) // strings only: a bug
	}
}

// flush waits until everything handed over before has been sent, or until ctx is done.
func (p *publisher) flush(ctx context.Context) {
	sent := make(chan struct{})
	p.push(outgoing{sent: sent})
	select {
	case <-sent:
	case <-p.done:
	case <-ctx.Done():
	}
}

// close sends what waits, without waiting for slow subscribers, and ends the publisher; what is handed over later is
// lost. It gives up when ctx is done.
func (p *publisher) close(ctx context.Context) {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	p.hurry()
	p.signal()
	select {
	case <-p.done:
	case <-ctx.Done():
	}
}

// waitForRoom holds the caller up while too much waits to be sent, until release is closed at the latest: nothing that a
// cell outputs is dropped, but an interrupted cell must not hang here.
func (p *publisher) waitForRoom(release <-chan struct{}) {
	for {
		p.mu.Lock()
		full, room := p.pending >= pendingBytes, p.room
		p.mu.Unlock()
		if !full {
			return
		}
		select {
		case <-room:
		case <-release:
			return
		case <-p.done:
			return
		}
	}
}

// push puts a message or a mark into the queue.
func (p *publisher) push(item outgoing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, item)
	p.pending += item.size
	p.urgent++
	p.signal()
}

func (p *publisher) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *publisher) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// run sends the queue until the publisher or what it sends to is closed.
func (p *publisher) run() {
	defer close(p.done)
	for {
		item, wait, ok := p.next()
		switch {
		case ok:
			if err := p.send(item); errors.Is(err, transport.ErrClosed) {
				return // and one line in the log: a cell that floods has left much in the queue
			}
		case wait > 0:
			timer := time.NewTimer(wait)
			select {
			case <-p.wake:
			case <-timer.C:
			}
			timer.Stop()
		case wait == 0:
			<-p.wake
		default:
			return
		}
	}
}

// next takes the first item that may be sent now. If there is none, wait is how long the first one still waits for more
// text, 0 if the queue is empty, and negative if nothing will ever come.
func (p *publisher) next() (item outgoing, wait time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		if p.closing {
			return outgoing{}, -1, false
		}
		return outgoing{}, 0, false
	}
	item = p.queue[0]
	if item.source != nil && p.urgent == 0 && !p.closing && len(item.text) < coalesceBytes {
		if wait := coalesceTime - time.Since(item.since); wait > 0 {
			return outgoing{}, wait, false
		}
	}
	p.queue[0] = outgoing{} // the array lives on; the text need not
	p.queue = p.queue[1:]
	if item.source == nil {
		p.urgent--
	}
	full := p.pending >= pendingBytes
	p.pending -= len(item.text) + item.size
	if full && p.pending < pendingBytes {
		close(p.room)
		p.room = make(chan struct{})
	}
	return item, 0, true
}

// send sends one item. An error is in the log.
func (p *publisher) send(item outgoing) error {
	if item.sent != nil {
		close(item.sent)
		return nil
	}
	m := item.message
	if m == nil {
		var err error
		m, err = p.sender.New(item.source.parent, wire.Stream{Name: string(item.stream), Text: string(item.text)})
		if err != nil {
			p.log.Error("cannot encode text", "error", err) // strings only: a bug
			return err
		}
	}
	err := p.out.Publish(p.patience, p.topic(m.Header.MsgType, item.stream), m)
	if err != nil {
		p.log.Warn("cannot publish", "type", m.Header.MsgType, "error", err)
	}
	return err
}

// topic returns the first frame of a message, as ipykernel writes it; what stands in it is convention only.
func (p *publisher) topic(messageType string, stream display.Stream) string {
	topic := "kernel." + p.sender.Session() + "." + messageType
	if stream != "" {
		topic += "." + string(stream)
	}
	return topic
}
