package kernel

import (
	"context"

	"orthant/kernel/wire"
)

// interruptRequest interrupts the cells that run, of all shells. The reply does not wait for them to end.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-interrupt
func (k *kernel) interruptRequest(context.Context, *request) (wire.Content, error) {
	k.interrupt()
	return wire.InterruptReply{Status: wire.OK}, nil
}

// interrupt interrupts the cells that run. It hits nothing that arrives later: an idle kernel goes on as if nothing had been.
func (k *kernel) interrupt() {
	arrived := k.transport.Arrived(wire.Shell)
	for _, sh := range k.shells.list() {
		sh.interrupt(arrived)
	}
}

// An interruptible is one run of a cell.
type interruptible struct {
	// ctx is the cell's context. It has no parent and is cancelled by an interrupt only: goroutines which the cell
	// started may go on with it after the cell has ended.
	ctx    context.Context
	cancel context.CancelFunc
}

// begin says that the cell of a request runs, of which transport's number is given. It returns nil where the request is to be
// aborted instead.
func (sh *shell) begin(seq uint64) *interruptible {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.deleted || seq <= sh.abortUntil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	sh.cell, sh.between = &interruptible{ctx, cancel}, false
	return sh.cell
}

// end says that the cell has ended.
func (sh *shell) end() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.cell, sh.between = nil, len(sh.waiting) > 0
}

// abort aborts the execute requests up to a number.
func (sh *shell) abort(arrived uint64) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.abortUntil = max(sh.abortUntil, arrived)
}

// interrupt cancels the context of the cell that runs, whose failure then aborts what is queued. Between two cells of a queue
// it aborts that at once, up to a number: nobody who interrupts wants the rest to run. A shell that was idle is not touched, also
// if a request has come while the interrupt was on its way.
func (sh *shell) interrupt(arrived uint64) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	switch {
	case sh.cell != nil:
		sh.cell.cancel()
	case sh.between:
		sh.abortUntil = max(sh.abortUntil, arrived)
	}
}
