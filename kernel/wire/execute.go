package wire

import "encoding/json"

// An ExecuteRequest asks to run code.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#execute
type ExecuteRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`                     // default false
	StoreHistory    bool              `json:"store_history"`              // default true; always false when Silent
	UserExpressions map[string]string `json:"user_expressions,omitempty"` // name -> expression
	AllowStdin      bool              `json:"allow_stdin"`                // default false
	StopOnError     bool              `json:"stop_on_error"`              // default true
}

// MessageType returns "execute_request".
func (ExecuteRequest) MessageType() string { return "execute_request" }

// UnmarshalJSON decodes a request with its defaults.
func (r *ExecuteRequest) UnmarshalJSON(data []byte) error {
	type plain ExecuteRequest
	p := plain{StoreHistory: true, StopOnError: true}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	p.StoreHistory = p.StoreHistory && !p.Silent
	*r = ExecuteRequest(p)
	return nil
}

// An ExecuteReply says how an execution ended.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#execution-results
type ExecuteReply struct {
	Status          Status                `json:"status"`
	ExecutionCount  int                   `json:"execution_count"`
	Payload         List[Payload]         `json:"payload"`
	UserExpressions map[string]Expression `json:"user_expressions"`
	*Failure                              // nil unless Status is Failed
}

// MessageType returns "execute_reply".
func (ExecuteReply) MessageType() string { return "execute_reply" }

// MarshalJSON writes user_expressions as an object, never null.
func (r ExecuteReply) MarshalJSON() ([]byte, error) {
	type plain ExecuteReply
	if r.UserExpressions == nil {
		r.UserExpressions = map[string]Expression{}
	}
	return encodeJSON(plain(r))
}

// An Expression is the result of one user expression: data, or a failure.
type Expression struct {
	Data     MIMEBundle
	Metadata Object
	*Failure // nil when the expression succeeded
}

// MarshalJSON writes {status: ok, data, metadata} or {status: error, ename, evalue, traceback}.
func (e Expression) MarshalJSON() ([]byte, error) {
	if e.Failure != nil {
		return encodeJSON(struct {
			Status Status `json:"status"`
			*Failure
		}{Failed, e.Failure})
	}
	return encodeJSON(struct {
		Status   Status     `json:"status"`
		Data     MIMEBundle `json:"data"`
		Metadata Object     `json:"metadata"`
	}{OK, e.Data, e.Metadata})
}

// A Payload asks the front end for something (deprecated by the specification, still used).
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#payloads-deprecated
type Payload struct {
	Source string // "page", "set_next_input", "edit_magic" or "ask_exit"

	Data  MIMEBundle // page: what to show
	Start int        // page: first line to show

	Text    string // set_next_input: the code
	Replace bool   // set_next_input: in place of the current cell's

	Filename   string // edit_magic
	LineNumber int    // edit_magic

	KeepKernel bool // ask_exit
}

// MarshalJSON writes the fields that belong to the payload's source.
func (p Payload) MarshalJSON() ([]byte, error) {
	fields := Object{"source": p.Source}
	switch p.Source {
	case "page":
		fields["data"], fields["start"] = p.Data, p.Start
	case "set_next_input":
		fields["text"], fields["replace"] = p.Text, p.Replace
	case "edit_magic":
		fields["filename"], fields["line_number"] = p.Filename, p.LineNumber
	case "ask_exit":
		fields["keepkernel"] = p.KeepKernel
	}
	return encodeJSON(fields)
}

// An ExecuteInput tells all clients what is about to run, right after busy.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#code-inputs
type ExecuteInput struct {
	Code           string `json:"code"`
	ExecutionCount int    `json:"execution_count"`
}

// MessageType returns "execute_input".
func (ExecuteInput) MessageType() string { return "execute_input" }

// An ExecuteResult is the value of a cell.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#id6
type ExecuteResult struct {
	ExecutionCount int        `json:"execution_count"`
	Data           MIMEBundle `json:"data"`
	Metadata       Object     `json:"metadata"`
	Transient      *Transient `json:"transient,omitempty"`
}

// MessageType returns "execute_result".
func (ExecuteResult) MessageType() string { return "execute_result" }

// An Error tells all clients that an execution failed.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#execution-errors
type Error struct{ Failure }

// MessageType returns "error".
func (Error) MessageType() string { return "error" }
