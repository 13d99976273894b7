package kernel

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"orthant/kernel/history"
	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

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

// TestReplyMetadata checks what a reply tells besides: when its cell was started, by which JupyterLab shows how long it took, and
// what ipykernel's clients look at.
func TestReplyMetadata(t *testing.T) {
	_, c := startKernel(t)
	for _, tt := range []struct{ code, status string }{{"value 1", "ok"}, {"fail x", "error"}} {
		m, err := wire.NewSender("test").New(nil, kerneltest.Request(tt.code))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.SetMetadata(wire.Object{ // as JupyterLab sends it
			"cellId": "1b2c", "deletedCells": []string{"9f"}, "recordTiming": true, "trusted": true,
		}); err != nil {
			t.Fatal(err)
		}
		before := time.Now().UTC().Truncate(time.Microsecond)
		e := c.SendMessage(wire.Shell, m).Wait()
		var got struct {
			Started time.Time
			Met     bool `json:"dependencies_met"`
			Engine  string
			Status  string
		}
		if err := json.Unmarshal(e.Reply.Metadata, &got); err != nil {
			t.Fatal(err)
		}
		if s := got.Started; s.Before(before) || s.After(time.Now()) || s.Location() != time.UTC {
			t.Errorf("%s: started at %v, want between %v and now, in UTC", tt.code, s, before)
		}
		if !got.Met || got.Engine != e.Reply.Header.Session || got.Status != tt.status {
			t.Errorf("%s: got %s", tt.code, e.Reply.Metadata)
		}
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
	if got, err := k.history.Tail(history.All); err != nil || len(got) != 2 {
		t.Errorf("%d cells in the history and %v, want 2", len(got), err)
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
