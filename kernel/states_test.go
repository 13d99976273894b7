//go:build !windows

package kernel

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// states are what a cell of the real session may be doing when it is to end. It has printed "go" before.
var states = []struct{ name, code string }{
	{"computing", "fmt.Println(\"go\")\nfor {\n}"},
	{"calling", "func f(n int) int { return n + 1 }\nn := 0\nfmt.Println(\"go\")\nfor {\n\tn = f(n)\n}"},
	{"receiving", "fmt.Println(\"go\")\n<-make(chan int)"},
	{"sending", "fmt.Println(\"go\")\nmake(chan int) <- 1"},
	{"selecting", "fmt.Println(\"go\")\nselect {\ncase <-make(chan int):\ncase make(chan int) <- 1:\n}"},
	{"sleeping", "fmt.Println(\"go\")\ntime.Sleep(time.Hour)"},
	{"waiting for a lock", "var mu sync.Mutex\nmu.Lock()\nfmt.Println(\"go\")\nmu.Lock()"},
	{"in compiled code", "fmt.Println(\"go\")\nnew(big.Int).Exp(big.NewInt(3), new(big.Int).Lsh(big.NewInt(1), 40), nil)"},
	{"waiting for a process", "fmt.Println(\"go\")\nexec.Command(\"sleep\", \"3600\").Run()"},
	{"printing", "fmt.Println(\"go\")\nfor {\n\tfmt.Println(\"more\")\n}"},
	{"deferring", "defer func() {\n\tfor {\n\t}\n}()\nfmt.Println(\"go\")\n<-make(chan int)"},
	{"with goroutines", "for range 4 {\n\tgo func() {\n\t\tfor {\n\t\t}\n\t}()\n}\nfmt.Println(\"go\")\nselect {}"},
}

const stateImports = "import (\n\t\"math/big\"\n\t\"os/exec\"\n\t\"sync\"\n\t\"time\"\n)\nkept := 42"

// interruptLimit bounds how long an interrupt may take, also of a cell that hears nothing: it is left alone after 2 s and a bit.
const interruptLimit = 4 * time.Second

// TestInterruptInEveryState interrupts a cell with others queued behind it, by message and by signal: it fails, the queue is
// aborted, and the session is as it was.
func TestInterruptInEveryState(t *testing.T) {
	p, c := startProcess(t, sessionVariable+"=1")
	c.Execute(stateImports)
	id := createSubshell(t, c)
	ways := map[string]func(){
		"message": func() { c.Control(wire.InterruptRequest{}) },
		"signal":  func() { p.signal(t, os.Interrupt) },
	}
	for _, state := range states {
		for way, interrupt := range ways {
			t.Run(state.name+" by "+way, func(t *testing.T) {
				cell := c.Send(wire.Shell, kerneltest.Request(state.code)).WaitForText("stdout", "go\n")
				var queued []*kerneltest.Exchange
				for range 5 {
					queued = append(queued, c.Send(wire.Shell, kerneltest.Request("kept = 0")))
				}
				// The subshell's answer tells that what was sent before on the same connection has arrived.
				c.Subshell(id).Send(wire.IsCompleteRequest{Code: "x"}).Wait()
				start := time.Now()
				interrupt()
				if got := cell.Wait().String(); !strings.Contains(got, "\nerror Interrupted: ") {
					t.Errorf("got\n%.2000s\nwant an interrupt", got)
				}
				if took := time.Since(start); took > interruptLimit {
					t.Errorf("took %v, want at most %v", took, interruptLimit)
				}
				for _, e := range queued {
					e.Wait().Want("busy", "idle", "execute_reply aborted")
				}
				if got := c.Execute("kept").String(); !strings.Contains(got, "] 42\n") {
					t.Errorf("got\n%s\nwant the variable as it was", got)
				}
			})
		}
	}
}

// TestEndInEveryState ends a kernel while cells of two shells run and others are queued.
func TestEndInEveryState(t *testing.T) {
	ways := []struct {
		name string
		end  func(*testing.T, *kernelProcess, *kerneltest.Client)
	}{
		{"shutdown", func(t *testing.T, _ *kernelProcess, c *kerneltest.Client) {
			c.Send(wire.Control, wire.ShutdownRequest{})
		}},
		{"SIGTERM", func(t *testing.T, p *kernelProcess, _ *kerneltest.Client) { p.signal(t, syscall.SIGTERM) }},
	}
	for i, state := range states {
		way := ways[i%len(ways)] // all of both in the long form
		t.Run(fmt.Sprintf("%s by %s", state.name, way.name), func(t *testing.T) { endInState(t, state.code, way.end) })
		if other := ways[(i+1)%len(ways)]; !testing.Short() {
			t.Run(fmt.Sprintf("%s by %s", state.name, other.name), func(t *testing.T) { endInState(t, state.code, other.end) })
		}
	}
}

func endInState(t *testing.T, code string, end func(*testing.T, *kernelProcess, *kerneltest.Client)) {
	p, c := startProcess(t, sessionVariable+"=1")
	c.Execute(stateImports)
	c.CreateSubshell().Send(kerneltest.Request("fmt.Println(\"go\")\nselect {}")).WaitForText("stdout", "go\n")
	c.Send(wire.Shell, kerneltest.Request(code)).WaitForText("stdout", "go\n")
	for range 5 {
		c.Send(wire.Shell, kerneltest.Request("kept = 0"))
	}
	start := time.Now()
	end(t, p, c)
	p.wantEnd(t, start)
}

// TestInterruptWhileIdle interrupts again and again, in front of cells and behind them: nothing is hit.
func TestInterruptWhileIdle(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	for i := range 20 {
		c.Control(wire.InterruptRequest{})
		c.Execute("1 + 1").Want("busy", fmt.Sprintf("execute_input [%d] 1 + 1", i+1), fmt.Sprintf("execute_result [%d] 2", i+1),
			"idle", fmt.Sprintf("execute_reply [%d] ok", i+1))
	}
}

// TestSubshellOfTheSession runs cells of a subshell while the main shell computes: they share all names, and messages tell the
// cells apart.
func TestSubshellOfTheSession(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	id := createSubshell(t, c)
	main := c.Send(wire.Shell, kerneltest.Request("import \"sync/atomic\"\nvar n atomic.Int64\nfmt.Println(\"go\")\nfor n.Load() == 0 {\n}\nn.Load()"))
	main.WaitFor(`stdout "go\n"`)
	c.Subshell(id).Send(kerneltest.Request("x := 20\nx + 1")).Wait().Want(
		"busy", "execute_input [1] x := 20\nx + 1", "execute_result [1] 21", "idle", "execute_reply [1] ok")
	if got := c.Subshell(id).Send(kerneltest.Request("y := x + \"\"")).Wait().String(); !strings.Contains(got, "cell 2 of subshell 1 line 1: ") {
		t.Errorf("got\n%s\nwant the name of the cell", got)
	}
	var reply wire.CompleteReply
	c.Subshell(id).Send(wire.CompleteRequest{Code: "fmt.Printl", CursorPos: 10}).Wait().Decode(&reply)
	if len(reply.Matches) == 0 {
		t.Error("the subshell completes nothing while the main shell computes")
	}
	// n is not there for others before its cell has ended: what a cell defines is, when it has.
	if got := c.Subshell(id).Send(kerneltest.Request("n.Store(7)")).Wait().String(); !strings.Contains(got, "undefined: n") {
		t.Errorf("got\n%s\nwant n undefined", got)
	}
	c.Control(wire.InterruptRequest{})
	main.Wait()
	if got := c.Subshell(id).Send(kerneltest.Request("n.Store(7)\nn.Load()")).Wait().String(); !strings.Contains(got, "execute_result [4] 7") {
		t.Errorf("got\n%s\nwant the variable of the main shell", got)
	}
	if got := c.Execute("x").String(); !strings.Contains(got, "execute_result [2] 20") {
		t.Errorf("got\n%s\nwant the variable of the subshell", got)
	}
}

// TestProcessEndsDeafGrandchildren has a cell start a program that starts another; both ignore SIGTERM.
func TestProcessEndsDeafGrandchildren(t *testing.T) {
	for _, leads := range []bool{true, false} {
		t.Run(fmt.Sprintf("leading a group %v", leads), func(t *testing.T) {
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			p, c := startProcessWith(t, func(cmd *exec.Cmd) {
				cmd.Env = append(cmd.Env, sessionVariable+"=1")
				cmd.ExtraFiles = []*os.File{writer}
				cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: leads}
			})
			writer.Close()
			if got := c.Execute("import (\n\t\"os\"\n\t\"os/exec\"\n)\ncmd := exec.Command(\"sh\", \"-c\", \"trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & wait; wait\")\n" +
				"cmd.Stdout = os.NewFile(3, \"three\")\ncmd.Start()").String(); strings.Contains(got, "error") {
				t.Fatal(got)
			}
			start := time.Now()
			shutDown(t, p, c)
			p.wantEnd(t, start)
			if err := reader.SetReadDeadline(time.Now().Add(kerneltest.Timeout)); err != nil {
				t.Fatal(err)
			}
			if _, err := reader.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("what the cell has started lives on: %v", err)
			}
		})
	}
}
