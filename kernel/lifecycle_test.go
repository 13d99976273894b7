package kernel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

func TestInterrupt(t *testing.T) {
	k, c := startKernel(t)
	c.Control(wire.InterruptRequest{}).Want("busy", "idle", "interrupt_reply ok") // idle: nothing happens
	running := c.Send(wire.Shell, kerneltest.Request("print x\nblock"))
	queued := c.Send(wire.Shell, kerneltest.Request("print queued"))
	waitForArrival(t, k, 2)
	running.WaitFor(`stdout "x\n"`)
	c.Control(wire.InterruptRequest{}).Want("busy", "idle", "interrupt_reply ok")
	running.Wait().Want(
		"busy",
		"execute_input [1] print x\nblock",
		`stdout "x\n"`,
		"error Interrupted: interrupted",
		"idle",
		"execute_reply [1] error Interrupted: interrupted",
	)
	queued.Wait().Want("busy", "idle", "execute_reply aborted")
	c.Execute("value 1").Want(
		"busy", "execute_input [2] value 1", "execute_result [2] 1", "idle", "execute_reply [2] ok",
	)
}

func TestShutdown(t *testing.T) {
	for _, tt := range []struct {
		name    string
		channel wire.Channel
		restart bool
		cell    string // runs meanwhile; empty for none
	}{
		{"idle", wire.Control, false, ""},
		{"restart", wire.Control, true, ""},
		{"on shell", wire.Shell, false, ""},
		{"while a cell runs", wire.Control, false, "print x\nblock"},
		{"while a cell is deaf", wire.Control, true, "print x\nawait never"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, c := startKernel(t)
			t.Cleanup(func() { close(k.fake.signal("never")) }) // the cell outlives its kernel; let it go
			if tt.cell != "" {
				c.Send(wire.Shell, kerneltest.Request(tt.cell)).WaitFor(`stdout "x\n"`)
			}
			start := time.Now()
			reply := fmt.Sprintf(`shutdown_reply {"status":"ok","restart":%v}`, tt.restart)
			c.Send(tt.channel, wire.ShutdownRequest{Restart: tt.restart}).Wait().Want("busy", reply, "idle", reply)
			<-k.done
			if took := time.Since(start); took > shutdownLimit {
				t.Errorf("the kernel took %v to end, want less than %v", took, shutdownLimit)
			}
			if k.err != nil {
				t.Errorf("the kernel ended with %v", k.err)
			}
			select {
			case <-k.fake.closed:
			default:
				t.Error("the session is not closed")
			}
			c.WaitClosed()
		})
	}
}

// TestOutputBeforeTheEnd checks that nothing is lost when a client shuts the kernel down straight after a cell.
func TestOutputBeforeTheEnd(t *testing.T) {
	_, c := startKernel(t)
	text := strings.Repeat("x", 1<<20)
	cell := c.Send(wire.Shell, kerneltest.Request("print "+text))
	down := c.Send(wire.Shell, wire.ShutdownRequest{})
	if got := len(cell.Wait().Text("stdout")); got != len(text)+1 {
		t.Errorf("got %d bytes, want %d", got, len(text)+1)
	}
	down.Wait()
}

// TestStartingOnce has a client listen before the kernel starts: the first message is starting, and it is the only one.
func TestStartingOnce(t *testing.T) {
	fake := newFakeSession()
	k := prepareKernel(t, fake, func() (interpreter, error) { return fake, nil })
	c := kerneltest.Dial(t, k.info)
	k.start(context.Background())
	c.Execute("value 1")
	c.Control(wire.KernelInfoRequest{})
	var got []string
	for _, m := range c.Others() { // the exchanges have their own
		got = append(got, fmt.Sprintf("%s %s %s", m.Header.MsgType, m.ParentHeader, m.Content))
	}
	want := []string{`iopub_welcome {} {"subscription":""}`, `status {} {"execution_state":"starting"}`}
	if !slices.Equal(got, want) {
		t.Errorf("messages without a request: %q, want %q", got, want)
	}
}

// TestServeEndsWithItsContext checks that the end of the context is as good an end as a shutdown, whatever ends it.
func TestServeEndsWithItsContext(t *testing.T) {
	for _, tt := range []struct {
		name string
		ctx  func() (context.Context, context.CancelFunc)
	}{
		{"cancelled", func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) }},
		{"deadline", func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), 10*time.Millisecond)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fake := newFakeSession()
			k := prepareKernel(t, fake, func() (interpreter, error) { return fake, nil })
			ctx, cancel := tt.ctx()
			defer cancel()
			k.start(ctx)
			if tt.name == "cancelled" {
				cancel()
			}
			<-k.done
			if k.err != nil {
				t.Errorf("serve returned %v, want a good end", k.err)
			}
		})
	}
}

// TestReadyBeforeTheSession checks that a slow session delays only what needs it.
func TestReadyBeforeTheSession(t *testing.T) {
	fake := newFakeSession()
	opened := make(chan struct{})
	k := startKernelWith(t, fake, func() (interpreter, error) {
		<-opened
		return fake, nil
	})
	c := kerneltest.Dial(t, k.info)
	c.Shell(wire.KernelInfoRequest{})
	c.Shell(wire.IsCompleteRequest{Code: "if x {"}).Want("busy", "idle", `is_complete_reply {"status":"incomplete","indent":"\t"}`)
	cell := c.Send(wire.Shell, kerneltest.Request("value 1"))
	cell.WaitFor("execute_input [1] value 1")
	c.Control(wire.InterruptRequest{})
	if got := cell.Wait().String(); !strings.Contains(got, "execute_reply [1] error") {
		t.Errorf("got\n%s\nwant the interrupt to end the wait", got)
	}
	close(opened)
	c.Execute("value 2").Want(
		"busy", "execute_input [2] value 2", "execute_result [2] 2", "idle", "execute_reply [2] ok",
	)
}

func TestSessionThatDoesNotOpen(t *testing.T) {
	broken := errors.New("broken")
	k := startKernelWith(t, nil, func() (interpreter, error) { return nil, broken })
	<-k.done
	if !errors.Is(k.err, broken) {
		t.Errorf("serve returned %v, want %v", k.err, broken)
	}
}
