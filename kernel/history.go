package kernel

import (
	"context"

	"orthant/kernel/wire"
)

// historyRequest answers with earlier inputs, oldest first.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#history
func (k *kernel) historyRequest(_ context.Context, r *request) (wire.Content, error) {
	var in wire.HistoryRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	var found []entry
	switch in.HistAccessType {
	case "tail":
		found = k.history.tail(in.N)
	case "range":
		found = k.history.lines(in.Session, in.Start, in.Stop)
	case "search":
		pattern := in.Pattern
		if pattern == "" {
			pattern = "*" // as in IPython
		}
		found = k.history.search(pattern, in.N, in.Unique)
	}
	reply := wire.HistoryReply{Status: wire.OK}
	for _, e := range found {
		reply.History = append(reply.History, wire.HistoryEntry{
			Session: e.session, Line: e.line, Input: e.input, WithOutput: in.Output, Output: e.output,
		})
	}
	return reply, nil
}
