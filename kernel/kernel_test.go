package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
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

func TestExecute(t *testing.T) {
	_, c := startKernel(t)
	c.Execute("print hello\nvalue 2").Want(
		"busy",
		"execute_input [1] print hello\nvalue 2",
		`stdout "hello\n"`,
		"execute_result [1] 2",
		"idle",
		"execute_reply [1] ok",
	)
	c.Execute("warn a\nshow b\nprint c\nclear\nupdate id d").Want(
		"busy",
		"execute_input [2] warn a\nshow b\nprint c\nclear\nupdate id d",
		`stderr "a\n"`,
		"display_data b",
		`stdout "c\n"`,
		"clear_output wait=true",
		"update_display_data d id=id",
		"idle",
		"execute_reply [2] ok",
	)
	c.Execute("").Want("busy", "execute_input [3] ", "idle", "execute_reply [3] ok")
}

// TestStarted checks that a reply says when its cell was started: JupyterLab shows how long it took.
func TestStarted(t *testing.T) {
	_, c := startKernel(t)
	before := time.Now().UTC()
	e := c.Execute("value 1")
	var metadata struct{ Started time.Time }
	if err := json.Unmarshal(e.Reply.Metadata, &metadata); err != nil {
		t.Fatal(err)
	}
	if s := metadata.Started; s.Before(before) || s.After(time.Now()) || s.Location() != time.UTC {
		t.Errorf("started at %v, want between %v and now, in UTC", s, before)
	}
}

func TestExecuteFails(t *testing.T) {
	_, c := startKernel(t)
	c.Execute("print first\nfail no such thing\nprint never").Want(
		"busy",
		"execute_input [1] print first\nfail no such thing\nprint never",
		`stdout "first\n"`,
		"error Failure: no such thing",
		"idle",
		"execute_reply [1] error Failure: no such thing",
	)
	c.Execute("value 1").Want(
		"busy", "execute_input [2] value 1", "execute_result [2] 1", "idle", "execute_reply [2] ok",
	)
}

func TestExecuteWithoutTrace(t *testing.T) {
	k, c := startKernel(t)
	request := func(code string, edit func(*wire.ExecuteRequest)) wire.ExecuteRequest {
		r := kerneltest.Request(code)
		edit(&r)
		return r
	}
	silent := func(r *wire.ExecuteRequest) { r.Silent = true }
	unstored := func(r *wire.ExecuteRequest) { r.StoreHistory = false }
	tests := []struct {
		name    string
		request wire.ExecuteRequest
		want    []string
	}{
		{
			"silent before the first cell reads the counter",
			request("", silent),
			[]string{"busy", "idle", "execute_reply [0] ok"},
		},
		{
			"the first cell is 1",
			kerneltest.Request("value x"),
			[]string{"busy", "execute_input [1] value x", "execute_result [1] x", "idle", "execute_reply [1] ok"},
		},
		{
			"silent shows nothing",
			request("print a\nwarn b\nshow c\nupdate id d\nclear\nvalue e", silent),
			[]string{"busy", "idle", "execute_reply [1] ok"},
		},
		{
			"a silent error is in the reply only",
			request("fail x", silent),
			[]string{"busy", "idle", "execute_reply [1] error Failure: x"},
		},
		{
			"without history the counter stays",
			request("value y", unstored),
			[]string{"busy", "execute_input [1] value y", "execute_result [1] y", "idle", "execute_reply [1] ok"},
		},
		{
			"the next cell is 2",
			kerneltest.Request("print z"),
			[]string{"busy", "execute_input [2] print z", `stdout "z\n"`, "idle", "execute_reply [2] ok"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { c.Shell(tt.request).Want(tt.want...) })
	}
	if got := len(k.history.tail(0)); got != 2 {
		t.Errorf("%d cells in the history, want 2", got)
	}
}

func TestUserExpressions(t *testing.T) {
	_, c := startKernel(t)
	request := kerneltest.Request("print x")
	request.UserExpressions = map[string]string{"good": "1+1", "wrong": "bad"}
	e := c.Shell(request).Want(
		"busy", "execute_input [1] print x", `stdout "x\nevaluating\n"`, "idle", "execute_reply [1] ok",
	)
	var reply struct {
		UserExpressions map[string]json.RawMessage `json:"user_expressions"`
	}
	e.Decode(&reply)
	for name, want := range map[string]string{
		"good":  `{"status":"ok","data":{"text/plain":"1+1"},"metadata":{}}`,
		"wrong": `{"status":"error","ename":"Failure","evalue":"bad expression","traceback":[]}`,
	} {
		if got := string(reply.UserExpressions[name]); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}

	request.Code = "fail x"
	e = c.Shell(request)
	e.Decode(&reply)
	if got := string(e.Reply.Content); !strings.Contains(got, `"user_expressions":{}`) {
		t.Errorf("a cell that fails evaluates no expressions; the reply is %s", got)
	}

	request.Code, request.Silent = "", true
	c.Shell(request).Want("busy", "idle", "execute_reply [2] ok").Decode(&reply)
	if got := len(reply.UserExpressions); got != 2 {
		t.Errorf("%d user expressions of a silent request, want 2", got)
	}
}

func TestErrorAbortsWhatIsQueued(t *testing.T) {
	for _, tt := range []struct {
		name        string
		stopOnError bool
		silent      bool
		want        string // of the queued cell's reply
	}{
		{"stop_on_error", true, false, "execute_reply aborted"},
		{"not stop_on_error", false, false, "execute_reply [2] ok"},
		{"silent", true, true, "execute_reply [1] ok"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, c := startKernel(t)
			first := kerneltest.Request("await go\nfail x")
			first.StopOnError, first.Silent = tt.stopOnError, tt.silent
			failing := c.Send(wire.Shell, first)
			queued := []*kerneltest.Exchange{
				c.Send(wire.Shell, kerneltest.Request("print queued")),
				c.Send(wire.Shell, wire.IsCompleteRequest{Code: "x"}), // only execute requests are aborted
				c.Send(wire.Shell, kerneltest.Request("print queued")),
			}
			waitForArrival(t, k, 4)
			close(k.fake.signal("go"))
			failing.Wait()
			later := c.Send(wire.Shell, kerneltest.Request("print later")) // while the queued ones are being answered
			lines := strings.Split(queued[0].Wait().String(), "\n")
			if got := lines[len(lines)-1]; got != tt.want {
				t.Errorf("the queued cell's reply is %q, want %q", got, tt.want)
			}
			if tt.want == "execute_reply aborted" {
				queued[2].Wait().Want("busy", "idle", tt.want)
			}
			queued[1].Wait().Want("busy", "idle", `is_complete_reply {"status":"complete"}`)
			lines = strings.Split(later.Wait().String(), "\n")
			if got := lines[len(lines)-1]; !strings.HasSuffix(got, "ok") {
				t.Errorf("a later cell's reply is %q, want it to run", got)
			}
		})
	}
}

// waitForArrival waits until so many requests have arrived on shell.
func waitForArrival(t *testing.T, k *testKernel, n uint64) {
	t.Helper()
	for deadline := time.Now().Add(kerneltest.Timeout); k.transport.Arrived(wire.Shell) < n; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d requests have arrived, want %d", k.transport.Arrived(wire.Shell), n)
		}
	}
}

func TestLateOutputKeepsItsParent(t *testing.T) {
	k, c := startKernel(t)
	first := c.Execute("go print late")
	second := c.Send(wire.Shell, kerneltest.Request("print second\nawait end"))
	second.WaitFor(`stdout "second\n"`)
	close(k.fake.signal("late"))
	first.WaitFor(`stdout "late\n"`)
	close(k.fake.signal("end"))
	second.Wait().Want(
		"busy", "execute_input [2] print second\nawait end", `stdout "second\n"`, "idle", "execute_reply [2] ok",
	)
	first.Want("busy", "execute_input [1] go print late", "idle", `stdout "late\n"`, "execute_reply [1] ok")
}

func TestManyLines(t *testing.T) {
	const lines = 2000
	_, c := startKernel(t)
	var code, want strings.Builder
	for i := range lines {
		fmt.Fprintf(&code, "print %d\n", i)
		fmt.Fprintf(&want, "%d\n", i)
	}
	e := c.Execute(code.String())
	if got := e.Text("stdout"); got != want.String() {
		t.Errorf("got %d bytes, want %d", len(got), want.Len())
	}
	if got := len(e.IOPub); got > lines/10 {
		t.Errorf("%d messages for %d lines: text is not joined", got, lines)
	}
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
			"history of an unknown kind", wire.HistoryRequest{HistAccessType: "guess"},
			`history_reply {"status":"ok","history":[]}`,
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
	for _, messageType := range []string{
		"create_subshell_request", "debug_request", "delete_subshell_request", "execute_request", "frobnicate_request",
		"list_subshell_request", "usage_request",
	} {
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

func (r raw) MessageType() string          { return r.messageType }
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

// shutdownLimit is when a manager sends SIGTERM (half of its 5 s).
const shutdownLimit = 2500 * time.Millisecond

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

// The real session is what the kernel needs.
var _ interpreter = (*session.Session)(nil)
