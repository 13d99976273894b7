package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"orthant/kernel/session"
	"orthant/kernel/wire"
	"orthant/stdlib/comm"
	"orthant/stdlib/display"
)

// commInfoRequest answers with the open comms, or with those of one target. Front ends ask when a page loads.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#comm-info
func (k *kernel) commInfoRequest(_ context.Context, r *request) (wire.Content, error) {
	var in wire.CommInfoRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	reply := wire.CommInfoReply{Status: wire.OK, Comms: map[string]wire.CommInfo{}}
	for id, target := range k.comms.Open(in.TargetName) {
		reply.Comms[id] = wire.CommInfo{TargetName: target}
	}
	return reply, nil
}

// commOpen opens a comm for the front end. One whose target no cell has registered is closed, and so is one whose opening
// fails. It has no reply, like the other two.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#opening-a-comm
func (k *kernel) commOpen(ctx context.Context, r *request) (wire.Content, error) {
	var in wire.CommOpen
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	return nil, k.receive(ctx, r, comm.Event{Kind: comm.Opening, ID: in.CommID, Target: in.TargetName, Message: said(r, in.Data)})
}

// commMsg hands a message to the function that a cell has set for the comm. An unknown comm is nothing to complain about: the
// kernel may have closed it, or have been restarted, while the message was on its way.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#comm-messages
func (k *kernel) commMsg(ctx context.Context, r *request) (wire.Content, error) {
	var in wire.CommMsg
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	return nil, k.receive(ctx, r, comm.Event{Kind: comm.Sending, ID: in.CommID, Message: said(r, in.Data)})
}

// commClose closes a comm for the front end.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#tearing-down-comms
func (k *kernel) commClose(ctx context.Context, r *request) (wire.Content, error) {
	var in wire.CommClose
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	return nil, k.receive(ctx, r, comm.Event{Kind: comm.Closing, ID: in.CommID, Message: said(r, in.Data)})
}

// said returns what a front end's message says.
func said(r *request, data json.RawMessage) comm.Message {
	m := comm.Message{Data: data, Buffers: r.Buffers}
	if data == nil {
		m.Data = json.RawMessage("{}")
	}
	if err := json.Unmarshal(r.Metadata, &m.Metadata); err != nil || len(m.Metadata) == 0 {
		m.Metadata = nil // an object, which wire has checked
	}
	return m
}

// receive takes an event and runs what a cell wants to be called for it: like a cell, with the event's message as parent.
func (k *kernel) receive(ctx context.Context, r *request, e comm.Event) error {
	cell := r.shell.begin(math.MaxUint64) // an error of a cell aborts cells only
	if cell == nil {
		return nil // the subshell is deleted
	}
	defer r.shell.end()
	out := newOutput(k.commChannel(r.Message, cell.ctx.Done()))
	call, err := k.comms.Receive(out, e)
	switch {
	case errors.Is(err, comm.ErrNoTarget):
		k.log.Debug("comm not opened", "error", err)
		return k.pub.publish(r.Message, wire.CommClose{CommID: e.ID})
	case err != nil:
		k.log.Debug("comm event ignored", "error", err)
		return nil
	case call == nil:
		k.log.Debug("comm event that no cell waits for", "kind", e.Kind, "comm", e.ID)
		return nil
	}
	failure := k.call(ctx, cell.ctx, "a "+r.Header.MsgType, out, call)
	out.finish()
	if failure == nil {
		return nil
	}
	// There is neither a reply nor a cell in which an error message would be shown.
	out.Text(display.Stderr, strings.Join(failure.Traceback, "\n")+"\n")
	if e.Kind == comm.Opening {
		return k.comms.Close(out, e.ID)
	}
	return nil
}

// call runs a function that a cell has made.
func (k *kernel) call(ctx, cell context.Context, name string, out display.Sink, f func()) *session.Error {
	s, err := k.sessionFor(ctx, cell)
	if err != nil {
		return &session.Error{Name: "KernelError", Value: err.Error(), Traceback: []string{err.Error()}}
	}
	_, failure := k.guarded(func() (*display.Bundle, *session.Error) { return nil, s.Call(cell, name, out, f) })
	return failure
}

// A commChannel sends what the cell of one request says on comms: messages on IOPub whose parent is the request, also when the
// request is silent, because they are no output. It implements comm.Host.
type commChannel struct {
	pub      *publisher
	comms    *comm.Registry
	parent   *wire.Message   // the request, by its header alone
	released <-chan struct{} // closed when the cell is interrupted: from then on it is not held up for slow clients
}

var _ comm.Host = (*output)(nil)

func (k *kernel) commChannel(request *wire.Message, released <-chan struct{}) commChannel {
	// Comms and late goroutines live long; the request's content and buffers need not.
	parent := &wire.Message{RawHeader: request.RawHeader}
	return commChannel{pub: k.pub, comms: &k.comms, parent: parent, released: released}
}

// Comms implements comm.Host.
func (c commChannel) Comms() *comm.Registry { return c.comms }

// Wait implements comm.Host.
func (c commChannel) Wait() { c.pub.waitForRoom(c.released) }

// Post implements comm.Host.
func (c commChannel) Post(e comm.Event) error {
	m, err := c.pub.sender.New(c.parent, commContent(e))
	if err != nil {
		return err
	}
	if err := m.SetMetadata(e.Message.Metadata); err != nil {
		return err
	}
	m.Buffers = e.Message.Buffers
	size := len(m.Content)
	for _, b := range m.Buffers {
		size += len(b)
	}
	c.pub.push(outgoing{message: m, size: size})
	return nil
}

// commContent returns an event as it goes on the wire.
func commContent(e comm.Event) wire.Content {
	switch e.Kind {
	case comm.Opening:
		return wire.CommOpen{CommID: e.ID, TargetName: e.Target, Data: e.Message.Data}
	case comm.Closing:
		return wire.CommClose{CommID: e.ID, Data: e.Message.Data}
	default:
		return wire.CommMsg{CommID: e.ID, Data: e.Message.Data}
	}
}
