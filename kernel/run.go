package kernel

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"orthant/kernel/history"
	"orthant/kernel/magic"
	"orthant/kernel/session"
	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// Options are a kernel's settings.
type Options struct {
	// Version is the implementation's version in kernel_info_reply.
	Version string
	// Logger is told what goes wrong outside of cells. Nil discards.
	Logger *slog.Logger
	// Stderr, from OwnStderr, lets Run take the process's descriptors 1 and 2 for the cells while it runs: what compiled code
	// writes there is output of the cell that runs. The runtime's last words go to Stderr. Nil leaves the descriptors alone.
	Stderr *os.File

	history *history.Store // nil keeps the history in memory
}

// Run serves the session of one kernel process, where the connection file says, until a client shuts it down, SIGTERM
// comes, the parent process ends (JPY_PARENT_PID) or ctx is done; all of these are a good end and return nil. SIGINT
// interrupts the running cell. The error says why the kernel could not start: a bad connection file, a port that stays
// in use, a session that cannot be opened.
//
// It belongs to a process of its own: it takes the signals, standard input and, if so asked, standard output and error, and
// in the end it ends the processes that cells have started and those that these have started, but for those that left its
// process group, on Windows its job.
func Run(ctx context.Context, connectionFile string, opts Options) error {
	return run(ctx, connectionFile, opts, openSession)
}

// run is Run with any session.
func run(ctx context.Context, connectionFile string, opts Options, openOn func(*history.Store) (interpreter, error)) error {
	signals := notify() // first: an early SIGINT must not end the process
	defer signal.Stop(signals)
	starting, started := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP) // until handleSignals acts on them
	defer started()
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	info, err := wire.ReadConnectionFile(connectionFile)
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if err := closeStdin(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	sender := wire.NewSender(implementation)
	t, err := transport.Listen(info, transport.Options{Sender: sender, Logger: opts.Logger})
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if info.Registration != (wire.Registration{}) {
		err := register(starting, t, connectionFile, opts.Logger)
		switch {
		case err != nil && starting.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("kernel: %w", err)
		}
	}
	opts.history = history.OpenUser(opts.Logger)
	crash, lastWords := openCrashFile(connectionFile, opts.Logger, opts.Stderr)
	defer crash.close()
	open, release := captureFor(func() (interpreter, error) { return openOn(opts.history) }, crash, opts)
	defer release()
	k := newKernel(t, sender, opts, crash.follow(open))
	k.lastWords.set(lastWords)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := adoptChildren(); err != nil {
		k.log.Warn("processes that cells start may outlive the kernel", "error", err)
	}
	go k.handleSignals(ctx, signals)
	go func() {
		if err := watchInterrupts(ctx, k.interrupt); err != nil {
			k.log.Warn("cannot wait for interrupts", "error", err)
		}
	}()
	go watchParent(ctx, func() {
		k.log.Info("the parent process has ended")
		k.stop(nil)
	})
	err = k.serve(ctx)
	if err := endChildren(); err != nil {
		k.log.Warn("cannot end the processes that cells have started", "error", err)
	}
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	return nil
}

// captureFor captures descriptors 1 and 2, if that is asked for, for the session that open opens, until release is called.
func captureFor(open func() (interpreter, error), crash *crashFile, opts Options) (_ func() (interpreter, error), release func()) {
	if opts.Stderr == nil {
		return open, func() {}
	}
	c, err := startCapture(crash)
	if err != nil {
		opts.Logger.Warn("what compiled code writes will not be shown in cells", "error", err)
		return open, func() {}
	}
	capturing := func() (interpreter, error) {
		s, err := open()
		if collects, ok := s.(interface {
			Collect(func() (stdout, stderr string))
		}); ok && err == nil {
			collects.Collect(c.take)
		}
		return s, err
	}
	return capturing, func() {
		if err := c.end(); err != nil {
			opts.Logger.Warn("cannot give standard output and error back", "error", err)
		}
	}
}

// openSession opens a session with magics, for which cells has those of earlier sessions.
func openSession(cells *history.Store) (interpreter, error) {
	s, err := session.New()
	if err != nil {
		return nil, err // not s: a nil *Session in an interface is not nil
	}
	return magic.New(s, magic.Options{Earlier: earlierCells{cells}}), nil
}

// closeStdin lets compiled code and programs that cells start find the end of their input at once. A kernel's stdin is a pipe
// that nobody writes to: who reads it would hang for ever. What cells read as os.Stdin is the session's.
//
// The variable os.Stdin is left as it is: the file that it holds would close descriptor 0 when it is garbage, and the next client's
// connection would be there.
func closeStdin() error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	return redirect(0, null)
}
