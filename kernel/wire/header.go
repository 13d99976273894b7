package wire

import "time"

// ProtocolVersion is the version of the messaging specification that the messages of this package follow.
const ProtocolVersion = "5.5"

// dateLayout is ISO 8601 in UTC with microseconds, as Python clients write and parse it.
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

// Time returns the header's date. Clients write it in several forms of ISO 8601; what cannot be read is the zero time.
func (h Header) Time() time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, h.Date); err == nil {
			return t
		}
	}
	return time.Time{}
}
