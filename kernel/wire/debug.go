package wire

import "encoding/json"

// A DebugRequest is a request of the Debug Adapter Protocol: the content is the DAP object itself.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#debug-request
type DebugRequest struct {
	Type      string          `json:"type"` // "request"
	Seq       int             `json:"seq"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// MessageType returns "debug_request".
func (DebugRequest) MessageType() string { return "debug_request" }

// A DebugReply is a DAP response.
type DebugReply struct {
	Type       string          `json:"type"` // "response"
	Seq        int             `json:"seq"`
	RequestSeq int             `json:"request_seq"`
	Success    bool            `json:"success"`
	Command    string          `json:"command"`
	Message    string          `json:"message,omitempty"`
	Body       json.RawMessage `json:"body"` // {} when nil
}

// MessageType returns "debug_reply".
func (DebugReply) MessageType() string { return "debug_reply" }

// MarshalJSON writes body as {} when it is nil.
func (r DebugReply) MarshalJSON() ([]byte, error) {
	type plain DebugReply
	r.Body = orEmpty(r.Body)
	return encodeJSON(plain(r))
}

// A DebugEvent is a DAP event, published on IOPub.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#debug-event
type DebugEvent struct {
	Type  string          `json:"type"` // "event"
	Seq   int             `json:"seq"`
	Event string          `json:"event"` // "stopped", "continued", "thread", "output", "initialized"
	Body  json.RawMessage `json:"body"`  // {} when nil
}

// MessageType returns "debug_event".
func (DebugEvent) MessageType() string { return "debug_event" }

// MarshalJSON writes body as {} when it is nil.
func (e DebugEvent) MarshalJSON() ([]byte, error) {
	type plain DebugEvent
	e.Body = orEmpty(e.Body)
	return encodeJSON(plain(e))
}
