//go:build !windows

package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"orthant/kernel/wire"
)

// lineOf says how messages look in the transcripts of TestBeside, behind their type: what does not depend on the language.
var lineOf = map[string]func(s *scene, v map[string]any) string{
	"clear_output": func(_ *scene, v map[string]any) string { return fmt.Sprintf("wait=%v", v["wait"]) },
	"comm_close":   func(*scene, map[string]any) string { return "" },
	"comm_info_reply": func(_ *scene, v map[string]any) string {
		return fmt.Sprint(statusOf(v), " ", len(object(v["comms"])), " comms")
	},
	"comm_msg":              func(_ *scene, v map[string]any) string { return fmt.Sprint(v["data"]) },
	"complete_reply":        (*scene).completeLine,
	"connect_reply":         keysOnly,
	"create_subshell_reply": keysOnly,
	"debug_reply": func(_ *scene, v map[string]any) string {
		return fmt.Sprintf("%v success=%v", v["command"], v["success"])
	},
	"delete_subshell_reply": func(_ *scene, v map[string]any) string { return statusOf(v) },
	"display_data":          (*scene).displayLine,
	"error":                 func(*scene, map[string]any) string { return "<ename: evalue>" },
	"execute_input":         (*scene).inputLine,
	"execute_reply":         (*scene).replyLine,
	"execute_result":        (*scene).resultLine,
	"history_reply":         (*scene).historyLine,
	"inspect_reply": func(_ *scene, v map[string]any) string {
		return fmt.Sprintf("%s found=%v %s", statusOf(v), v["found"], mimes(v))
	},
	"interrupt_reply":   func(_ *scene, v map[string]any) string { return statusOf(v) },
	"is_complete_reply": isCompleteLine,
	"kernel_info_reply": func(_ *scene, v map[string]any) string { return statusOf(v) },
	"list_subshell_reply": func(_ *scene, v map[string]any) string {
		return fmt.Sprintf("%s %d", statusOf(v), len(v["subshell_id"].([]any)))
	},
	"shutdown_reply": func(_ *scene, v map[string]any) string {
		return fmt.Sprintf("%s restart=%v", statusOf(v), v["restart"])
	},
	"update_display_data": (*scene).displayLine,
	"usage_reply":         keysOnly,
}

// line returns a message as a line of the transcript.
func (s *scene) line(m *wire.Message) string {
	v := fields(s.t, m.Content)
	if m.Header.MsgType == "status" {
		return fmt.Sprint(v["execution_state"])
	}
	print := lineOf[m.Header.MsgType]
	if print == nil {
		return m.Header.MsgType + " " + string(m.Content)
	}
	return strings.TrimRight(m.Header.MsgType+" "+print(s, v), " ")
}

func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func statusOf(v map[string]any) string { return fmt.Sprint(v["status"]) }

// keysOnly prints the status and the names of the other fields.
func keysOnly(_ *scene, v map[string]any) string {
	return strings.Join(slices.Sorted(maps.Keys(v)), " ")
}

// count prints an execution count, counted from the beginning of the scene.
func (s *scene) count(v map[string]any) string {
	n, isNumber := v["execution_count"].(float64)
	if !isNumber {
		return "[none]"
	}
	return fmt.Sprintf("[+%d]", int(n)-s.base)
}

func (s *scene) inputLine(v map[string]any) string {
	code := fmt.Sprint(v["code"])
	if name, known := s.names[code]; known {
		code = "<" + name + ">"
	}
	return s.count(v) + " " + code
}

func (s *scene) resultLine(v map[string]any) string { return s.count(v) + " " + s.displayLine(v) }

// displayLine prints a bundle's text and the id of the display.
func (s *scene) displayLine(v map[string]any) string {
	text := fmt.Sprintf("%q", object(v["data"])["text/plain"])
	if id, has := object(v["transient"])["display_id"]; has {
		text += fmt.Sprintf(" id=%v", id)
	}
	return text
}

func (s *scene) replyLine(v map[string]any) string {
	text := s.count(v) + " " + statusOf(v)
	expressions := object(v["user_expressions"])
	for _, name := range slices.Sorted(maps.Keys(expressions)) {
		value := object(expressions[name])
		text += fmt.Sprintf(" %s=%s", name, statusOf(value))
		if statusOf(value) == "ok" {
			text += fmt.Sprintf(":%v", object(value["data"])["text/plain"])
		}
	}
	payload, _ := v["payload"].([]any)
	for _, p := range payload {
		text += fmt.Sprintf(" payload=%v", object(p)["source"])
	}
	return text
}

// completeLine prints what is replaced, and which of the texts that all languages have are among the matches.
func (s *scene) completeLine(v map[string]any) string {
	matches, _ := v["matches"].([]any)
	return fmt.Sprintf("%s [%v,%v) matches=%v", statusOf(v), v["cursor_start"], v["cursor_end"], len(matches) > 0)
}

func isCompleteLine(_ *scene, v map[string]any) string {
	text := statusOf(v)
	if _, has := v["indent"]; has {
		text += " with indent"
	}
	return text
}

// historyLine prints the entries' lines, counted from the beginning of the scene, their inputs' names and their outputs.
func (s *scene) historyLine(v map[string]any) string {
	text := statusOf(v)
	entries, _ := v["history"].([]any)
	for _, e := range entries {
		entry := e.([]any)
		input, output := entry[2], ""
		if pair, with := entry[2].([]any); with {
			input, output = pair[0], fmt.Sprintf(" -> %v", pair[1])
		}
		name := s.names[fmt.Sprint(input)]
		if name == "" {
			name = "?"
		}
		text += fmt.Sprintf(" +%d<%s>%s", int(entry[1].(float64))-s.base, name, output)
	}
	return text
}

// mimes prints the MIME types of a bundle that both kernels are to have.
func mimes(v map[string]any) string {
	if _, has := object(v["data"])["text/plain"]; has {
		return "text/plain"
	}
	return ""
}
