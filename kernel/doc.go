// Package kernel is a Jupyter kernel for Go: a connection file and messages in, replies and outputs out. [Run] is all of
// it that others call.
//
//	err := kernel.Run(ctx, "/run/user/1000/jupyter/kernel-1.json", kernel.Options{Version: "0.1.0"})
//
// It gives messages their meaning and leaves the rest to the packages below: transport has the sockets, wire the bytes,
// session the language, magic the lines that are not Go, history the cells of earlier days. It has one file for each family of
// messages, named by the specification's word (execute.go, complete.go, inspect.go, …), one table of handlers (dispatch.go), and
// one goroutine that owns IOPub (iopub.go). It does not know what a cell means, and nothing below it knows Jupyter.
//
// # One execute_request, from the socket and back
//
// A front end sends an execute_request on the shell channel. Package transport reads its frames, has package wire check the
// signature, and puts it in the shell's queue with a number. A message that is malformed or wrongly signed ends there, with
// a line in the log.
//
// routeShell (subshell.go) takes requests from that queue and gives each to the shell that its header names: the main shell or
// a subshell, each with a queue, a goroutine and a counter of its own (shell.go), but one session. The shell answers them one at
// a time; serveControl does the same with the control channel's, in a goroutine of its own, so that an interrupt or a shutdown
// never waits for a cell. Both hand the request and its handler, looked up in the table, to dispatch (dispatch.go).
//
// dispatch publishes busy and calls the handler under recover. Whatever happens there, it publishes idle at the end. The
// parent of everything published meanwhile is the request, whose header travels as the bytes that came.
//
// executeRequest (execute.go) takes the next number of its shell's counter, unless the request is not to be stored, and publishes
// execute_input. It makes the cell's context, which an interrupt cancels (interrupt.go), and its output (output.go), which
// is the display.Sink that the session writes to. Then the session checks, lowers and runs the cell, and returns a result
// or a reason why it failed.
//
// While the cell runs, its prints and displays come to the output, in the order in which the cell makes them, from any of
// its goroutines. The output appends them to the queue of the publisher (iopub.go). Text that follows text of the
// same stream (stream.go) is joined to it and waits up to 20 ms for more; any other message sends the text before it, so the order is
// kept and a loop that prints does not become a message a line. If clients take output more slowly than a cell makes it,
// the cell is held up, until an interrupt lets it go; nothing is dropped. Output of a goroutine that outlives its
// cell still has that cell's request as its parent.
//
// A cell that reads os.Stdin asks, by way of the output (stdin.go): the text before goes first, an input_request to the client
// that the request came from, and the answer comes back. What the cell sets for the front end to do goes with the reply
// (payload.go). What compiled code writes to descriptors 1 and 2 is read from files (capture.go) and joins the cell's text.
//
// The cell has ended. A value becomes an execute_result, a failure an error message, and the text of the value goes into the
// history, where the cell has been since before it ran (history.go). If it failed, the shell notes the number of the last
// request that has arrived: its execute requests up to that, which the user had queued before knowing of the failure, are
// answered with status aborted; later ones run, and so do those of other shells.
//
// The handler returns the content of the reply. dispatch waits until the publisher has sent what the cell has output, sends the
// reply on the connection that the request came from, and publishes idle. The shell takes the next request.
//
// # Comms
//
// A message of a comm waits in the shell's queue like a cell. comm.go asks the registry (stdlib/comm), which the kernel owns, what
// a cell wants to be called for it, and has the session run that function as it runs cells: with the message as parent of its
// output, under an interrupt's reach. Functions of cells find the registry through the sink of their run, which the output
// implements as comm.Host; what they say on comms goes into the publisher's queue with their other output, also in silent
// requests. Comms have no replies: a function that fails is reported on the standard error of its message.
//
// # Starting and ending
//
// Run binds the sockets first and opens the session in the background: kernel_info needs none, and a front end shows the
// kernel as ready when it is answered.
//
// A connection file with a registration_port names no ports: then the kernel takes free ones, tells its launcher, and ends
// if that does not acknowledge (register.go).
//
// A shutdown request is answered, on IOPub too, before anything ends. Then, as for SIGTERM or the end of the parent
// process, serve interrupts the running cells, closes the session, sends what has been published and closes the transport,
// each within a bound; all together take less than the 2.5 s after which a manager loses patience. A cell in
// native code that hears nothing ends with the process. Processes that cells have started, and those that these have started,
// are told to end and then made to (children_unix.go, children_windows.go).
//
// Some errors of the runtime end the process at once. A file in the user's cache keeps which statement runs and takes the
// runtime's last words, from which the next kernel of the session tells how this one ended (crash.go).
package kernel
