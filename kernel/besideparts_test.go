//go:build !windows

package kernel

import (
	"strings"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

func mayAsk(r *wire.ExecuteRequest) { r.AllowStdin = true }

// answering returns the script that runs a cell and answers its questions.
func answering(name string, values ...string) func(*scene) {
	return func(s *scene) {
		e := s.client.Send(wire.Shell, s.request(name, mayAsk)).Answering(values...)
		s.say("asked %s", strings.Join(e.Questions(), ", "))
		s.note(e)
	}
}

var stdinBehaviours = []behaviour{
	{name: "a question", script: answering("ask", "Ada")},
	{name: "a question answered with nothing", script: answering("ask", "")},
	{name: "a question answered with other characters", script: answering("ask", "é😀")},
	{name: "a question for a password", script: answering("ask secretly", "1234")},
	{name: "two questions", script: answering("ask twice", "a", "b")},
	{name: "text before a question", script: answering("print and ask", "x")},
	{name: "an interrupt of a question", script: func(s *scene) {
		e := s.client.Send(wire.Shell, s.request("ask", mayAsk))
		e.Asked()
		s.note(s.client.Control(wire.InterruptRequest{}))
		s.note(e.Wait())
		s.run("value")
	}},
	{name: "a question that is not allowed", script: cellsOf("ask", "value"), differs: "Go's functions return the error"},
}

var payloadBehaviours = []behaviour{
	{name: "a page", script: cellsOf("page")},
	{name: "the next input", script: cellsOf("next input")},
	{name: "payloads do not stay", script: cellsOf("next input", "value")},
}

// subshells returns how many subshells the kernel has.
func (s *scene) subshells() int {
	var reply wire.ListSubshellReply
	s.client.Control(wire.ListSubshellRequest{}).Decode(&reply)
	return len(reply.SubshellID)
}

var subshellBehaviours = []behaviour{
	{name: "a subshell made, listed and deleted", script: func(s *scene) {
		s.say("%d subshells", s.subshells())
		sub := s.client.CreateSubshell()
		s.say("%d subshells", s.subshells())
		s.note(s.client.Control(wire.DeleteSubshellRequest{SubshellID: sub.ID}))
		s.say("%d subshells", s.subshells())
	}},
	{name: "a subshell answers while the main shell computes", script: func(s *scene) {
		sub := s.client.CreateSubshell()
		busy := s.client.Send(wire.Shell, s.request("wait"))
		s.await(busy)
		reply := sub.Shell(s.request("print"))
		s.say("answered: %s", reply.Text("stdout"))
		s.release()
		busy.Wait()
		s.client.Control(wire.DeleteSubshellRequest{SubshellID: sub.ID})
	}},
	{name: "an error in the main shell leaves the subshell's queue alone", script: func(s *scene) {
		sub := s.client.CreateSubshell()
		failing := s.client.Send(wire.Shell, s.request("wait and fail"))
		s.await(failing)
		queued := []*kerneltest.Exchange{sub.Send(s.request("print")), sub.Send(s.request("print"))}
		s.release()
		failing.Wait()
		for _, e := range queued {
			s.say("%s", decode[wire.ExecuteReply](s.t, e.Wait()).Status)
		}
		s.client.Control(wire.DeleteSubshellRequest{SubshellID: sub.ID})
	}},
	{name: "what the process uses", script: func(s *scene) {
		reply := s.client.Control(wire.UsageRequest{}).Reply
		v := fields(s.t, reply.Content)
		for _, field := range []string{"hostname", "pid", "kernel_cpu", "kernel_memory", "cpu_count", "host_virtual_memory"} {
			_, has := v[field]
			s.say("%s %v", field, has)
		}
	}},
}
