package kernel

import (
	"context"

	"orthant/kernel/wire"
)

// commInfoRequest answers with the open comms. There are none: nothing in this kernel opens one yet. Front ends ask when
// a page loads, and wait for the answer.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#comm-info
func (k *kernel) commInfoRequest(context.Context, *request) (wire.Content, error) {
	return wire.CommInfoReply{Status: wire.OK}, nil
}

// commOpen closes the comm that a front end opens, since no target is known. It has no reply.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#opening-a-comm
func (k *kernel) commOpen(_ context.Context, r *request) (wire.Content, error) {
	var in wire.CommOpen
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	k.log.Debug("comm for an unknown target", "target", in.TargetName, "comm", in.CommID)
	return nil, k.pub.publish(r.Message, wire.CommClose{CommID: in.CommID})
}

// commIgnored handles what comes for a comm that is not open: nothing. It has no reply.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#comm-messages
func (k *kernel) commIgnored(_ context.Context, r *request) (wire.Content, error) {
	k.log.Debug("message for an unknown comm", "type", r.Header.MsgType)
	return nil, nil
}
