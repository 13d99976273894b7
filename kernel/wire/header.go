package wire

import (
	"encoding/json"
	"errors"
	"time"
)

// ProtocolVersion is the version of the messaging specification that the messages of this package follow.
const ProtocolVersion = "5.5"

// dateLayout is that of Date.
const dateLayout = "2006-01-02T15:04:05.000000Z"

// A Header says what a message is and who sent it.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#message-header
type Header struct {
	MsgID    string `json:"msg_id"`   // unique for ever
	Session  string `json:"session"`  // the sender's session: one client, or one kernel process
	Username string `json:"username"` // free text
	Date     string `json:"date"`     // ISO 8601; see Time
	MsgType  string `json:"msg_type"` // "execute_request"
	Version  string `json:"version"`  // of the specification, "5.5"
	// SubshellID chooses a subshell for a request; empty for the main shell (JEP 91).
	SubshellID string `json:"subshell_id,omitempty"`
}

// UnmarshalJSON decodes a header. A field that is not of its type is empty, because what a message asks for does not depend on
// it, and what answers it repeats the header's bytes. A subshell's id is its JSON then: that of no subshell, and not the main
// shell's.
func (h *Header) UnmarshalJSON(data []byte) error {
	type plain Header
	var p plain
	err := json.Unmarshal(data, &p)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		var id struct {
			Subshell json.RawMessage `json:"subshell_id"`
		}
		err = json.Unmarshal(data, &id)
		if p.SubshellID == "" && len(id.Subshell) > 0 && id.Subshell[0] != '"' && string(id.Subshell) != "null" {
			p.SubshellID = string(id.Subshell)
		}
	}
	*h = Header(p)
	return err
}

// Date writes a time as messages do: ISO 8601 in UTC with microseconds. Python's clients take more digits for no date at all.
func Date(t time.Time) string { return t.UTC().Format(dateLayout) }

// Time returns the header's date. Clients write it in several forms of ISO 8601; what cannot be read is the zero time.
func (h Header) Time() time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, h.Date); err == nil {
			return t
		}
	}
	return time.Time{}
}
