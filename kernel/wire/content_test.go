package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestContentJSON has one case for each content that we send: its zero value must have no null where clients expect an
// object or an array, and its filled form must have the fields of the specification.
func TestContentJSON(t *testing.T) {
	indent, output := "\t", "2"
	failure := Failure{Ename: "E", Evalue: "v"}
	for _, tc := range []struct {
		name    string
		content any
		want    string
	}{
		{"kernel_info_reply", KernelInfoReply{}, `{"status":"ok","protocol_version":"","implementation":"","implementation_version":"","language_info":{"name":"","version":"","mimetype":"","file_extension":""},"banner":"","help_links":[],"supported_features":[],"debugger":false}`},
		{"execute_reply", ExecuteReply{ExecutionCount: 3}, `{"status":"ok","execution_count":3,"payload":[],"user_expressions":{}}`},
		{"execute_reply error", ExecuteReply{Status: Failed, Failure: &failure}, `{"status":"error","execution_count":0,"payload":[],"user_expressions":{},"ename":"E","evalue":"v","traceback":[]}`},
		{"user expressions", ExecuteReply{UserExpressions: map[string]Expression{"a": {}, "b": {Failure: &failure}}}, `{"status":"ok","execution_count":0,"payload":[],"user_expressions":{"a":{"status":"ok","data":{},"metadata":{}},"b":{"status":"error","ename":"E","evalue":"v","traceback":[]}}}`},
		{"payload page", Payload{Source: "page", Data: MIMEBundle{"text/plain": json.RawMessage(`"x"`)}, Start: 2}, `{"data":{"text/plain":"x"},"source":"page","start":2}`},
		{"payload set_next_input", Payload{Source: "set_next_input", Text: "x"}, `{"replace":false,"source":"set_next_input","text":"x"}`},
		{"payload edit_magic", Payload{Source: "edit_magic", Filename: "a.go", LineNumber: 4}, `{"filename":"a.go","line_number":4,"source":"edit_magic"}`},
		{"payload ask_exit", Payload{Source: "ask_exit"}, `{"keepkernel":false,"source":"ask_exit"}`},
		{"aborted", NewAbortedReply("execute_reply"), `{"status":"aborted"}`},
		{"error reply", NewErrorReply("complete_reply", failure), `{"status":"error","ename":"E","evalue":"v","traceback":[]}`},
		{"error", Error{failure}, `{"ename":"E","evalue":"v","traceback":[]}`},
		{"execute_result", ExecuteResult{ExecutionCount: 1}, `{"execution_count":1,"data":{},"metadata":{}}`},
		{"execute_result with id", ExecuteResult{Transient: &Transient{DisplayID: "d"}}, `{"execution_count":0,"data":{},"metadata":{},"transient":{"display_id":"d"}}`},
		{"display_data", DisplayData{}, `{"data":{},"metadata":{},"transient":{}}`},
		{"update_display_data", UpdateDisplayData{Transient: Transient{DisplayID: "d"}}, `{"data":{},"metadata":{},"transient":{"display_id":"d"}}`},
		{"clear_output", ClearOutput{Wait: true}, `{"wait":true}`},
		{"stream", Stream{Name: "stderr", Text: "<a&b>"}, `{"name":"stderr","text":"<a&b>"}`},
		{"status", KernelStatus{Busy}, `{"execution_state":"busy"}`},
		{"iopub_welcome", IOPubWelcome{}, `{"subscription":""}`},
		{"execute_input", ExecuteInput{Code: "x", ExecutionCount: 1}, `{"code":"x","execution_count":1}`},
		{"complete_reply", CompleteReply{}, `{"status":"ok","matches":[],"cursor_start":0,"cursor_end":0,"metadata":{}}`},
		{"complete_reply with types", CompleteReply{Matches: []string{"a"}, Metadata: CompleteMetadata{[]CompletionType{{Text: "a", Type: "function"}}}}, `{"status":"ok","matches":["a"],"cursor_start":0,"cursor_end":0,"metadata":{"_jupyter_types_experimental":[{"start":0,"end":0,"text":"a","type":"function"}]}}`},
		{"inspect_reply", InspectReply{}, `{"status":"ok","found":false,"data":{},"metadata":{}}`},
		{"is_complete_reply", IsCompleteReply{Status: "complete"}, `{"status":"complete"}`},
		{"is_complete_reply with indent", IsCompleteReply{Status: "incomplete", Indent: &indent}, `{"status":"incomplete","indent":"\t"}`},
		{"history_reply", HistoryReply{}, `{"status":"ok","history":[]}`},
		{"history entries", List[HistoryEntry]{{Session: 1, Line: 2, Input: "x"}, {1, 3, "y", true, &output}, {1, 4, "z", true, nil}}, `[[1,2,"x"],[1,3,["y","2"]],[1,4,["z",null]]]`},
		{"comm_info_reply", CommInfoReply{}, `{"status":"ok","comms":{}}`},
		{"comm_info_reply with comms", CommInfoReply{Comms: map[string]CommInfo{"i": {"t"}}}, `{"status":"ok","comms":{"i":{"target_name":"t"}}}`},
		{"comm_open", CommOpen{CommID: "i", TargetName: "t"}, `{"comm_id":"i","target_name":"t","data":{}}`},
		{"comm_msg", CommMsg{CommID: "i", Data: json.RawMessage("null")}, `{"comm_id":"i","data":{}}`},
		{"comm_close", CommClose{CommID: "i"}, `{"comm_id":"i","data":{}}`},
		{"shutdown_reply", ShutdownReply{Restart: true}, `{"status":"ok","restart":true}`},
		{"interrupt_reply", InterruptReply{}, `{"status":"ok"}`},
		{"connect_reply", ConnectReply{ShellPort: 1, IOPubPort: 2, StdinPort: 3, HBPort: 4, ControlPort: 5}, `{"status":"ok","shell_port":1,"iopub_port":2,"stdin_port":3,"hb_port":4,"control_port":5}`},
		{"create_subshell_reply", CreateSubshellReply{SubshellID: "a"}, `{"status":"ok","subshell_id":"a"}`},
		{"delete_subshell_reply", DeleteSubshellReply{}, `{"status":"ok"}`},
		{"list_subshell_reply", ListSubshellReply{}, `{"status":"ok","subshell_id":[]}`},
		{"input_request", InputRequest{Prompt: "?"}, `{"prompt":"?","password":false}`},
		{"debug_reply", DebugReply{Type: "response", Command: "debugInfo"}, `{"type":"response","seq":0,"request_seq":0,"success":false,"command":"debugInfo","body":{}}`},
		{"debug_event", DebugEvent{Type: "event", Event: "stopped"}, `{"type":"event","seq":0,"event":"stopped","body":{}}`},
		{"usage_reply", UsageReply{Hostname: "h", PID: 1}, `{"hostname":"h","pid":1,"kernel_cpu":0,"kernel_memory":0,"cpu_count":0}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := encodeJSON(tc.content)
			if err != nil || string(got) != tc.want {
				t.Fatalf("got %s, %v, want %s", got, err, tc.want)
			}
		})
	}
}

// TestDefaults decodes requests that leave fields out.
func TestDefaults(t *testing.T) {
	for _, tc := range []struct {
		name, content string
		got, want     any // pointers
	}{
		{"execute", `{"code":"x"}`, new(ExecuteRequest), &ExecuteRequest{Code: "x", StoreHistory: true, StopOnError: true}},
		{"silent never stores", `{"silent":true,"store_history":true}`, new(ExecuteRequest), &ExecuteRequest{Silent: true, StopOnError: true}},
		{"execute, all said", `{"store_history":false,"stop_on_error":false,"allow_stdin":true,"user_expressions":{"a":"b"}}`, new(ExecuteRequest),
			&ExecuteRequest{AllowStdin: true, UserExpressions: map[string]string{"a": "b"}}},
		{"history of all", `{"hist_access_type":"search"}`, new(HistoryRequest), &HistoryRequest{HistAccessType: "search", N: -1}},
		{"history of null", `{"hist_access_type":"tail","n":null,"stop":null}`, new(HistoryRequest), &HistoryRequest{HistAccessType: "tail", N: -1}},
		{"history of none", `{"hist_access_type":"tail","n":0}`, new(HistoryRequest), &HistoryRequest{HistAccessType: "tail"}},
		{"nulls", `{"code":"x","user_expressions":null,"stop_on_error":null}`, new(ExecuteRequest), &ExecuteRequest{Code: "x", StoreHistory: true, StopOnError: true}},
		{"complete at the end, in code points", `{"code":"añb🙂"}`, new(CompleteRequest), &CompleteRequest{Code: "añb🙂", CursorPos: 4}},
		{"complete at the start", `{"code":"ab","cursor_pos":0}`, new(CompleteRequest), &CompleteRequest{Code: "ab"}},
		{"inspect", `{"code":"ab","detail_level":1}`, new(InspectRequest), &InspectRequest{Code: "ab", CursorPos: 2, DetailLevel: 1}},
		{"history with output", `[1,2,["x",null]]`, new(HistoryEntry), &HistoryEntry{Session: 1, Line: 2, Input: "x", WithOutput: true}},
		{"history", `[1,2,"x"]`, new(HistoryEntry), &HistoryEntry{Session: 1, Line: 2, Input: "x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := Message{Content: json.RawMessage(tc.content)}
			if err := m.Unmarshal(tc.got); err != nil || !reflect.DeepEqual(tc.got, tc.want) {
				t.Fatalf("got %+v, %v, want %+v", tc.got, err, tc.want)
			}
		})
	}
}

// TestUnmarshalError wants errors that name the message and the field, in words of JSON.
func TestUnmarshalError(t *testing.T) {
	for _, tc := range []struct {
		into    Content
		content string
		want    string
	}{
		{new(ExecuteRequest), `{"code":5}`, "wire: execute_request: code: got number, want a string"},
		{new(ExecuteRequest), `{"silent":"yes"}`, "wire: execute_request: silent: got string, want true or false"},
		{new(ExecuteRequest), `{"user_expressions":[]}`, "wire: execute_request: user_expressions: got array, want an object"},
		{new(ExecuteRequest), `{"user_expressions":{"a":5}}`, "wire: execute_request: user_expressions: got number, want a string"},
		{new(CompleteRequest), `{"cursor_pos":1.5}`, "wire: complete_request: cursor_pos: got number 1.5, want an integer"},
		{new(InspectRequest), `{"omit_sections":{}}`, "wire: inspect_request: omit_sections: got object, want an array"},
		{new(IsCompleteRequest), `{"code":[]}`, "wire: is_complete_request: code: got array, want a string"},
		{new(HistoryRequest), `{"n":true}`, "wire: history_request: n: got bool, want an integer"},
	} {
		m := Message{Header: Header{MsgType: tc.into.MessageType()}, Content: json.RawMessage(tc.content)}
		if err := m.Unmarshal(tc.into); err == nil || err.Error() != tc.want {
			t.Errorf("%s: got %v, want %s", tc.content, err, tc.want)
		}
	}
}

// TestHeaderOfOtherTypes wants a header's fields of the wrong type to cost nothing but themselves.
func TestHeaderOfOtherTypes(t *testing.T) {
	for _, tc := range []struct {
		header string
		want   Header
	}{
		{`{"msg_type":"x","msg_id":5,"session":[1],"username":{},"date":1.5,"version":5,"subshell_id":null}`, Header{MsgType: "x"}},
		{`{"version":5,"msg_type":"x","msg_id":"a"}`, Header{MsgType: "x", MsgID: "a"}},
		{`{"msg_type":"x","subshell_id":7}`, Header{MsgType: "x", SubshellID: "7"}},
		{`{"msg_type":"x","subshell_id":["a"],"session":5}`, Header{MsgType: "x", SubshellID: `["a"]`}},
		{`{"msg_type":"x","subshell_id":"a","session":5}`, Header{MsgType: "x", SubshellID: "a"}},
	} {
		var h Header
		if err := json.Unmarshal([]byte(tc.header), &h); err != nil || h != tc.want {
			t.Errorf("%s: got %+v, %v, want %+v", tc.header, h, err, tc.want)
		}
	}
	for _, no := range []string{`[]`, `5`, `"x"`} {
		if err := json.Unmarshal([]byte(no), new(Header)); err == nil {
			t.Errorf("%s was taken for a header", no)
		}
	}
}

func TestBundle(t *testing.T) {
	type point struct {
		X float64 `json:"x"`
	}
	cycle := map[string]any{"nan": math.NaN()}
	cycle["self"], cycle["again"] = cycle, cycle
	for _, tc := range []struct {
		name, mime string
		value      any
		want       string // "" when the representation is left out, with an error
	}{
		{"text", "text/plain", "a\n<b>", `"a\n<b>"`},
		{"text of bytes", "text/html; charset=utf-8", []byte("<b>"), `"<b>"`},
		{"SVG of bytes", "image/svg+xml", []byte("<svg/>"), `"<svg/>"`},
		{"invalid UTF-8", "text/plain", "a\xffb", `"a\ufffdb"`},
		{"image", "image/png", []byte{0x89, 'P', 'N', 'G'}, `"iVBORw=="`},
		{"JSON of bytes", "application/json", []byte(`{"a": [1]}`), `{"a":[1]}`},
		{"JSON value", "application/vnd.plotly.v1+json", map[string]any{"a": []int{1}}, `{"a":[1]}`},
		{"JSON string", "application/json", "text", `"text"`},
		{"raw JSON with invalid UTF-8", "application/json", json.RawMessage("{\"a\":\"\xff\"}"), "{\"a\":\"\uFFFD\"}"},
		{"NaN and infinities", "application/json", map[string]any{"a": []float64{1, math.NaN(), math.Inf(1)}, "b": [2]any{math.Inf(-1), "s"}, "c": Object{"d": float32(math.Inf(1))}},
			`{"a":[1,null,null],"b":[null,"s"],"c":{"d":null}}`},
		{"NaN beside bytes", "application/json", map[string]any{"a": []byte{1}, "b": math.NaN(), "c": (*int)(nil), "d": &point{1}}, `{"a":"AQ==","b":null,"c":null,"d":{"x":1}}`},
		{"NaN in a struct", "application/json", point{math.NaN()}, ""},
		{"NaN in raw JSON", "application/json", json.RawMessage(`{"a":NaN}`), ""},
		{"cycle", "application/json", cycle, ""},
		{"function", "application/json", func() {}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, err := Bundle(map[string]any{tc.mime: tc.value, "text/x-other": "kept"})
			if string(b["text/x-other"]) != `"kept"` {
				t.Fatalf("the other representation is %s", b["text/x-other"])
			}
			if tc.want == "" {
				if err == nil || b[tc.mime] != nil || !strings.Contains(err.Error(), tc.mime) {
					t.Fatalf("got %s, %v, want an error that names %s", b[tc.mime], err, tc.mime)
				}
				return
			}
			got, encodeErr := encodeObject(DisplayData{Data: MIMEBundle{tc.mime: b[tc.mime]}})
			if want := `{"data":{"` + tc.mime + `":` + tc.want + `},"metadata":{},"transient":{}}`; err != nil || encodeErr != nil || string(got) != want {
				t.Fatalf("got %s, %v, %v, want %s", got, err, encodeErr, want)
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	var m Message
	if err := m.SetMetadata(nil); err != nil || string(m.Metadata) != "{}" {
		t.Fatalf("nil: got %s, %v, want {}", m.Metadata, err)
	}
	if err := m.SetMetadata(Object{"started": "now", "x": math.NaN()}); err != nil || string(m.Metadata) != `{"started":"now","x":null}` {
		t.Fatalf("got %s, %v", m.Metadata, err)
	}
}

func TestCursorPositions(t *testing.T) {
	const code = "aé🙂b" // 1, 2, 4 and 1 bytes; 1, 1, 2 and 1 UTF-16 units
	for _, tc := range []struct{ position, offset, back int }{
		{-1, 0, 0}, {0, 0, 0}, {1, 1, 1}, {2, 3, 2}, {3, 7, 3}, {4, 8, 4}, {99, 8, 4},
	} {
		offset := ByteOffset(code, tc.position)
		if back := CodePoints(code, offset); offset != tc.offset || back != tc.back {
			t.Errorf("position %d: got offset %d and back %d, want %d and %d", tc.position, offset, back, tc.offset, tc.back)
		}
	}
	if got := CodePoints(code, 99); got != 4 {
		t.Errorf("offset 99: got %d, want 4", got)
	}
}

func TestHeaderTime(t *testing.T) {
	for _, tc := range []struct{ date, want string }{
		{"2026-01-02T03:04:05.000006Z", "2026-01-02T03:04:05.000006Z"},
		{"2026-01-02T03:04:05.000006+02:00", "2026-01-02T01:04:05.000006Z"},
		{"2026-01-02T03:04:05.123", "2026-01-02T03:04:05.123000Z"},
		{"yesterday", "0001-01-01T00:00:00.000000Z"},
	} {
		if got := (Header{Date: tc.date}).Time().UTC().Format(dateLayout); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.date, got, tc.want)
		}
	}
}
