package wire

import (
	"encoding/json"
	"unicode/utf8"
)

// A CompleteRequest asks for completions at a cursor.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#completion
type CompleteRequest struct {
	Code      string `json:"code"`
	CursorPos int    `json:"cursor_pos"` // in code points, see ByteOffset; default the end of Code
}

// MessageType returns "complete_request".
func (CompleteRequest) MessageType() string { return "complete_request" }

// UnmarshalJSON decodes a request with its defaults.
func (r *CompleteRequest) UnmarshalJSON(data []byte) error {
	type plain CompleteRequest
	p := plain{CursorPos: -1}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	p.CursorPos = defaultCursor(p.Code, p.CursorPos)
	*r = CompleteRequest(p)
	return nil
}

// defaultCursor returns position, or the end of code when it is negative.
func defaultCursor(code string, position int) int {
	if position < 0 {
		return utf8.RuneCountInString(code)
	}
	return position
}

// A CompleteReply lists texts that may replace the code points from CursorStart to CursorEnd. Without matches both
// are the cursor.
type CompleteReply struct {
	Status      Status           `json:"status"`
	Matches     List[string]     `json:"matches"`
	CursorStart int              `json:"cursor_start"`
	CursorEnd   int              `json:"cursor_end"`
	Metadata    CompleteMetadata `json:"metadata"`
}

// MessageType returns "complete_reply".
func (CompleteReply) MessageType() string { return "complete_reply" }

// CompleteMetadata describes the matches to front ends that can show more than text; {} when Types is empty. The key
// is IPython's and JupyterLab's, not the specification's.
type CompleteMetadata struct {
	Types []CompletionType `json:"_jupyter_types_experimental,omitempty"`
}

// A CompletionType describes one match.
type CompletionType struct {
	Start     int    `json:"start"` // code points, as CursorStart
	End       int    `json:"end"`
	Text      string `json:"text"`
	Type      string `json:"type"` // "function", "keyword", …
	Signature string `json:"signature,omitempty"`
}

// An IsCompleteRequest asks whether code is a whole cell: terminals run it on Enter if so.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#code-completeness
type IsCompleteRequest struct {
	Code string `json:"code"`
}

// MessageType returns "is_complete_request".
func (IsCompleteRequest) MessageType() string { return "is_complete_request" }

// An IsCompleteReply answers it; its status is not that of other replies.
type IsCompleteReply struct {
	Status string  `json:"status"`           // "complete", "incomplete", "invalid" or "unknown"
	Indent *string `json:"indent,omitempty"` // only with "incomplete": how the next line begins, may be ""
}

// MessageType returns "is_complete_reply".
func (IsCompleteReply) MessageType() string { return "is_complete_reply" }
