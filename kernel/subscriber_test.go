package kernel

import (
	"context"
	"slices"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// A line is a connection to one channel of a kernel.
type line struct {
	*transport.Client
	t     *testing.T
	codec *wire.Codec
}

func dialLine(t *testing.T, info wire.ConnectionInfo, ch wire.Channel) *line {
	t.Helper()
	codec, err := wire.NewCodec(info)
	if err != nil {
		t.Fatal(err)
	}
	c, err := transport.Dial(t.Context(), info, ch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &line{c, t, codec}
}

func (l *line) send(content wire.Content) {
	l.t.Helper()
	m, err := wire.NewSender("test").New(nil, content)
	if err != nil {
		l.t.Fatal(err)
	}
	frames, err := l.codec.Encode(m)
	if err != nil {
		l.t.Fatal(err)
	}
	if err := l.Send(l.t.Context(), frames); err != nil {
		l.t.Fatal(err)
	}
}

// next returns the type of the next message, or what went wrong.
func (l *line) next() string {
	ctx, cancel := context.WithTimeout(l.t.Context(), kerneltest.Timeout)
	defer cancel()
	frames, err := l.Receive(ctx)
	if err != nil {
		return err.Error()
	}
	m, err := l.codec.Decode(frames)
	if err != nil {
		return err.Error()
	}
	return m.Header.MsgType
}

// TestFirstCellIsHeard has a client ask for a cell before it has subscribed on IOPub: it misses nothing of it.
func TestFirstCellIsHeard(t *testing.T) {
	fake := newFakeSession()
	k := startKernelWith(t, fake, func() (interpreter, error) { return fake, nil })
	shell := dialLine(t, k.info, wire.Shell)
	shell.send(wire.KernelInfoRequest{})
	if got := shell.next(); got != "kernel_info_reply" {
		t.Fatalf("got %s: other requests wait for nobody", got)
	}
	shell.send(kerneltest.Request("value 1"))
	replied := make(chan string)
	go func() { replied <- shell.next() }()
	select {
	case got := <-replied:
		t.Fatalf("%s, and nobody listens", got)
	case <-time.After(100 * time.Millisecond): // that nothing comes can only be seen for a while
	}
	iopub := dialLine(t, k.info, wire.IOPub)
	var got []string
	for range 5 {
		got = append(got, iopub.next())
	}
	if want := []string{"iopub_welcome", "status", "execute_input", "execute_result", "status"}; !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
	if got := <-replied; got != "execute_reply" {
		t.Errorf("got %s", got)
	}
}

// TestNobodyListens runs cells for a client that has no IOPub: they do not wait for ever.
func TestNobodyListens(t *testing.T) {
	fake := newFakeSession()
	k := startKernelWith(t, fake, func() (interpreter, error) { return fake, nil })
	shell := dialLine(t, k.info, wire.Shell)
	for range 2 {
		shell.send(kerneltest.Request("value 1"))
		if got := shell.next(); got != "execute_reply" {
			t.Fatalf("got %s", got)
		}
	}
}
