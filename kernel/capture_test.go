//go:build !windows

package kernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// TestNativeOutput checks that what goes to the process's own streams is output of the cell that runs, all of it before the
// result.
func TestNativeOutput(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	_, c := startProcessWith(t, func(cmd *exec.Cmd) {
		f, err := os.Create(log)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		cmd.Env = append(cmd.Env, sessionVariable+"=1")
		cmd.Stdout, cmd.Stderr = f, f
	})
	const code = "import \"syscall\"\nfmt.Println(\"before\")\nsyscall.Write(1, []byte(\"native ö\\n\"))\nsyscall.Write(2, []byte(\"error\\n\"));\n1"
	c.Execute(code).Want(
		"busy",
		"execute_input [1] "+code,
		`stdout "before\nnative ö\n"`,
		`stderr "error\n"`,
		"execute_result [1] 1",
		"idle",
		"execute_reply [1] ok",
	)
	const many = "import \"syscall\"\nfor i := range 20000 {\n\tsyscall.Write(1, fmt.Appendf(nil, \"line %d\\n\", i))\n}"
	var want strings.Builder
	for i := range 20000 {
		want.WriteString("line " + strconv.Itoa(i) + "\n")
	}
	if got := c.Execute(many).Text("stdout"); got != want.String() {
		t.Errorf("got %d bytes, want %d", len(got), want.Len())
	}
	const live = "import (\n\t\"os\"\n\t\"syscall\"\n\t\"time\"\n)\nsyscall.Write(1, []byte(\"at once\\n\"))\nfor {\n\ttime.Sleep(time.Millisecond)\n}\nvar _ = os.Args"
	e := c.Send(wire.Shell, kerneltest.Request(live)).WaitForText("stdout", "at once\n")
	c.Control(wire.InterruptRequest{})
	e.Wait()
	if data, err := os.ReadFile(log); err != nil || len(data) > 0 {
		t.Errorf("the server's log has %q, %v", data, err)
	}
}

// TestKilledKernelLeavesNothing checks that the file which native output goes to does not outlive a kernel that has no time to
// remove it.
func TestKilledKernelLeavesNothing(t *testing.T) {
	temporary := t.TempDir()
	p, c := startProcess(t, "TMPDIR="+temporary)
	c.Execute("log natively")
	p.kill(t)
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestNativeTextBetweenCells checks that what is written natively while no cell runs is shown without waiting for the next.
func TestNativeTextBetweenCells(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	c.Execute("import (\n\t\"syscall\"\n\t\"time\"\n)\nvar _ = time.Now\nlet := make(chan bool)")
	e := c.Execute("go func() {\n\t<-let\n\tsyscall.Write(1, []byte(\"late\\n\"))\n}()\ntime.AfterFunc(300*time.Millisecond, func() { close(let) })")
	if got := e.Text("stdout"); got != "" {
		t.Fatalf("%q came early", got)
	}
	e.WaitForText("stdout", "late\n")
}

// TestCrashReachesStderr checks that the server's log has the runtime's last words, although descriptor 2 is the cells'.
func TestCrashReachesStderr(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	p, c := startProcessWith(t, func(cmd *exec.Cmd) {
		f, err := os.Create(log)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		cmd.Env = append(cmd.Env, sessionVariable+"=1")
		cmd.Stderr = f
	})
	c.Send(wire.Shell, kerneltest.Request("import \"sync\"\nvar mu sync.Mutex\nmu.Unlock()"))
	p.ended <- <-p.ended
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "sync.(*Mutex).unlockSlow") {
		t.Errorf("the log has %d bytes and no trace", len(data))
	}
}
