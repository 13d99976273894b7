package transport_test

import (
	"context"
	"errors"
	"log"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// A kernel that answers every request on shell with the same reply, framed by busy and idle as clients expect.
func Example() {
	ctx := context.Background()
	info, err := wire.ReadConnectionFile("kernel-1.json")
	if err != nil {
		log.Fatal(err)
	}
	sender := wire.NewSender("example")
	t, err := transport.Listen(info, transport.Options{Sender: sender})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close(ctx)

	publish := func(parent *wire.Message, content wire.Content) error {
		m, err := sender.New(parent, content)
		if err != nil {
			return err
		}
		return t.Publish(ctx, content.MessageType(), m)
	}
	answer := func(req *transport.Request) error {
		reply, err := sender.New(req.Message, wire.KernelInfoReply{ProtocolVersion: wire.ProtocolVersion})
		if err != nil {
			return err
		}
		return errors.Join(
			publish(req.Message, wire.KernelStatus{ExecutionState: wire.Busy}),
			t.Reply(req, reply),
			publish(req.Message, wire.KernelStatus{ExecutionState: wire.Idle}),
		)
	}
	for {
		req, err := t.Receive(ctx, wire.Shell)
		if err != nil {
			return // closed
		}
		t.Release(req)
		if err := answer(req); err != nil {
			log.Print(err)
		}
	}
}
