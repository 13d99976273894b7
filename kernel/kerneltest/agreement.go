package kerneltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"orthant/kernel/wire"
)

// agreements say, by the request's type, what a reply has to do with its request and with what was published meanwhile.
// They are asked when the request is answered and idle. Failed and aborted replies are execute_request's matter only.
var agreements = map[string]func(e *Exchange) error{
	"comm_info_request":   (*Exchange).agreeCommInfo,
	"complete_request":    (*Exchange).agreeComplete,
	"debug_request":       (*Exchange).agreeDebug,
	"execute_request":     (*Exchange).agreeExecute,
	"history_request":     (*Exchange).agreeHistory,
	"inspect_request":     (*Exchange).agreeInspect,
	"is_complete_request": (*Exchange).agreeIsComplete,
	"kernel_info_request": (*Exchange).agreeKernelInfo,
	"shutdown_request":    (*Exchange).agreeShutdown,
}

// agree checks an exchange that has ended. The client's mutex is held.
func (e *Exchange) agree() error {
	agreed := agreements[e.Request.Header.MsgType]
	if agreed == nil || e.Reply == nil {
		return nil
	}
	if status := e.status(); status != "ok" && (status == "error" || status == "aborted") && e.replyType() != "execute_reply" {
		return nil
	}
	return agreed(e)
}

// status returns the reply's status; empty for replies that have none.
func (e *Exchange) status() string {
	return decode[struct{ Status string }](e.Reply).Status
}

// published returns the messages of a type on IOPub.
func (e *Exchange) published(messageType string) []*wire.Message {
	var found []*wire.Message
	for _, m := range e.IOPub {
		if m.Header.MsgType == messageType {
			found = append(found, m)
		}
	}
	return found
}

func (e *Exchange) agreeExecute() error {
	if e.status() == "aborted" {
		if e.progress.outputs > 0 {
			return errors.New("an aborted request has published something")
		}
		return nil
	}
	if err := e.agreeCounts(); err != nil {
		return err
	}
	if err := e.agreeFailure(); err != nil {
		return err
	}
	if e.status() != "ok" {
		return nil
	}
	asked := decode[wire.ExecuteRequest](e.Request).UserExpressions
	got := decode[struct {
		UserExpressions map[string]any `json:"user_expressions"`
	}](e.Reply).UserExpressions
	if a, g := slices.Sorted(maps.Keys(asked)), slices.Sorted(maps.Keys(got)); !slices.Equal(a, g) {
		return fmt.Errorf("user expressions %q, asked for %q", g, a)
	}
	return nil
}

// agreeCounts checks that execute_input, execute_result and the reply have the same number.
func (e *Exchange) agreeCounts() error {
	type counted struct {
		ExecutionCount *int `json:"execution_count"`
	}
	reply := decode[counted](e.Reply).ExecutionCount
	for _, m := range e.IOPub {
		if m.Header.MsgType != "execute_input" && m.Header.MsgType != "execute_result" {
			continue
		}
		n := decode[counted](m).ExecutionCount
		if reply == nil || *n != *reply {
			return fmt.Errorf("%s has the number %d, which the reply has not: %s", m.Header.MsgType, *n, e.Reply.Content)
		}
	}
	if in := e.published("execute_input"); len(in) == 1 {
		if code := decode[wire.ExecuteInput](in[0]).Code; code != decode[wire.ExecuteRequest](e.Request).Code {
			return fmt.Errorf("execute_input repeats %q", code)
		}
	}
	return nil
}

// agreeFailure checks that a failure is told on IOPub and in the reply alike. A silent one, and one of a request that could
// not be read and thus never began, is in the reply only.
func (e *Exchange) agreeFailure() error {
	failed, told := e.status() == "error", e.published("error")
	switch {
	case !failed && len(told) > 0:
		return errors.New("an error on IOPub, none in the reply")
	case failed && e.progress.input && len(told) == 0:
		return errors.New("an error in the reply, none on IOPub")
	case failed && len(told) > 0:
		reply, shown := decode[wire.Failure](e.Reply), decode[wire.Failure](told[0])
		if !reflect.DeepEqual(reply, shown) {
			return fmt.Errorf("the error on IOPub is %q, in the reply %q", shown, reply)
		}
	}
	return nil
}

func (e *Exchange) agreeComplete() error {
	request, reply := decode[wire.CompleteRequest](e.Request), decode[wire.CompleteReply](e.Reply)
	length := utf8.RuneCountInString(request.Code)
	cursor := min(request.CursorPos, length)
	start, end := reply.CursorStart, reply.CursorEnd
	switch {
	case start > end || end > length:
		return fmt.Errorf("replaces [%d, %d) of %d code points", start, end, length)
	case len(reply.Matches) == 0 && (start != cursor || end != cursor):
		return fmt.Errorf("no matches, yet [%d, %d) where the cursor is %d", start, end, cursor)
	case start > cursor:
		return fmt.Errorf("replaces [%d, %d), behind the cursor %d", start, end, cursor)
	}
	seen := make(map[string]bool)
	for _, m := range reply.Matches {
		if seen[m] {
			return fmt.Errorf("%q comes twice", m)
		}
		seen[m] = true
	}
	for _, described := range reply.Metadata.Types {
		if !seen[described.Text] {
			return fmt.Errorf("%q is described and no match", described.Text)
		}
	}
	return nil
}

func (e *Exchange) agreeInspect() error {
	reply := decode[struct {
		Found bool
		Data  map[string]any
	}](e.Reply)
	if !reply.Found && len(reply.Data) > 0 {
		return errors.New("nothing found, yet data")
	}
	if reply.Found {
		return mimeBundle(reply.Data)
	}
	return nil
}

func (e *Exchange) agreeIsComplete() error {
	reply := decode[wire.IsCompleteReply](e.Reply)
	if (reply.Indent != nil) != (reply.Status == "incomplete") {
		return errors.New("the indent belongs to incomplete code, and to no other")
	}
	return nil
}

func (e *Exchange) agreeHistory() error {
	request, reply := decode[wire.HistoryRequest](e.Request), decode[wire.HistoryReply](e.Reply)
	if n := request.N; n > 0 && request.HistAccessType != "range" && len(reply.History) > n {
		return fmt.Errorf("%d entries, asked for %d", len(reply.History), n)
	}
	seen := make(map[string]bool)
	for i, entry := range reply.History {
		if entry.WithOutput != request.Output {
			return fmt.Errorf("[%d]: with output: %v, asked for: %v", i, entry.WithOutput, request.Output)
		}
		if request.Unique && request.HistAccessType == "search" && seen[entry.Input] {
			return fmt.Errorf("[%d]: %q comes twice", i, entry.Input)
		}
		seen[entry.Input] = true
		if i > 0 && before(entry, reply.History[i-1]) {
			return fmt.Errorf("[%d]: older than the one before", i)
		}
	}
	return nil
}

// before says whether an entry of the history is older than another.
func before(a, b wire.HistoryEntry) bool {
	return a.Session < b.Session || a.Session == b.Session && a.Line < b.Line
}

func (e *Exchange) agreeCommInfo() error {
	target := decode[wire.CommInfoRequest](e.Request).TargetName
	for id, comm := range decode[struct{ Comms map[string]wire.CommInfo }](e.Reply).Comms {
		if target != "" && comm.TargetName != target {
			return fmt.Errorf("%s is of target %q, asked for %q", id, comm.TargetName, target)
		}
	}
	return nil
}

func (e *Exchange) agreeKernelInfo() error {
	if claimed := decode[wire.KernelInfoReply](e.Reply).ProtocolVersion; claimed != e.Reply.Header.Version {
		return fmt.Errorf("protocol_version %s, the header's version is %s", claimed, e.Reply.Header.Version)
	}
	return nil
}

func (e *Exchange) agreeShutdown() error {
	if asked, got := decode[wire.ShutdownRequest](e.Request).Restart, decode[wire.ShutdownReply](e.Reply).Restart; asked != got {
		return fmt.Errorf("restart is %v, asked for %v", got, asked)
	}
	told := e.published("shutdown_reply")
	if len(told) != 1 || !sameJSON(told[0].Content, e.Reply.Content) {
		return fmt.Errorf("%d shutdown_reply on IOPub, want one like the reply", len(told))
	}
	return nil
}

func (e *Exchange) agreeDebug() error {
	asked, got := decode[wire.DebugRequest](e.Request), decode[wire.DebugReply](e.Reply)
	if got.RequestSeq != asked.Seq || got.Command != asked.Command {
		return fmt.Errorf("answers %s %d, asked for %s %d", got.Command, got.RequestSeq, asked.Command, asked.Seq)
	}
	return nil
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
