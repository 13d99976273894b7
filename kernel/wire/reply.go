package wire

// A Status says how a request ended; the zero value is "ok" on the wire.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#request-reply
type Status string

// The statuses of a reply. ipykernel and its clients use "aborted" for requests dropped behind a failed one, although
// the specification prefers "error" since 5.1.
const (
	OK      Status = "ok"
	Failed  Status = "error"
	Aborted Status = "aborted"
)

// MarshalJSON writes the status, "ok" for the zero value.
func (s Status) MarshalJSON() ([]byte, error) {
	if s == "" {
		s = OK
	}
	return encodeJSON(string(s))
}

// A Failure is why a request failed. It is embedded by pointer in replies: nil leaves its fields out.
type Failure struct {
	Ename     string       `json:"ename"`     // the error's kind
	Evalue    string       `json:"evalue"`    // the error's text
	Traceback List[string] `json:"traceback"` // lines to show, may hold ANSI colours
}

// An ErrorReply answers any request that failed, in place of its own reply.
type ErrorReply struct {
	// Type is the reply's message type, such as "complete_reply".
	Type   string `json:"-"`
	Status Status `json:"status"` // set it to Failed
	Failure
}

// MessageType returns r.Type.
func (r ErrorReply) MessageType() string { return r.Type }

// NewErrorReply returns a reply of type replyType with status "error".
func NewErrorReply(replyType string, f Failure) ErrorReply {
	return ErrorReply{Type: replyType, Status: Failed, Failure: f}
}

// An AbortedReply answers a request that is not run because an earlier one failed.
type AbortedReply struct {
	// Type is the reply's message type, such as "execute_reply".
	Type   string `json:"-"`
	Status Status `json:"status"` // set it to Aborted
}

// MessageType returns r.Type.
func (r AbortedReply) MessageType() string { return r.Type }

// NewAbortedReply returns a reply of type replyType with status "aborted".
func NewAbortedReply(replyType string) AbortedReply {
	return AbortedReply{Type: replyType, Status: Aborted}
}
