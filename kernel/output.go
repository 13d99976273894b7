package kernel

import (
	"context"
	"errors"
	"fmt"

	"orthant/kernel/wire"
	"orthant/stdlib/display"
)

// A cellSink takes what a cell outputs, and what its reply is to carry.
type cellSink interface {
	display.Sink
	all() []wire.Payload
}

// An output is where the cell of one request outputs to: messages on IOPub whose parent is the request, also those of
// goroutines that outlive the cell. It implements display.Sink, display.Asker, display.Payloads and comm.Host.
type output struct {
	commChannel
	// questions are those that the cell may ask; nil where there is nobody to ask.
	questions *questions
	payloads
	// partial holds, by stream, the first bytes of a character whose rest has not come. Guarded by pub.mu.
	partial map[display.Stream]string
}

func newOutput(c commChannel) *output {
	return &output{commChannel: c, partial: make(map[display.Stream]string)}
}

// Text implements display.Sink.
func (o *output) Text(stream display.Stream, text string) {
	o.pub.waitForRoom(o.released)
	o.pub.text(o, stream, text)
}

// Display implements display.Sink.
func (o *output) Display(b display.Bundle) {
	data, metadata, transient := o.encode(b)
	o.publish(wire.DisplayData{Data: data, Metadata: metadata, Transient: transient})
}

// Update implements display.Sink. Without an ID it would be no message of the protocol.
func (o *output) Update(b display.Bundle) {
	if b.ID == "" {
		o.complain(errors.New("an update of a display without an id"))
		return
	}
	data, metadata, transient := o.encode(b)
	o.publish(wire.UpdateDisplayData{Data: data, Metadata: metadata, Transient: transient})
}

// Clear implements display.Sink.
func (o *output) Clear(wait bool) { o.publish(wire.ClearOutput{Wait: wait}) }

// result publishes the value of the cell.
func (o *output) result(count int, b display.Bundle) {
	data, metadata, transient := o.encode(b)
	result := wire.ExecuteResult{ExecutionCount: count, Data: data, Metadata: metadata}
	if transient.DisplayID != "" {
		result.Transient = &transient
	}
	o.publish(result)
}

// encode returns the parts of a bundle as they go on the wire. A representation that has no form there costs only itself
// and a line on the cell's stderr.
func (o *output) encode(b display.Bundle) (wire.MIMEBundle, wire.Object, wire.Transient) {
	data, err := wire.Bundle(b.Data)
	if err != nil {
		o.complain(err)
	}
	return data, b.Metadata, wire.Transient{DisplayID: b.ID}
}

// publish sends a message.
func (o *output) publish(content wire.Content) {
	o.pub.waitForRoom(o.released)
	if err := o.pub.publish(o.parent, content); err != nil {
		o.complain(err) // a bundle's metadata may hold anything
	}
}

func (o *output) complain(err error) { o.Text(display.Stderr, "not shown: "+err.Error()+"\n") }

// Ask implements display.Asker.
func (o *output) Ask(ctx context.Context, prompt string, password bool) (string, error) {
	if o.questions == nil {
		return "", fmt.Errorf("%w: nobody can be asked here", display.ErrNoInput)
	}
	return o.questions.ask(ctx, prompt, password)
}

// finish sends the beginnings of characters whose rest never came. The request's cell has ended.
func (o *output) finish() { o.pub.finishText(o) }

// A silentOutput is the output of a silent request: it drops everything but what goes with the reply and to the other ends of
// comms. Nobody is asked.
type silentOutput struct {
	commChannel
	payloads
}

func (*silentOutput) Text(display.Stream, string) {}
func (*silentOutput) Display(display.Bundle)      {}
func (*silentOutput) Update(display.Bundle)       {}
func (*silentOutput) Clear(bool)                  {}

var (
	_ display.Asker    = (*output)(nil)
	_ display.Payloads = (*output)(nil)
	_ display.Payloads = (*silentOutput)(nil)
)
