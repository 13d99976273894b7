package wire

import (
	"encoding/json"
	"fmt"
)

// A HistoryRequest asks for earlier inputs.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#history
type HistoryRequest struct {
	Output         bool   `json:"output"`           // with outputs: changes the shape of the reply
	Raw            bool   `json:"raw"`              // as typed
	HistAccessType string `json:"hist_access_type"` // "range", "tail" or "search"
	Session        int    `json:"session"`          // range: 0 is this session, negative counts back
	Start          int    `json:"start"`            // range: first line
	Stop           int    `json:"stop"`             // range: line after the last; 0 when missing
	N              int    `json:"n,omitempty"`      // tail, search: at most so many, the last ones; -1 when missing
	Pattern        string `json:"pattern"`          // search: glob with * and ?
	Unique         bool   `json:"unique"`           // search: without duplicates
}

// MessageType returns "history_request".
func (HistoryRequest) MessageType() string { return "history_request" }

// UnmarshalJSON decodes a request with its defaults. A request for 0 entries is one, and not one that says nothing of n.
func (r *HistoryRequest) UnmarshalJSON(data []byte) error {
	type plain HistoryRequest
	p := plain{N: -1}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = HistoryRequest(p)
	return nil
}

// A HistoryReply lists inputs, oldest first.
type HistoryReply struct {
	Status  Status             `json:"status"`
	History List[HistoryEntry] `json:"history"`
}

// MessageType returns "history_reply".
func (HistoryReply) MessageType() string { return "history_reply" }

// A HistoryEntry is one input. On the wire it is [session, line, input], or with output [session, line, [input,
// output]].
type HistoryEntry struct {
	Session, Line int
	Input         string
	WithOutput    bool    // write the second shape
	Output        *string // nil is null: the cell had no result
}

// MarshalJSON writes the entry as a tuple.
func (e HistoryEntry) MarshalJSON() ([]byte, error) {
	if e.WithOutput {
		return encodeJSON([]any{e.Session, e.Line, []any{e.Input, e.Output}})
	}
	return encodeJSON([]any{e.Session, e.Line, e.Input})
}

// UnmarshalJSON reads either tuple.
func (e *HistoryEntry) UnmarshalJSON(data []byte) error {
	var input json.RawMessage
	tuple := []any{&e.Session, &e.Line, &input}
	if err := unmarshalTuple(data, tuple); err != nil {
		return err
	}
	if e.WithOutput = len(input) > 0 && input[0] == '['; e.WithOutput {
		return unmarshalTuple(input, []any{&e.Input, &e.Output})
	}
	return json.Unmarshal(input, &e.Input)
}

// unmarshalTuple decodes an array of exactly len(into) elements.
func unmarshalTuple(data []byte, into []any) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) != len(into) {
		return fmt.Errorf("wire: history entry: %d elements, want %d", len(parts), len(into))
	}
	for i, p := range parts {
		if err := json.Unmarshal(p, into[i]); err != nil {
			return err
		}
	}
	return nil
}
