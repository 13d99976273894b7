package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orthant/kernel/history"
	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// historyCells are the cells of three sessions, the last of which runs, as values, which a fake session shows.
var historyCells = [][]string{
	{"value a := 1", "print x", "value a := 1", "value b[0]", "show path/to", "value é😀", "print two\nprint lines\n\n"},
	{"value a := 1", "value in the middle", "print x", "value in the middle"},
	{"value a := 1", "print now", "value b[0]", "print x", "   print indented"},
}

// historyRequests are asked of the kernel and of IPython. An empty reason says that both answer the same.
var historyRequests = []struct {
	request string
	reason  string // why the kernel's answer is another one
}{
	{`{"hist_access_type":"tail","n":3}`, ""},
	{`{"hist_access_type":"tail","n":3,"output":true}`, ""},
	{`{"hist_access_type":"tail","n":7}`, ""},
	{`{"hist_access_type":"tail","n":1}`, ""},
	{`{"hist_access_type":"tail","n":0}`, ""},
	{`{"hist_access_type":"tail","n":1000,"raw":true}`, ""},
	{`{"hist_access_type":"tail"}`, ""},
	{`{"hist_access_type":"tail","n":null}`, ""},
	{`{"hist_access_type":"range","session":1,"start":1,"stop":4}`, ""},
	{`{"hist_access_type":"range","session":1,"start":2}`, ""},
	{`{"hist_access_type":"range","session":1,"start":2,"stop":0}`, ""},
	{`{"hist_access_type":"range","session":1,"start":2,"stop":null,"output":true}`, ""},
	{`{"hist_access_type":"range","session":1,"start":0,"stop":1000}`, ""},
	{`{"hist_access_type":"range","session":-1,"start":1,"stop":3}`, ""},
	{`{"hist_access_type":"range","session":-2,"start":6,"output":true}`, ""},
	{`{"hist_access_type":"range","session":-3,"start":1}`, ""},
	{`{"hist_access_type":"range","session":99,"start":1}`, ""},
	{`{"hist_access_type":"range","session":1,"start":4,"stop":4}`, ""},
	{`{"hist_access_type":"range","session":1,"start":4,"stop":2}`, ""},
	{`{"hist_access_type":"range","session":0,"start":9}`, ""},
	{`{"hist_access_type":"search","pattern":"value*"}`, ""},
	{`{"hist_access_type":"search","pattern":"value*","output":true}`, ""},
	{`{"hist_access_type":"search","pattern":"value*","n":2}`, ""},
	{`{"hist_access_type":"search","pattern":"value*","n":0}`, ""},
	{`{"hist_access_type":"search","pattern":"value*","unique":true}`, ""},
	{`{"hist_access_type":"search","pattern":"value*","unique":true,"n":2}`, ""},
	{`{"hist_access_type":"search","pattern":"value*","unique":true,"n":2,"output":true}`, ""},
	{`{"hist_access_type":"search","pattern":"*"}`, ""},
	{`{"hist_access_type":"search","pattern":"value é?"}`, ""},
	{`{"hist_access_type":"search","pattern":"*[[]0]"}`, ""},
	{`{"hist_access_type":"search","pattern":"*b[0]"}`, ""},
	{`{"hist_access_type":"search","pattern":"[^v]*","n":3}`, ""},
	{`{"hist_access_type":"search","pattern":"*two*lines"}`, ""},
	{`{"hist_access_type":"search","pattern":"VALUE*"}`, ""},
	{`{"hist_access_type":"range"}`, "IPython has an empty line 0 in the running session, and calls that 0; a cell has one number here"},
	{`{"hist_access_type":"range","start":1,"stop":3,"output":true}`, "IPython calls the running session 0; a cell has one number here"},
	{`{"hist_access_type":"range","session":3,"start":-2}`, "IPython calls the running session 0; a cell has one number here"},
	{`{"hist_access_type":"range","start":-100}`, "IPython fails before the first line; what there is is the answer here"},
	{`{"hist_access_type":"range","session":1,"start":-2}`, "IPython counts back from the end in the running session only"},
	{`{"hist_access_type":"range","session":1,"start":1,"stop":-5}`, "IPython counts back from the end in the running session only"},
	{`{"hist_access_type":"search"}`, "ipykernel finds nothing without a pattern; IPython's own default is *"},
	{`{"hist_access_type":"tail","n":-1}`, "IPython leaves out one; a negative number is none here"},
}

// TestHistoryBesideIPython executes the same cells here and there, and asks both the same.
func TestHistoryBesideIPython(t *testing.T) {
	python := kerneltest.Python(t)
	dir := t.TempDir()
	given := struct {
		Sessions [][][2]any        `json:"sessions"`
		Requests []json.RawMessage `json:"requests"`
	}{}
	path := filepath.Join(dir, "ours.sqlite")
	var c *kerneltest.Client
	for i, cells := range historyCells {
		var k *testKernel
		k, c = startKernelWithHistory(t, path)
		given.Sessions = append(given.Sessions, nil)
		for _, cell := range cells {
			e := c.Execute(cell)
			given.Sessions[i] = append(given.Sessions[i], [2]any{cell, resultOf(e)})
		}
		if i < len(historyCells)-1 {
			k.stop(nil)
			<-k.done
		}
	}
	for _, r := range historyRequests {
		given.Requests = append(given.Requests, json.RawMessage(r.request))
	}
	input, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	cmd := python.Command(t, nil, filepath.Join("testdata", "history.py"), filepath.Join(dir, "theirs.sqlite"))
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var theirs []json.RawMessage
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, stderr.String())
	}
	for i, r := range historyRequests {
		var reply struct{ History json.RawMessage }
		c.Shell(rawHistoryRequest(r.request)).Decode(&reply)
		same := jsonEqual(t, reply.History, theirs[i])
		switch {
		case !same && r.reason == "":
			t.Errorf("%s:\n%s\nIPython answers\n%s", r.request, reply.History, theirs[i])
		case same && r.reason != "":
			t.Errorf("%s: both answer\n%s\nthough %s", r.request, reply.History, r.reason)
		}
	}
}

// startKernelWithHistory is startKernel for a kernel whose history is in a file.
func startKernelWithHistory(t *testing.T, path string) (*testKernel, *kerneltest.Client) {
	t.Helper()
	fake := newFakeSession()
	k := prepareKernel(t, fake, func() (interpreter, error) { return fake, nil })
	if err := k.history.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.history = history.Open(path, k.log)
	k.start(context.Background())
	return k, kerneltest.Dial(t, k.info)
}

// TestHistoryOverSessions checks what is found of an earlier kernel and of cells that are not stored.
func TestHistoryOverSessions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.sqlite")
	k, c := startKernelWithHistory(t, path)
	c.Execute("value 1")
	c.Execute("fail 2")
	c.Execute("  ") // nothing of it is kept
	for _, change := range []func(*wire.ExecuteRequest){
		func(r *wire.ExecuteRequest) { r.StoreHistory = false },
		func(r *wire.ExecuteRequest) { r.Silent, r.StoreHistory = true, false },
	} {
		request := kerneltest.Request("print not stored")
		change(&request)
		c.Shell(request)
	}
	k.stop(nil)
	<-k.done
	_, c = startKernelWithHistory(t, path)
	c.Execute("print 3")
	reply := `history_reply {"status":"ok","history":[[1,1,["value 1","1"]],[1,2,["fail 2",null]],[2,1,["print 3",null]]]}`
	c.Shell(wire.HistoryRequest{HistAccessType: "tail", Output: true}).Want("busy", "idle", reply)
	reply = `history_reply {"status":"ok","history":[[1,1,"value 1"],[1,2,"fail 2"]]}`
	c.Shell(wire.HistoryRequest{HistAccessType: "range", Session: -1}).Want("busy", "idle", reply)
	reply = `history_reply {"status":"ok","history":[]}`
	c.Shell(wire.HistoryRequest{HistAccessType: "search", Pattern: "*not stored"}).Want("busy", "idle", reply)
}

// TestHistoryNotKept checks that a history which cannot be kept is said once, and that the session still has its own.
func TestHistoryNotKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.sqlite")
	if err := os.Mkdir(path, 0o700); err != nil { // in the file's place
		t.Fatal(err)
	}
	_, c := startKernelWithHistory(t, path)
	none := `history_reply {"status":"ok","history":[]}`
	c.Shell(wire.HistoryRequest{HistAccessType: "tail"}).Want("busy", "idle", none) // waits for the file
	silent := kerneltest.Request("")
	silent.Silent, silent.StoreHistory = true, false
	c.Shell(silent).Want("busy", "idle", "execute_reply [0] ok") // shows nothing
	if got := c.Execute("value 1").String(); strings.Count(got, "history: this session is not kept: "+path) != 1 {
		t.Errorf("got\n%s\nwant a line on stderr that says that the history is not kept", got)
	}
	c.Execute("value 2").Want("busy", "execute_input [2] value 2", "execute_result [2] 2", "idle", "execute_reply [2] ok")
	reply := `history_reply {"status":"ok","history":[[1,1,["value 1","1"]],[1,2,["value 2","2"]]]}`
	c.Shell(wire.HistoryRequest{HistAccessType: "range", Output: true}).Want("busy", "idle", reply)
}

// A rawHistoryRequest is the content of a history_request as text.
type rawHistoryRequest string

func (rawHistoryRequest) MessageType() string            { return wire.HistoryRequest{}.MessageType() }
func (r rawHistoryRequest) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// resultOf returns the text of the result of an exchange, nil if it has none.
func resultOf(e *kerneltest.Exchange) any {
	for _, m := range e.Messages() {
		var result wire.ExecuteResult
		if m.Header.MsgType == result.MessageType() && json.Unmarshal(m.Content, &result) == nil {
			return result.Data.Text("text/plain")
		}
	}
	return nil
}

// jsonEqual says whether two texts are the same JSON.
func jsonEqual(t *testing.T, a, b []byte) bool {
	t.Helper()
	var plain [2][]byte
	for i, text := range [][]byte{a, b} {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		var err error
		if plain[i], err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	return slices.Equal(plain[0], plain[1])
}

// TestHistoryOfSubshells checks that cells of several shells, which count by themselves, are all found, in the order in which they
// began.
func TestHistoryOfSubshells(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.sqlite")
	k, c := startKernelWithHistory(t, path)
	id := createSubshell(t, c)
	sub := c.Subshell(id)
	c.Execute("value main 1")
	sub.Execute("value sub 1")
	long := c.Send(wire.Shell, kerneltest.Request("print x\nawait go\nvalue main 2")).WaitFor(`stdout "x\n"`)
	sub.Execute("value sub 2")
	sub.Execute("value sub 3")
	close(k.fake.signal("go"))
	long.Wait()
	c.Execute("print main 3")
	all := `[1,1,["value main 1","main 1"]],[1,1,["value sub 1","sub 1"]],[1,2,["print x\nawait go\nvalue main 2","main 2"]],` +
		`[1,2,["value sub 2","sub 2"]],[1,3,["value sub 3","sub 3"]],[1,3,["print main 3",null]]`
	for _, from := range []func(wire.Content) *kerneltest.Exchange{
		func(request wire.Content) *kerneltest.Exchange { return c.Shell(request) }, sub.Shell,
	} {
		for _, request := range []wire.HistoryRequest{
			{HistAccessType: "tail", N: 100, Output: true},
			{HistAccessType: "range", Start: 1, Output: true},
			{HistAccessType: "range", Session: 1, Start: 1, Stop: 4, Output: true},
			{HistAccessType: "search", Pattern: "*", N: history.All, Output: true},
		} {
			from(request).Want("busy", "idle", `history_reply {"status":"ok","history":[`+all+`]}`)
		}
	}
	c.Shell(wire.HistoryRequest{HistAccessType: "range", Start: 2, Stop: 3}).Want("busy", "idle",
		`history_reply {"status":"ok","history":[[1,2,"print x\nawait go\nvalue main 2"],[1,2,"value sub 2"]]}`)
	c.Shell(wire.HistoryRequest{HistAccessType: "tail", N: 2}).Want("busy", "idle",
		`history_reply {"status":"ok","history":[[1,3,"value sub 3"],[1,3,"print main 3"]]}`)
}

// TestHistoryNoticeOfSubshells checks that cells of two shells at once tell one notice.
func TestHistoryNoticeOfSubshells(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.sqlite")
	if err := os.Mkdir(path, 0o700); err != nil { // in the file's place
		t.Fatal(err)
	}
	_, c := startKernelWithHistory(t, path)
	sub := c.CreateSubshell()
	c.Shell(wire.HistoryRequest{HistAccessType: "tail"}) // waits for the file
	var cells []*kerneltest.Exchange
	for range 5 {
		cells = append(cells, c.Send(wire.Shell, kerneltest.Request("print main")), sub.Send(kerneltest.Request("print sub")))
	}
	told := ""
	for _, e := range cells {
		told += e.Wait().Text("stderr")
	}
	if strings.Count(told, "history: this session is not kept: ") != 1 {
		t.Errorf("got %q, want one notice", told)
	}
}

// TestEarlierCells searches as %history -g does: only * and ? mean something else than themselves.
func TestEarlierCells(t *testing.T) {
	store := history.Open("", nil)
	store.Add(1, "x[0]")
	store.Add(2, "x0")
	for pattern, want := range map[string]string{"x[0]*": "x[0]", "*x?": "x0", "*]": "x[0]"} {
		entries, err := earlierCells{store}.Search(pattern, 0)
		if err != nil || len(entries) != 1 || entries[0].Source != want {
			t.Errorf("%s: got %v and %v, want %s", pattern, entries, err, want)
		}
	}
	if err := store.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
