package session

import (
	"context"
	"fmt"

	"orthant/stdlib/display"
)

var (
	_ display.Asker    = (*run)(nil)
	_ display.Payloads = (*run)(nil)
)

// Ask asks whoever takes the cell's output, after all of that. The wait ends with the cell, or when it is interrupted: a front
// end shows a question beneath the running cell, and has no place for one of a cell that has ended.
func (r *run) Ask(ctx context.Context, prompt string, password bool) (string, error) {
	asker, ok := r.out.Sink.(display.Asker)
	if !ok {
		return "", fmt.Errorf("%w: nobody can be asked here", display.ErrNoInput)
	}
	if r.hasEnded() {
		return "", fmt.Errorf("%w: %s has ended", display.ErrNoInput, r.name)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	defer stop()
	r.session.streams.drain()
	defer r.await()
	return asker.Ask(ctx, prompt, password)
}

// Page hands on what the pager is to show. Where there is none it is an output like others.
func (r *run) Page(b display.Bundle, start int) {
	if p, ok := r.out.Sink.(display.Payloads); ok {
		p.Page(b, start)
		return
	}
	r.Display(b)
}

// SetNextInput hands on what the next cell is to hold.
func (r *run) SetNextInput(text string, replace bool) {
	if p, ok := r.out.Sink.(display.Payloads); ok {
		p.SetNextInput(text, replace)
	}
}

// hasEnded reports whether the cell has ended; its goroutines may go on.
func (r *run) hasEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}
