package transport

import (
	"bufio"
	"errors"
	"sync"
	"time"
)

// messageOverhead is what a queued message costs beside its bytes, roughly: slice headers and bookkeeping.
const messageOverhead = 256

// hardFactor times the queue's limit is where pushing ends: what must not wait (replies, output while an interrupt is
// under way) may go over the limit, not over this.
const hardFactor = 4

var (
	errQueueClosed = errors.New("transport: connection is closed")
	errQueueFull   = errors.New("transport: client does not take what it is sent")
)

// An item is one thing to write: the frames of a message, or a command.
type item struct {
	frames  [][]byte
	command string // the command's name; frames[0] is its data
}

func (it item) size() int {
	n := messageOverhead
	for _, f := range it.frames {
		n += len(f)
	}
	return n
}

func (it item) writeTo(w *bufio.Writer) error {
	if it.command != "" {
		return writeCommand(w, it.command, it.frames[0])
	}
	return writeMessage(w, it.frames)
}

// A queue holds what waits to be written to one peer. Its bound is in bytes: a message may be a line of text or a film.
type queue struct {
	limit int // bytes; full above it

	mu       sync.Mutex
	items    []item
	bytes    int           // of items, and of what the writer has taken and not yet written
	progress time.Time     // when the peer last took progressBytes, or the queue last began to fill
	taken    int           // bytes the peer took since progress
	state    queueState    // how it ends
	wake     chan struct{} // has room for one token: there may be something for the writer
	room     chan struct{} // closed when the queue is not full any more, nil while nobody waits
}

type queueState int

const (
	open      queueState = iota
	finishing            // the writer writes what is left, then ends; nothing more is taken in
	aborted              // the writer ends at once
)

// progressBytes is how much a peer must take to count as reading. A single byte now and then is not enough to hold up
// everybody else.
const progressBytes = 64 << 10

func newQueue(limit int) *queue {
	return &queue{limit: limit, wake: make(chan struct{}, 1), progress: time.Now()}
}

// push adds an item without waiting. It returns errQueueClosed, or errQueueFull when hardFactor times the limit waits
// already.
func (q *queue) push(it item) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.state != open:
		return errQueueClosed
	case q.bytes > hardFactor*q.limit:
		return errQueueFull
	}
	if q.bytes == 0 {
		q.progress, q.taken = time.Now(), 0
	}
	q.items = append(q.items, it)
	q.bytes += it.size()
	q.signal()
	return nil
}

// take returns all items, waiting for one if idle. It returns nil when the queue has ended. Before it waits it calls
// idle, which may fail; then take returns nil too.
func (q *queue) take(idle func() error) []item {
	for {
		q.mu.Lock()
		items, state := q.items, q.state
		if state != aborted {
			q.items = nil
		}
		q.mu.Unlock()
		switch {
		case state == aborted:
			return nil
		case len(items) > 0:
			return items
		}
		if idle() != nil || state == finishing {
			return nil
		}
		<-q.wake
	}
}

// wrote tells that an item taken was written.
func (q *queue) wrote(it item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes -= it.size()
	if q.bytes <= q.limit {
		q.letIn()
	}
}

// moved tells that the peer took n bytes.
func (q *queue) moved(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.taken += n; q.taken >= min(progressBytes, q.limit) {
		q.progress, q.taken = time.Now(), 0
	}
}

// full reports whether more than the limit waits. If so, room is closed when that ends or the queue does, and idle is
// how long the peer has not read.
func (q *queue) full() (room <-chan struct{}, idle time.Duration, full bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state != open || q.bytes <= q.limit {
		return nil, 0, false
	}
	if q.room == nil {
		q.room = make(chan struct{})
	}
	return q.room, time.Since(q.progress), true
}

// finish lets the writer write what is left and end.
func (q *queue) finish() { q.end(finishing) }

// abort ends the writer and drops what is left.
func (q *queue) abort() { q.end(aborted) }

func (q *queue) end(s queueState) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.state = max(q.state, s)
	if s == aborted {
		q.items = nil
	}
	q.letIn()
	q.signal()
}

// aborted reports whether the writer should stop.
func (q *queue) aborted() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.state == aborted
}

// letIn wakes those who wait for room. q.mu is held.
func (q *queue) letIn() {
	if q.room != nil {
		close(q.room)
		q.room = nil
	}
}

// signal wakes the writer. q.mu is held.
func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default: // it has not yet seen the last signal
	}
}
