package wire

// A Channel names one of the five sockets between a client and a kernel.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#introduction
type Channel string

// The five channels, in the order in which a kernel binds them.
const (
	Shell     Channel = "shell"   // requests, answered one at a time and in order
	Control   Channel = "control" // requests that must not wait for the shell
	Stdin     Channel = "stdin"   // the kernel asks, the client answers
	IOPub     Channel = "iopub"   // what everybody sees: output and status
	Heartbeat Channel = "hb"      // bytes that come back as they were sent
)

// Channels returns the five channels in the order in which a kernel binds them.
func Channels() []Channel { return []Channel{Shell, Control, Stdin, IOPub, Heartbeat} }
