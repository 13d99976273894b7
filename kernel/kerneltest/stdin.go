package kerneltest

import (
	"errors"
	"fmt"
	"strconv"

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
	case m.Header.SubshellID != e.Request.Header.SubshellID:
		return fmt.Errorf("has the subshell_id %q, want the request's, %q", m.Header.SubshellID, e.Request.Header.SubshellID)
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
	e.AnswerWith(question, wire.InputReply{Status: wire.OK, Value: value})
}

// Unreadable is the content of an input_reply that says nothing that a kernel can understand.
type Unreadable struct {
	Value int `json:"value"`
}

// MessageType returns "input_reply".
func (Unreadable) MessageType() string { return "input_reply" }

// AnswerWith is Answer with any content.
func (e *Exchange) AnswerWith(question *wire.Message, content wire.Content) {
	e.client.t.Helper()
	m, err := e.client.sender.New(question, content)
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

// Answering answers the questions of a cell with values, in turn, and waits for its end. It fails the test if the cell
// asks more or less often.
func (e *Exchange) Answering(values ...string) *Exchange {
	e.client.t.Helper()
	for i, value := range values {
		question := e.Asked()
		if question == nil {
			e.client.t.Fatalf("the cell ended after %d questions, want %d", i, len(values))
		}
		e.Answer(question, value)
	}
	if question := e.Asked(); question != nil {
		e.client.t.Fatalf("one question more than %d: %s", len(values), question.Content)
	}
	return e.Wait()
}

// Questions returns the questions so far as lines: their prompts, quoted, and "password" behind those not to be echoed.
// They are not in the transcript, since their place among the messages of IOPub is chance.
func (e *Exchange) Questions() []string {
	e.client.mu.Lock()
	defer e.client.mu.Unlock()
	lines := make([]string, len(e.questions))
	for i, m := range e.questions {
		in := decode[wire.InputRequest](m)
		lines[i] = strconv.Quote(in.Prompt)
		if in.Password {
			lines[i] += " password"
		}
	}
	return lines
}
