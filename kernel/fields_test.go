package kernel

import (
	"encoding/json"
	"strings"
	"testing"

	"orthant/kernel/wire"
)

// TestFieldsOfOtherTypes asks everything with one field of another type of JSON: each time the reply is an error that names
// the request and the field, and nothing else comes of it.
func TestFieldsOfOtherTypes(t *testing.T) {
	_, c := startKernel(t)
	types := map[string]any{
		"string": "s", "number": 1, "fraction": 1.5, "large": 1e300, "bool": true, "array": []int{1}, "object": map[string]int{"a": 1},
	}
	for _, tt := range []struct {
		channel wire.Channel
		request string
		fields  map[string]string // and the types that they may have
	}{
		{wire.Shell, "execute_request", map[string]string{
			"code": "string", "silent": "bool", "store_history": "bool", "user_expressions": "", "allow_stdin": "bool", "stop_on_error": "bool",
		}},
		{wire.Shell, "complete_request", map[string]string{"code": "string", "cursor_pos": "number"}},
		{wire.Shell, "inspect_request", map[string]string{
			"code": "string", "cursor_pos": "number", "detail_level": "number", "omit_sections": "",
		}},
		{wire.Shell, "is_complete_request", map[string]string{"code": "string"}},
		{wire.Shell, "history_request", map[string]string{
			"output": "bool", "raw": "bool", "hist_access_type": "string", "session": "number", "start": "number", "stop": "number",
			"n": "number", "pattern": "string", "unique": "bool",
		}},
		{wire.Shell, "comm_info_request", map[string]string{"target_name": "string"}},
		{wire.Shell, "shutdown_request", map[string]string{"restart": "bool"}},
		{wire.Control, "shutdown_request", map[string]string{"restart": "bool"}},
		{wire.Control, "delete_subshell_request", map[string]string{"subshell_id": "string"}},
	} {
		for field, own := range tt.fields {
			for name, value := range types {
				if name == own {
					continue
				}
				content, err := json.Marshal(map[string]any{field: value})
				if err != nil {
					t.Fatal(err)
				}
				var reply struct{ Status, Evalue string }
				c.Send(tt.channel, raw{tt.request, string(content)}).Wait().Decode(&reply)
				if want := "wire: " + tt.request + ": " + field + ": got "; reply.Status != "error" || !strings.HasPrefix(reply.Evalue, want) {
					t.Errorf("%s %s: got %+v, want %s…", tt.request, content, reply, want)
				}
			}
		}
	}
	c.Execute("value 1").Want("busy", "execute_input [1] value 1", "execute_result [1] 1", "idle", "execute_reply [1] ok")
}
