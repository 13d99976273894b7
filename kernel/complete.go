package kernel

import (
	"context"

	"orthant/kernel/wire"
)

// completionTypes names the session's kinds of matches as JupyterLab and IPython know them: the five for which JupyterLab keeps a
// colour each, whatever the language.
//
// https://github.com/jupyterlab/jupyterlab/blob/main/packages/completer/src/model.ts (KNOWN_TYPES)
var completionTypes = map[string]string{
	"function": "function",
	"method":   "function",
	"variable": "instance",
	"constant": "instance",
	"field":    "instance",
	"type":     "class",
	"package":  "module",
	"keyword":  "keyword",
	"label":    "keyword",
}

// completeRequest answers with the texts that may stand at the cursor. The session counts in bytes, the protocol in code
// points.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#completion
func (k *kernel) completeRequest(ctx context.Context, r *request) (wire.Content, error) {
	var in wire.CompleteRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	s, err := k.session(ctx)
	if err != nil {
		return nil, err
	}
	found := s.Complete(in.Code, wire.ByteOffset(in.Code, in.CursorPos))
	reply := wire.CompleteReply{
		Status:      wire.OK,
		CursorStart: wire.CodePoints(in.Code, found.Start),
		CursorEnd:   wire.CodePoints(in.Code, found.End),
	}
	for _, m := range found.Matches {
		reply.Matches = append(reply.Matches, m.Text)
		reply.Metadata.Types = append(reply.Metadata.Types, wire.CompletionType{
			Start: reply.CursorStart, End: reply.CursorEnd, Text: m.Text, Type: completionTypes[m.Kind], Signature: m.Signature,
		})
	}
	return reply, nil
}
