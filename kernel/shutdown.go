package kernel

import (
	"context"

	"orthant/kernel/wire"
)

// shutdownRequest ends the kernel. The reply goes out before anything ends, also to all subscribers of IOPub; the process
// ends once the request is idle. For a restart too: the manager starts the next process.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-shutdown
func (k *kernel) shutdownRequest(_ context.Context, r *request) (wire.Content, error) {
	var in wire.ShutdownRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	reply := wire.ShutdownReply{Status: wire.OK, Restart: in.Restart}
	r.afterwards = func() { k.stop(nil) }
	return reply, k.pub.publish(r.Message, reply)
}
