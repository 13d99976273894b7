package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"orthant/stdlib/comm"
	"orthant/stdlib/display"
)

// A front is a recorder whose front end can be talked to.
type front struct {
	recorder
	comms comm.Registry
}

func (f *front) Comms() *comm.Registry { return &f.comms }
func (f *front) Wait()                 {}
func (f *front) Post(e comm.Event) error {
	f.Text(display.Stdout, "["+e.Kind.String()+" "+e.Message.String()+"]")
	return nil
}

// kept returns a function with a body that a cell has given away: by registering a target.
func kept(t *testing.T, s *Session, body string) func() {
	t.Helper()
	out := &front{}
	if b, e := s.Execute(t.Context(), Cell{1, "import (\n\t\"os\"\n\t\"orthant/stdlib/comm\"\n\t\"runtime\"\n\t\"time\"\n)\nc := make(chan int)\n" +
		"comm.Register(\"t\", func(*comm.Comm, comm.Message) {\n" + body + "\n})"}, out); e != nil || b != nil {
		t.Fatal(b, e)
	}
	call, err := out.comms.Receive(out, comm.Event{Kind: comm.Opening, ID: "1", Target: "t"})
	if err != nil {
		t.Fatal(err)
	}
	return call
}

// TestCall calls functions of a cell as a front end's message does.
func TestCall(t *testing.T) {
	for _, test := range []struct{ name, body, out, stderr, err string }{
		{name: "output", body: "fmt.Println(1)\nprintln(2)\nfmt.Fprintln(os.Stdout, 3)\ndisplay.Show(4)", out: "1\n3\n", stderr: "2\n"},
		{name: "a comm", body: "fmt.Println(1)\nfmt.Fprintln(os.Stdout, 2)\nc, err := comm.Open(\"x\", 3)\nfmt.Println(err, c.Send(4), c.Close())", out: "1\n2\n[open 3][send 4][close {}]<nil> <nil> <nil>\n"},
		{name: "a panic", body: "fmt.Println(1)\npanic(\"on purpose\")", out: "1\n", err: "Panic: on purpose"},
		{name: "a runtime error", body: "var s []int\n_ = s[3]", err: "Panic: runtime error: index out of range [3] with length 0"},
		{name: "a goroutine's panic", body: "go func() { panic(\"elsewhere\") }()\nselect {}", err: "Panic: elsewhere (in a goroutine)"},
		{name: "os.Exit", body: "defer fmt.Println(1)\nos.Exit(2)", out: "1\n", err: "Exit: os.Exit(2) ends the cell, not the kernel"},
		{name: "runtime.Goexit", body: "runtime.Goexit()", err: "Exit: runtime.Goexit() ends the cell, not the kernel"},
		{name: "endless recursion", body: "var f func(int) int\nf = func(n int) int { return f(n+1) + 1 }\nf(0)", err: "Panic: stack overflow"},
		{name: "ctx", body: "fmt.Println(1)\n<-ctx.Done()\nfmt.Println(ctx.Err())", out: "1\ncontext canceled\n", err: "Interrupted: interrupted"},
		{name: "an endless loop", body: "fmt.Println(1)\nfor {\n}", out: "1\n", err: "Interrupted: interrupted"},
		{name: "a channel", body: "fmt.Println(1)\n<-c\nfmt.Println(2)", out: "1\n", err: "Interrupted: interrupted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			f := kept(t, s, test.body)
			for range 2 { // the second time is like the first
				ctx, cancel := context.WithCancel(t.Context())
				out := &front{}
				if strings.HasPrefix(test.err, interrupted) {
					go func() {
						for out.stdout() == "" {
							time.Sleep(time.Millisecond)
						}
						cancel()
					}()
				}
				e := s.Call(ctx, "a call", out, f)
				cancel()
				got := ""
				if e != nil {
					got = e.Error()
				}
				if test.err == "" && got != "" || !strings.HasPrefix(got, test.err) || strings.Contains(got, "has not returned") {
					t.Errorf("got %q, want %q", got, test.err)
				}
				if out.stdout() != test.out || out.stderr() != test.stderr {
					t.Errorf("output %q and %q, want %q and %q", out.stdout(), out.stderr(), test.out, test.stderr)
				}
			}
			if got := run1(t, s, 2, "1 + 1"); got != "2" {
				t.Errorf("got %s, want 2", got)
			}
		})
	}
}

// TestCallLeavesGoroutines has a call start a goroutine that outlives it.
func TestCallLeavesGoroutines(t *testing.T) {
	s := newSession(t)
	f := kept(t, s, "go func() {\n<-c\nfmt.Println(\"late\")\nc <- 1\npanic(\"too late\")\n}()")
	out := &recorder{}
	if e := s.Call(t.Context(), "a call", out, f); e != nil {
		t.Fatal(e)
	}
	run1(t, s, 2, "c <- 1\n<-c")
	for begin := time.Now(); out.stderr() == "" && time.Since(begin) < 5*time.Second; {
		time.Sleep(time.Millisecond)
	}
	if out.stdout() != "late\n" || !strings.HasPrefix(out.stderr(), "panic in a goroutine of a call: too late\n\tcell 1 line ") {
		t.Errorf("got %q and %q", out.stdout(), out.stderr())
	}
}

// TestCallAsksTooLate has a goroutine ask when the call that started it has ended: the error names the call.
func TestCallAsksTooLate(t *testing.T) {
	s := newSession(t)
	f := kept(t, s, "go func() {\n\t<-c\n\t_, err := display.Input(\"?\")\n\tfmt.Print(err)\n\tc <- 2\n}()")
	out := &typing{}
	if e := s.Call(t.Context(), "a comm_msg", out, f); e != nil {
		t.Fatal(e)
	}
	run1(t, s, 2, "c <- 1\n<-c;")
	if got, want := out.stdout(), "display: no input: a comm_msg has ended"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
