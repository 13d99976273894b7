package kernel

import (
	"slices"
	"sync"

	"orthant/kernel/wire"
	"orthant/stdlib/display"
)

// payloads collects what the reply of an execute request carries to the front end. As in IPython there is one payload of a
// source: the last. It implements display.Payloads.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#payloads-deprecated
type payloads struct {
	mu   sync.Mutex
	list []wire.Payload
}

// Page implements display.Payloads.
func (p *payloads) Page(b display.Bundle, start int) {
	data, err := wire.Bundle(b.Data)
	if err != nil {
		data, _ = wire.Bundle(display.Text("not shown: " + err.Error()).Data) // a string always is
	}
	p.put(wire.Payload{Source: "page", Data: data, Start: start})
}

// SetNextInput implements display.Payloads.
func (p *payloads) SetNextInput(text string, replace bool) {
	p.put(wire.Payload{Source: "set_next_input", Text: text, Replace: replace})
}

// put takes a payload in the place of an earlier one of the same source.
func (p *payloads) put(payload wire.Payload) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = slices.DeleteFunc(p.list, func(old wire.Payload) bool { return old.Source == payload.Source })
	p.list = append(p.list, payload)
}

// all returns the payloads. What comes later is lost: the reply has gone.
func (p *payloads) all() []wire.Payload {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}
