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

func TestHeader(t *testing.T) {
	const whole = `{"msg_id":"1","session":"s","username":"u","date":"2026-01-02T03:04:05.678901Z","msg_type":"status","version":"5.5"}`
	if err := header.checkJSON([]byte(whole)); err != nil {
		t.Error(err)
	}
	for name, wrong := range map[string]string{
		"local time":    strings.Replace(whole, "901Z", "901", 1),
		"milliseconds":  strings.Replace(whole, "678901Z", "678Z", 1),
		"no version":    strings.Replace(whole, "5.5", "", 1),
		"empty session": strings.Replace(whole, `"s"`, `""`, 1),
		"more":          strings.Replace(whole, "{", `{"x":1,`, 1),
	} {
		if err := header.checkJSON([]byte(wrong)); err == nil {
			t.Errorf("%s: no error for %s", name, wrong)
		}
	}
}
