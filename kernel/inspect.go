package kernel

import (
	"context"

	"orthant/kernel/wire"
)

// inspectRequest answers with what is known of the name at the cursor.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#introspection
func (k *kernel) inspectRequest(ctx context.Context, r *request) (wire.Content, error) {
	var in wire.InspectRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	s, err := k.session(ctx)
	if err != nil {
		return nil, err
	}
	bundle, found := s.Inspect(in.Code, wire.ByteOffset(in.Code, in.CursorPos), in.DetailLevel)
	if !found {
		return wire.InspectReply{Status: wire.OK}, nil
	}
	for _, mime := range in.OmitSections {
		if mime != "text/plain" { // which every reply has
			delete(bundle.Data, mime)
		}
	}
	data, err := wire.Bundle(bundle.Data)
	if err != nil {
		return nil, err
	}
	return wire.InspectReply{Status: wire.OK, Found: true, Data: data, Metadata: bundle.Metadata}, nil
}
