package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
	"orthant/stdlib/display"
)

// questions asks the user of the client that an execute request came from, on the stdin channel.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#messages-on-the-stdin-router-dealer-channel
type questions struct {
	kernel  *kernel
	request *request
	allowed bool
	// turn holds a token while a question waits for its answer: a client shows one at a time, and its answer need not say
	// to which question.
	turn chan struct{}
}

// newQuestions returns the questions of a request; allowed is what its allow_stdin says.
func newQuestions(k *kernel, r *request, allowed bool) *questions {
	return &questions{kernel: k, request: r, allowed: allowed, turn: make(chan struct{}, 1)}
}

// ask is display.Asker's.
func (q *questions) ask(ctx context.Context, prompt string, password bool) (string, error) {
	if !q.allowed {
		return "", fmt.Errorf("%w: the front end takes no questions (allow_stdin is false)", display.ErrNoInput)
	}
	select {
	case q.turn <- struct{}{}:
		defer func() { <-q.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	m, err := q.kernel.sender.New(q.request.Message, wire.InputRequest{Prompt: prompt, Password: password})
	if err == nil {
		err = m.SetSubshell(q.request.Header.SubshellID)
	}
	if err != nil {
		return "", err
	}
	q.kernel.pub.flush(ctx) // the text before a question explains it
	reply, err := q.kernel.transport.Input(ctx, q.request.from, m)
	switch {
	case errors.Is(err, transport.ErrNoStdin), errors.Is(err, transport.ErrGone), errors.Is(err, transport.ErrClosed):
		return "", fmt.Errorf("%w: %w", display.ErrNoInput, err)
	case err != nil:
		return "", err
	}
	return q.answer(reply)
}

// answer returns what a reply says. One that says nothing that can be understood is an empty line, as it is to ipykernel: the
// user has answered, and asking again would not tell what was wrong.
func (q *questions) answer(m *wire.Message) (string, error) {
	var reply wire.InputReply
	if err := m.Unmarshal(&reply); err != nil {
		q.kernel.log.Warn("input_reply not understood", "error", err)
		return "", nil
	}
	if reply.Value == wire.EndOfFile {
		return "", io.EOF
	}
	return reply.Value, nil
}
