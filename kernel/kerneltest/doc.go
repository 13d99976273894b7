// Package kerneltest helps to test a Jupyter kernel from outside. It is used by tests only.
//
// [Client] is a strict client over real sockets: it checks the shape of every message that comes, against its own
// table of the specification, and their order (busy first, idle last, at most one result, parents byte for byte), and
// fails the test at the first that is wrong. [Exchange] is one request with all that came of it, printable as a
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
// [Python] is an environment with Jupyter's own clients, for tests that let those talk to the kernel.
//
// The package knows package wire and not package kernel, whose tests use it.
package kerneltest
