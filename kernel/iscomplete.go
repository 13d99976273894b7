package kernel

import (
	"context"

	"orthant/kernel/magic"
	"orthant/kernel/session"
	"orthant/kernel/wire"
)

// isCompleteRequest answers whether the code is a whole cell, so that a terminal can run it on Enter.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#code-completeness
func (k *kernel) isCompleteRequest(_ context.Context, r *request) (wire.Content, error) {
	var in wire.IsCompleteRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	status, indent := k.isComplete(in.Code)
	reply := wire.IsCompleteReply{Status: string(status)}
	if status == session.Incomplete {
		reply.Indent = &indent
	}
	return reply, nil
}

// isComplete does not wait for the session to be open: a terminal that has had no answer for a second asks no more (jupyter_console).
func (k *kernel) isComplete(code string) (status session.Status, indent string) {
	select {
	case <-k.opened:
		if k.opening == nil {
			return k.interprets.IsComplete(code)
		}
	default:
	}
	return magic.IsComplete(code)
}
