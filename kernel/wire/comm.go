package wire

import "encoding/json"

// A CommOpen opens a comm, in either direction. Buffers follow the message. It has no reply.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#opening-a-comm
type CommOpen struct {
	CommID       string          `json:"comm_id"`
	TargetName   string          `json:"target_name"`
	TargetModule string          `json:"target_module,omitempty"` // where a kernel in Python may import the target from
	Data         json.RawMessage `json:"data"`                    // any JSON; {} when nil
}

// MessageType returns "comm_open".
func (CommOpen) MessageType() string { return "comm_open" }

// MarshalJSON writes data as {} when it is nil.
func (c CommOpen) MarshalJSON() ([]byte, error) {
	type plain CommOpen
	c.Data = orEmpty(c.Data)
	return encodeJSON(plain(c))
}

// A CommMsg is a message on an open comm, in either direction.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#comm-messages
type CommMsg struct {
	CommID string          `json:"comm_id"`
	Data   json.RawMessage `json:"data"` // any JSON; {} when nil
}

// MessageType returns "comm_msg".
func (CommMsg) MessageType() string { return "comm_msg" }

// MarshalJSON writes data as {} when it is nil.
func (c CommMsg) MarshalJSON() ([]byte, error) {
	type plain CommMsg
	c.Data = orEmpty(c.Data)
	return encodeJSON(plain(c))
}

// A CommClose ends a comm, in either direction; also the answer to a comm_open for an unknown target.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#tearing-down-comms
type CommClose struct {
	CommID string          `json:"comm_id"`
	Data   json.RawMessage `json:"data"` // any JSON; {} when nil
}

// MessageType returns "comm_close".
func (CommClose) MessageType() string { return "comm_close" }

// MarshalJSON writes data as {} when it is nil.
func (c CommClose) MarshalJSON() ([]byte, error) {
	type plain CommClose
	c.Data = orEmpty(c.Data)
	return encodeJSON(plain(c))
}

// A CommInfoRequest asks for the open comms; sent when a page loads.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#comm-info
type CommInfoRequest struct {
	TargetName string `json:"target_name"` // only comms of this target; empty for all
}

// MessageType returns "comm_info_request".
func (CommInfoRequest) MessageType() string { return "comm_info_request" }

// A CommInfoReply lists comms by id.
type CommInfoReply struct {
	Status Status
	Comms  map[string]CommInfo
}

// MessageType returns "comm_info_reply".
func (CommInfoReply) MessageType() string { return "comm_info_reply" }

// MarshalJSON writes comms as an object, never null.
func (r CommInfoReply) MarshalJSON() ([]byte, error) {
	comms := r.Comms
	if comms == nil {
		comms = map[string]CommInfo{}
	}
	return encodeJSON(struct {
		Status Status              `json:"status"`
		Comms  map[string]CommInfo `json:"comms"`
	}{r.Status, comms})
}

// A CommInfo describes an open comm.
type CommInfo struct {
	TargetName string `json:"target_name"`
}
