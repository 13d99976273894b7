//go:build !windows

package kernel

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// wrongs are what most kernels get wrong, each with a test of this one, in the order of the list that the project keeps.
// What the strict client refuses in every test is provoked once more here, so that each line has a place.
var wrongs = []struct {
	name string
	test func(*testing.T)
}{
	{"no busy and idle around other requests", wrongStatus},
	{"cursor positions in bytes or UTF-16", wrongPositions},
	{"null for arrays and objects", wrongNulls},
	{"re-encoded parent header", TestParentHeaderIsVerbatim},
	{"silent is not silent, the counter grows", TestExecuteWithoutTrace},
	{"the queue after an error", TestErrorAbortsWhatIsQueued},
	{"interrupt and shutdown stuck behind the shell", wrongControl},
	{"shutdown reply lost, restart not echoed, children left", wrongShutdown},
	{"orphans", TestProcessEndsWithItsParent},
	{"SIGINT at idle kills", wrongSignal},
	{"thousands of tiny messages", wrongStreams},
	{"split UTF-8", wrongUTF8},
	{"questions not allowed, to others, stale answers, endless waits", func(t *testing.T) {
		t.Run("not allowed", wrongQuestions)
		t.Run("allowed", wrongStdin)
	}},
	{"updates without an id, two results", wrongDisplays},
	{"kernel_info not on control, claims that do not hold", wrongClaims},
	{"dies of malformed input, stalls with a suspended client", wrongInput},
	{"is_complete unanswered or slow", wrongIsComplete},
	{"history of another length or shape", wrongHistory},
	{"comm_info unanswered, unknown targets left open", wrongComms},
	{"replies by identity only", wrongRouting},
	{"debugInfo before the start", wrongDebugInfo},
	{"date or version missing", wrongHeader},
}

func TestWrongs(t *testing.T) {
	if len(wrongs) != 22 {
		t.Errorf("%d wrongs, the list has 22", len(wrongs))
	}
	for i, w := range wrongs {
		t.Run(fmt.Sprintf("%02d %s", i+1, w.name), w.test)
	}
}

// wrongStatus asks everything on both channels: whatever it is, it is framed, and the frame is its own.
func wrongStatus(t *testing.T) {
	_, c := startKernel(t)
	for _, ch := range []wire.Channel{wire.Shell, wire.Control} {
		for _, messageType := range []string{
			"comm_close", "comm_info_request", "comm_msg", "comm_open", "complete_request", "connect_request",
			"debug_request", "execute_request", "frobnicate_request", "history_request", "inspect_request",
			"interrupt_request", "is_complete_request", "kernel_info_request", "list_subshell_request", "usage_request", "input_reply",
		} {
			e := c.Send(ch, raw{messageType, `{"code":"x","comm_id":"c","target_name":"t","data":{}}`}).WaitFor("idle")
			lines := strings.Split(e.String(), "\n")
			if lines[0] != "busy" || !slices.Contains(lines, "idle") {
				t.Errorf("%s on %s: got %q", messageType, ch, lines)
			}
		}
	}
}

func wrongPositions(t *testing.T) {
	_, c := startKernel(t)
	var reply wire.CompleteReply
	c.Shell(wire.CompleteRequest{Code: "é😀 ab cd", CursorPos: 5}).Decode(&reply) // é is 2 bytes, 😀 is 4 bytes or 2 of UTF-16
	if !slices.Equal(reply.Matches, []string{"abab"}) || reply.CursorStart != 3 || reply.CursorEnd != 5 {
		t.Errorf("got %q for [%d,%d), want abab for [3,5)", reply.Matches, reply.CursorStart, reply.CursorEnd)
	}
}

func wrongNulls(t *testing.T) {
	_, c := startKernel(t)
	for _, tt := range []struct {
		request wire.Content
		want    string
	}{
		{wire.CompleteRequest{Code: " ", CursorPos: 1}, `"matches":[]`},
		{wire.CompleteRequest{Code: " ", CursorPos: 1}, `"metadata":{}`},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "none"}, `"history":[]`},
		{wire.CommInfoRequest{}, `"comms":{}`},
		{wire.InspectRequest{Code: " "}, `"data":{}`},
		{wire.InspectRequest{Code: " "}, `"metadata":{}`},
		{kerneltest.Request(""), `"payload":[]`},
		{kerneltest.Request(""), `"user_expressions":{}`},
	} {
		if got := string(c.Shell(tt.request).Reply.Content); !strings.Contains(got, tt.want) || strings.Contains(got, "null") {
			t.Errorf("%s: got %s, want %s in it and no null", tt.request.MessageType(), got, tt.want)
		}
	}
	var reply wire.KernelInfoReply
	c.Shell(wire.KernelInfoRequest{}).Decode(&reply)
	if reply.HelpLinks == nil || reply.SupportedFeatures == nil {
		t.Errorf("help_links %v, supported_features %v, want no null", reply.HelpLinks, reply.SupportedFeatures)
	}
}

// wrongControl interrupts a cell and then shuts the kernel down, while the shell has a cell and a queue.
func wrongControl(t *testing.T) {
	k, c := startKernel(t)
	cell := c.Send(wire.Shell, kerneltest.Request("print x\nblock")).WaitFor(`stdout "x\n"`)
	c.Control(wire.InterruptRequest{}).Want("busy", "idle", "interrupt_reply ok")
	cell.Wait()
	deaf := c.Send(wire.Shell, kerneltest.Request("print y\nawait never")).WaitFor(`stdout "y\n"`)
	t.Cleanup(func() { close(k.fake.signal("never")) })
	c.Send(wire.Shell, kerneltest.Request("print queued"))
	start := time.Now()
	c.Control(wire.ShutdownRequest{})
	<-k.done
	if took := time.Since(start); took > shutdownLimit {
		t.Errorf("took %v, want at most %v", took, shutdownLimit)
	}
	if deaf.Reply != nil {
		t.Error("the deaf cell was answered")
	}
}

func wrongShutdown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		p, c := startProcess(t)
		start := time.Now()
		reply := fmt.Sprintf(`shutdown_reply {"status":"ok","restart":%v}`, restart)
		c.Control(wire.ShutdownRequest{Restart: restart}).Want("busy", reply, "idle", reply)
		p.wantEnd(t, start)
	}
	TestProcessEndsItsChildren(t)
}

func wrongSignal(t *testing.T) {
	p, c := startProcess(t)
	for range 5 {
		p.signal(t, os.Interrupt)
		c.Control(wire.KernelInfoRequest{})
	}
	c.Execute("value 1").Want("busy", "execute_input [1] value 1", "execute_result [1] 1", "idle", "execute_reply [1] ok")
}

// wrongStreams prints fast: servers drop what exceeds 1000 messages a second over 3 seconds.
func wrongStreams(t *testing.T) {
	const lines, limit = 20_000, 1000
	_, c := startKernel(t)
	start := time.Now()
	e := c.Execute(strings.Repeat("print a line of text\n", lines))
	if got := strings.Count(e.Text("stdout"), "\n"); got != lines {
		t.Errorf("%d lines, want %d", got, lines)
	}
	if got := countType(e.Messages(), "stream"); float64(got) > limit*max(1, time.Since(start).Seconds()) {
		t.Errorf("%d messages in %v", got, time.Since(start))
	}
}

func wrongUTF8(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	const text = "é😀€"
	for name, code := range map[string]string{
		"byte by byte": "import \"os\"\n\nfor _, b := range []byte(%q) {\n\tos.Stdout.Write([]byte{b})\n}",
		"by two cells' worth of printers": "import (\n\t\"fmt\"\n\t\"os\"\n)\n\ntext := %q\nfmt.Print(text[:1])\n" +
			"fmt.Fprint(os.Stderr, \"between\")\nfmt.Print(text[1:])",
	} {
		t.Run(name, func(t *testing.T) {
			e := c.Execute(fmt.Sprintf(code, text))
			if got := e.Text("stdout"); got != text {
				t.Errorf("got %q, want %q; the reply is %s", got, text, e.Reply.Content)
			}
			for _, m := range e.Messages() {
				if strings.Contains(string(m.Content), "\ufffd") || strings.Contains(string(m.Content), `\ufffd`) {
					t.Errorf("a character was cut: %s", m.Content)
				}
			}
		})
	}
}

// wrongQuestions lets cells read their input where nobody may be asked. The client refuses any question.
func wrongQuestions(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	for _, code := range []string{
		"var in string\n_, err := fmt.Scanln(&in)\nerr != nil",
		"import (\n\t\"bufio\"\n\t\"os\"\n)\n\nbufio.NewScanner(os.Stdin).Scan() == false",
	} {
		start := time.Now()
		e := c.Execute(code)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s\ntook %v", code, took)
		}
		if got := e.String(); !strings.Contains(got, "] true") && !strings.Contains(got, "error") {
			t.Errorf("got\n%s\nwant the end of the input, or an error", got)
		}
	}
}

func wrongDisplays(t *testing.T) {
	_, c := startKernel(t)
	e := c.Execute("update d text\nvalue 1\nvalue 2")
	e.Want(
		"busy", "execute_input [1] update d text\nvalue 1\nvalue 2", "update_display_data text id=d", "execute_result [1] 1",
		"idle", "execute_reply [1] ok",
	)
	if got := string(e.IOPub[2].Content); !strings.Contains(got, `"transient":{"display_id":"d"}`) {
		t.Errorf("got %s, want its id in transient", got)
	}
	if got := countType(c.Execute("update  nameless").Messages(), "update_display_data"); got != 0 {
		t.Error("an update without an id was published")
	}
}

// wrongClaims checks what the kernel says of itself: a version of 5.5 promises a welcome, which the client has waited for,
// and kernel_info on control; each feature promises its requests.
func wrongClaims(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	cell := c.Send(wire.Shell, kerneltest.Request("fmt.Println(\"running\")\nfor {\n}")).WaitFor(`stdout "running\n"`)
	var reply wire.KernelInfoReply
	c.Control(wire.KernelInfoRequest{}).Decode(&reply)
	c.Control(wire.InterruptRequest{})
	cell.Wait()
	for _, feature := range reply.SupportedFeatures {
		switch feature {
		case "kernel subshells":
			c.CreateSubshell().Execute("1")
		case "debugger":
			c.Control(wire.DebugRequest{Type: "request", Seq: 1, Command: "debugInfo"})
		default:
			t.Errorf("nobody knows the feature %q", feature)
		}
	}
	if claimed := slices.Contains(reply.SupportedFeatures, "debugger"); claimed != reply.Debugger {
		t.Errorf("debugger is %v, and among the features: %v", reply.Debugger, claimed)
	}
}

// wrongInput sends what no client should, and has another client suspended. A third is served as ever.
func wrongInput(t *testing.T) {
	k, c := startKernel(t)
	suspended := kerneltest.Dial(t, k.info)
	suspended.Pause()
	suspended.Send(wire.Shell, kerneltest.Request("print from the suspended"))
	for _, ch := range wire.Channels() {
		network, address := k.info.Address(ch)
		conn, err := net.Dial(network, address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write([]byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
			t.Error(err)
		}
	}
	for _, content := range []string{`{"code":null}`, `{"code":7}`, `{"code":["x"]}`, `{}`, `{"silent":"yes"}`} {
		c.Send(wire.Shell, raw{"execute_request", content}).WaitFor("idle")
		c.Send(wire.Shell, raw{"complete_request", content}).WaitFor("idle")
	}
	unsigned(t, k.info)
	e := c.Execute("print " + strings.Repeat("x", 1<<20))
	if got := len(e.Text("stdout")); got != 1<<20+1 {
		t.Errorf("got %d bytes", got)
	}
	c.Ping()
}

// unsigned has a client with another key ask for something that would be seen.
func unsigned(t *testing.T, info wire.ConnectionInfo) {
	t.Helper()
	seen := kerneltest.Dial(t, info)
	codec, err := wire.NewCodec(wire.ConnectionInfo{Key: "another key", SignatureScheme: "hmac-sha256"})
	if err != nil {
		t.Fatal(err)
	}
	frames, err := codec.Encode(seen.Message(kerneltest.Request("print forged")))
	if err != nil {
		t.Fatal(err)
	}
	seen.SendFrames(wire.Shell, frames)
	seen.Execute("print signed")
	for _, m := range seen.Others() {
		if strings.Contains(string(m.Content), "forged") {
			t.Errorf("a forged request was carried out: %s", m.Content)
		}
	}
}

func wrongIsComplete(t *testing.T) {
	const limit = time.Second // jupyter_console 6.4 waits no longer, and then asks no more
	_, c := startProcess(t, sessionVariable+"=1")
	for _, code := range []string{"", "for {", "x := )", "1 + 1", strings.Repeat("fmt.Println(1)\n", 2000) + "for {", strings.Repeat("(", 500)} {
		start := time.Now()
		e := c.Shell(wire.IsCompleteRequest{Code: code})
		if took := time.Since(start); took > limit {
			t.Errorf("%.20q: took %v, want at most %v", code, took, limit)
		}
		var reply wire.IsCompleteReply
		if e.Decode(&reply); reply.Status == "" {
			t.Errorf("%.20q: got %s", code, e.Reply.Content)
		}
	}
}

func wrongHistory(t *testing.T) {
	_, c := startKernel(t)
	for i := range 5 {
		c.Execute(fmt.Sprintf("value %d", i))
	}
	for n := 1; n <= 6; n++ {
		for _, request := range []wire.HistoryRequest{
			{HistAccessType: "tail", N: n, Raw: true},
			{HistAccessType: "tail", N: n, Raw: true, Output: true},
			{HistAccessType: "search", Pattern: "value *", N: n, Raw: true},
		} {
			var reply wire.HistoryReply
			c.Shell(request).Decode(&reply)
			if got, want := len(reply.History), min(n, 5); got != want {
				t.Fatalf("%s of %d: %d entries, want %d", request.HistAccessType, n, got, want)
			}
			if last := reply.History[len(reply.History)-1].Input; last != "value 4" {
				t.Errorf("%s of %d: the last is %q, want the newest", request.HistAccessType, n, last)
			}
		}
	}
}

func wrongComms(t *testing.T) {
	_, c := startKernel(t)
	c.Shell(wire.CommInfoRequest{}).Want("busy", "idle", `comm_info_reply {"status":"ok","comms":{}}`)
	c.Shell(wire.CommInfoRequest{TargetName: "jupyter.widget"}).Want("busy", "idle", `comm_info_reply {"status":"ok","comms":{}}`)
	c.SendBuffers(wire.CommOpen{CommID: "id", TargetName: "unknown"}, []byte{1}).Wait().Want("busy", "comm_close id", "idle")
}

// wrongRouting has two connections with one session id ask in turn: each gets its own replies.
func wrongRouting(t *testing.T) {
	_, first := startKernel(t)
	second := first.Twin()
	for i := 1; i <= 20; i += 2 {
		a := first.Send(wire.Shell, kerneltest.Request("print a"))
		a.Wait()
		second.Execute("print b")
		first.Control(wire.KernelInfoRequest{})
		second.Control(wire.KernelInfoRequest{})
	}
}

// wrongDebugInfo asks for the debugger before it is started. A kernel that claims none invents no reply.
func wrongDebugInfo(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	var info wire.KernelInfoReply
	c.Shell(wire.KernelInfoRequest{}).Decode(&info)
	e := c.Send(wire.Control, wire.DebugRequest{Type: "request", Seq: 1, Command: "debugInfo"}).WaitFor("idle")
	if !slices.Contains(info.SupportedFeatures, "debugger") {
		c.Control(wire.KernelInfoRequest{})
		e.Want("busy", "idle")
		return
	}
	var reply struct {
		Success bool
		Body    struct {
			IsStarted      *bool  `json:"isStarted"`
			HashMethod     string `json:"hashMethod"`
			Breakpoints    []any
			StoppedThreads []int `json:"stoppedThreads"`
		}
	}
	e.Wait().Decode(&reply)
	b := reply.Body
	if !reply.Success || b.IsStarted == nil || *b.IsStarted || b.HashMethod != "Murmur2" || b.Breakpoints == nil || b.StoppedThreads == nil {
		t.Errorf("got %s", e.Reply.Content)
	}
}

func wrongHeader(t *testing.T) {
	_, c := startKernel(t)
	before := time.Now().Add(-time.Second)
	e := c.Execute("print x\nshow y\nvalue z")
	for _, m := range append(e.Messages(), e.Reply) {
		h := m.Header
		if sent := h.Time(); h.Version != wire.ProtocolVersion || sent.Before(before) || sent.After(time.Now().Add(time.Second)) {
			t.Errorf("%s: version %q, date %q", h.MsgType, h.Version, h.Date)
		}
	}
}
