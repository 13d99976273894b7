package kernel

import (
	"context"
	"sync"

	"orthant/kernel/wire"
)

// interruptRequest interrupts the cell that runs. The reply does not wait for the cell to end.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-interrupt
func (k *kernel) interruptRequest(context.Context, *request) (wire.Content, error) {
	k.running.interrupt()
	return wire.InterruptReply{Status: wire.OK}, nil
}

// running is the cell that runs, for those who may interrupt it. The zero value says that none does.
type running struct {
	mu   sync.Mutex
	cell *interruptible // nil when no cell runs
}

// An interruptible is one run of a cell.
type interruptible struct {
	// ctx is the cell's context. It has no parent and is cancelled by an interrupt only: goroutines which the cell
	// started may go on with it after the cell has ended.
	ctx    context.Context
	cancel context.CancelFunc
}

// begin says that a cell runs.
func (r *running) begin() *interruptible {
	ctx, cancel := context.WithCancel(context.Background())
	cell := &interruptible{ctx, cancel}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cell = cell
	return cell
}

// end says that the cell has ended.
func (r *running) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cell = nil
}

// interrupt cancels the context of the cell that runs. It does nothing when none does: a late interrupt must not hit the
// next cell.
func (r *running) interrupt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cell != nil {
		r.cell.cancel()
	}
}
