package kerneltest_test

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// An echo is a kernel that gives back what it gets: the subshell's name as text, comm messages as they are.
type echo struct {
	t         *testing.T
	transport *transport.Transport
	sender    *wire.Sender
}

// startEcho starts the kernel; it ends with the test.
func startEcho(t *testing.T) (*echo, wire.ConnectionInfo) {
	t.Helper()
	sender := wire.NewSender("test")
	tr, err := transport.Listen(
		wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "a key", SignatureScheme: "hmac-sha256"},
		transport.Options{Sender: sender},
	)
	if err != nil {
		t.Fatal(err)
	}
	k := &echo{t: t, transport: tr, sender: sender}
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	for _, ch := range []wire.Channel{wire.Shell, wire.Control} {
		serving.Go(func() { k.serve(ctx, ch) })
	}
	t.Cleanup(func() {
		cancel()
		serving.Wait()
		tr.Close(context.Background())
	})
	return k, tr.Connection()
}

func (k *echo) serve(ctx context.Context, ch wire.Channel) {
	for {
		from, err := k.transport.Receive(ctx, ch)
		if err != nil {
			return
		}
		k.publish(from, wire.KernelStatus{ExecutionState: wire.Busy})
		k.answer(ctx, from)
		k.publish(from, wire.KernelStatus{ExecutionState: wire.Idle})
	}
}

func (k *echo) answer(ctx context.Context, from *transport.Request) {
	var reply wire.Content
	switch from.Message.Header.MsgType {
	case "comm_msg":
		var in wire.CommMsg
		if err := from.Message.Unmarshal(&in); err != nil {
			k.t.Error(err)
		}
		k.publish(from, in, from.Message.Buffers...)
		return
	case "create_subshell_request":
		reply = wire.CreateSubshellReply{SubshellID: "one"}
	case "kernel_info_request":
		reply = wire.KernelInfoReply{ProtocolVersion: wire.ProtocolVersion, Implementation: "echo", LanguageInfo: wire.LanguageInfo{
			Name: "none", Version: "0", MIMEType: "text/plain", FileExtension: ".txt",
		}}
	case "execute_request":
		reply = k.execute(ctx, from)
	default:
		return
	}
	m, err := k.sender.New(from.Message, reply)
	if err == nil {
		err = k.transport.Reply(from, m)
	}
	if err != nil {
		k.t.Error(err)
	}
}

// execute writes the subshell's id, or asks as often as the code is long.
func (k *echo) execute(ctx context.Context, from *transport.Request) wire.Content {
	var in wire.ExecuteRequest
	if err := from.Message.Unmarshal(&in); err != nil {
		k.t.Error(err)
	}
	k.publish(from, wire.ExecuteInput{Code: in.Code, ExecutionCount: 1})
	if id := from.Message.Header.SubshellID; id != "" {
		k.publish(from, wire.Stream{Name: "stdout", Text: id})
	}
	for range len(in.Code) {
		if !in.AllowStdin {
			break
		}
		question, err := k.sender.New(from.Message, wire.InputRequest{Prompt: "n?", Password: true})
		if err != nil {
			k.t.Error(err)
			break
		}
		answer, err := k.transport.Input(ctx, from, question)
		var value wire.InputReply
		if err == nil {
			err = answer.Unmarshal(&value)
		}
		if err != nil {
			k.t.Error(err)
			break
		}
		k.publish(from, wire.Stream{Name: "stdout", Text: value.Value})
	}
	return wire.ExecuteReply{Status: wire.OK, ExecutionCount: 1}
}

func (k *echo) publish(from *transport.Request, content wire.Content, buffers ...[]byte) {
	m, err := k.sender.New(from.Message, content)
	if err == nil {
		m.Buffers = buffers
		err = k.transport.Publish(context.Background(), m.Header.MsgType, m)
	}
	if err != nil {
		k.t.Error(err)
	}
}

func TestSubshell(t *testing.T) {
	_, info := startEcho(t)
	c := kerneltest.Dial(t, info)
	c.CreateSubshell().Execute("").Want("busy", "execute_input [1] ", `stdout "one"`, "idle", "execute_reply [1] ok")
	c.Subshell("other").Execute("").Want("busy", "execute_input [1] ", `stdout "other"`, "idle", "execute_reply [1] ok")
	c.Execute("").Want("busy", "execute_input [1] ", "idle", "execute_reply [1] ok")
}

func TestSendBuffers(t *testing.T) {
	_, info := startEcho(t)
	c := kerneltest.Dial(t, info)
	e := c.SendBuffers(wire.CommMsg{CommID: "c", Data: []byte(`{"a":[1]}`)}, []byte{0, 0xff}, nil, []byte("<IDS|MSG>")).Wait()
	e.Want("busy", `comm_msg c {"a":[1]} (2 bytes) (0 bytes) (9 bytes)`, "idle")
	if got := e.IOPub[1].Buffers; len(got) != 3 || !bytes.Equal(got[0], []byte{0, 0xff}) || string(got[2]) != "<IDS|MSG>" {
		t.Errorf("got buffers %q", got)
	}
}

func TestAnswering(t *testing.T) {
	_, info := startEcho(t)
	c := kerneltest.Dial(t, info)
	request := kerneltest.Request("xx")
	request.AllowStdin = true
	e := c.Send(wire.Shell, request).Answering("a", "é")
	e.Want("busy", "execute_input [1] xx", `stdout "aé"`, "idle", "execute_reply [1] ok")
	if got := e.Questions(); len(got) != 2 || got[1] != `"n?" password` {
		t.Errorf("questions %q", got)
	}
}

// TestTwin has two clients of one session id ask at the same time: each gets what is its own.
func TestTwin(t *testing.T) {
	_, info := startEcho(t)
	first := kerneltest.Dial(t, info)
	second := first.Twin()
	var exchanges []*kerneltest.Exchange
	for range 20 {
		exchanges = append(exchanges, first.Send(wire.Shell, kerneltest.Request("")), second.Send(wire.Shell, kerneltest.Request("")))
	}
	for _, e := range exchanges {
		e.Wait().Want("busy", "execute_input [1] ", "idle", "execute_reply [1] ok")
	}
}

// TestPause has one client read nothing until others have been answered.
func TestPause(t *testing.T) {
	_, info := startEcho(t)
	paused, other := kerneltest.Dial(t, info), kerneltest.Dial(t, info)
	paused.Pause()
	var waiting []*kerneltest.Exchange
	for range 3 {
		waiting = append(waiting, paused.Send(wire.Shell, kerneltest.Request("")))
	}
	other.Execute("")
	if e := waiting[2]; e.Reply != nil {
		t.Error("the last reply has been read during the pause")
	}
	paused.Resume()
	for _, e := range waiting {
		e.Wait()
	}
}

// TestWatch has a client of Watch note what a strict one refuses.
func TestWatch(t *testing.T) {
	k, info := startEcho(t)
	c := kerneltest.Watch(t, info)
	m, err := k.sender.New(nil, wire.ClearOutput{})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.transport.Publish(t.Context(), "clear_output", m); err != nil {
		t.Fatal(err)
	}
	c.Execute("")
	if got := c.Complaints(); len(got) != 1 {
		t.Errorf("complaints %q, want one: a message has no parent", got)
	}
}
