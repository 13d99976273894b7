package magic

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"orthant/stdlib/display"
)

// How long the end of a command waits for what.
const (
	// politely is the time that an interrupted command has to end by itself, before it is killed. A kernel that is shut down waits
	// little longer.
	politely = 300 * time.Millisecond
	// quiet is how long nothing must have come from a command that has ended, for what holds its output open to be one that
	// it has left in the background.
	quiet = 100 * time.Millisecond
)

// jobs are the commands that run, and those that left something running. The zero value has none.
type jobs struct {
	mu  sync.Mutex
	all map[*job]bool
}

// A job is a command of the shell, and all that it starts.
type job struct {
	cmd   *exec.Cmd
	pipes [2]*os.File   // what the process writes to, at our end
	done  chan struct{} // closed when nobody can write any more
	moved atomic.Int64  // bytes that have come
}

// run runs a command until it has ended, and hands on what it writes. Output of what it leaves running comes later.
func (j *jobs) run(ctx context.Context, command string, out display.Sink) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b, err := start(command, out)
	if err != nil {
		return err
	}
	j.add(b)
	go func() {
		<-b.done
		j.remove(b)
	}()
	ended := make(chan error, 1)
	go func() { ended <- b.cmd.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = errors.Join(ctx.Err(), b.interrupt(ended))
	}
	b.settle(ctx)
	return err
}

// start starts a command. Its streams are pipes of our own: those of package exec would have Wait wait for whatever the command
// leaves running.
func start(command string, out display.Sink) (*job, error) {
	b := &job{cmd: shell(command), done: make(chan struct{})}
	var theirs [2]*os.File
	defer func() {
		for _, f := range theirs {
			if f != nil {
				f.Close() // the process has its own
			}
		}
	}()
	for i := range theirs {
		r, w, err := os.Pipe()
		if err != nil {
			b.closePipes()
			return nil, err
		}
		b.pipes[i], theirs[i] = r, w
	}
	b.cmd.Stdout, b.cmd.Stderr = theirs[0], theirs[1]
	if err := b.cmd.Start(); err != nil {
		b.closePipes()
		return nil, err
	}
	var readers sync.WaitGroup
	for i, stream := range []display.Stream{display.Stdout, display.Stderr} {
		readers.Go(func() { b.read(b.pipes[i], stream, out) })
	}
	go func() {
		readers.Wait()
		b.closePipes()
		close(b.done)
	}()
	return b, nil
}

// read hands on what comes until nobody can write any more. A sink takes characters in pieces.
func (b *job) read(r io.Reader, stream display.Stream, out display.Sink) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			b.moved.Add(int64(n))
			out.Text(stream, string(buf[:n]))
		}
		if err != nil {
			return // the end; nothing else is known of pipes
		}
	}
}

func (b *job) closePipes() {
	for _, f := range b.pipes {
		if f != nil {
			f.Close() // only read from
		}
	}
}

// interrupt ends a command: it asks, waits, and kills.
func (b *job) interrupt(ended <-chan error) error {
	ask(b.cmd.Process.Pid)
	timer := time.NewTimer(politely)
	defer timer.Stop()
	select {
	case err := <-ended:
		kill(b.cmd.Process.Pid) // what it has started and is deaf
		return err
	case <-timer.C:
	}
	kill(b.cmd.Process.Pid)
	return <-ended
}

// settle waits until all that a command wrote before its end has been handed on.
func (b *job) settle(ctx context.Context) {
	for before := int64(-1); ; {
		now := b.moved.Load()
		if now == before {
			return
		}
		before = now
		timer := time.NewTimer(quiet)
		select {
		case <-b.done:
			timer.Stop()
			return
		case <-ctx.Done():
			if before >= 0 && ctx.Err() != nil {
				timer.Stop()
				return
			}
		case <-timer.C:
		}
	}
}

func (j *jobs) add(b *job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.all == nil {
		j.all = map[*job]bool{}
	}
	j.all[b] = true
}

func (j *jobs) remove(b *job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.all, b)
}

// end asks what commands have left running to end.
func (j *jobs) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for b := range j.all {
		terminate(b.cmd.Process.Pid)
	}
}
