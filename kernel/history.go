package kernel

import (
	"context"
	"fmt"
	"time"

	"orthant/kernel/history"
	"orthant/kernel/wire"
	"orthant/stdlib/display"
)

// tailDefault is how many entries a request for the tail gets that does not say how many: as from ipykernel.
const tailDefault = 10

// historyRequest answers with earlier inputs, oldest first. Package history says what is found. Inputs are kept as typed, so
// raw makes no difference.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#history
func (k *kernel) historyRequest(_ context.Context, r *request) (wire.Content, error) {
	var in wire.HistoryRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	found, err := k.findHistory(in)
	if err != nil {
		return nil, err
	}
	reply := wire.HistoryReply{Status: wire.OK}
	for _, e := range found {
		reply.History = append(reply.History, wire.HistoryEntry{
			Session: e.Session, Line: e.Line, Input: e.Input, WithOutput: in.Output, Output: e.Output,
		})
	}
	return reply, nil
}

// findHistory returns the entries that a request asks for.
func (k *kernel) findHistory(in wire.HistoryRequest) ([]history.Entry, error) {
	switch in.HistAccessType {
	case "tail":
		if in.N < 0 {
			in.N = tailDefault
		}
		return k.history.Tail(in.N)
	case "range":
		return k.history.Range(in.Session, in.Start, in.Stop)
	case "search":
		if in.Pattern == "" {
			in.Pattern = "*" // IPython's default; ipykernel finds nothing without a pattern
		}
		return k.history.Search(in.Pattern, max(in.N, history.All), in.Unique)
	}
	return nil, fmt.Errorf("kernel: history_request: hist_access_type is %q, want range, tail or search", in.HistAccessType)
}

// historyEndTime bounds the end of the history, which has written nearly everything long before.
const historyEndTime = 300 * time.Millisecond

// closeHistory writes what is left of the history, beside what closes meanwhile. The channel is closed when that is done.
func (k *kernel) closeHistory() <-chan struct{} {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		ctx, cancel := context.WithTimeout(context.Background(), historyEndTime)
		defer cancel()
		if err := k.history.Close(ctx); err != nil {
			k.log.Warn("cannot close the history", "error", err)
		}
	}()
	return closed
}

// keep hands a cell to the history before it runs, since it may end the process; it does not wait for the disk. The function that
// it returns is to be called at the cell's end and adds the text of the result, if there is one.
func (k *kernel) keep(run cellRun) func(result *display.Bundle) {
	at := k.history.Add(run.number, run.in.Code)
	return func(result *display.Bundle) {
		var output *string
		if result != nil {
			if text, ok := result.Data["text/plain"].(string); ok {
				output = &text
			}
		}
		k.history.End(at, output)
	}
}
