package kerneltest

import (
	"errors"

	"orthant/kernel/wire"
)

// takeQuestion adds an input_request to the exchange. The client's mutex is held.
func (e *Exchange) takeQuestion(m *wire.Message) error {
	switch {
	case m.Header.MsgType != "input_request":
		return errors.New("does not belong on stdin")
	case !decode[wire.ExecuteRequest](e.Request).AllowStdin:
		return errors.New("comes although the request does not allow it")
	case e.ended():
		return errors.New("comes after the end of the request")
	case len(e.questions) > e.answered:
		return errors.New("comes before the one before is answered")
	}
	e.questions = append(e.questions, m)
	return nil
}

// Asked waits until the cell asks for input. It returns the question, or nil if the cell ends without one.
func (e *Exchange) Asked() *wire.Message {
	e.client.t.Helper()
	asks := func() bool { return len(e.questions) > e.answered }
	e.client.waitFor("an input_request or the end", func() bool { return asks() || e.ended() })
	e.client.mu.Lock()
	defer e.client.mu.Unlock()
	if !asks() {
		return nil
	}
	return e.questions[e.answered]
}

// Answer replies to a question of Asked, as JupyterLab does.
func (e *Exchange) Answer(question *wire.Message, value string) {
	e.client.t.Helper()
	m, err := e.client.sender.New(question, wire.InputReply{Status: wire.OK, Value: value})
	if err != nil {
		e.client.t.Fatal(err)
	}
	frames, err := e.client.codec.Encode(m)
	if err != nil {
		e.client.t.Fatal(err)
	}
	e.client.mu.Lock()
	e.answered++ // first: the kernel may ask again at once
	e.client.mu.Unlock()
	if err := e.client.sockets[wire.Stdin].send(frames); err != nil {
		e.client.t.Fatalf("cannot answer: %v", err)
	}
}
