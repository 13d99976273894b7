//go:build !windows

package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// commCells starts a kernel with the real session, and runs cells that have to succeed.
func commCells(t *testing.T, cells ...string) (*kernelProcess, *kerneltest.Client) {
	t.Helper()
	p, c := startProcess(t, sessionVariable+"=1")
	runCells(t, c, cells...)
	return p, c
}

func runCells(t *testing.T, c *kerneltest.Client, cells ...string) {
	t.Helper()
	for _, code := range cells {
		if e := c.Execute(code); !strings.Contains(e.String(), "] ok") {
			t.Fatalf("%s\n\ngot\n%s", code, e)
		}
	}
}

func commOpen(id, target, data string) wire.CommOpen {
	return wire.CommOpen{CommID: id, TargetName: target, Data: json.RawMessage(data)}
}

func commMsg(id, data string) wire.CommMsg {
	return wire.CommMsg{CommID: id, Data: json.RawMessage(data)}
}

// opened returns the id of the comm that a cell has opened.
func opened(t *testing.T, e *kerneltest.Exchange) string {
	t.Helper()
	for _, m := range e.Messages() {
		if m.Header.MsgType == "comm_open" {
			var open wire.CommOpen
			if err := m.Unmarshal(&open); err != nil {
				t.Fatal(err)
			}
			return open.CommID
		}
	}
	t.Fatalf("no comm_open in\n%s", e)
	return ""
}

// TestCommFromFrontEnd has the front end open comms.
func TestCommFromFrontEnd(t *testing.T) {
	_, c := commCells(t, `import "orthant/stdlib/comm"
type point struct{ X, Y int; hidden string }
comm.Register("echo", func(c *comm.Comm, m comm.Message) {
	fmt.Println("open", m)
	c.OnMessage(func(m comm.Message) {
		var p point
		if err := m.Decode(&p); err != nil {
			panic(err)
		}
		fmt.Println("message", p)
		if err := c.Send(point{p.Y, p.X, "secret"}, m.Buffers...); err != nil {
			panic(err)
		}
		fmt.Println("sent")
	})
	c.OnClose(func(m comm.Message) { fmt.Println("close", m, c.Send(nil)) })
})`)
	c.Shell(commOpen("a", "echo", `{"hello":[1,2]}`)).Want("busy", `stdout "open {\"hello\":[1,2]}\n"`, "idle")
	c.Shell(commOpen("b", "echo", "")).Want("busy", `stdout "open {}\n"`, "idle")
	c.Shell(commOpen("a", "echo", "{}")).Want("busy", "idle") // is open already
	c.Shell(commOpen("c", "unknown", "{}")).Want("busy", "comm_close c", "idle")
	c.Shell(commMsg("a", `{"X":1,"Y":2}`)).Want(
		"busy", `stdout "message {1 2 }\n"`, `comm_msg a {"X":2,"Y":1}`, `stdout "sent\n"`, "idle")
	c.Shell(commMsg("c", "{}")).Want("busy", "idle")
	c.Shell(wire.CommInfoRequest{}).Want("busy", "idle",
		`comm_info_reply {"status":"ok","comms":{"a":{"target_name":"echo"},"b":{"target_name":"echo"}}}`)
	c.Shell(wire.CommInfoRequest{TargetName: "other"}).Want("busy", "idle", `comm_info_reply {"status":"ok","comms":{}}`)
	c.Shell(wire.CommClose{CommID: "a", Data: json.RawMessage(`{"why":"done"}`)}).Want(
		"busy", `stdout "close {\"why\":\"done\"} comm: send \"echo\" (a): the comm is closed by the front end\n"`, "idle")
	c.Shell(wire.CommClose{CommID: "a"}).Want("busy", "idle")
	c.Shell(commMsg("a", "{}")).Want("busy", "idle")
	c.Shell(wire.CommInfoRequest{TargetName: "echo"}).Want("busy", "idle",
		`comm_info_reply {"status":"ok","comms":{"b":{"target_name":"echo"}}}`)
	runCells(t, c, `comm.Register("echo", nil)`)
	c.Shell(commOpen("d", "echo", "{}")).Want("busy", "comm_close d", "idle")
	c.Shell(commMsg("b", `{"X":3}`)).Want("busy", `stdout "message {3 0 }\n"`, `comm_msg b {"X":0,"Y":3}`, `stdout "sent\n"`, "idle")
}

// TestCommFromKernel has cells open comms.
func TestCommFromKernel(t *testing.T) {
	_, c := commCells(t, `import "orthant/stdlib/comm"`)
	const code = "fmt.Println(1)\n" + `m, err := comm.NewMessage(map[string]int{"value": 7}, []byte("abc"), nil)
m.Metadata = map[string]any{"version": "2.1.0"}
c, err := comm.OpenMessage("jupyter.widget", m)
fmt.Println(2, err, c.Target())
c.OnMessage(func(m comm.Message) { fmt.Println(m, m.Metadata["k"]) })
c.OnClose(func(m comm.Message) { fmt.Println("gone") })`
	e := c.Execute(code)
	id := opened(t, e)
	e.Want("busy", "execute_input [2] "+code, `stdout "1\n"`,
		"comm_open "+id+` jupyter.widget {"value":7} metadata {"version":"2.1.0"} (3 bytes) (0 bytes)`,
		`stdout "2 <nil> jupyter.widget\n"`, "idle", "execute_reply [2] ok")
	c.Shell(commMsg(id, `[1]`)).Want("busy", `stdout "[1] <nil>\n"`, "idle")
	m, err := wire.NewSender("x").New(nil, commMsg(id, `"text"`))
	if err != nil {
		t.Fatal(err)
	}
	m.Metadata, m.Buffers = json.RawMessage(`{"k":[3]}`), [][]byte{[]byte("four"), nil}
	c.SendMessage(wire.Shell, m).Wait().Want("busy", `stdout "\"text\" and 2 buffers of 4 bytes [3]\n"`, "idle")
	const end = "c.Close()\nc.Close()\nc.Send(1)"
	c.Execute(end).Want("busy", "execute_input [3] "+end, "comm_close "+id,
		`execute_result [3] comm: send "jupyter.widget" (`+id+"): the comm is closed", "idle", "execute_reply [3] ok")
	c.Shell(commMsg(id, "{}")).Want("busy", "idle")
	c.Shell(wire.CommInfoRequest{}).Want("busy", "idle", `comm_info_reply {"status":"ok","comms":{}}`)
}

// TestCommFailures has functions of cells fail that messages call. The kernel goes on, and so does the comm.
func TestCommFailures(t *testing.T) {
	_, c := commCells(t, `import (
	"orthant/stdlib/comm"
	"os"
)
func fail(how string) {
	switch how {
	case "panic":
		panic("on purpose")
	case "exit":
		os.Exit(3)
	case "endless":
		var f func(n int) int
		f = func(n int) int { return f(n+1) + 1 }
		f(0)
	case "goroutine":
		go func() { panic("elsewhere") }()
		select {}
	case "wait":
		fmt.Println("waiting")
		<-ctx.Done()
		fmt.Println(ctx.Err())
	case "spin":
		fmt.Println("spinning")
		for {
		}
	case "file":
		fmt.Fprintln(os.Stdout, "to the file")
	}
}
comm.Register("bad", func(c *comm.Comm, m comm.Message) { fail("panic") })
comm.Register("t", func(c *comm.Comm, m comm.Message) {
	c.OnMessage(func(m comm.Message) {
		var how string
		if err := m.Decode(&how); err != nil {
			panic(err)
		}
		fail(how)
		c.Send(how)
	})
})`)
	c.Shell(commOpen("a", "t", "{}")).Want("busy", "idle")
	for _, test := range []struct{ how, want string }{
		{"panic", "panic: on purpose"},
		{"exit", "os.Exit(3) ends the cell"},
		{"endless", "stack overflow"},
		{"goroutine", "elsewhere (in a goroutine)"},
	} {
		e := c.Shell(commMsg("a", `"`+test.how+`"`))
		if got := e.Text("stderr"); !strings.Contains(got, test.want) || len(e.Messages()) != 3 {
			t.Errorf("%s: got\n%s\nwant busy, %q on stderr, idle", test.how, e, test.want)
		}
	}
	t.Run("the traceback leads into the cell", func(t *testing.T) {
		if got := c.Shell(commMsg("a", `"panic"`)).Text("stderr"); !strings.Contains(got, "cell 1 line 8, in fail") {
			t.Errorf("got\n%s", got)
		}
	})
	c.Shell(commMsg("a", `"file"`)).Want("busy", `stdout "to the file\n"`, `comm_msg a "file"`, "idle")
	t.Run("a failure while opening closes the comm", func(t *testing.T) {
		e := c.Shell(commOpen("b", "bad", "{}"))
		if got := e.Text("stderr"); !strings.Contains(got, "panic: on purpose") || !strings.HasSuffix(e.String(), "\ncomm_close b\nidle") {
			t.Errorf("got\n%s", e)
		}
		c.Shell(wire.CommInfoRequest{TargetName: "bad"}).Want("busy", "idle", `comm_info_reply {"status":"ok","comms":{}}`)
	})
	t.Run("an interrupt", func(t *testing.T) {
		e := c.Send(wire.Shell, commMsg("a", `"wait"`)).WaitForText("stdout", "waiting")
		c.Control(wire.InterruptRequest{})
		e.Wait()
		if got := e.Text("stdout"); got != "waiting\ncontext canceled\n" {
			t.Errorf("got %q", got)
		}
		e = c.Send(wire.Shell, commMsg("a", `"spin"`)).WaitForText("stdout", "spinning")
		queued := c.Send(wire.Shell, kerneltest.Request("1 + 1")) // a handler's failure aborts nothing
		c.Control(wire.InterruptRequest{})
		if got := e.Wait().Text("stderr"); !strings.Contains(got, "interrupted") {
			t.Errorf("got %q", got)
		}
		queued.Wait().Want("busy", "execute_input [2] 1 + 1", "execute_result [2] 2", "idle", "execute_reply [2] ok")
	})
	c.Shell(commMsg("a", `"fine"`)).Want("busy", `comm_msg a "fine"`, "idle")
}

// TestCommParents has goroutines and silent requests use comms.
func TestCommParents(t *testing.T) {
	_, c := commCells(t, `import "orthant/stdlib/comm"`)
	first := c.Execute(`c, err := comm.Open("feed", nil)
release := make(chan bool)
go func() {
	<-release
	fmt.Println("late")
	c.Send("from the goroutine")
}()`)
	id := opened(t, first)
	runCells(t, c, "release <- true")
	first.WaitFor("comm_msg " + id + ` "from the goroutine"`)
	silent := kerneltest.Request("fmt.Println(1)\nc.Send(2)")
	silent.Silent, silent.StoreHistory = true, false
	c.Shell(silent).Want("busy", "comm_msg "+id+" 2", "idle", "execute_reply [3] ok")
	t.Run("a function that a message calls starts a goroutine", func(t *testing.T) {
		runCells(t, c, `c.OnMessage(func(m comm.Message) {
	fmt.Println("got", m)
	go func() {
		<-release
		c.Send(m.Data)
	}()
})`)
		e := c.Shell(commMsg(id, `{"n":1}`)).Want("busy", `stdout "got {\"n\":1}\n"`, "idle")
		runCells(t, c, "release <- true")
		e.WaitFor("comm_msg " + id + ` {"n":1}`)
	})
	t.Run("a callback of compiled code", func(t *testing.T) {
		e := c.Execute("import \"time\"\ntime.AfterFunc(time.Millisecond, func() { c.Send(\"timer\") });")
		e.WaitFor("comm_msg " + id + ` "timer"`)
	})
	t.Run("what JSON cannot express", func(t *testing.T) {
		e := c.Execute("import \"math\"\nc.Send(math.NaN())")
		if !strings.Contains(e.String(), "comm: data of type float64: json: unsupported value: NaN") {
			t.Errorf("got\n%s", e)
		}
		e = c.Execute("c.SendMessage(comm.Message{Data: []byte(\"{\")})")
		if !strings.Contains(e.String(), `the data is not JSON`) {
			t.Errorf("got\n%s", e)
		}
		e = c.Execute("c.SendMessage(comm.Message{Metadata: map[string]any{\"f\": func() {}}})")
		if !strings.Contains(e.String(), "unsupported type: func()") {
			t.Errorf("got\n%s", e)
		}
	})
}

// TestCommThroughput sends many messages each way, and large buffers. None is lost, and all come in order.
func TestCommThroughput(t *testing.T) {
	const n = 10_000
	_, c := commCells(t, `import "orthant/stdlib/comm"
var c *comm.Comm
var got []int
comm.Register("many", func(opened *comm.Comm, m comm.Message) {
	c = opened
	c.OnMessage(func(m comm.Message) {
		var i int
		if err := m.Decode(&i); err != nil {
			panic(err)
		}
		got = append(got, i)
		if err := c.Send(i, m.Buffers...); err != nil {
			panic(err)
		}
	})
})`)
	c.Shell(commOpen("a", "many", "{}"))
	sent := make([]*kerneltest.Exchange, n)
	start := time.Now()
	for i := range sent {
		sent[i] = c.Send(wire.Shell, commMsg("a", strconv.Itoa(i)))
	}
	for i, e := range sent {
		e.Wait().Want("busy", fmt.Sprintf("comm_msg a %d", i), "idle")
	}
	t.Logf("%d messages and their answers: %v", n, time.Since(start))
	var count wire.ExecuteResult
	if err := c.Execute("import \"slices\"\nfmt.Sprint(slices.IsSorted(got), len(got))").Messages()[2].Unmarshal(&count); err != nil || count.Data.Text("text/plain") != fmt.Sprint(true, n) {
		t.Errorf("the kernel got %v, want %d in order: %v", count.Data, n, err)
	}
	start = time.Now()
	e := c.Execute(fmt.Sprintf("for i := range %d {\n\tc.Send(i)\n}", n))
	t.Logf("%d messages of one cell: %v", n, time.Since(start))
	messages := e.Messages()
	if len(messages) != n+3 { // busy, execute_input, idle
		t.Fatalf("got %d messages, want %d", len(messages), n+3)
	}
	for i, m := range messages[2 : n+2] {
		var msg wire.CommMsg
		if err := m.Unmarshal(&msg); err != nil || string(msg.Data) != strconv.Itoa(i) {
			t.Fatalf("message %d is %s, %v", i, m.Content, err)
		}
	}
	t.Run("buffers of 10 MB", func(t *testing.T) {
		large := make([]byte, 10<<20)
		for i := range large {
			large[i] = byte(i * i >> 8)
		}
		m, err := wire.NewSender("x").New(nil, commMsg("a", "-1"))
		if err != nil {
			t.Fatal(err)
		}
		m.Buffers = [][]byte{large, {}, large[:1]}
		e := c.SendMessage(wire.Shell, m).Wait()
		answer := e.Messages()[1]
		if !slices.EqualFunc(answer.Buffers, m.Buffers, bytes.Equal) {
			t.Errorf("got other buffers in\n%s", e)
		}
	})
}

// TestCommsEnd restarts a kernel: its comms and targets are gone.
func TestCommsEnd(t *testing.T) {
	file, info := writeConnectionFile(t)
	for range 2 {
		p, c := startProcessAt(t, file, info, func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, sessionVariable+"=1") })
		c.Shell(commOpen("a", "t", "{}")).Want("busy", "comm_close a", "idle")
		c.Shell(wire.CommInfoRequest{}).Want("busy", "idle", `comm_info_reply {"status":"ok","comms":{}}`)
		runCells(t, c, "import \"orthant/stdlib/comm\"\ncomm.Register(\"t\", func(c *comm.Comm, m comm.Message) {})")
		c.Shell(commOpen("a", "t", "{}")).Want("busy", "idle")
		start := time.Now()
		c.Control(wire.ShutdownRequest{Restart: true})
		p.wantEnd(t, start)
		c.Close()
	}
}

// TestCommBesideACell sends messages while a cell runs: one on the cell's own shell waits for its end, one on a subshell is handled
// at once, and may be what the cell waits for.
func TestCommBesideACell(t *testing.T) {
	_, c := commCells(t, `import "orthant/stdlib/comm"
free, order := make(chan string), []string{}
comm.Register("note", func(c *comm.Comm, m comm.Message) {
	c.OnMessage(func(m comm.Message) {
		var who string
		if err := m.Decode(&who); err != nil {
			panic(err)
		}
		order = append(order, who)
		fmt.Println("note of", who, order)
		if who == "sub" {
			free <- who
		}
		c.Send(len(order))
	})
})`)
	c.Shell(commOpen("a", "note", "{}"))
	sub := c.CreateSubshell()
	cell := c.Send(wire.Shell, kerneltest.Request("fmt.Println(\"computing\")\n<-free")).WaitFor(`stdout "computing\n"`)
	queued := c.Send(wire.Shell, commMsg("a", `"main"`))
	sub.Send(commMsg("a", `"sub"`)).Wait().Want("busy", `stdout "note of sub [sub]\n"`, "comm_msg a 1", "idle")
	cell.Wait().Want("busy", "execute_input [2] fmt.Println(\"computing\")\n<-free", `stdout "computing\n"`, "execute_result [2] sub", "idle",
		"execute_reply [2] ok")
	queued.Wait().Want("busy", `stdout "note of main [sub main]\n"`, "comm_msg a 2", "idle")
}
