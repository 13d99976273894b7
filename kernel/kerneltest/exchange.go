package kerneltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"orthant/kernel/wire"
)

// An Exchange is a request and all that came of it. The fields are complete when Wait has returned, except for what
// goroutines of the cell output later.
type Exchange struct {
	Request *wire.Message
	Reply   *wire.Message   // nil for messages without a reply
	IOPub   []*wire.Message // busy to idle, and what came later

	client    *Client
	channel   wire.Channel
	progress  progress
	questions []*wire.Message // input_requests, in order
	answered  int             // how many of them
}

// Wait waits for the reply, if the request has one, and for idle.
func (e *Exchange) Wait() *Exchange {
	e.client.t.Helper()
	e.client.waitFor("the end of "+e.Request.Header.MsgType, e.ended)
	return e
}

// ended says whether the request is answered and idle. The client's mutex is held.
func (e *Exchange) ended() bool {
	needsReply := strings.HasSuffix(e.Request.Header.MsgType, "_request") && shapes[e.replyType()] != nil
	return e.progress.idle && (!needsReply || e.Reply != nil)
}

// WaitFor waits until a message on IOPub is printed as line, which may come after idle.
func (e *Exchange) WaitFor(line string) *Exchange {
	e.client.t.Helper()
	e.client.waitFor(fmt.Sprintf("%q", line), func() bool { return slices.Contains(e.lines(), line) })
	return e
}

// WaitForText waits until the exchange has written a text to a stream, among others.
func (e *Exchange) WaitForText(stream, text string) *Exchange {
	e.client.t.Helper()
	e.client.waitFor(fmt.Sprintf("%q on %s", text, stream), func() bool { return strings.Contains(e.text(stream), text) })
	return e
}

// Messages returns what has come on IOPub so far, also while goroutines of the cell still output.
func (e *Exchange) Messages() []*wire.Message {
	e.client.mu.Lock()
	defer e.client.mu.Unlock()
	return slices.Clone(e.IOPub)
}

// Want fails the test unless the exchange so far is printed as these lines.
func (e *Exchange) Want(lines ...string) *Exchange {
	e.client.t.Helper()
	if got, want := e.String(), strings.Join(lines, "\n"); got != want {
		e.client.t.Errorf("got\n%s\n\nwant\n%s\n", got, want)
	}
	return e
}

// Decode decodes the content of the reply into v.
func (e *Exchange) Decode(v any) {
	e.client.t.Helper()
	if e.Reply == nil {
		e.client.t.Fatalf("%s has no reply", e.Request.Header.MsgType)
	}
	if err := e.Reply.Unmarshal(v); err != nil {
		e.client.t.Fatal(err)
	}
}

// Text returns what the exchange has written to a stream so far.
func (e *Exchange) Text(stream string) string {
	e.client.mu.Lock()
	defer e.client.mu.Unlock()
	return e.text(stream)
}

// text is Text for callers that hold the client's mutex.
func (e *Exchange) text(stream string) string {
	var all strings.Builder
	for _, m := range e.IOPub {
		if s := decode[wire.Stream](m); m.Header.MsgType == "stream" && s.Name == stream {
			all.WriteString(s.Text)
		}
	}
	return all.String()
}

// String returns the transcript: a line for each message on IOPub, in order, and one for the reply, last, because its
// place among the others is chance. Streams are quoted, and joined with what follows on the same stream.
func (e *Exchange) String() string {
	e.client.mu.Lock()
	defer e.client.mu.Unlock()
	return strings.Join(e.lines(), "\n")
}

// take adds a message to the exchange and, with the last one, checks the whole. The client's mutex is held.
func (e *Exchange) take(ch wire.Channel, m *wire.Message) error {
	before := e.ended()
	err := e.add(ch, m)
	if err == nil && !before && e.ended() && !e.client.lenient {
		err = e.agree()
	}
	return err
}

func (e *Exchange) add(ch wire.Channel, m *wire.Message) error {
	if ch == wire.IOPub {
		e.IOPub = append(e.IOPub, m)
		return e.progress.next(m.Header.MsgType, string(decode[wire.KernelStatus](m).ExecutionState))
	}
	switch {
	case ch == wire.Stdin:
		return e.takeQuestion(m)
	case ch != e.channel:
		return fmt.Errorf("comes on %s, the request went to %s", ch, e.channel)
	case e.Reply != nil:
		return errors.New("is a second reply")
	case m.Header.MsgType != e.replyType():
		return fmt.Errorf("is not a %s", e.replyType())
	}
	e.Reply = m
	return nil
}

func (e *Exchange) replyType() string {
	return strings.TrimSuffix(e.Request.Header.MsgType, "_request") + "_reply"
}

// lines returns the transcript's lines. The client's mutex is held.
func (e *Exchange) lines() []string {
	var lines []string
	joined := wire.Stream{}
	endText := func() {
		if joined.Text != "" {
			lines = append(lines, fmt.Sprintf("%s %q", joined.Name, joined.Text))
		}
		joined = wire.Stream{}
	}
	for _, m := range e.IOPub {
		if m.Header.MsgType != "stream" {
			endText()
			lines = append(lines, line(m))
			continue
		}
		s := decode[wire.Stream](m)
		if s.Name != joined.Name {
			endText()
		}
		joined = wire.Stream{Name: s.Name, Text: joined.Text + s.Text}
	}
	endText()
	if e.Reply != nil {
		lines = append(lines, line(e.Reply))
	}
	return lines
}

// printers say how messages look in a transcript, behind their type; others are printed as their content.
var printers = map[string]func(m *wire.Message) string{
	"clear_output":        func(m *wire.Message) string { return fmt.Sprintf("wait=%v", decode[wire.ClearOutput](m).Wait) },
	"comm_close":          printCommClose,
	"comm_msg":            printCommMsg,
	"comm_open":           printCommOpen,
	"display_data":        func(m *wire.Message) string { return printDisplay(decode[wire.DisplayData](m)) },
	"error":               func(m *wire.Message) string { return printFailure(decode[wire.Error](m).Failure) },
	"execute_input":       printInput,
	"execute_reply":       printReply,
	"execute_result":      printResult,
	"interrupt_reply":     func(*wire.Message) string { return "ok" },
	"update_display_data": func(m *wire.Message) string { return printDisplay(wire.DisplayData(decode[wire.UpdateDisplayData](m))) },
}

// line returns a message as a line of a transcript.
func line(m *wire.Message) string {
	if m.Header.MsgType == "status" {
		return string(decode[wire.KernelStatus](m).ExecutionState)
	}
	if print := printers[m.Header.MsgType]; print != nil {
		return m.Header.MsgType + " " + print(m)
	}
	return m.Header.MsgType + " " + string(m.Content)
}

func printCommOpen(m *wire.Message) string {
	open := decode[wire.CommOpen](m)
	return open.CommID + " " + open.TargetName + printSaid(m, open.Data)
}

func printCommMsg(m *wire.Message) string {
	msg := decode[wire.CommMsg](m)
	return msg.CommID + printSaid(m, msg.Data)
}

func printCommClose(m *wire.Message) string {
	closing := decode[wire.CommClose](m)
	return closing.CommID + printSaid(m, closing.Data)
}

// printSaid prints what goes with a message of a comm, as far as it is not empty: data, metadata, sizes of buffers.
func printSaid(m *wire.Message, data json.RawMessage) string {
	text := ""
	if string(data) != "{}" {
		text += " " + string(data)
	}
	if string(m.Metadata) != "{}" {
		text += " metadata " + string(m.Metadata)
	}
	for _, b := range m.Buffers {
		text += fmt.Sprintf(" (%d bytes)", len(b))
	}
	return text
}

func printInput(m *wire.Message) string {
	in := decode[wire.ExecuteInput](m)
	return fmt.Sprintf("[%d] %s", in.ExecutionCount, in.Code)
}

func printReply(m *wire.Message) string {
	var reply struct {
		Status         string
		ExecutionCount *int `json:"execution_count"`
		Ename, Evalue  string
	}
	mustDecode(m, &reply)
	text := reply.Status
	if reply.ExecutionCount != nil {
		text = fmt.Sprintf("[%d] %s", *reply.ExecutionCount, text)
	}
	if reply.Status == "error" {
		text += " " + printFailure(wire.Failure{Ename: reply.Ename, Evalue: reply.Evalue})
	}
	return text
}

func printResult(m *wire.Message) string {
	result := decode[wire.ExecuteResult](m)
	return fmt.Sprintf("[%d] %s", result.ExecutionCount, printBundle(result.Data))
}

func printDisplay(d wire.DisplayData) string {
	text := printBundle(d.Data)
	if d.Transient.DisplayID != "" {
		text += " id=" + d.Transient.DisplayID
	}
	return text
}

// printBundle prints the text and the names of the other representations.
func printBundle(b wire.MIMEBundle) string {
	text := b.Text("text/plain")
	for _, mime := range slices.Sorted(maps.Keys(b)) {
		if mime != "text/plain" {
			text += " (" + mime + ")"
		}
	}
	return text
}

func printFailure(f wire.Failure) string { return f.Ename + ": " + f.Evalue }

// decode returns the content of a message whose shape has been checked.
func decode[T any](m *wire.Message) T {
	var content T
	mustDecode(m, &content)
	return content
}

func mustDecode(m *wire.Message, v any) {
	if err := json.Unmarshal(m.Content, v); err != nil {
		panic(fmt.Sprintf("kerneltest: %s passed its check and cannot be decoded: %v", m.Header.MsgType, err))
	}
}
