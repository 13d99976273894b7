package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// createSubshell creates a subshell and returns its id.
func createSubshell(t *testing.T, c *kerneltest.Client) string {
	t.Helper()
	var reply wire.CreateSubshellReply
	c.Control(wire.CreateSubshellRequest{}).Decode(&reply)
	if reply.SubshellID == "" {
		t.Fatal("create_subshell_reply has no id")
	}
	return reply.SubshellID
}

// subshells returns the ids that list_subshell_request gives.
func subshells(c *kerneltest.Client) []string {
	var reply wire.ListSubshellReply
	c.Control(wire.ListSubshellRequest{}).Decode(&reply)
	return reply.SubshellID
}

// refused is the transcript of a request to a shell that is not there.
func refused(reply, id string) []string {
	why := fmt.Sprintf("kernel: no subshell %q: it was never created, or it has been deleted", id)
	if reply == "execute_reply" {
		return []string{"busy", "idle", "execute_reply error KernelError: " + why}
	}
	quoted := strings.ReplaceAll(why, `"`, `\"`)
	return []string{"busy", "idle", fmt.Sprintf(
		`%s {"status":"error","ename":"KernelError","evalue":"%s","traceback":["%s"]}`, reply, quoted, quoted)}
}

func TestSubshellsAreDeclared(t *testing.T) {
	_, c := startKernel(t)
	var info wire.KernelInfoReply
	c.Shell(wire.KernelInfoRequest{}).Decode(&info)
	if !slices.Contains(info.SupportedFeatures, "kernel subshells") {
		t.Errorf("supported_features is %q", info.SupportedFeatures)
	}
}

func TestSubshellLife(t *testing.T) {
	_, c := startKernel(t)
	c.Control(wire.ListSubshellRequest{}).Want("busy", "idle", `list_subshell_reply {"status":"ok","subshell_id":[]}`)
	first, second := createSubshell(t, c), createSubshell(t, c)
	if got, want := subshells(c), []string{first, second}; !slices.Equal(got, want) || first == second {
		t.Errorf("got the subshells %q, want %q", got, want)
	}
	c.Control(wire.DeleteSubshellRequest{SubshellID: first}).Want("busy", "idle", `delete_subshell_reply {"status":"ok"}`)
	if got, want := subshells(c), []string{second}; !slices.Equal(got, want) {
		t.Errorf("got the subshells %q, want %q", got, want)
	}
	for _, id := range []string{first, "guess", ""} { // "" would be the main shell, which stays
		c.Control(wire.DeleteSubshellRequest{SubshellID: id}).Want(refused("delete_subshell_reply", id)...)
	}
	c.Execute("value 1").Want("busy", "execute_input [1] value 1", "execute_result [1] 1", "idle", "execute_reply [1] ok")
}

// TestSubshellAnswersWhileTheMainShellComputes sends one request of each kind, in both directions.
func TestSubshellAnswersWhileTheMainShellComputes(t *testing.T) {
	k, c := startKernel(t)
	id := createSubshell(t, c)
	for _, tt := range []struct{ name, busy, free string }{{"main", "", id}, {"subshell", id, ""}} {
		computing := c.Subshell(tt.busy).Send(kerneltest.Request("print x\nawait the end of " + tt.name))
		computing.WaitFor(`stdout "x\n"`)
		for _, request := range []wire.Content{
			wire.CompleteRequest{Code: "a", CursorPos: 1}, wire.InspectRequest{Code: "a"}, wire.IsCompleteRequest{Code: "a"},
			wire.HistoryRequest{HistAccessType: "tail", N: 1}, wire.KernelInfoRequest{}, wire.CommInfoRequest{},
		} {
			e := c.Subshell(tt.free).Send(request).Wait()
			if lines := strings.Split(e.String(), "\n"); len(lines) != 3 || lines[0] != "busy" || lines[1] != "idle" {
				t.Errorf("%s computes: got\n%s\nwant busy, idle and the reply", tt.name, e)
			}
		}
		if got := c.Subshell(tt.free).Send(kerneltest.Request("print y")).Wait().Text("stdout"); got != "y\n" {
			t.Errorf("%s computes: a cell prints %q", tt.name, got)
		}
		close(k.fake.signal("the end of " + tt.name))
		computing.Wait()
	}
}

func TestSubshellCountsByItself(t *testing.T) {
	_, c := startKernel(t)
	id := createSubshell(t, c)
	for i := range 3 {
		c.Execute("").Want("busy", fmt.Sprintf("execute_input [%d] ", i+1), "idle", fmt.Sprintf("execute_reply [%d] ok", i+1))
	}
	c.Subshell(id).Send(kerneltest.Request("")).Wait().Want("busy", "execute_input [1] ", "idle", "execute_reply [1] ok")
	c.Execute("").Want("busy", "execute_input [4] ", "idle", "execute_reply [4] ok")
	c.Subshell(id).Send(kerneltest.Request("")).Wait().Want("busy", "execute_input [2] ", "idle", "execute_reply [2] ok")
}

func TestUnknownSubshell(t *testing.T) {
	_, c := startKernel(t)
	c.Subshell("guess").Send(kerneltest.Request("value 1")).Wait().Want(refused("execute_reply", "guess")...)
	c.Subshell("guess").Send(wire.IsCompleteRequest{Code: "x"}).Wait().Want(refused("is_complete_reply", "guess")...)
	c.Subshell("guess").Send(wire.CommMsg{CommID: "id"}).Wait().Want("busy", "idle") // in the log
	c.Execute("").Want("busy", "execute_input [1] ", "idle", "execute_reply [1] ok")
}

// TestErrorAbortsItsShell fails a cell of each shell in turn: what is queued there is aborted, and nothing of the other.
func TestErrorAbortsItsShell(t *testing.T) {
	for _, inSubshell := range []bool{false, true} {
		t.Run(fmt.Sprintf("in subshell %v", inSubshell), func(t *testing.T) {
			k, c := startKernel(t)
			failing, other := "", createSubshell(t, c)
			if inSubshell {
				failing, other = other, failing
			}
			fails := c.Subshell(failing).Send(kerneltest.Request("await go\nfail x"))
			goesOn := c.Subshell(other).Send(kerneltest.Request("await end"))
			queued := c.Subshell(failing).Send(kerneltest.Request("print queued"))
			asked := c.Subshell(failing).Send(wire.IsCompleteRequest{Code: "x"})
			stays := c.Subshell(other).Send(kerneltest.Request("print stays"))
			waitForArrival(t, k, 5)
			close(k.fake.signal("go"))
			fails.Wait().Want("busy", "execute_input [1] await go\nfail x", "error Failure: x", "idle", "execute_reply [1] error Failure: x")
			queued.Wait().Want("busy", "idle", "execute_reply aborted")
			asked.Wait().Want("busy", "idle", `is_complete_reply {"status":"complete"}`)
			c.Subshell(failing).Send(kerneltest.Request("")).Wait().Want("busy", "execute_input [2] ", "idle", "execute_reply [2] ok")
			close(k.fake.signal("end"))
			goesOn.Wait().Want("busy", "execute_input [1] await end", "idle", "execute_reply [1] ok")
			stays.Wait().Want("busy", "execute_input [2] print stays", `stdout "stays\n"`, "idle", "execute_reply [2] ok")
		})
	}
}

func TestInterruptHitsAllShells(t *testing.T) {
	k, c := startKernel(t)
	id := createSubshell(t, c)
	var running, queued []*kerneltest.Exchange
	for _, shell := range []string{"", id} {
		running = append(running, c.Subshell(shell).Send(kerneltest.Request("print x\nblock")).WaitFor(`stdout "x\n"`))
		queued = append(queued, c.Subshell(shell).Send(kerneltest.Request("print queued")))
	}
	waitForArrival(t, k, 4)
	c.Control(wire.InterruptRequest{})
	for i := range running {
		running[i].Wait().Want(
			"busy", "execute_input [1] print x\nblock", `stdout "x\n"`, "error Interrupted: interrupted", "idle",
			"execute_reply [1] error Interrupted: interrupted",
		)
		queued[i].Wait().Want("busy", "idle", "execute_reply aborted")
	}
}

func TestDeleteBusySubshell(t *testing.T) {
	k, c := startKernel(t)
	id := createSubshell(t, c)
	running := c.Subshell(id).Send(kerneltest.Request("print x\nblock"))
	queued := []*kerneltest.Exchange{
		c.Subshell(id).Send(kerneltest.Request("print queued")),
		c.Subshell(id).Send(wire.CompleteRequest{Code: "a"}),
		c.Subshell(id).Send(wire.CommMsg{CommID: "id"}),
	}
	running.WaitFor(`stdout "x\n"`)
	waitForArrival(t, k, 4)
	c.Control(wire.DeleteSubshellRequest{SubshellID: id}).Want("busy", "idle", `delete_subshell_reply {"status":"ok"}`)
	running.Wait().Want(
		"busy", "execute_input [1] print x\nblock", `stdout "x\n"`, "error Interrupted: interrupted", "idle",
		"execute_reply [1] error Interrupted: interrupted",
	)
	queued[0].Wait().Want("busy", "idle", "execute_reply aborted")
	queued[1].Wait().Want("busy", "idle", `complete_reply {"status":"aborted"}`)
	queued[2].Wait().Want("busy", "idle")
	c.Subshell(id).Send(kerneltest.Request("")).Wait().Want(refused("execute_reply", id)...)
	c.Execute("").Want("busy", "execute_input [1] ", "idle", "execute_reply [1] ok")
}
