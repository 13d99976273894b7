package transport

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-zeromq/zmq4"
)

// registrationTimeout is how long a launcher may take to acknowledge a registration; JEP 66 leaves the time to kernels.
const registrationTimeout = 10 * time.Second

// Register tells the launcher where the transport listens (JEP 66) and waits for its acknowledgement, at most for 10 s and
// until ctx is done. The connection is closed then: the launcher may close its socket. Without an acknowledgement no
// client will ever come, and the kernel should end.
func (t *Transport) Register(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, registrationTimeout)
	defer cancel()
	network, address := t.info.Registration.Address()
	err := t.register(ctx, network, address)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("the launcher does not acknowledge")
	}
	if err != nil {
		return fmt.Errorf("transport: registration at %s: %w", address, err)
	}
	return nil
}

func (t *Transport) register(ctx context.Context, network, address string) error {
	frames, err := t.codec.EncodeRegistration(t.info)
	if err != nil {
		return err
	}
	launcher, err := connect(ctx, network, address, zmq4.Dealer)
	if err != nil {
		return err
	}
	defer launcher.Close() // all that was to be said has been acknowledged, or there is an error already
	if err := launcher.Send(ctx, frames); err != nil {
		return err
	}
	for {
		answer, err := launcher.Receive(ctx)
		if err != nil {
			return err
		}
		err = t.codec.CheckAcknowledgement(answer)
		if err == nil {
			return nil
		}
		// As on every channel, what is not signed by the launcher is nobody's word.
		t.opts.Logger.Warn("message dropped", "from", address, "error", err)
	}
}
