// Package transport moves Jupyter messages between a kernel and its clients: five ZeroMQ sockets that stay up
// whatever the other side does.
//
// It stands on the ZMTP layer of zmq4 (Open and Conn: greeting, handshake, frames) and has its own sockets above it,
// because those of zmq4 v0.17.0 can be locked by one idle connection, killed by one malformed frame, and blocked or
// made to lose messages by one slow client. Here every connection has its own goroutines, its own guard in front of
// zmq4 and its own queue; what a client does wrong costs that client its connection and nobody else anything.
//
// It checks signatures (package wire) and drops and logs what is malformed, but gives no meaning to messages.
//
// The main types: [Transport] is the five sockets; [Request] is one message that came in, with the way back.
//
//	t, err := transport.Listen(info, transport.Options{Sender: sender})
//	defer t.Close(context.Background())
//	for {
//		req, err := t.Receive(ctx, wire.Shell)
//		if err != nil {
//			return err // ctx is done, or the transport is closed
//		}
//		t.Publish(ctx, "status", busy)
//		t.Reply(req, reply)
//		t.Publish(ctx, "status", idle)
//	}
//
// # What is promised
//
//   - A reply goes to the connection its request came from, with the identities that were in front of it, unchanged.
//   - All subscribers see published messages in one order, the order in which Publish returned or would have.
//   - No message to a client is ever left out from the middle: a client gets all of them, or loses its connection.
//   - A subscriber that does not read holds up others for at most Options.StallTimeout, once, and only after
//     Options.QueueBytes wait for it; then its connection is closed. ZeroMQ clients reconnect and subscribe again by
//     themselves. A subscriber that reads slowly is waited for.
//   - A client that does not take its replies is not asked for more requests; nobody else waits for it.
//   - No queue grows beyond four times Options.QueueBytes: then the connection is closed.
//   - The heartbeat depends on nothing else in the process.
//   - Close hands over what is queued (within Options.Linger) and leaves no goroutine behind.
package transport
