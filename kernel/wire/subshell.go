package wire

// A CreateSubshellRequest starts another line of execution (JEP 91); only for kernels that claim "kernel subshells".
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#create-subshell
type CreateSubshellRequest struct{}

// MessageType returns "create_subshell_request".
func (CreateSubshellRequest) MessageType() string { return "create_subshell_request" }

// A CreateSubshellReply names the new subshell.
type CreateSubshellReply struct {
	Status     Status `json:"status"`
	SubshellID string `json:"subshell_id"`
}

// MessageType returns "create_subshell_reply".
func (CreateSubshellReply) MessageType() string { return "create_subshell_reply" }

// A DeleteSubshellRequest ends a subshell.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#delete-subshell
type DeleteSubshellRequest struct {
	SubshellID string `json:"subshell_id"`
}

// MessageType returns "delete_subshell_request".
func (DeleteSubshellRequest) MessageType() string { return "delete_subshell_request" }

// A DeleteSubshellReply answers it.
type DeleteSubshellReply struct {
	Status Status `json:"status"`
}

// MessageType returns "delete_subshell_reply".
func (DeleteSubshellReply) MessageType() string { return "delete_subshell_reply" }

// A ListSubshellRequest asks for the subshells.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#list-subshells
type ListSubshellRequest struct{}

// MessageType returns "list_subshell_request".
func (ListSubshellRequest) MessageType() string { return "list_subshell_request" }

// A ListSubshellReply lists them, the main shell not among them. The key is singular, its value a list.
type ListSubshellReply struct {
	Status     Status       `json:"status"`
	SubshellID List[string] `json:"subshell_id"`
}

// MessageType returns "list_subshell_reply".
func (ListSubshellReply) MessageType() string { return "list_subshell_reply" }
