package kerneltest

import (
	"strings"
	"testing"
)

func TestCheckContent(t *testing.T) {
	tests := []struct {
		name, messageType, content string
		want                       string // part of the error; empty for none
	}{
		{"whole", "stream", `{"name":"stdout","text":"x"}`, ""},
		{"missing field", "stream", `{"name":"stdout"}`, "text: a missing field"},
		{"unknown field", "stream", `{"name":"stdout","text":"x","extra":1}`, "extra: no such field"},
		{"empty text", "stream", `{"name":"stdout","text":""}`, "text: "},
		{"unknown word", "stream", `{"name":"stdin","text":"x"}`, "name: stdin is none of"},
		{"null for an array", "error", `{"ename":"E","evalue":"v","traceback":null}`, "traceback: <nil> is not an array"},
		{"wrong element", "error", `{"ename":"E","evalue":"v","traceback":[1]}`, "traceback: [0]: 1 is not a string"},
		{"null for an object", "comm_info_reply", `{"status":"ok","comms":null}`, "comms: <nil> is not an object"},
		{"optional field", "is_complete_reply", `{"status":"incomplete","indent":""}`, ""},
		{"optional field missing", "is_complete_reply", `{"status":"complete"}`, ""},
		{"optional field null", "is_complete_reply", `{"status":"complete","indent":null}`, "indent: <nil> is not a string"},
		{"fraction for a count", "execute_input", `{"code":"","execution_count":1.5}`, "execution_count: 1.5 is not a count"},
		{"display", "display_data", `{"data":{"text/plain":"x","application/json":[1]},"metadata":{},"transient":{}}`, ""},
		{"display without text", "display_data", `{"data":{"text/html":"x"},"metadata":{}}`, "data: no text/plain"},
		{"picture that is no string", "display_data", `{"data":{"text/plain":"x","image/png":[1]},"metadata":{}}`, "image/png: [1] is not a string"},
		{"update without an id", "update_display_data", `{"data":{"text/plain":"x"},"metadata":{},"transient":{}}`, "transient: display_id"},
		{"error for a reply", "complete_reply", `{"status":"error","ename":"E","evalue":"v","traceback":[]}`, ""},
		{"error without its fields", "complete_reply", `{"status":"error"}`, "a missing field"},
		{"aborted", "execute_reply", `{"status":"aborted"}`, ""},
		{"history", "history_reply", `{"status":"ok","history":[[1,2,"x"],[1,2,["x",null]],[1,2,["x","y"]]]}`, ""},
		{"history of pairs", "history_reply", `{"status":"ok","history":[[1,"x"]]}`, "is not an array of three"},
		{"comms without a target", "comm_info_reply", `{"status":"ok","comms":{"a":{}}}`, "comms: [\"a\"]: target_name: a missing field"},
		{"comm without data", "comm_msg", `{"comm_id":"a"}`, "data: is missing"},
		{"comm without an id", "comm_open", `{"comm_id":"","target_name":"t","data":{}}`, "comm_id: "},
		{"transient of something else", "display_data", `{"data":{"text/plain":"x"},"metadata":{},"transient":{"x":1}}`, "transient: x: no such field"},
		{"null for transient", "display_data", `{"data":{"text/plain":"x"},"metadata":{},"transient":null}`, "transient: <nil> is not an object"},
		{"picture that is not base64", "display_data", `{"data":{"text/plain":"x","image/png":"é"},"metadata":{}}`, "image/png: not base64"},
		{"picture", "display_data", `{"data":{"text/plain":"x","image/png":"aGk=\n","image/svg+xml":"<svg/>"},"metadata":{}}`, ""},
		{"widget view", "display_data", `{"data":{"text/plain":"x","application/vnd.jupyter.widget-view+json":{"model_id":"m"}},"metadata":{}}`, ""},
		{"null for metadata", "execute_result", `{"data":{"text/plain":"x"},"metadata":null,"execution_count":1}`, "metadata: <nil> is not an object"},
		{"clear without wait", "clear_output", `{}`, "wait: a missing field"},
		{"wait that is a number", "clear_output", `{"wait":1}`, "wait: 1 is not a boolean"},
		{"question", "input_request", `{"prompt":"","password":false}`, ""},
		{"question without password", "input_request", `{"prompt":""}`, "password: a missing field"},
		{"reply", "execute_reply", `{"status":"ok","execution_count":1,"payload":[],"user_expressions":{}}`, ""},
		{"null for payload", "execute_reply", `{"status":"ok","execution_count":1,"payload":null,"user_expressions":{}}`, "payload: <nil> is not an array"},
		{"reply without a count", "execute_reply", `{"status":"ok","payload":[],"user_expressions":{}}`, "execution_count: a missing field"},
		{"page", "execute_reply", executed(`{"source":"page","data":{"text/plain":"x"},"start":0}`), ""},
		{"page without text", "execute_reply", executed(`{"source":"page","data":{},"start":0}`), "payload: [0]: data: no text/plain"},
		{"page without a start", "execute_reply", executed(`{"source":"page","data":{"text/plain":"x"}}`), "start: a missing field"},
		{"next input", "execute_reply", executed(`{"source":"set_next_input","text":"x","replace":true}`), ""},
		{"next input without replace", "execute_reply", executed(`{"source":"set_next_input","text":"x"}`), "replace: a missing field"},
		{"edit", "execute_reply", executed(`{"source":"edit_magic","filename":"a.go","line_number":1}`), ""},
		{"edit without a file", "execute_reply", executed(`{"source":"edit_magic","filename":"","line_number":1}`), "filename: "},
		{"exit", "execute_reply", executed(`{"source":"ask_exit","keepkernel":false}`), ""},
		{"exit with more", "execute_reply", executed(`{"source":"ask_exit","keepkernel":false,"data":{}}`), "data: no such field"},
		{"payload of no source", "execute_reply", executed(`{"text":"x"}`), "no payload of a known source"},
		{"expressions", "execute_reply", valued(`{"status":"ok","data":{"text/plain":"x"},"metadata":{}}`), ""},
		{"failed expression", "execute_reply", valued(`{"status":"error","ename":"E","evalue":"v","traceback":[]}`), ""},
		{"expression without text", "execute_reply", valued(`{"status":"ok","data":{},"metadata":{}}`), "data: no text/plain"},
		{"failed expression without a traceback", "execute_reply", valued(`{"status":"error","ename":"E","evalue":"v"}`), "traceback: a missing field"},
		{"failed reply with a value", "execute_reply", `{"status":"error","ename":"E","evalue":"v","traceback":[],"user_expressions":{"a":1}}`, "user_expressions: a: no such field"},
		{"failed reply of no cell with a count", "inspect_reply", `{"status":"error","ename":"E","evalue":"v","traceback":[],"execution_count":1}`, "execution_count: no such field"},
		{"aborted and no cell", "inspect_reply", `{"status":"aborted"}`, ""},
		{"aborted with an error", "execute_reply", `{"status":"aborted","ename":"E"}`, "ename: no such field"},
		{"described completion", "complete_reply", completed(`[{"start":0,"end":1,"text":"a","type":"function","signature":"()"}]`), ""},
		{"described without a type", "complete_reply", completed(`[{"start":0,"end":1,"text":"a"}]`), "type: a missing field"},
		{"matches that are null", "complete_reply", `{"status":"ok","matches":null,"cursor_start":0,"cursor_end":0,"metadata":{}}`, "matches: <nil> is not an array"},
		{"unknown completeness", "is_complete_reply", `{"status":"ok"}`, "status: ok is none of"},
		{"subshell", "create_subshell_reply", `{"status":"ok","subshell_id":"s"}`, ""},
		{"subshell without an id", "create_subshell_reply", `{"status":"ok"}`, "subshell_id: a missing field"},
		{"subshells", "list_subshell_reply", `{"status":"ok","subshell_id":[]}`, ""},
		{"subshells that are null", "list_subshell_reply", `{"status":"ok","subshell_id":null}`, "subshell_id: <nil> is not an array"},
		{"subshells in the plural", "list_subshell_reply", `{"status":"ok","subshell_ids":[]}`, "a missing field"},
		{"subshell ended", "delete_subshell_reply", `{"status":"ok"}`, ""},
		{"unknown subshell", "delete_subshell_reply", `{"status":"error","ename":"E","evalue":"v","traceback":[]}`, ""},
		{"usage", "usage_reply", `{"hostname":"h","pid":1,"kernel_cpu":0.5,"kernel_memory":1,"cpu_count":2}`, ""},
		{"usage with a status", "usage_reply", `{"status":"ok","hostname":"h","pid":1,"kernel_cpu":0.5,"kernel_memory":1,"cpu_count":2}`, "status: no such field"},
		{"usage with words", "usage_reply", `{"hostname":"h","pid":1,"kernel_cpu":"much","kernel_memory":1,"cpu_count":2}`, "kernel_cpu: much is not a number"},
		{"memory of the host", "usage_reply", `{"hostname":"h","pid":1,"kernel_cpu":0,"kernel_memory":1,"cpu_count":2,"host_virtual_memory":{"total":1}}`, "a missing field"},
		{"debug reply", "debug_reply", `{"type":"response","seq":1,"request_seq":1,"success":true,"command":"c","body":{}}`, ""},
		{"debug reply that is a request", "debug_reply", `{"type":"request","seq":1,"request_seq":1,"success":true,"command":"c"}`, "type: request is none of"},
		{"debug event", "debug_event", `{"type":"event","seq":1,"event":"stopped","body":{}}`, ""},
		{"debug event without a name", "debug_event", `{"type":"event","seq":1,"body":{}}`, "event: a missing field"},
		{"shutdown without restart", "shutdown_reply", `{"status":"ok"}`, "restart: a missing field"},
		{"state", "status", `{"execution_state":"dead"}`, "execution_state: dead is none of"},
		{"kernel info", "kernel_info_reply", kernelInfoWith(``), ""},
		{"extension without a dot", "kernel_info_reply", strings.Replace(kernelInfoWith(``), `".go"`, `"go"`, 1), "file_extension: go does not match"},
		{"version that is a number", "kernel_info_reply", strings.Replace(kernelInfoWith(``), `"5.5"`, `5.5`, 1), "protocol_version: 5.5 does not match"},
		{"links that are null", "kernel_info_reply", strings.Replace(kernelInfoWith(``), `"help_links":[]`, `"help_links":null`, 1), "help_links: <nil> is not an array"},
		{"features in one word", "kernel_info_reply", strings.Replace(kernelInfoWith(``), `"supported_features":[]`, `"supported_features":"debugger"`, 1), "supported_features: debugger is not an array"},
		{"more of the kernel", "kernel_info_reply", kernelInfoWith(`,"mood":"good"`), "mood: no such field"},
		{"unknown type", "strange", `{}`, "unknown message type"},
		{"not an object", "status", `[]`, "is not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := checkContent(tt.messageType, []byte(tt.content))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}

// executed returns the content of an execute_reply with a payload.
func executed(payload string) string {
	return `{"status":"ok","execution_count":1,"payload":[` + payload + `],"user_expressions":{}}`
}

// valued returns the content of an execute_reply with a user expression.
func valued(expression string) string {
	return `{"status":"ok","execution_count":1,"payload":[],"user_expressions":{"a":` + expression + `}}`
}

// completed returns the content of a complete_reply whose match is described.
func completed(types string) string {
	return `{"status":"ok","matches":["a"],"cursor_start":0,"cursor_end":1,"metadata":{"_jupyter_types_experimental":` + types + `}}`
}

func kernelInfoWith(more string) string {
	return `{"status":"ok","protocol_version":"5.5","implementation":"i","implementation_version":"1","language_info":` +
		`{"name":"go","version":"1","mimetype":"text/x-go","file_extension":".go"},"banner":"","help_links":[],"supported_features":[]` + more + `}`
}

func TestHeader(t *testing.T) {
	const whole = `{"msg_id":"1","session":"s","username":"u","date":"2026-01-02T03:04:05.678901Z","msg_type":"status","version":"5.5"}`
	if err := header.checkJSON([]byte(whole)); err != nil {
		t.Error(err)
	}
	for name, wrong := range map[string]string{
		"local time":    strings.Replace(whole, "901Z", "901", 1),
		"milliseconds":  strings.Replace(whole, "678901Z", "678Z", 1),
		"no version":    strings.Replace(whole, "5.5", "", 1),
		"old version":   strings.Replace(whole, "5.5", "5.3", 1),
		"null subshell": strings.Replace(whole, "{", `{"subshell_id":null,`, 1),
		"empty session": strings.Replace(whole, `"s"`, `""`, 1),
		"more":          strings.Replace(whole, "{", `{"x":1,`, 1),
	} {
		if err := header.checkJSON([]byte(wrong)); err == nil {
			t.Errorf("%s: no error for %s", name, wrong)
		}
	}
}
