package kerneltest

import (
	"strings"
	"testing"
)

// TestProgressOfSilentRequests checks that a silent request may publish nothing but its frame.
func TestProgressOfSilentRequests(t *testing.T) {
	for _, messageType := range []string{"execute_input", "stream", "display_data", "execute_result", "error", "clear_output"} {
		p := progress{asks: "execute_request", silent: true}
		if err := p.next("status", "busy"); err != nil {
			t.Error(err)
		}
		if err := p.next(messageType, ""); err == nil || !strings.Contains(err.Error(), "silent") {
			t.Errorf("%s: got error %v, want one that it is silent", messageType, err)
		}
	}
}

func TestProgress(t *testing.T) {
	tests := []struct {
		name, asks string
		messages   string // types, with states for status messages
		want       string // the error of the last one; empty for none
	}{
		{"a cell", "execute_request", "busy execute_input stream display_data execute_result idle", ""},
		{"a cell that fails", "execute_request", "busy execute_input stream error idle", ""},
		{"late output", "execute_request", "busy execute_input idle stream display_data", ""},
		{"nothing", "kernel_info_request", "busy idle", ""},
		{"output before busy", "execute_request", "stream", "before busy"},
		{"idle before busy", "execute_request", "idle", "out of place"},
		{"busy twice", "execute_request", "busy busy", "out of place"},
		{"idle twice", "execute_request", "busy idle idle", "out of place"},
		{"late result", "execute_request", "busy execute_input idle execute_result", "after idle"},
		{"late error", "execute_request", "busy execute_input idle error", "after idle"},
		{"output before the input", "execute_request", "busy stream", "before execute_input"},
		{"two inputs", "execute_request", "busy execute_input execute_input", "not the first"},
		{"late comm message", "execute_request", "busy execute_input idle comm_open comm_msg comm_close", ""},
		{"comm messages of a handler", "comm_msg", "busy comm_msg stream error idle", ""},
		{"late input", "execute_request", "busy idle execute_input", "after idle"},
		{"result of no cell", "comm_msg", "busy execute_result", "does not answer"},
		{"shutdown of no shutdown", "execute_request", "busy execute_input shutdown_reply", "does not answer"},
		{"input of no cell", "complete_request", "busy execute_input", "not the first"},
		{"two results", "execute_request", "busy execute_input execute_result execute_result", "after a result or an error"},
		{"result and error", "execute_request", "busy execute_input execute_result error", "after a result or an error"},
		{"two errors", "execute_request", "busy execute_input error error", "after a result or an error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := progress{asks: tt.asks}
			messages := strings.Fields(tt.messages)
			for i, m := range messages {
				messageType, state := m, ""
				if m == "busy" || m == "idle" {
					messageType, state = "status", m
				}
				err := p.next(messageType, state)
				last := i == len(messages)-1
				switch {
				case (!last || tt.want == "") && err != nil:
					t.Errorf("%s %v", m, err)
				case last && tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
					t.Errorf("%s: got error %v, want %q", m, err, tt.want)
				}
			}
		})
	}
}
