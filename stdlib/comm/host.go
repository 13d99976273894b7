package comm

import "orthant/stdlib/display"

// A Host is a display.Sink whose front end can be talked to. Its methods are called from any goroutine.
type Host interface {
	// Comms returns the comms of the front end, always the same; nil where there is none after all.
	Comms() *Registry
	// Post sends an event to the front end, after what has been output before. It must only enqueue. The error says why
	// the event cannot be sent. Data is not nil; nobody changes data and buffers afterwards.
	Post(e Event) error
	// Wait holds the caller up while too much waits to be sent, so that nothing need be dropped.
	Wait()
}

// A Kind is what happens to a comm.
type Kind int

// The kinds of events.
const (
	Opening Kind = iota
	Sending
	Closing
)

// String returns "open", "send" or "close".
func (k Kind) String() string {
	switch k {
	case Opening:
		return "open"
	case Sending:
		return "send"
	case Closing:
		return "close"
	}
	return "unknown"
}

// An Event is what one side does, as it travels to the other.
type Event struct {
	Kind    Kind
	ID      string // of the comm
	Target  string // only for Opening
	Message Message
}

// current returns the host that the calling goroutine outputs to and its registry; nil where there is none.
func current() (Host, *Registry) {
	h, ok := display.Current().(Host)
	if !ok {
		return nil, nil
	}
	r := h.Comms()
	if r == nil {
		return nil, nil
	}
	return h, r
}
