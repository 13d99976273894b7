package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/wire"
)

// TestRequestReply sends requests on both transports and channels and looks at both ends.
func TestRequestReply(t *testing.T) {
	for _, tc := range []struct {
		name string
		info wire.ConnectionInfo
	}{
		{"tcp", wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "secret"}},
		{"unsigned", wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1"}},
		{"all interfaces", wire.ConnectionInfo{Transport: "tcp", IP: "*", Key: "secret", SignatureScheme: "hmac-sha512"}},
		{"ipc", wire.ConnectionInfo{Transport: "ipc", IP: filepath.Join(t.TempDir(), "k"), Key: "secret",
			ShellPort: 1, ControlPort: 2, StdinPort: 3, IOPubPort: 4, HBPort: 5}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tr := startAt(t, tc.info, Options{})
			for _, ch := range []wire.Channel{wire.Shell, wire.Control} {
				c := dial(t, tr, ch, "me")
				other := dial(t, tr, ch, "me") // the same identity: replies go by connection
				sent, err := c.sender.New(nil, wire.ExecuteRequest{Code: "1"})
				if err != nil {
					t.Fatal(err)
				}
				sent.Identities = [][]byte{[]byte("via"), {}} // as a proxy in between would add
				sent.Buffers = [][]byte{[]byte("<IDS|MSG>"), bytes.Repeat([]byte("x"), 3<<20)}
				c.sendMessage(sent)

				r := receive(t, tr, ch)
				if r.Channel != ch || r.Seq != 1 || tr.Arrived(ch) != 1 {
					t.Errorf("got channel %s, number %d of %d, want %s, 1 of 1", r.Channel, r.Seq, tr.Arrived(ch), ch)
				}
				if got := r.Message; got.Header != sent.Header || len(got.Buffers) != 2 || !bytes.Equal(got.Buffers[1], sent.Buffers[1]) {
					t.Errorf("got header %+v and %d buffers, want %+v and 2", got.Header, len(got.Buffers), sent.Header)
				}
				if err := tr.Reply(r, message(t, tr, r.Message, wire.ExecuteReply{})); err != nil {
					t.Fatal(err)
				}
				reply := c.recv()
				if got, want := fmt.Sprintf("%q", reply.Identities), `["via" ""]`; got != want {
					t.Errorf("reply's identities: got %s, want %s", got, want)
				}
				if !bytes.Equal(reply.ParentHeader, sent.RawHeader) {
					t.Errorf("reply's parent: got %s, want %s", reply.ParentHeader, sent.RawHeader)
				}
				// Had the other connection got a reply, it would come before this one.
				asked := other.send(nil, wire.KernelInfoRequest{})
				r = receive(t, tr, ch)
				if err := tr.Reply(r, message(t, tr, r.Message, wire.KernelInfoReply{})); err != nil {
					t.Fatal(err)
				}
				if got := other.recv(); !bytes.Equal(got.ParentHeader, asked.RawHeader) {
					t.Errorf("the other connection got a reply to %s", got.ParentHeader)
				}
			}
		})
	}
}

// TestZeroMQSockets talks to the sockets of zmq4, a second implementation of the client side.
func TestZeroMQSockets(t *testing.T) {
	tr := start(t, Options{})
	go serve(t, tr)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req := zmq4.NewReq(ctx)
	sub := zmq4.NewSub(ctx)
	hb := zmq4.NewReq(ctx)
	for _, s := range []struct {
		socket zmq4.Socket
		ch     wire.Channel
	}{{req, wire.Shell}, {sub, wire.IOPub}, {hb, wire.Heartbeat}} {
		if err := s.socket.Dial(tr.Connection().Endpoint(s.ch)); err != nil {
			t.Fatal(err)
		}
		defer s.socket.Close()
	}
	if err := hb.Send(zmq4.NewMsgString("ping")); err != nil {
		t.Fatal(err)
	}
	if m, err := hb.Recv(); err != nil || string(m.Bytes()) != "ping" {
		t.Fatalf("heartbeat: got %q, %v", m.Bytes(), err)
	}

	codec, err := wire.NewCodec(tr.Connection())
	if err != nil {
		t.Fatal(err)
	}
	m, err := wire.NewSender("test").New(nil, wire.ExecuteRequest{Code: "x"})
	if err != nil {
		t.Fatal(err)
	}
	frames, err := codec.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := req.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil { // REQ puts an empty frame in front
		t.Fatal(err)
	}
	got, err := req.Recv()
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := codec.Decode(got.Frames); err != nil || reply.Header.MsgType != "inspect_reply" {
		t.Fatalf("got %v, %v", reply, err)
	}

	if err := sub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		t.Fatal(err)
	}
	if got, err := sub.Recv(); err != nil || !strings.Contains(string(got.Bytes()), "iopub_welcome") {
		t.Fatalf("got %q, %v, want a welcome", got.Bytes(), err)
	}
	if err := tr.Publish(ctx, "stream", line(t, tr, 7)); err != nil {
		t.Fatal(err)
	}
	got, err = sub.Recv()
	if err != nil {
		t.Fatal(err)
	}
	if m, err := codec.Decode(got.Frames); err != nil || lineNumber(t, m) != 7 {
		t.Fatalf("got %q, %v", got.Bytes(), err)
	}
}

// TestReceive looks at how Receive waits.
func TestReceive(t *testing.T) {
	tr := start(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tr.Receive(ctx, wire.Shell); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %v", err)
	}
	if _, err := tr.Receive(context.Background(), wire.IOPub); err == nil {
		t.Error("iopub: got no error")
	}
	// Several receivers share the requests; each request comes once.
	const requests = 100
	var mu sync.Mutex
	seen := make(map[uint64]bool)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				r, err := tr.Receive(context.Background(), wire.Shell)
				if err != nil {
					if !errors.Is(err, ErrClosed) {
						t.Errorf("got %v, want ErrClosed", err)
					}
					return
				}
				mu.Lock()
				seen[r.Seq] = true
				mu.Unlock()
				if err := tr.Reply(r, message(t, tr, r.Message, wire.InterruptReply{})); err != nil {
					t.Error(err)
				}
			}
		})
	}
	c := dial(t, tr, wire.Shell, "")
	for range requests {
		c.send(nil, wire.KernelInfoRequest{})
	}
	for range requests {
		c.recv()
	}
	tr.Close(context.Background())
	wg.Wait()
	if len(seen) != requests || tr.Arrived(wire.Shell) != requests {
		t.Errorf("got %d different requests of %d, want %d", len(seen), tr.Arrived(wire.Shell), requests)
	}
	r := &Request{Message: new(wire.Message), peer: nil}
	if err := tr.Reply(r, line(t, tr, 0)); !errors.Is(err, ErrClosed) {
		t.Errorf("reply after close: got %v, want ErrClosed", err)
	}
	if err := tr.Publish(context.Background(), "x", line(t, tr, 0)); !errors.Is(err, ErrClosed) {
		t.Errorf("publish after close: got %v, want ErrClosed", err)
	}
}

func TestReplyToGoneClient(t *testing.T) {
	tr := start(t, Options{})
	c := dial(t, tr, wire.Shell, "")
	c.send(nil, wire.KernelInfoRequest{})
	r := receive(t, tr, wire.Shell)
	c.conn.Close()
	<-r.peer.done
	if err := tr.Reply(r, message(t, tr, r.Message, wire.KernelInfoReply{})); !errors.Is(err, ErrGone) {
		t.Fatalf("got %v, want ErrGone", err)
	}
}

// TestDropped sends what must be dropped on a connection that goes on: the good request after each bad one arrives
// next.
func TestDropped(t *testing.T) {
	for _, tc := range []struct {
		name string
		send func(c *client, tr *Transport)
		want string // in the log
	}{
		{"one frame", func(c *client, _ *Transport) { c.frames("hello") }, "no delimiter"},
		{"empty frames", func(c *client, _ *Transport) { c.frames("", "", "") }, "no delimiter"},
		{"few frames", func(c *client, _ *Transport) { c.frames("<IDS|MSG>", "", "{}") }, "frames after the delimiter"},
		{"unsigned", func(c *client, _ *Transport) {
			c.frames("<IDS|MSG>", "", `{"msg_type":"execute_request"}`, "{}", "{}", "{}")
		}, "wrong signature"},
		{"another key", func(c *client, tr *Transport) {
			other, err := wire.NewCodec(wire.ConnectionInfo{Key: "guess"})
			if err != nil {
				c.t.Fatal(err)
			}
			right := c.codec
			c.codec = other
			c.send(nil, wire.ExecuteRequest{})
			c.codec = right
		}, "wrong signature"},
		{"no msg_type", func(c *client, _ *Transport) {
			c.sendMessage(&wire.Message{RawHeader: json.RawMessage(`{"msg_id":"1"}`)})
		}, "no msg_type"},
		{"an echo of our own", func(c *client, tr *Transport) {
			c.sendMessage(message(c.t, tr, nil, wire.CommMsg{CommID: "c"}))
		}, "a message of our own"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			log := new(logBuffer)
			tr := start(t, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
			c := dial(t, tr, wire.Shell, "")
			tc.send(c, tr)
			good := c.send(nil, wire.KernelInfoRequest{})
			if got := receive(t, tr, wire.Shell).Message; got.Header != good.Header {
				t.Fatalf("got %+v, want the good request", got.Header)
			}
			if !strings.Contains(log.String(), tc.want) {
				t.Errorf("log: got %q, want %q in it", log, tc.want)
			}
		})
	}
}

func TestReplayedRequest(t *testing.T) {
	for _, accept := range []bool{false, true} {
		t.Run(fmt.Sprintf("AcceptReplays %v", accept), func(t *testing.T) {
			tr := start(t, Options{AcceptReplays: accept})
			c := dial(t, tr, wire.Shell, "")
			first := c.send(nil, wire.KernelInfoRequest{})
			c.sendMessage(first)
			c.send(nil, wire.KernelInfoRequest{})
			receive(t, tr, wire.Shell)
			if again := receive(t, tr, wire.Shell).Message.Header == first.Header; again != accept {
				t.Errorf("the second copy arrived: %v", again)
			}
		})
	}
}

// TestHeartbeat echoes whatever frames come, also while nobody receives requests.
func TestHeartbeat(t *testing.T) {
	tr := start(t, Options{})
	for _, tc := range []struct {
		name   string
		frames []string
	}{
		{"ping", []string{"ping"}},
		{"as REQ sends it", []string{"", "ping"}},
		{"several", []string{"a", "", strings.Repeat("x", 70000)}},
		{"empty", []string{""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := dial(t, tr, wire.Heartbeat, "")
			for range 3 {
				c.frames(tc.frames...)
				got, err := c.recvFrames()
				if err != nil {
					t.Fatal(err)
				}
				if string(bytes.Join(got, []byte("|"))) != strings.Join(tc.frames, "|") {
					t.Fatalf("got %q, want %q", got, tc.frames)
				}
			}
		})
	}
}

// TestPing sends PING in the middle of a message, as libzmq does, and while the kernel writes.
func TestPing(t *testing.T) {
	tr := start(t, Options{})
	c := dial(t, tr, wire.Heartbeat, "")
	ping := frame(flagCommand, "\x04PING\x00\x00context")
	if _, err := c.conn.Write([]byte(frame(flagMore, "a") + ping + frame(0, "b"))); err != nil {
		t.Fatal(err)
	}
	pong, err := c.zmq.RecvCmd()
	if err != nil || pong.Name != "PONG" || string(pong.Body) != "context" {
		t.Fatalf("got %s %q, %v, want PONG with the context", pong.Name, pong.Body, err)
	}
	if got, err := c.recvFrames(); err != nil || string(bytes.Join(got, []byte("|"))) != "a|b" {
		t.Fatalf("got %q, %v, want a|b", got, err)
	}
}

// logBuffer is a bytes.Buffer for several goroutines.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// TestInput asks for input and looks at which replies are taken.
func TestInput(t *testing.T) {
	type answer struct {
		m   *wire.Message
		err error
	}
	// begin has a client send a request and the kernel ask for input; it returns when the client has the question.
	begin := func(t *testing.T, ctx context.Context, tr *Transport, shell, stdin *client) (*Request, *wire.Message, <-chan answer) {
		shell.send(nil, wire.ExecuteRequest{AllowStdin: true})
		r := receive(t, tr, wire.Shell)
		question := message(t, tr, r.Message, wire.InputRequest{Prompt: "?"})
		out := make(chan answer, 1)
		go func() {
			m, err := tr.Input(ctx, r, question)
			out <- answer{m, err}
		}()
		asked := stdin.recv()
		if asked.Header.MsgType != "input_request" || !bytes.Equal(asked.ParentHeader, r.Message.RawHeader) || len(asked.Identities) != 0 {
			t.Fatalf("got %s to %s", asked.Header.MsgType, asked.ParentHeader)
		}
		return r, asked, out
	}
	value := func(a answer) string {
		if a.err != nil {
			return a.err.Error()
		}
		var in wire.InputReply
		if err := a.m.Unmarshal(&in); err != nil {
			return err.Error()
		}
		return in.Value
	}
	for _, tc := range []struct {
		name string
		act  func(cancel func(), tr *Transport, shell, stdin *client, r *Request, asked *wire.Message)
		want string
	}{
		{"reply to the question, as JupyterLab", func(_ func(), _ *Transport, _, stdin *client, _ *Request, asked *wire.Message) {
			stdin.send(asked, wire.InputReply{Value: "yes"})
		}, "yes"},
		{"reply without a parent, as jupyter_client", func(_ func(), _ *Transport, _, stdin *client, _ *Request, _ *wire.Message) {
			stdin.send(nil, wire.InputReply{Value: "yes"})
		}, "yes"},
		{"reply to the execute_request", func(_ func(), _ *Transport, _, stdin *client, r *Request, _ *wire.Message) {
			stdin.send(r.Message, wire.InputReply{Value: "yes"})
		}, "yes"},
		{"reply that was made before the question", func(_ func(), _ *Transport, _, stdin *client, r *Request, asked *wire.Message) {
			stdin.sendMade(r.Message.Header.Time().Add(-time.Second), "", "stale") // typed for another question
			stdin.send(nil, wire.InputReply{Value: "fresh"})
		}, "fresh"},
		{"reply without a date", func(_ func(), _ *Transport, _, stdin *client, _ *Request, _ *wire.Message) {
			stdin.sendMade(time.Time{}, "", "yes")
		}, "yes"},
		{"reply of a clock that stands still", func(_ func(), _ *Transport, _, stdin *client, r *Request, _ *wire.Message) {
			stdin.sendMade(r.Message.Header.Time(), "", "yes")
		}, "yes"},
		{"reply of a clock that counts seconds", func(_ func(), _ *Transport, _, stdin *client, r *Request, _ *wire.Message) {
			stdin.sendMade(r.Message.Header.Time().Truncate(time.Second), "", "yes")
		}, "yes"},
		{"reply for another subshell", func(_ func(), _ *Transport, _, stdin *client, _ *Request, asked *wire.Message) {
			stdin.sendMade(time.Time{}, "another", "no")
			stdin.send(asked, wire.InputReply{Value: "yes"})
		}, "yes"},
		{"reply to something else", func(_ func(), _ *Transport, _, stdin *client, r *Request, asked *wire.Message) {
			stdin.send(&wire.Message{RawHeader: json.RawMessage(`{"msg_id":"old"}`)}, wire.InputReply{Value: "stale"})
			stdin.send(nil, wire.CommMsg{})
			stdin.frames("garbage")
			stdin.send(asked, wire.InputReply{Value: "fresh"})
		}, "fresh"},
		{"reply from somebody else", func(_ func(), tr *Transport, _, stdin *client, _ *Request, asked *wire.Message) {
			dial(stdin.t, tr, wire.Stdin, "other").send(asked, wire.InputReply{Value: "no"})
			stdin.send(asked, wire.InputReply{Value: "yes"})
		}, "yes"},
		{"interrupted", func(cancel func(), _ *Transport, _, _ *client, _ *Request, _ *wire.Message) { cancel() }, "context canceled"},
		{"stdin closes", func(_ func(), _ *Transport, _, stdin *client, _ *Request, _ *wire.Message) { stdin.conn.Close() }, ErrGone.Error()},
		{"shell closes", func(_ func(), _ *Transport, shell, _ *client, _ *Request, _ *wire.Message) { shell.conn.Close() }, ErrGone.Error()},
		{"transport closes", func(_ func(), tr *Transport, _, _ *client, _ *Request, _ *wire.Message) {
			tr.Close(context.Background())
		}, ErrClosed.Error()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tr := start(t, Options{})
			shell, stdin := dial(t, tr, wire.Shell, "me"), dial(t, tr, wire.Stdin, "me")
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			r, asked, out := begin(t, ctx, tr, shell, stdin)
			tc.act(cancel, tr, shell, stdin, r, asked)
			if got := value(<-out); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if len(tr.inputs.waiting) != 0 {
				t.Errorf("%d questions left", len(tr.inputs.waiting))
			}
		})
	}

	// Made in the time between a cell's begin and its question: an answer to one that was interrupted.
	t.Run("a reply made while nothing was asked is not taken", func(t *testing.T) {
		tr := start(t, Options{})
		shell, stdin := dial(t, tr, wire.Shell, "me"), dial(t, tr, wire.Stdin, "me")
		shell.send(nil, wire.ExecuteRequest{AllowStdin: true})
		r := receive(t, tr, wire.Shell)
		time.Sleep(10 * clockResolution) // the cell computes
		out := make(chan answer, 1)
		go func() {
			m, err := tr.Input(t.Context(), r, message(t, tr, r.Message, wire.InputRequest{}))
			out <- answer{m, err}
		}()
		stdin.recv()
		stdin.sendMade(r.Message.Header.Time().Add(clockResolution), "", "stale")
		stdin.send(nil, wire.InputReply{Value: "fresh"})
		if got := value(<-out); got != "fresh" {
			t.Errorf("got %q, want fresh", got)
		}
	})

	t.Run("questions of two subshells", func(t *testing.T) {
		tr := start(t, Options{})
		shell, stdin := dial(t, tr, wire.Shell, "me"), dial(t, tr, wire.Stdin, "me")
		ask := func(subshell string) (*wire.Message, <-chan answer) {
			request, err := shell.sender.New(nil, wire.ExecuteRequest{AllowStdin: true})
			if err == nil {
				err = request.SetSubshell(subshell)
			}
			if err != nil {
				t.Fatal(err)
			}
			shell.sendMessage(request)
			r := receive(t, tr, wire.Shell)
			out := make(chan answer, 1)
			question := message(t, tr, r.Message, wire.InputRequest{})
			go func() {
				m, err := tr.Input(t.Context(), r, question)
				out <- answer{m, err}
			}()
			return stdin.recv(), out
		}
		for _, tt := range []struct {
			name     string
			reply    func(first, second *wire.Message)
			one, two string
		}{
			{"named by the parent", func(first, second *wire.Message) {
				stdin.send(second, wire.InputReply{Value: "b"})
				stdin.send(first, wire.InputReply{Value: "a"})
			}, "a", "b"},
			{"named by the subshell", func(_, _ *wire.Message) {
				stdin.sendMade(time.Time{}, "two", "b")
				stdin.sendMade(time.Time{}, "one", "a")
			}, "a", "b"},
			{"not named", func(_, _ *wire.Message) {
				stdin.send(nil, wire.InputReply{Value: "a"})
				stdin.send(nil, wire.InputReply{Value: "b"})
			}, "a", "b"},
		} {
			first, one := ask("one")
			second, two := ask("two")
			tt.reply(first, second)
			if got, other := value(<-one), value(<-two); got != tt.one || other != tt.two {
				t.Errorf("%s: got %q and %q, want %q and %q", tt.name, got, other, tt.one, tt.two)
			}
		}
	})

	t.Run("a reply that came before is not taken", func(t *testing.T) {
		log := new(logBuffer)
		tr := start(t, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
		shell, stdin := dial(t, tr, wire.Shell, "me"), dial(t, tr, wire.Stdin, "me")
		stdin.send(nil, wire.InputReply{Value: "stale"})
		for deadline := time.Now().Add(patience); !strings.Contains(log.String(), "nobody waits for"); {
			if time.Now().After(deadline) {
				t.Fatal("the early reply was not logged")
			}
		}
		_, asked, out := begin(t, context.Background(), tr, shell, stdin)
		stdin.send(asked, wire.InputReply{Value: "fresh"})
		if got := value(<-out); got != "fresh" {
			t.Errorf("got %q, want fresh", got)
		}
	})

	t.Run("the newest connection is asked", func(t *testing.T) {
		tr := start(t, Options{})
		shell := dial(t, tr, wire.Shell, "me")
		dial(t, tr, wire.Stdin, "me").send(nil, wire.InputReply{}) // never answers; its end was not seen
		stdin := dial(t, tr, wire.Stdin, "me")
		for deadline := time.Now().Add(patience); stdinPeers(tr) < 2; {
			if time.Now().After(deadline) {
				t.Fatal("stdin connections did not appear")
			}
		}
		_, asked, out := begin(t, context.Background(), tr, shell, stdin)
		stdin.send(asked, wire.InputReply{Value: "new"})
		if got := value(<-out); got != "new" {
			t.Errorf("got %q, want new", got)
		}
	})

	t.Run("stdin connects late", func(t *testing.T) {
		tr := start(t, Options{})
		shell := dial(t, tr, wire.Shell, "me")
		shell.send(nil, wire.ExecuteRequest{})
		r := receive(t, tr, wire.Shell)
		out := make(chan answer, 1)
		go func() {
			m, err := tr.Input(context.Background(), r, message(t, tr, r.Message, wire.InputRequest{}))
			out <- answer{m, err}
		}()
		stdin := dial(t, tr, wire.Stdin, "me")
		stdin.send(stdin.recv(), wire.InputReply{Value: "late"})
		if got := value(<-out); got != "late" {
			t.Errorf("got %q, want late", got)
		}
	})

	for _, identity := range []string{"", "me"} {
		t.Run("no stdin for identity "+identity, func(t *testing.T) {
			tr := start(t, Options{StallTimeout: time.Millisecond})
			dial(t, tr, wire.Stdin, "") // two clients without identity are not the same client
			shell := dial(t, tr, wire.Shell, identity)
			shell.send(nil, wire.ExecuteRequest{})
			r := receive(t, tr, wire.Shell)
			if _, err := tr.Input(context.Background(), r, message(t, tr, r.Message, wire.InputRequest{})); !errors.Is(err, ErrNoStdin) {
				t.Errorf("got %v, want ErrNoStdin", err)
			}
		})
	}
}

// TestNewestConnection lets the handshake of an older connection end last.
func TestNewestConnection(t *testing.T) {
	in := &inputs{changed: make(chan struct{})}
	for _, order := range []uint64{2, 1, 3, 0} {
		in.joined(&peer{identity: "me", order: order})
	}
	if p, _ := in.find("me"); p.order != 3 {
		t.Errorf("connection %d is asked, want 3", p.order)
	}
	in.left(in.peers[3])
	if p, _ := in.find("me"); p.order != 2 {
		t.Errorf("connection %d is asked, want 2", p.order)
	}
}

func stdinPeers(tr *Transport) int {
	tr.inputs.mu.Lock()
	defer tr.inputs.mu.Unlock()
	return len(tr.inputs.peers)
}
