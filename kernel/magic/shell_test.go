//go:build !windows

package magic

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// execute runs a cell in the background. What it returns waits for its error.
func execute(ctx context.Context, i *Interpreter, source string, r display.Sink) (wait func() *session.Error) {
	done := make(chan *session.Error, 1)
	go func() {
		_, failure := i.Execute(ctx, session.Cell{Number: 1, Source: source}, r)
		done <- failure
	}()
	return func() *session.Error { return <-done }
}

// processes returns the numbers that a command has printed, one a line.
func processes(t *testing.T, r *recorder) []int {
	t.Helper()
	out, _ := r.texts()
	var pids []int
	for _, field := range strings.Fields(out) {
		if pid, err := strconv.Atoi(field); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// waitForEnd waits until there is no process of a number. One that has ended and whose parent has not asked is a zombie, which
// answers to a signal.
func waitForEnd(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond) // another process's end cannot be waited for
	}
	t.Errorf("process %d goes on", pid)
}

// TestShellInterrupt interrupts commands: they and what they have started end.
func TestShellInterrupt(t *testing.T) {
	for name, command := range map[string]string{
		"polite":             "!echo $$; sleep 1000 & echo $!; echo ready; wait",
		"deaf":               "!trap '' INT; echo $$; sleep 1000 & echo $!; echo ready; while :; do sleep 1; done",
		"script":             "%%sh\necho $$\nsleep 1000 &\necho $!\necho ready\nwait",
		"child that is deaf": "!(trap '' INT; exec sleep 1000) & echo $$; echo $!; echo ready; wait",
	} {
		t.Run(name, func(t *testing.T) {
			i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
			ctx, cancel := context.WithCancel(t.Context())
			wait := execute(ctx, i, command, r)
			r.waitFor(t, "ready")
			start := time.Now()
			cancel()
			failure := wait()
			if failure == nil || failure.Name != interrupted || failure.Value != "interrupted in line 1" {
				t.Errorf("got %v", failure)
			}
			if took := time.Since(start); took > 2*politely {
				t.Errorf("the end took %v", took)
			}
			pids := processes(t, r)
			if len(pids) != 2 {
				t.Fatalf("processes %v", pids)
			}
			for _, pid := range pids {
				waitForEnd(t, pid)
			}
			if got := play(t, i, "!echo again"); got != `stdout "again\n"` {
				t.Errorf("afterwards: %s", got)
			}
		})
	}
}

// TestShellIsLive checks that output comes while a command runs, which waits for a file to be gone.
func TestShellIsLive(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("wait", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
	wait := execute(t.Context(), i, "!echo first; while [ -e wait ]; do sleep 0.01; done; echo second", r)
	r.waitFor(t, "first\n")
	if err := os.Remove("wait"); err != nil {
		t.Fatal(err)
	}
	if failure := wait(); failure != nil {
		t.Error(failure)
	}
	if out, _ := r.texts(); out != "first\nsecond\n" {
		t.Errorf("got %q", out)
	}
}

// TestShellKeepsAll checks that nothing of much output is lost at a command's end, nor reordered.
func TestShellKeepsAll(t *testing.T) {
	i, r := newInterpreter(t), &recorder{}
	if _, failure := i.Execute(t.Context(), session.Cell{Number: 1, Source: "!seq 1 300000"}, r); failure != nil {
		t.Fatal(failure)
	}
	out, _ := r.texts()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 300000 {
		t.Fatalf("%d lines", len(lines))
	}
	for n, line := range lines {
		if line != strconv.Itoa(n+1) {
			t.Fatalf("line %d is %q", n+1, line)
		}
	}
}

// TestShellBackground checks that what a command leaves running goes on, outputs to its cell, and ends with the session.
func TestShellBackground(t *testing.T) {
	t.Chdir(t.TempDir())
	s, err := session.New()
	if err != nil {
		t.Fatal(err)
	}
	i, r := New(s, Options{}), &recorder{came: make(chan struct{}, 1)}
	source := "!(while [ ! -e go ]; do sleep 0.01; done; echo late; exec sleep 1000) & echo $!"
	if failure := execute(t.Context(), i, source, r)(); failure != nil {
		t.Fatal(failure)
	}
	if err := os.WriteFile("go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.waitFor(t, "late\n")
	pids := processes(t, r)
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	for _, pid := range pids {
		waitForEnd(t, pid)
	}
}

// TestShellBackgroundOfNoOutput checks that a process which a command has left ends with the session, though it writes elsewhere.
func TestShellBackgroundOfNoOutput(t *testing.T) {
	s, err := session.New()
	if err != nil {
		t.Fatal(err)
	}
	i, r := New(s, Options{}), &recorder{}
	if failure := execute(t.Context(), i, "!sleep 1000 >/dev/null 2>&1 & echo $!", r)(); failure != nil {
		t.Fatal(failure)
	}
	pids := processes(t, r)
	if len(pids) != 1 || syscall.Kill(pids[0], 0) != nil {
		t.Fatalf("processes %v", pids)
	}
	play(t, i, "!true")
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	waitForEnd(t, pids[0])
}

// A slow sink takes its time for each text.
type slow struct{ *recorder }

func (s slow) Text(stream display.Stream, text string) {
	time.Sleep(2 * quiet)
	s.recorder.Text(stream, text)
}

// TestShellWaitsForSlowClients checks that a command's output has come when the cell ends, however long that takes.
func TestShellWaitsForSlowClients(t *testing.T) {
	i, r := newInterpreter(t), &recorder{}
	if got := transcript(i, 1, "!echo 1; sleep 0.01; echo 2; sleep 0.01; echo 3", slow{r}, r); got != `stdout "1\n2\n3\n"` {
		t.Errorf("got %s", got)
	}
}

// TestTimeitInterrupt interrupts a measurement that would last for ever.
func TestTimeitInterrupt(t *testing.T) {
	i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	wait := execute(ctx, i, "%timeit -n 1000000000 fmt.Println(\"running\")", r)
	r.waitFor(t, "running")
	cancel()
	if failure := wait(); failure == nil || failure.Name != interrupted {
		t.Errorf("got %v", failure)
	}
	if got := play(t, i, "1 + 1"); got != "result 2" {
		t.Errorf("afterwards: %s", got)
	}
}
