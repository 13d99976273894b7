package wire

// An InputRequest asks the client's user for a line.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#messages-on-the-stdin-router-dealer-channel
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"` // do not echo
}

// MessageType returns "input_request".
func (InputRequest) MessageType() string { return "input_request" }

// An InputReply is the line, without a line end.
type InputReply struct {
	Status Status `json:"status"`
	Value  string `json:"value"`
}

// MessageType returns "input_reply".
func (InputReply) MessageType() string { return "input_reply" }

// EndOfFile is the Value by which a client says that there is no more input, as ipykernel takes it.
const EndOfFile = "\x04"
