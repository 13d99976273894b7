package kernel

import (
	"context"

	"orthant/kernel/session"
	"orthant/kernel/wire"
)

// isCompleteRequest answers whether the code is a whole cell, so that a terminal can run it on Enter.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#code-completeness
func (k *kernel) isCompleteRequest(ctx context.Context, r *request) (wire.Content, error) {
	var in wire.IsCompleteRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	s, err := k.session(ctx)
	if err != nil {
		return nil, err
	}
	status, indent := s.IsComplete(in.Code)
	reply := wire.IsCompleteReply{Status: string(status)}
	if status == session.Incomplete {
		reply.Indent = &indent
	}
	return reply, nil
}
