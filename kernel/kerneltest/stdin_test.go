package kerneltest_test

import (
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// TestAnswer plays a kernel that asks twice.
func TestAnswer(t *testing.T) {
	sender := wire.NewSender("test")
	tr, err := transport.Listen(
		wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "a key", SignatureScheme: "hmac-sha256"},
		transport.Options{Sender: sender},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close(t.Context())
	c := kerneltest.Dial(t, tr.Connection())
	request := kerneltest.Request("x")
	request.AllowStdin = true
	e := c.Send(wire.Shell, request)
	from, err := tr.Receive(t.Context(), wire.Shell)
	if err != nil {
		t.Fatal(err)
	}
	message := func(content wire.Content) *wire.Message {
		m, err := sender.New(from.Message, content)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	publish := func(state wire.ExecutionState) {
		if err := tr.Publish(t.Context(), "status", message(wire.KernelStatus{ExecutionState: state})); err != nil {
			t.Error(err)
		}
	}
	publish(wire.Busy)
	for _, want := range []string{"41", "é"} {
		got := make(chan string, 1)
		question := message(wire.InputRequest{Prompt: "n?"})
		go func() {
			var in wire.InputReply
			m, err := tr.Input(t.Context(), from, question)
			if err == nil {
				err = m.Unmarshal(&in)
			}
			if err != nil {
				t.Error(err)
			}
			got <- in.Value
		}()
		asked := e.Asked()
		if asked == nil {
			t.Fatal("the question did not come")
		}
		e.Answer(asked, want)
		if got := <-got; got != want {
			t.Errorf("the kernel got %q, want %q", got, want)
		}
	}
	if err := tr.Reply(from, message(wire.ExecuteReply{Status: wire.OK})); err != nil {
		t.Error(err)
	}
	publish(wire.Idle)
	if m := e.Asked(); m != nil {
		t.Errorf("a question after the end: %s", m.Content)
	}
}
