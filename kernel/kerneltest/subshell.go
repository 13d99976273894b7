package kerneltest

import "orthant/kernel/wire"

// A Subshell sends requests to one of the kernel's subshells (JEP 91). Otherwise they are as a client's own.
type Subshell struct {
	ID     string
	client *Client
}

// CreateSubshell has the kernel make a subshell.
func (c *Client) CreateSubshell() Subshell {
	c.t.Helper()
	var reply wire.CreateSubshellReply
	c.Control(wire.CreateSubshellRequest{}).Decode(&reply)
	if reply.Status != wire.OK {
		c.t.Fatalf("create_subshell_reply is %q", reply.Status)
	}
	return c.Subshell(reply.SubshellID)
}

// Subshell returns the subshell of an id, which need not be one that the kernel knows.
func (c *Client) Subshell(id string) Subshell { return Subshell{ID: id, client: c} }

// Message returns a request for the subshell, as Client.Message.
func (s Subshell) Message(content wire.Content) *wire.Message {
	s.client.t.Helper()
	m := s.client.Message(content)
	if err := m.SetSubshell(s.ID); err != nil {
		s.client.t.Fatal(err)
	}
	return m
}

// Send sends a request on shell and returns without waiting for its answer.
func (s Subshell) Send(content wire.Content) *Exchange {
	s.client.t.Helper()
	return s.client.SendMessage(wire.Shell, s.Message(content))
}

// Shell sends a request on shell and waits until it is answered.
func (s Subshell) Shell(content wire.Content) *Exchange {
	s.client.t.Helper()
	return s.Send(content).Wait()
}

// Execute runs a cell and waits until it is answered.
func (s Subshell) Execute(code string) *Exchange {
	s.client.t.Helper()
	return s.Shell(Request(code))
}
