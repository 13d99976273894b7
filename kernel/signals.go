package kernel

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// notify catches the signals that handleSignals acts on, and SIGPIPE, because Go ends a process that writes to a closed
// stderr, which belongs to the server.
func notify() chan os.Signal {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	return signals
}

// handleSignals acts on the process's signals until ctx is done. Managers send SIGINT to the whole process group, also to
// an idle kernel and before a shutdown request: it interrupts the cells that run and does nothing else.
func (k *kernel) handleSignals(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-signals:
			switch s {
			case os.Interrupt:
				k.interrupt()
			case syscall.SIGTERM, syscall.SIGHUP:
				k.stop(nil)
			}
		}
	}
}
