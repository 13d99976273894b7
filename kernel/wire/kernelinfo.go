package wire

// A KernelInfoRequest asks what the kernel is; the first request of every client, on shell or control (JEP 80).
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-info
type KernelInfoRequest struct{}

// MessageType returns "kernel_info_request".
func (KernelInfoRequest) MessageType() string { return "kernel_info_request" }

// A KernelInfoReply describes the kernel.
type KernelInfoReply struct {
	Status                Status       `json:"status"`
	ProtocolVersion       string       `json:"protocol_version"` // see ProtocolVersion
	Implementation        string       `json:"implementation"`
	ImplementationVersion string       `json:"implementation_version"`
	LanguageInfo          LanguageInfo `json:"language_info"`
	Banner                string       `json:"banner"`
	HelpLinks             List[Link]   `json:"help_links"`
	SupportedFeatures     List[string] `json:"supported_features"` // "kernel subshells", "debugger" (JEP 92)
	Debugger              bool         `json:"debugger"`           // deprecated by SupportedFeatures
}

// MessageType returns "kernel_info_reply".
func (KernelInfoReply) MessageType() string { return "kernel_info_reply" }

// LanguageInfo describes the language of the cells; front ends choose the highlighter and file names by it.
type LanguageInfo struct {
	Name              string `json:"name"`
	Version           string `json:"version"`
	MIMEType          string `json:"mimetype"`
	FileExtension     string `json:"file_extension"` // with the dot
	PygmentsLexer     string `json:"pygments_lexer,omitempty"`
	CodemirrorMode    string `json:"codemirror_mode,omitempty"`
	NBConvertExporter string `json:"nbconvert_exporter,omitempty"`
}

// A Link is an entry of the front end's help menu.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// A ConnectRequest asks for the ports (deprecated).
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#connect
type ConnectRequest struct{}

// MessageType returns "connect_request".
func (ConnectRequest) MessageType() string { return "connect_request" }

// A ConnectReply lists the ports.
type ConnectReply struct {
	Status      Status `json:"status"`
	ShellPort   int    `json:"shell_port"`
	IOPubPort   int    `json:"iopub_port"`
	StdinPort   int    `json:"stdin_port"`
	HBPort      int    `json:"hb_port"`
	ControlPort int    `json:"control_port"`
}

// MessageType returns "connect_reply".
func (ConnectReply) MessageType() string { return "connect_reply" }
