package wire

// A KernelStatus tells all clients what the kernel does: every request is framed by busy and idle.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-status
type KernelStatus struct {
	ExecutionState ExecutionState `json:"execution_state"`
}

// MessageType returns "status".
func (KernelStatus) MessageType() string { return "status" }

// An ExecutionState is what the kernel does.
type ExecutionState string

// The execution states; starting is published exactly once.
const (
	Starting ExecutionState = "starting"
	Busy     ExecutionState = "busy"
	Idle     ExecutionState = "idle"
)

// An IOPubWelcome tells a new subscriber that its subscription is in force, so that it will miss nothing from here on
// (JEP 65). It goes to that subscriber only.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#iopub-welcome-message
type IOPubWelcome struct {
	Subscription string `json:"subscription"`
}

// MessageType returns "iopub_welcome".
func (IOPubWelcome) MessageType() string { return "iopub_welcome" }

// A Stream is text that a cell printed.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#streams-stdout-stderr-etc
type Stream struct {
	Name string `json:"name"` // "stdout" or "stderr"
	Text string `json:"text"` // never empty, never ending within a UTF-8 sequence
}

// MessageType returns "stream".
func (Stream) MessageType() string { return "stream" }

// A DisplayData shows a value.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#display-data
type DisplayData struct {
	Data      MIMEBundle `json:"data"`
	Metadata  Object     `json:"metadata"` // hints by MIME type
	Transient Transient  `json:"transient"`
}

// MessageType returns "display_data".
func (DisplayData) MessageType() string { return "display_data" }

// An UpdateDisplayData replaces what displays with the same id show.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#update-display-data
type UpdateDisplayData struct {
	Data      MIMEBundle `json:"data"`
	Metadata  Object     `json:"metadata"`
	Transient Transient  `json:"transient"` // DisplayID is required
}

// MessageType returns "update_display_data".
func (UpdateDisplayData) MessageType() string { return "update_display_data" }

// A Transient is not stored in notebooks.
type Transient struct {
	DisplayID string `json:"display_id,omitempty"`
}

// A ClearOutput removes a cell's output: at once, or when the next output comes.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#clear-output
type ClearOutput struct {
	Wait bool `json:"wait"`
}

// MessageType returns "clear_output".
func (ClearOutput) MessageType() string { return "clear_output" }
