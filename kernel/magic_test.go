//go:build !windows

package kernel

import (
	"strings"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// TestMagics is a conversation about magics with the real session.
func TestMagics(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	t.Run("a command between Go", func(t *testing.T) {
		const code = "x := 20\n!echo hello; echo oh >&2\nx + 1"
		e := c.Execute(code)
		for _, line := range []string{`stdout "hello\n"`, `stderr "oh\n"`, "execute_result [1] 21"} {
			if !strings.Contains(e.String(), "\n"+line+"\n") {
				t.Errorf("got\n%s\nwant %s", e, line)
			}
		}
	})
	t.Run("a command that fails", func(t *testing.T) {
		c.Execute("!exit 3").Want(
			"busy",
			"execute_input [2] !exit 3",
			"error CommandError: cell 2 line 1: exit 3: exit status 3",
			"idle",
			"execute_reply [2] error CommandError: cell 2 line 1: exit 3: exit status 3",
		)
	})
	t.Run("a command is interrupted", func(t *testing.T) {
		const code = "!echo running; sleep 1000"
		cell := c.Send(wire.Shell, kerneltest.Request(code))
		cell.WaitFor(`stdout "running\n"`)
		c.Control(wire.InterruptRequest{})
		cell.Wait().Want(
			"busy",
			"execute_input [3] "+code,
			`stdout "running\n"`,
			"error Interrupted: interrupted in line 1",
			"idle",
			"execute_reply [3] error Interrupted: interrupted in line 1",
		)
	})
	t.Run("is_complete", func(t *testing.T) {
		c.Shell(wire.IsCompleteRequest{Code: "!ls {"}).Want("busy", "idle", `is_complete_reply {"status":"complete"}`)
	})
	t.Run("complete", func(t *testing.T) {
		var reply wire.CompleteReply
		c.Shell(wire.CompleteRequest{Code: "é := 1\n%timei", CursorPos: 13}).Decode(&reply)
		if len(reply.Matches) != 1 || reply.Matches[0] != "%timeit" || reply.CursorStart != 7 || reply.CursorEnd != 13 {
			t.Errorf("got %q for %d to %d", reply.Matches, reply.CursorStart, reply.CursorEnd)
		}
	})
	t.Run("inspect", func(t *testing.T) {
		var reply wire.InspectReply
		c.Shell(wire.InspectRequest{Code: "%who", CursorPos: 4}).Decode(&reply)
		if text := reply.Data.Text("text/plain"); !reply.Found || !strings.HasPrefix(text, "%who\n\nList the names") {
			t.Errorf("found %v, %q", reply.Found, text)
		}
	})
}
