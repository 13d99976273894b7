//go:build !windows

package kernel

import (
	"encoding/json"
	"os"
	"path/filepath"
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

// TestLoadOverSockets has %load put a file in the place of its cell, which the reply tells the front end.
func TestLoadOverSockets(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	path := filepath.Join(t.TempDir(), "part one.go")
	if err := os.WriteFile(path, []byte("// größer\nx := \"<1>\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	code := "%load '" + path + "'"
	e := c.Execute(code).Want("busy", "execute_input [1] "+code, "idle", "execute_reply [1] ok")
	var reply struct{ Payload []json.RawMessage }
	e.Decode(&reply)
	const want = `{"replace":true,"source":"set_next_input","text":"// größer\nx := \"<1>\""}`
	if len(reply.Payload) != 1 || string(reply.Payload[0]) != want {
		t.Errorf("got %s, want %s", reply.Payload, want)
	}
	// Nothing of it has run, and the next reply does not carry it again.
	e = c.Execute("x")
	e.Decode(&reply)
	if !strings.Contains(e.String(), "undefined: x") || len(reply.Payload) != 0 {
		t.Errorf("got %s and\n%s", reply.Payload, e)
	}
	if e := c.Execute("%load gone.go"); !strings.Contains(e.String(), "execute_reply [3] error MagicError: cell 3 line 1: %load: ") {
		t.Errorf("got\n%s", e)
	}
}

// TestResetAsks is the conversation that %reset begins with the user.
func TestResetAsks(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	const question, code = `"Forget all names that cells defined (y/[n])? "`, "%reset"
	c.Execute("x := 6").Want("busy", "execute_input [1] x := 6", "idle", "execute_reply [1] ok")
	e := c.Send(wire.Shell, asking(code)).Answering("n")
	e.Want("busy", "execute_input [2] "+code, `stdout "nothing was forgotten\n"`, "idle", "execute_reply [2] ok")
	if got := e.Questions(); len(got) != 1 || got[0] != question {
		t.Errorf("asked %q, want %q", got, question)
	}
	c.Execute("x").Want("busy", "execute_input [3] x", "execute_result [3] 6", "idle", "execute_reply [3] ok")
	c.Send(wire.Shell, asking(code)).Answering("Yes").Want("busy", "execute_input [4] "+code, "idle", "execute_reply [4] ok")
	if e := c.Execute("x"); !strings.Contains(e.String(), "undefined: x") {
		t.Errorf("x is still there:\n%s", e)
	}
	// Nobody can be asked: nothing is forgotten.
	c.Execute("y := 7").Want("busy", "execute_input [6] y := 7", "idle", "execute_reply [6] ok")
	if e := c.Execute(code); !strings.Contains(e.String(), "execute_reply [7] error MagicError: cell 7 line 1: ") || !strings.Contains(e.String(), "%reset -f does not ask") {
		t.Errorf("got\n%s", e)
	}
	// An interrupt takes the question back.
	e = c.Send(wire.Shell, asking(code))
	if e.Asked() == nil {
		t.Fatalf("the cell ended without asking:\n%s", e)
	}
	c.Control(wire.InterruptRequest{})
	if e.Wait(); !strings.Contains(e.String(), "error Interrupted: interrupted in line 1") {
		t.Errorf("got\n%s", e)
	}
	c.Execute("y").Want("busy", "execute_input [9] y", "execute_result [9] 7", "idle", "execute_reply [9] ok")
}
