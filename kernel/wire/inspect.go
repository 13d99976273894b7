package wire

import "encoding/json"

// An InspectRequest asks for documentation at a cursor.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#introspection
type InspectRequest struct {
	Code         string   `json:"code"`
	CursorPos    int      `json:"cursor_pos"`              // in code points, see ByteOffset; default the end of Code
	DetailLevel  int      `json:"detail_level"`            // 0 (default) documentation, 1 also source
	OmitSections []string `json:"omit_sections,omitempty"` // MIME types or parts not wanted (5.5)
}

// MessageType returns "inspect_request".
func (InspectRequest) MessageType() string { return "inspect_request" }

// UnmarshalJSON decodes a request with its defaults.
func (r *InspectRequest) UnmarshalJSON(data []byte) error {
	type plain InspectRequest
	p := plain{CursorPos: -1}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	p.CursorPos = defaultCursor(p.Code, p.CursorPos)
	*r = InspectRequest(p)
	return nil
}

// An InspectReply holds documentation; when nothing is found its status is ok all the same and its data {}.
type InspectReply struct {
	Status   Status     `json:"status"`
	Found    bool       `json:"found"`
	Data     MIMEBundle `json:"data"`
	Metadata Object     `json:"metadata"`
}

// MessageType returns "inspect_reply".
func (InspectReply) MessageType() string { return "inspect_reply" }
