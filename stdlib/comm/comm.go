package comm

import (
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// ErrClosed is what sending fails with on a comm that either side has closed.
var ErrClosed = errors.New("the comm is closed")

// Register lets the front end open comms of a target: open is called with the new comm and what came with it, and usually sets
// the comm's functions. It replaces the function that the target had. Nil takes the target away; its open comms stay. It does
// nothing where there is no front end.
func Register(target string, open func(c *Comm, m Message)) {
	if _, r := current(); r != nil {
		r.register(target, open)
	}
}

// Open opens a comm of a target that the front end has registered. The data is encoded as encoding/json does it; nil is sent as
// {}. The error says what of it JSON cannot express. A front end that does not know the target closes the comm.
func Open(target string, data any, buffers ...[]byte) (*Comm, error) {
	m, err := NewMessage(data, buffers...)
	if err != nil {
		return nil, err
	}
	return OpenMessage(target, m)
}

// OpenMessage is Open with a whole message, for those that need metadata.
func OpenMessage(target string, m Message) (*Comm, error) {
	h, r := current()
	c := &Comm{id: uuid.NewString(), target: target, registry: r, opener: h}
	m, err := m.checked()
	if err != nil {
		return nil, c.failed("open", err)
	}
	if r == nil {
		return c, nil
	}
	h.Wait()
	r.add(c) // the answer may be quicker than what follows
	if err := h.Post(Event{Opening, c.id, target, m}); err != nil {
		r.remove(c)
		return nil, c.failed("open", err)
	}
	return c, nil
}

// A Comm is one conversation with the front end. Its methods may be called from any goroutine; what one goroutine sends
// arrives in its order.
type Comm struct {
	id, target string
	registry   *Registry // nil where there is no front end
	opener     Host      // that of the run in which the comm was opened

	mu        sync.Mutex // also held while posting: nothing is sent behind a close
	state     state
	onMessage func(Message)
	onClose   func(Message)
}

// A state says whether a comm is open, and if not, who has closed it.
type state int

const (
	open state = iota
	closedHere
	closedThere
)

// ID returns the name of the comm that both sides know, unique among all.
func (c *Comm) ID() string { return c.id }

// Target returns the target that the comm was opened with.
func (c *Comm) Target() string { return c.target }

// OnMessage sets the function that is called with each message from the front end, in their order; nil for none.
func (c *Comm) OnMessage(f func(m Message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onMessage = f
}

// OnClose sets the function that is called once when the front end closes the comm, with what it says then; nil for none. It is
// not called for Close.
func (c *Comm) OnClose(f func(m Message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onClose = f
}

// Send sends data to the front end, encoded as encoding/json does it; nil is sent as {}. Data and buffers may be changed
// afterwards. The error says what of the data JSON cannot express, or wraps ErrClosed.
func (c *Comm) Send(data any, buffers ...[]byte) error {
	m, err := NewMessage(data, buffers...)
	if err != nil {
		return err
	}
	return c.SendMessage(m)
}

// SendMessage is Send with a whole message, for those that need metadata.
func (c *Comm) SendMessage(m Message) error { return c.post(Event{Sending, c.id, "", m}) }

// Close closes the comm and tells the front end. It does nothing to a comm that is closed.
func (c *Comm) Close() error { return c.CloseMessage(Message{}) }

// CloseMessage is Close with something to say.
func (c *Comm) CloseMessage(m Message) error {
	err := c.post(Event{Closing, c.id, "", m})
	if errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}

// post sends an event as part of what the calling goroutine outputs, and closes the comm if the event does.
func (c *Comm) post(e Event) error {
	m, err := e.Message.checked()
	if err != nil {
		return c.failed(e.Kind.String(), err)
	}
	e.Message = m
	h, r := current()
	if r != c.registry {
		h = c.opener // a goroutine that belongs to no run
	}
	return c.postBy(h, e)
}

// postBy is post by a host; nil where there is no front end.
func (c *Comm) postBy(h Host, e Event) error {
	if h != nil {
		h.Wait()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.state {
	case closedHere:
		return c.failed(e.Kind.String(), ErrClosed)
	case closedThere:
		return c.failed(e.Kind.String(), fmt.Errorf("%w by the front end", ErrClosed))
	}
	if h != nil {
		if err := h.Post(e); err != nil {
			return c.failed(e.Kind.String(), err)
		}
	}
	if e.Kind == Closing {
		c.state = closedHere
		if c.registry != nil {
			c.registry.remove(c)
		}
	}
	return nil
}

// failed says what could not be done with which comm.
func (c *Comm) failed(what string, err error) error {
	return fmt.Errorf("comm: %s %q (%s): %w", what, c.target, c.id, err)
}

// listener returns the function for messages, nil where there is none.
func (c *Comm) listener() func(Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.onMessage
}

// closed notes that the front end has closed the comm and returns what is to be called then, nil for nothing. It is false where
// the comm was closed already.
func (c *Comm) closed() (f func(Message), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != open {
		return nil, false
	}
	c.state = closedThere
	return c.onClose, true
}
