package comm

import (
	"errors"
	"fmt"
	"sync"
)

// What Receive fails with.
var (
	ErrNoTarget = errors.New("the target is not registered")
	ErrNoComm   = errors.New("no such comm is open")
)

// A Registry has the targets and the open comms of one front end. The zero value has none. Its methods are safe for concurrent
// use.
type Registry struct {
	mu      sync.Mutex
	targets map[string]func(*Comm, Message)
	comms   map[string]*Comm // by id
}

// Open returns the targets of the open comms by their ids: all, or those of one target where that is not empty.
func (r *Registry) Open(target string) map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := map[string]string{}
	for id, c := range r.comms {
		if target == "" || c.target == target {
			found[id] = c.target
		}
	}
	return found
}

// Receive takes an event from the front end and returns what is to be called for it, nil for nothing. The comm is open, or
// closed, when Receive returns; the call is a function of a cell, which the host runs as such and one after the other. h is where
// the call outputs to.
//
// The error wraps ErrNoTarget or ErrNoComm, or says that a comm of this id is open already; then nothing has happened.
func (r *Registry) Receive(h Host, e Event) (call func(), err error) {
	switch e.Kind {
	case Opening:
		return r.opened(h, e)
	case Sending:
		return r.sent(e)
	case Closing:
		return r.closed(e)
	}
	return nil, fmt.Errorf("comm: event of kind %d", e.Kind)
}

func (r *Registry) opened(h Host, e Event) (func(), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.targets[e.Target]
	if f == nil {
		return nil, fmt.Errorf("comm: open %q (%s): %w", e.Target, e.ID, ErrNoTarget)
	}
	if r.comms[e.ID] != nil {
		return nil, fmt.Errorf("comm: open %q (%s): a comm of this id is open already", e.Target, e.ID)
	}
	c := &Comm{id: e.ID, target: e.Target, registry: r, opener: h}
	r.put(c)
	return func() { f(c, e.Message) }, nil
}

func (r *Registry) sent(e Event) (func(), error) {
	c := r.comm(e.ID)
	if c == nil {
		return nil, fmt.Errorf("comm: message for %s: %w", e.ID, ErrNoComm)
	}
	f := c.listener()
	if f == nil {
		return nil, nil
	}
	return func() { f(e.Message) }, nil
}

func (r *Registry) closed(e Event) (func(), error) {
	if c := r.comm(e.ID); c != nil {
		if f, ok := c.closed(); ok {
			r.remove(c)
			if f == nil {
				return nil, nil
			}
			return func() { f(e.Message) }, nil
		}
	}
	return nil, fmt.Errorf("comm: close of %s: %w", e.ID, ErrNoComm)
}

// Close closes the comm of an id by a host, and does nothing if none is open: what a host does whose call for an Opening event
// has failed.
func (r *Registry) Close(h Host, id string) error {
	c := r.comm(id)
	if c == nil {
		return nil
	}
	m, err := Message{}.checked()
	if err == nil {
		err = c.postBy(h, Event{Closing, id, "", m})
	}
	if errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}

func (r *Registry) register(target string, open func(*Comm, Message)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if open == nil {
		delete(r.targets, target)
		return
	}
	if r.targets == nil {
		r.targets = map[string]func(*Comm, Message){}
	}
	r.targets[target] = open
}

func (r *Registry) comm(id string) *Comm {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.comms[id]
}

func (r *Registry) add(c *Comm) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.put(c)
}

// put is add for callers that hold the mutex.
func (r *Registry) put(c *Comm) {
	if r.comms == nil {
		r.comms = map[string]*Comm{}
	}
	r.comms[c.id] = c
}

func (r *Registry) remove(c *Comm) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.comms, c.id)
}
