//go:build !windows

package kernel

import (
	"slices"
	"strings"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// Changes of an execute request.
func silent(r *wire.ExecuteRequest)   { r.Silent = true }
func unstored(r *wire.ExecuteRequest) { r.StoreHistory = false }
func goesOn(r *wire.ExecuteRequest)   { r.StopOnError = false }
func valuesOf(r *wire.ExecuteRequest) {
	r.UserExpressions = map[string]string{"good": "6 * 7", "bad": "undefinedName"}
}
func goodValueOf(r *wire.ExecuteRequest) { r.UserExpressions = map[string]string{"good": "6 * 7"} }

// cellsOf returns the script that runs cells one after the other.
func cellsOf(names ...string) func(*scene) {
	return func(s *scene) {
		for _, name := range names {
			s.run(name)
		}
	}
}

// cellWith returns the script that runs one cell with changes, and a plain one, which shows the counter.
func cellWith(name string, edits ...func(*wire.ExecuteRequest)) func(*scene) {
	return func(s *scene) {
		s.run(name, edits...)
		s.run("value")
	}
}

// requesting returns the script that sends requests.
func requesting(requests ...wire.Content) func(*scene) {
	return func(s *scene) {
		for _, r := range requests {
			s.ask(r)
		}
	}
}

// framed returns the script that sends a message which has no reply and waits for its frame.
func framed(ch wire.Channel, requests ...wire.Content) func(*scene) {
	return func(s *scene) {
		for _, r := range requests {
			e := s.client.Send(ch, r).WaitFor("idle")
			s.client.Send(ch, wire.KernelInfoRequest{}).Wait() // had the request a reply, it would have come before this one's
			s.note(e)
		}
	}
}

// behaviours returns the rows of the table.
func behaviours() []behaviour {
	return slices.Concat(executeBehaviours, queueBehaviours, displayBehaviours, requestBehaviours, lifeBehaviours, stdinBehaviours, payloadBehaviours, subshellBehaviours, typedBehaviours)
}

var executeBehaviours = []behaviour{
	{name: "text", script: cellsOf("print", "print two lines", "print no line end")},
	{name: "text that is not ASCII", script: cellsOf("print é😀")},
	{name: "text on stderr", script: cellsOf("print to stderr")},
	{name: "text on both streams in turn", differs: "the order of the two streams is kept", script: cellsOf("print in turn")},
	{name: "many lines", script: cellsOf("1000 lines")},
	{name: "a value", script: cellsOf("value")},
	{name: "a value behind text", script: cellsOf("print and value")},
	{name: "several values", differs: "an expression that is not used is an error in Go, but for the last", script: cellsOf("two values")},
	{name: "a text as value", script: cellsOf("text"), differs: "a string shows as its text, as fmt prints it, and not as its literal"},
	{name: "nothing as value", differs: "nil is a value in Go, and printed as fmt prints it", script: cellsOf("nothing")},
	{name: "a value behind which stands a semicolon", script: cellsOf("semicolon")},
	{name: "a statement, and its variable in a later cell", script: cellsOf("statement", "use")},
	{name: "empty code", differs: "every request that is stored is counted, as the specification says", script: cellsOf("empty", "value")},
	{name: "blanks only", differs: "every request that is stored is counted, as the specification says", script: cellsOf("blank", "value")},
	{name: "a comment only", script: cellsOf("comment", "value")},
	{name: "silent: text", differs: "a silent request publishes nothing, as the specification says; its reply tells an error", script: cellWith("print", silent)},
	{name: "silent: a value", script: cellWith("value", silent)},
	{name: "silent: a display", differs: "a silent request publishes nothing, as the specification says; its reply tells an error", script: cellWith("show", silent)},
	{name: "silent: an error", differs: "a silent request publishes nothing, as the specification says; its reply tells an error", script: cellWith("fail", silent)},
	{name: "silent: empty code reads the counter", script: cellWith("empty", silent)},
	{name: "silent with user expressions", script: cellWith("empty", silent, goodValueOf)},
	{name: "without history: text", differs: "execute_input has the number that the result and the reply have", script: cellWith("print", unstored)},
	{name: "without history: a value", differs: "execute_input has the number that the result and the reply have", script: cellWith("value", unstored)},
	{name: "without history: an error", differs: "execute_input has the number that the result and the reply have", script: cellWith("fail", unstored)},
	{name: "an error", script: cellsOf("fail", "value")},
	{name: "an error behind text", script: cellsOf("print and fail")},
	{name: "an error of syntax", script: cellsOf("syntax error")},
	{name: "an error of syntax behind text", script: cellsOf("print, then wrong")},
	{name: "an undefined name", script: cellsOf("undefined")},
	{
		name: "an undefined name behind text", script: cellsOf("undefined after print"),
		differs: "Go is checked before it runs: nothing of a wrong cell does",
	},
	{name: "the exit of the process", differs: "no advice on how to leave: a front end has its own way", script: cellsOf("exit", "value")},
	{name: "user expressions", script: cellWith("print", goodValueOf)},
	{name: "a user expression that fails fails alone", script: cellWith("print", valuesOf)},
	{name: "user expressions of a cell that fails", script: cellWith("fail", valuesOf)},
	{name: "input where nobody can be asked", differs: "Go's functions return the error", script: cellWith("reading")},
}

var displayBehaviours = []behaviour{
	{name: "a display", script: cellsOf("show"), differs: "a string shows as its text, as fmt prints it, and not as its literal"},
	{name: "two displays", script: cellsOf("show twice")},
	{name: "a display of HTML", script: cellsOf("show html"), differs: "the text of a picture is its source, not the name of a Python object"},
	{name: "text before and behind a display", script: cellsOf("print around a display"),
		differs: "a string shows as its text, as fmt prints it, and not as its literal"},
	{name: "a display that is updated", script: cellsOf("show by id", "update")},
	{name: "an update of a display that is not there", script: cellsOf("update")},
	{name: "the output cleared", script: cellsOf("clear")},
	{name: "the output cleared when more comes", script: cellsOf("clear later")},
	{
		name:    "text of a thread while a later cell runs",
		differs: "late text keeps the parent of the cell that started its goroutine",
		script: func(s *scene) {
			first := s.client.Shell(s.request("thread"))
			second := s.client.Send(wire.Shell, s.request("run a while"))
			s.await(second)
			s.release() // the thread looks each 10 ms, the cell runs 500 ms longer
			s.note(second.Wait())
			s.note(first)
		},
	},
}

// behindWaiting sends a cell that waits, and requests behind it, which are in the kernel's queue when the cell is let go.
// ipykernel does not say what has arrived: the pause is for it.
func (s *scene) behindWaiting(first wire.ExecuteRequest, behind ...wire.Content) {
	s.t.Helper()
	exchanges := []*kerneltest.Exchange{s.client.Send(wire.Shell, first)}
	s.await(exchanges[0])
	for _, r := range behind {
		exchanges = append(exchanges, s.client.Send(wire.Shell, r))
	}
	time.Sleep(300 * time.Millisecond)
	s.release()
	for _, e := range exchanges {
		s.note(e.Wait())
	}
}

// interrupted sends a cell, and requests behind it, and interrupts it when it runs.
func (s *scene) interrupted(first wire.ExecuteRequest, behind ...wire.Content) {
	s.t.Helper()
	exchanges := []*kerneltest.Exchange{s.client.Send(wire.Shell, first)}
	for _, r := range behind {
		exchanges = append(exchanges, s.client.Send(wire.Shell, r))
	}
	s.await(exchanges[0])
	time.Sleep(300 * time.Millisecond) // as in behindWaiting
	s.note(s.client.Control(wire.InterruptRequest{}))
	for _, e := range exchanges {
		s.note(e.Wait())
	}
	s.run("value")
}

var queueBehaviours = []behaviour{
	{name: "an error aborts what is queued", script: func(s *scene) {
		s.behindWaiting(s.request("wait and fail"), s.request("print"), s.request("value"))
		s.run("value")
	}},
	{name: "an error lets other requests in the queue be", script: func(s *scene) {
		s.behindWaiting(s.request("wait and fail"), wire.CommInfoRequest{}, s.request("print"), wire.IsCompleteRequest{Code: "1"})
	}},
	{name: "an error without stop_on_error", script: func(s *scene) {
		s.behindWaiting(s.request("wait and fail", goesOn), s.request("print"))
	}},
	{name: "a silent error aborts nothing", differs: "a silent request publishes nothing, as the specification says; its reply tells an error", script: func(s *scene) {
		e := s.client.Send(wire.Shell, s.request("fail", silent))
		queued := s.client.Send(wire.Shell, s.request("print"))
		s.note(e.Wait())
		s.note(queued.Wait())
	}},
	{name: "no error: the queue goes on", script: func(s *scene) { s.behindWaiting(s.request("wait"), s.request("print")) }},
	{name: "an interrupt of a loop", script: func(s *scene) { s.interrupted(s.request("loop")) }},
	{name: "an interrupt of a sleep", script: func(s *scene) { s.interrupted(s.request("sleep")) }},
	{name: "an interrupt aborts what is queued", script: func(s *scene) { s.interrupted(s.request("loop"), s.request("print")) }},
	{name: "an interrupt of nothing", script: func(s *scene) {
		s.note(s.client.Control(wire.InterruptRequest{}))
		s.run("value")
	}},
	{name: "kernel_info on control while a cell runs", script: func(s *scene) {
		e := s.client.Send(wire.Shell, s.request("wait"))
		s.await(e)
		s.note(s.client.Control(wire.KernelInfoRequest{}))
		s.client.Ping()
		s.release()
		s.note(e.Wait())
	}},
	{name: "two clients: each has its replies, and sees the other's cells", script: func(s *scene) {
		second := s.client.Another()
		first := s.client.Send(wire.Shell, s.request("print"))
		s.note(first.Wait())
		e := second.Shell(s.request("value"))
		s.note(e)
		s.run("print")
		s.say("%d cells of the other", countType(s.client.Others(), "execute_input"))
	}},
}

// countType returns how many of the messages are of a type.
func countType(messages []*wire.Message, messageType string) int {
	n := 0
	for _, m := range messages {
		if m.Header.MsgType == messageType {
			n++
		}
	}
	return n
}

// completionOf returns the script that completes a name of each language behind other characters.
func completionOf(golang, python string) func(*scene) {
	return func(s *scene) {
		code := golang
		if s.language == "python" {
			code = python
		}
		s.client.Shell(s.request("statement"))
		before, after, _ := strings.Cut(code, "|")
		s.ask(wire.CompleteRequest{Code: before + after, CursorPos: len([]rune(before))})
	}
}

func inspectionOf(golang, python string, detail int) func(*scene) {
	return func(s *scene) {
		code := golang
		if s.language == "python" {
			code = python
		}
		s.ask(wire.InspectRequest{Code: code, CursorPos: len([]rune(code)), DetailLevel: detail})
	}
}

func isComplete(golang, python string) func(*scene) {
	return func(s *scene) {
		code := golang
		if s.language == "python" {
			code = python
		}
		s.ask(wire.IsCompleteRequest{Code: code})
	}
}

// remembering returns the script that runs three cells and asks for the history.
func remembering(requests ...wire.HistoryRequest) func(*scene) {
	return func(s *scene) {
		for _, name := range []string{"value", "print", "value"} {
			s.client.Shell(s.request(name))
		}
		for _, r := range requests {
			s.ask(r)
		}
	}
}

var requestBehaviours = []behaviour{
	{name: "kernel_info", script: requesting(wire.KernelInfoRequest{})},
	{name: "the fields of kernel_info", differs: "the deprecated field debugger is sent too, for front ends that know no supported_features",
		script: func(s *scene) {
			reply := s.client.Shell(wire.KernelInfoRequest{}).Reply
			s.say("%s", keysOnly(s, fields(s.t, reply.Content)))
		}},
	{name: "connect", script: requesting(wire.ConnectRequest{})},
	{name: "completion of a name's beginning", script: completionOf("numb|", "numb|")},
	{name: "completion counts code points", script: completionOf(`s := "é😀"; numb|`, `ss = "é😀"; numb|`)},
	{name: "completion of nothing", script: completionOf("qqqzzz|", "qqqzzz|")},
	{name: "completion at the beginning of nothing", script: completionOf("|", "|")},
	{name: "completion in the middle of a name", differs: "the whole name is replaced, what stands behind the cursor too",
		script: completionOf("num|ber", "num|ber")},
	{name: "inspection", script: inspectionOf("fmt.Println", "print", 0)},
	{name: "inspection in detail", script: inspectionOf("fmt.Println", "print", 1)},
	{name: "inspection of nothing known", script: inspectionOf("undefinedName", "undefinedName", 0)},
	{name: "inspection of no code", script: inspectionOf("", "", 0)},
	{name: "complete code", script: isComplete("6 * 7", "6 * 7")},
	{name: "incomplete code", script: isComplete("func f() {", "def f():")},
	{name: "an open parenthesis", script: isComplete("x := (1 +", "x = (1 +")},
	{name: "invalid code", script: isComplete("x := )", "x = )")},
	{name: "no code is complete", script: isComplete("", "")},
	{name: "history: the last ones", script: remembering(
		wire.HistoryRequest{HistAccessType: "tail", N: 2, Raw: true}, wire.HistoryRequest{HistAccessType: "tail", N: 1, Raw: true})},
	{name: "history: with output", differs: "outputs are kept; IPython keeps them only where it is told to", script: remembering(wire.HistoryRequest{HistAccessType: "tail", N: 3, Output: true, Raw: true})},
	{name: "history: unique", script: remembering(
		wire.HistoryRequest{HistAccessType: "search", Pattern: "6 ? 7", Unique: true, N: 10, Raw: true})},
	{name: "history: of an unknown kind", differs: "an error says which kinds there are, and no list is not taken for an empty history", script: remembering(wire.HistoryRequest{HistAccessType: "guess"})},
	{name: "comm_info", script: requesting(wire.CommInfoRequest{}, wire.CommInfoRequest{TargetName: "nobody"})},
	{name: "a comm for an unknown target", differs: "what nobody of the front end's users asked for goes to the log, not into the notebook", script: framed(wire.Shell, wire.CommOpen{CommID: "c", TargetName: "nobody"})},
	{name: "messages for a comm that is not open", differs: "what nobody of the front end's users asked for goes to the log, not into the notebook", script: framed(wire.Shell, wire.CommMsg{CommID: "c"}, wire.CommClose{CommID: "c"})},
	{name: "a request that no kernel knows", script: framed(wire.Shell, unknownRequest{})},
	{name: "a request that no kernel knows, on control", script: framed(wire.Control, unknownRequest{})},
	{name: "an execute request without code", differs: "code that is missing is empty code: a request that has a reply is always answered", script: framed(wire.Shell, raw{"execute_request", `{}`})},
	{name: "an execute request with its defaults", script: func(s *scene) {
		s.ask(raw{"execute_request", `{"code":"6 * 7"}`})
	}},
	{name: "a heartbeat", script: func(s *scene) {
		s.client.Ping()
		s.say("echo")
	}},
}

var lifeBehaviours = []behaviour{
	{name: "shutdown", fresh: true, script: func(s *scene) { s.note(s.client.Control(wire.ShutdownRequest{})) }},
	{name: "shutdown for a restart", fresh: true, script: func(s *scene) { s.note(s.client.Control(wire.ShutdownRequest{Restart: true})) }},
	{name: "shutdown on shell", fresh: true, script: func(s *scene) { s.note(s.client.Send(wire.Shell, wire.ShutdownRequest{}).Wait()) }},
	{name: "shutdown while a cell runs", fresh: true, script: func(s *scene) {
		s.await(s.client.Send(wire.Shell, s.request("sleep")))
		s.note(s.client.Control(wire.ShutdownRequest{}))
	}},
}
