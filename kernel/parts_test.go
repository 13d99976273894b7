//go:build !windows

package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// decode returns the content of an exchange's reply.
func decode[T any](t *testing.T, e *kerneltest.Exchange) T {
	t.Helper()
	var v T
	e.Decode(&v)
	return v
}

// TestLimitedText prints more than a cell may: the first 8 MiB come as they are, then one notice, and the cell runs on.
func TestLimitedText(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: prints much text")
	}
	const lines = 1_000_000
	_, c := startProcess(t, sessionVariable+"=1")
	e := c.Execute(counting(lines, 0) + "\n6 * 7")
	var all strings.Builder
	for i := range lines {
		fmt.Fprintf(&all, "line %d \n", i)
	}
	got := e.Text("stdout")
	if len(got) < textLimit || got[:textLimit] != all.String()[:textLimit] {
		t.Errorf("%d bytes, of which the first %d are not what was printed", len(got), textLimit)
	}
	if rest := got[min(len(got), textLimit):]; len(rest) > 1000 {
		t.Errorf("%d bytes behind the limit", len(rest))
	}
	if told := got[min(len(got), textLimit):] + e.Text("stderr"); len(notice.FindAllString(told, -1)) != 1 {
		t.Errorf("notices %q, want one", told)
	}
	if !strings.Contains(e.String(), "\nexecute_result [1] 42\n") {
		t.Errorf("the cell did not run to its end")
	}
	wantLines(t, c.Execute(counting(10, 0)).Text("stdout"), 10, 0) // the limit is a cell's
}

// TestHistoryOnAFullDisk runs a kernel whose data folder is full, or a file: cells run, and history is told to be missing
// once.
func TestHistoryOnAFullDisk(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, cmd *exec.Cmd)
	}{
		{"full", fullDisk},
		{"not a folder", func(t *testing.T, cmd *exec.Cmd) {
			file := filepath.Join(t.TempDir(), "data")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd.Env = append(cmd.Env, "ORTHANT_HISTORY="+filepath.Join(file, "history.sqlite"))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, c := startProcessWith(t, func(cmd *exec.Cmd) { tt.prepare(t, cmd) })
			told := ""
			for i := range 30 {
				e := c.Execute("value " + strings.Repeat("x", 10_000))
				if !strings.HasSuffix(e.String(), fmt.Sprintf("execute_reply [%d] ok", i+1)) {
					t.Fatalf("got\n%.500s", e)
				}
				told += e.Text("stderr")
			}
			if strings.Count(told, "\n") > 1 {
				t.Errorf("told more than once:\n%s", told)
			}
			var reply wire.HistoryReply
			c.Shell(wire.HistoryRequest{HistAccessType: "tail", N: 5}).Decode(&reply) // whatever it has, it is answered
		})
	}
}

// fullDisk gives a kernel a disk of its own, as small as a few cells, in namespaces of its own.
func fullDisk(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux's namespaces")
	}
	const mount = `mount -t tmpfs -o size=64k tmpfs "$1" && shift && exec "$@"`
	dir := t.TempDir()
	unshare, err := exec.LookPath("unshare")
	if err == nil {
		err = exec.Command(unshare, "-rm", "sh", "-c", mount, "sh", dir, "true").Run()
	}
	if err != nil {
		t.Skipf("cannot make a small disk, a right that containers withhold: %v", err)
	}
	cmd.Args = append([]string{unshare, "-rm", "sh", "-c", mount, "sh", dir}, cmd.Args...)
	cmd.Path = unshare
	cmd.Env = append(cmd.Env, "ORTHANT_HISTORY="+filepath.Join(dir, "history.sqlite"))
}

// wrongStdin is the rest of what kernels get wrong with questions: the other client is not asked, a late answer is not
// taken for the next question's, and the wait ends with an interrupt and with the client.
func wrongStdin(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	other := c.Another()
	asking := kerneltest.Request("in, err := display.Input(\"? \")\nfmt.Println(in, err)")
	asking.AllowStdin = true

	first := c.Send(wire.Shell, asking)
	stale := first.Asked()
	other.Control(wire.KernelInfoRequest{}) // a question to it would have failed its test
	c.Control(wire.InterruptRequest{})
	if got := first.Wait().String(); !strings.Contains(got, "\nerror Interrupted") {
		t.Errorf("got\n%s\nwant the interrupt to end the wait", got)
	}

	second := c.Send(wire.Shell, asking)
	question := second.Asked()
	first.Answer(stale, "stale")
	second.Answer(question, "fresh")
	if got := second.Wait().Text("stdout"); got != "fresh <nil>\n" {
		t.Errorf("got %q, want the answer to its own question", got)
	}

	end := c.Send(wire.Shell, asking)
	end.Answer(end.Asked(), wire.EndOfFile)
	if got := end.Wait().Text("stdout"); !strings.Contains(got, "EOF") {
		t.Errorf("got %q, want the end of the input", got)
	}

	leaving := c.Another()
	left := leaving.Send(wire.Shell, asking)
	left.Asked()
	leaving.Close()
	c.Execute("1 + 1") // runs once the cell of the client that is gone has ended
}
