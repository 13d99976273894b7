package kernel

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/session"
	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// A testKernel is a kernel in this process, on sockets of the loopback interface, with a fake session.
type testKernel struct {
	*kernel
	fake *fakeSession
	done chan struct{} // closed when serve has returned
	err  error         // what serve returned
}

// startKernel starts a kernel and stops it at the end of the test.
func startKernel(t *testing.T) (*testKernel, *kerneltest.Client) {
	t.Helper()
	fake := newFakeSession()
	k := startKernelWith(t, fake, func() (interpreter, error) { return fake, nil })
	return k, kerneltest.Dial(t, k.info)
}

func startKernelWith(t *testing.T, fake *fakeSession, open func() (interpreter, error)) *testKernel {
	t.Helper()
	k := prepareKernel(t, fake, open)
	k.start(context.Background())
	return k
}

// prepareKernel is startKernelWith for a kernel that does not serve until its start is called. Clients can connect.
func prepareKernel(t *testing.T, fake *fakeSession, open func() (interpreter, error)) *testKernel {
	t.Helper()
	info := wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "a key", SignatureScheme: "hmac-sha256"}
	log := slog.New(slog.NewTextHandler(newTestLog(t), &slog.HandlerOptions{Level: slog.LevelDebug}))
	sender := wire.NewSender("test")
	tr, err := transport.Listen(info, transport.Options{Sender: sender, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	k := &testKernel{
		kernel: newKernel(tr, sender, Options{Version: "0.0-test", Logger: log}, open),
		fake:   fake, done: make(chan struct{}),
	}
	t.Cleanup(func() {
		k.stop(nil)
		<-k.done
	})
	return k
}

// start lets the kernel serve.
func (k *testKernel) start(ctx context.Context) {
	go func() {
		defer close(k.done)
		k.err = k.serve(ctx)
	}()
}

// A testLog writes a kernel's log to its test's while the test goes on: a cell that is deaf to the end of its kernel may
// outlive both.
type testLog struct {
	mu   sync.Mutex
	t    *testing.T
	over bool
}

func newTestLog(t *testing.T) *testLog {
	l := &testLog{t: t}
	t.Cleanup(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.over = true
	})
	return l
}

func (l *testLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.t.Log(strings.TrimSuffix(string(line), "\n"))
	}
	return len(line), nil
}

func TestKernelInfo(t *testing.T) {
	k, c := startKernel(t)
	for _, ch := range []wire.Channel{wire.Shell, wire.Control} {
		t.Run(string(ch), func(t *testing.T) {
			e := c.Send(ch, wire.KernelInfoRequest{}).Wait()
			var got wire.KernelInfoReply
			e.Decode(&got)
			if got.ProtocolVersion != "5.5" || got.Implementation != "orthant" || got.ImplementationVersion != "0.0-test" {
				t.Errorf("got %s %s, protocol %s", got.Implementation, got.ImplementationVersion, got.ProtocolVersion)
			}
			version := strings.TrimPrefix(runtime.Version(), "go")
			want := wire.LanguageInfo{
				Name: "go", Version: version, MIMEType: "text/x-go", FileExtension: ".go", PygmentsLexer: "go", CodemirrorMode: "go",
			}
			if got.LanguageInfo != want {
				t.Errorf("language_info is %+v, want %+v", got.LanguageInfo, want)
			}
			if lines := strings.Split(e.String(), "\n"); lines[0] != "busy" || lines[1] != "idle" {
				t.Errorf("got %q, want busy and idle", lines)
			}
		})
	}
	t.Run("control while a cell runs", func(t *testing.T) {
		cell := c.Send(wire.Shell, kerneltest.Request("print running\nawait end"))
		cell.WaitFor(`stdout "running\n"`)
		c.Control(wire.KernelInfoRequest{})
		c.Ping()
		close(k.fake.signal("end"))
		cell.Wait().Want(
			"busy", "execute_input [1] print running\nawait end", `stdout "running\n"`, "idle", "execute_reply [1] ok",
		)
	})
}

func TestOtherRequests(t *testing.T) {
	k, c := startKernel(t)
	c.Execute("value 1")
	c.Execute("print x")
	tests := []struct {
		name    string
		request wire.Content
		want    string // between busy and idle, and after them
	}{
		{
			"complete counts code points", wire.CompleteRequest{Code: "é😀 ab", CursorPos: 5},
			`complete_reply {"status":"ok","matches":["abab"],"cursor_start":3,"cursor_end":5,"metadata":{` +
				`"_jupyter_types_experimental":[{"start":3,"end":5,"text":"abab","type":"function","signature":"func()"}]}}`,
		},
		{
			"complete without matches is at the cursor", wire.CompleteRequest{Code: "é😀 ", CursorPos: 3},
			`complete_reply {"status":"ok","matches":[],"cursor_start":3,"cursor_end":3,"metadata":{}}`,
		},
		{
			"complete beyond the end", wire.CompleteRequest{Code: "é ", CursorPos: 100},
			`complete_reply {"status":"ok","matches":[],"cursor_start":2,"cursor_end":2,"metadata":{}}`,
		},
		{
			"inspect counts code points", wire.InspectRequest{Code: "é😀x", CursorPos: 2, DetailLevel: 1},
			`inspect_reply {"status":"ok","found":true,"data":{"text/plain":"byte 6 detail 1"},"metadata":{}}`,
		},
		{
			"inspect finds nothing", wire.InspectRequest{Code: " "},
			`inspect_reply {"status":"ok","found":false,"data":{},"metadata":{}}`,
		},
		{"is_complete", wire.IsCompleteRequest{Code: "x"}, `is_complete_reply {"status":"complete"}`},
		{"is_complete not", wire.IsCompleteRequest{Code: "{"}, `is_complete_reply {"status":"incomplete","indent":"\t"}`},
		{"is_complete never", wire.IsCompleteRequest{Code: "}"}, `is_complete_reply {"status":"invalid"}`},
		{
			"history", wire.HistoryRequest{HistAccessType: "tail", N: 1},
			`history_reply {"status":"ok","history":[[1,2,"print x"]]}`,
		},
		{
			"history with output", wire.HistoryRequest{HistAccessType: "range", Output: true},
			`history_reply {"status":"ok","history":[[1,1,["value 1","1"]],[1,2,["print x",null]]]}`,
		},
		{
			"history search", wire.HistoryRequest{HistAccessType: "search", Pattern: "val*"},
			`history_reply {"status":"ok","history":[[1,1,"value 1"]]}`,
		},
		{
			"history of as many as there are by default", wire.HistoryRequest{HistAccessType: "tail"},
			`history_reply {"status":"ok","history":[[1,1,"value 1"],[1,2,"print x"]]}`,
		},
		{
			"history of an unknown kind", wire.HistoryRequest{HistAccessType: "guess"},
			`history_reply {"status":"error","ename":"KernelError","evalue":"kernel: history_request: hist_access_type is \"guess\", want range, tail or search",` +
				`"traceback":["kernel: history_request: hist_access_type is \"guess\", want range, tail or search"]}`,
		},
		{"comm_info", wire.CommInfoRequest{}, `comm_info_reply {"status":"ok","comms":{}}`},
		{"comm_info of a target", wire.CommInfoRequest{TargetName: "x"}, `comm_info_reply {"status":"ok","comms":{}}`},
		{"comm_open is closed", wire.CommOpen{CommID: "id", TargetName: "unknown"}, ""},
		{"comm_msg is ignored", wire.CommMsg{CommID: "id"}, ""},
		{"comm_close is ignored", wire.CommClose{CommID: "id"}, ""},
		{"an unknown request has no reply", unknownRequest{}, ""},
		{
			"connect", wire.ConnectRequest{},
			fmt.Sprintf(`connect_reply {"status":"ok","shell_port":%d,"iopub_port":%d,"stdin_port":%d,"hb_port":%d,"control_port":%d}`,
				k.info.ShellPort, k.info.IOPubPort, k.info.StdinPort, k.info.HBPort, k.info.ControlPort),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := []string{"busy", "idle"}
			if _, open := tt.request.(wire.CommOpen); open {
				want = []string{"busy", "comm_close id", "idle"}
			}
			if tt.want != "" {
				want = append(want, tt.want)
			}
			c.Shell(tt.request).Want(want...)
		})
	}
}

// TestOtherRequestsOnControl checks that what is for other channels, or belongs to features that kernel_info does not
// announce, gets no reply on control, but its busy and idle.
func TestOtherRequestsOnControl(t *testing.T) {
	_, c := startKernel(t)
	for _, messageType := range []string{"debug_request", "execute_request", "frobnicate_request"} {
		t.Run(messageType, func(t *testing.T) {
			e := c.Send(wire.Control, raw{messageType, `{}`}).WaitFor("idle")
			c.Control(wire.KernelInfoRequest{}) // had the request a reply, it would have come before this one's
			e.Want("busy", "idle")
		})
	}
}

// An unknownRequest is a request that no kernel understands.
type unknownRequest struct{}

func (unknownRequest) MessageType() string { return "frobnicate_request" }

// TestDefaults sends requests without the fields that have defaults.
func TestDefaults(t *testing.T) {
	_, c := startKernel(t)
	tests := []struct{ name, messageType, content, want string }{
		{"execute", "execute_request", `{"code":"value 1"}`, "execute_reply [1] ok"},
		{
			"complete at the end", "complete_request", `{"code":"é"}`,
			`complete_reply {"status":"ok","matches":["éé"],"cursor_start":0,"cursor_end":1,"metadata":{` +
				`"_jupyter_types_experimental":[{"start":0,"end":1,"text":"éé","type":"function","signature":"func()"}]}}`,
		},
		{
			"inspect at the end", "inspect_request", `{"code":"é"}`,
			`inspect_reply {"status":"ok","found":true,"data":{"text/plain":"byte 2 detail 0"},"metadata":{}}`,
		},
		{"null for a search of all", "history_request", `{"hist_access_type":"search","n":null,"pattern":null}`,
			`history_reply {"status":"ok","history":[[1,1,"value 1"]]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := strings.Split(c.Send(wire.Shell, raw{tt.messageType, tt.content}).Wait().String(), "\n")
			if got := lines[len(lines)-1]; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A raw content is sent as it is.
type raw struct{ messageType, content string }

func (r raw) MessageType() string { return r.messageType }

func (r raw) MarshalJSON() ([]byte, error) { return []byte(r.content), nil }

// TestParentHeaderIsVerbatim checks that what the kernel does not know of a header comes back as it was: the client
// compares bytes.
func TestParentHeaderIsVerbatim(t *testing.T) {
	_, c := startKernel(t)
	c.SendMessage(wire.Shell, &wire.Message{
		Header: wire.Header{MsgID: "odd", MsgType: "kernel_info_request"},
		RawHeader: []byte(`{ "msg_id":"odd", "msg_type":"kernel_info_request", "session":"s\u00e9", "username":"<u>",` +
			` "date":"2026-01-01T00:00:00", "version":"5.3", "subshell_id":null, "big":12345678901234567890123, "x":[1.0,1e3] }`),
	}).Wait()
}

// TestMalformedContent checks that a request whose content has the wrong types is answered and harms nothing.
func TestMalformedContent(t *testing.T) {
	_, c := startKernel(t)
	e := c.Send(wire.Shell, raw{"execute_request", `{"code":7}`}).Wait()
	if got := e.String(); !strings.HasPrefix(got, "busy\nidle\nexecute_reply error KernelError: ") {
		t.Errorf("got\n%s\nwant an error reply", got)
	}
	c.Execute("value 1").Want(
		"busy", "execute_input [1] value 1", "execute_result [1] 1", "idle", "execute_reply [1] ok",
	)
}

func TestPanicsCostOneRequest(t *testing.T) {
	_, c := startKernel(t)
	c.Execute("print x\npanic oh").Want(
		"busy",
		"execute_input [1] print x\npanic oh",
		`stdout "x\n"`,
		"error KernelError: internal error of the kernel: oh",
		"idle",
		"execute_reply [1] error KernelError: internal error of the kernel: oh",
	)
	// A cursor inside of a character makes the fake session panic: what bugs in handlers do.
	c.Shell(wire.InspectRequest{Code: "panic"}).Want(
		"busy",
		"idle",
		`inspect_reply {"status":"error","ename":"KernelError","evalue":"kernel: inspect_request: internal error: ouch",`+
			`"traceback":["kernel: inspect_request: internal error: ouch"]}`,
	)
	c.Execute("value 1").Want(
		"busy", "execute_input [2] value 1", "execute_result [2] 1", "idle", "execute_reply [2] ok",
	)
}

// shutdownLimit is when a manager sends SIGTERM (half of its 5 s).
const shutdownLimit = 2500 * time.Millisecond

// TestClientsShareTheSession checks that two clients see each other's output, and each its own replies only.
func TestClientsShareTheSession(t *testing.T) {
	k, first := startKernel(t)
	second := kerneltest.Dial(t, k.info)
	const cells = 20
	var sent []*kerneltest.Exchange
	for range cells {
		for _, c := range []*kerneltest.Client{first, second} {
			sent = append(sent, c.Send(wire.Shell, kerneltest.Request("print x")))
		}
	}
	numbers := make(map[string]bool)
	for _, e := range sent {
		lines := strings.Split(e.Wait().String(), "\n")
		numbers[lines[len(lines)-1]] = true
	}
	if len(numbers) != 2*cells {
		t.Errorf("%d different execution counts for %d cells", len(numbers), 2*cells)
	}
	for name, c := range map[string]*kerneltest.Client{"first": first, "second": second} {
		c.Execute("print end") // all that was published before it has come
		inputs := 0
		for _, m := range c.Others() {
			if m.Header.MsgType == "execute_input" {
				inputs++
			}
		}
		if inputs < cells {
			t.Errorf("the %s client saw %d cells of the other one, want %d", name, inputs, cells)
		}
	}
}

// The real session is what the kernel needs.
var _ interpreter = (*session.Session)(nil)
