//go:build !windows

package kernel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// TestSession is a conversation with the real session: what the other tests show with a fake one, once more in Go.
func TestSession(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	t.Run("is_complete is answered in time, also first of all", func(t *testing.T) {
		const limit = time.Second // then jupyter_console 6.4 stops asking, until its end
		start := time.Now()
		c.Shell(wire.IsCompleteRequest{Code: "for {"}).Want("busy", "idle", `is_complete_reply {"status":"incomplete","indent":"\t"}`)
		if took := time.Since(start); took > limit {
			t.Errorf("took %v, want at most %v", took, limit)
		}
	})
	t.Run("output and result", func(t *testing.T) {
		c.Execute("x := 20\nfmt.Println(\"héllo\")\nx + 1").Want(
			"busy",
			"execute_input [1] x := 20\nfmt.Println(\"héllo\")\nx + 1",
			`stdout "héllo\n"`,
			"execute_result [1] 21",
			"idle",
			"execute_reply [1] ok",
		)
	})
	t.Run("displays keep their place", func(t *testing.T) {
		const code = "fmt.Println(1)\ndisplay.Show(2)\nfmt.Println(3)\ndisplay.Clear(true)\nfmt.Println(4)\ndisplay.HTML(\"<b>5</b>\")"
		c.Execute(code).Want(
			"busy",
			"execute_input [2] "+code,
			`stdout "1\n"`,
			"display_data 2",
			`stdout "3\n"`,
			"clear_output wait=true",
			`stdout "4\n"`,
			"execute_result [2] <b>5</b> (text/html)",
			"idle",
			"execute_reply [2] ok",
		)
	})
	t.Run("what does not compile does not run", func(t *testing.T) {
		e := c.Execute("fmt.Println(\"must not appear\")\nvar m int = \"ten\"")
		lines := strings.Split(e.String(), "\n")
		if got := strings.Join(lines, "\n"); strings.Contains(got, "stdout") || !strings.Contains(got, `cannot use "ten"`) {
			t.Errorf("got\n%s\nwant Go's message and no output", got)
		}
		if count(lines, "error ") != 1 {
			t.Errorf("got\n%s\nwant one error", strings.Join(lines, "\n"))
		}
	})
	t.Run("a panic is one error", func(t *testing.T) {
		lines := strings.Split(c.Execute(`panic("on purpose")`).String(), "\n")
		if count(lines, "error ") != 1 || count(lines, "std") != 0 {
			t.Errorf("got\n%s\nwant one error and no text", strings.Join(lines, "\n"))
		}
	})
	t.Run("user expressions", func(t *testing.T) {
		request := kerneltest.Request("y := x * 2")
		request.UserExpressions = map[string]string{"good": "y + 2", "bad": "nothing"}
		if got := string(c.Shell(request).Reply.Content); !strings.Contains(got, `"data":{"text/plain":"42"}`) || !strings.Contains(got, "undefined: nothing") {
			t.Errorf("got %s, want 42 and an error", got)
		}
	})
	t.Run("a goroutine outputs to its cell, also later", func(t *testing.T) {
		first := c.Execute("release := make(chan bool)\ngo func() {\n\t<-release\n\tfmt.Println(\"late\")\n}()")
		c.Execute("fmt.Println(\"second\")\nclose(release)")
		first.WaitFor(`stdout "late\n"`)
	})
	t.Run("interrupt", func(t *testing.T) {
		cell := c.Send(wire.Shell, kerneltest.Request("fmt.Println(\"running\")\nfor {\n}"))
		cell.WaitFor(`stdout "running\n"`)
		c.Control(wire.InterruptRequest{})
		if got := cell.Wait().String(); !strings.Contains(got, "\nerror Interrupted: ") {
			t.Errorf("got\n%s\nwant an interrupt", got)
		}
	})
	t.Run("complete", func(t *testing.T) {
		var reply wire.CompleteReply
		c.Shell(wire.CompleteRequest{Code: `s := "é😀"; fmt.Prin`, CursorPos: 19}).Decode(&reply)
		want := []string{"Print", "Printf", "Println"}
		if !slices.Equal(slices.Sorted(slices.Values(reply.Matches)), want) || reply.CursorStart != 15 || reply.CursorEnd != 19 {
			t.Errorf("got %q for %d to %d, want %q for 15 to 19", reply.Matches, reply.CursorStart, reply.CursorEnd, want)
		}
		for _, m := range reply.Metadata.Types {
			if m.Type != "function" || !strings.Contains(m.Signature, "func") {
				t.Errorf("%s is of type %q with signature %q", m.Text, m.Type, m.Signature)
			}
		}
	})
	t.Run("complete behind what takes two units of UTF-16", func(t *testing.T) {
		var reply wire.CompleteReply
		c.Shell(wire.CompleteRequest{Code: "世界, _ := \"😀😀\", fmt.Sprintl", CursorPos: 26}).Decode(&reply)
		if !slices.Equal(reply.Matches, []string{"Sprintln"}) || reply.CursorStart != 19 || reply.CursorEnd != 26 {
			t.Errorf("got %q for %d to %d, want Sprintln for 19 to 26", reply.Matches, reply.CursorStart, reply.CursorEnd)
		}
	})
	t.Run("complete where nothing begins so", func(t *testing.T) {
		var reply wire.CompleteReply
		c.Shell(wire.CompleteRequest{Code: "fmt.prntln", CursorPos: 10}).Decode(&reply)
		if !slices.Contains(reply.Matches, "Println") {
			t.Errorf("got %q, want Println among them", reply.Matches)
		}
	})
	t.Run("inspect", func(t *testing.T) {
		var reply wire.InspectReply
		c.Shell(wire.InspectRequest{Code: "fmt.Println", CursorPos: 8}).Decode(&reply)
		if text := reply.Data.Text("text/plain"); !reply.Found || !strings.Contains(text, "Println formats using the default formats") {
			t.Errorf("found %v, %q", reply.Found, text)
		}
	})
	t.Run("inspect without what is not wanted", func(t *testing.T) {
		var reply wire.InspectReply
		c.Shell(wire.InspectRequest{Code: "fmt", CursorPos: 1, OmitSections: []string{"text/markdown", "text/plain"}}).Decode(&reply)
		if len(reply.Data) != 1 || reply.Data.Text("text/plain") == "" {
			t.Errorf("got %v, want text/plain alone", reply.Data)
		}
	})
	t.Run("inspect a variable", func(t *testing.T) {
		var reply wire.InspectReply
		c.Shell(wire.InspectRequest{Code: "é := \"😀\" + fmt.Sprint(x", CursorPos: 23, DetailLevel: 1}).Decode(&reply)
		if text := reply.Data.Text("text/plain"); !strings.HasPrefix(text, "var x int\n\n") || !strings.Contains(text, "\n\nvalue: 20\n\nx := 20") {
			t.Errorf("found %v, %q", reply.Found, text)
		}
	})
	t.Run("inspect after a cell that is not stored", func(t *testing.T) {
		c.Execute("// half halves.\nfunc half(n int) int { return n / 2 }")
		for _, code := range []string{"1 + 2", "1 +"} {
			request := kerneltest.Request(code)
			request.StoreHistory = false
			if got := c.Shell(request).String(); strings.Contains(got, "cell ") {
				t.Errorf("got\n%s\nwant no number: the cell has none", got)
			}
		}
		var reply wire.InspectReply
		c.Shell(wire.InspectRequest{Code: "half", CursorPos: 4}).Decode(&reply)
		if text := reply.Data.Text("text/plain"); !strings.Contains(text, "half halves.") {
			t.Errorf("found %q, want the comment", text)
		}
	})
	t.Run("is_complete", func(t *testing.T) {
		for code, want := range map[string]string{
			"x + 1":          `{"status":"complete"}`,
			"func f() {":     `{"status":"incomplete","indent":`,
			"x := )":         `{"status":"invalid"}`,
			"fmt.Println(":   `{"status":"incomplete","indent":`,
			"for range 3 {}": `{"status":"complete"}`,
		} {
			if got := string(c.Shell(wire.IsCompleteRequest{Code: code}).Reply.Content); !strings.HasPrefix(got, want) {
				t.Errorf("%s: got %s, want %s", code, got, want)
			}
		}
	})
	t.Run("what it knew is still there", func(t *testing.T) {
		lines := strings.Split(c.Execute("x + y").String(), "\n")
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "execute_result") && strings.HasSuffix(l, " 60") }) {
			t.Errorf("got\n%s\nwant the result 60", strings.Join(lines, "\n"))
		}
	})
}

// count returns how many lines begin with a prefix.
func count(lines []string, prefix string) int {
	n := 0
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}
