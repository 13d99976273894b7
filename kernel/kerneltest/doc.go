// Package kerneltest helps to test a Jupyter kernel from outside. It is used by tests only.
//
// [Client] is a strict client over real sockets. It checks every message that comes, those that answer other clients too:
// its bytes, header, channel and parent (strict.go), the shape of its content against a table of the specification of its
// own (shapes.go), its place among the others (order.go), and whether reply, request and what was published agree
// (agreement.go). It fails the test at the first that is wrong. [Exchange] is one request with all that came of it, printable as a
// transcript, one line a message, so that tests read as conversations:
//
//	c := kerneltest.Dial(t, info)
//	c.Execute("1 + 1").Want(
//		"busy",
//		"execute_input [1] 1 + 1",
//		"execute_result [1] 2",
//		"idle",
//		"execute_reply [1] ok",
//	)
//
// A client answers a cell's questions (Exchange.Answering), asks subshells ([Subshell]), sends buffers and messages made by
// hand, can have a twin of the same session, and can stop reading for a while (Client.Pause). [Watch] is a client that only
// notes what it would have refused, for kernels that ours is compared with.
//
// [Python] is an environment with Jupyter's own clients, for tests that let those talk to the kernel.
//
// The package knows package wire and not package kernel, whose tests use it.
package kerneltest
