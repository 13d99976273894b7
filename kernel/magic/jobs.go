package magic

import (
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
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

// jobs are the commands that have left something running. The zero value has none.
type jobs struct {
	mu   sync.Mutex
	left []int // the process groups; those that have ended since may be among them
}

// A job is a command of the shell, and all that it starts.
type job struct {
	cmd   *exec.Cmd
	pipes [2]*os.File   // what the process writes to, at our end
	done  chan struct{} // closed when nobody can write any more
	moved atomic.Int64  // bytes that have come
	hands atomic.Int32  // readers that are handing on what has come
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
	defer j.note(b.cmd.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- b.cmd.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = b.interrupt(ended)
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
			b.hands.Add(1)
			b.moved.Add(int64(n))
			out.Text(stream, string(buf[:n])) // may be held up by slow clients
			b.hands.Add(-1)
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

// settle waits until all that a command wrote before its end has been handed on. What still writes when it is interrupted ends.
func (b *job) settle(ctx context.Context) {
	for {
		before := b.moved.Load()
		select {
		case <-b.done:
			return
		case <-ctx.Done():
			kill(b.cmd.Process.Pid)
			b.await(quiet)
			return
		case <-time.After(quiet):
		}
		if b.moved.Load() == before && b.hands.Load() == 0 {
			return
		}
	}
}

// await waits until nobody can write any more, for a time at most.
func (b *job) await(d time.Duration) {
	select {
	case <-b.done:
	case <-time.After(d):
	}
}

// note notes the group of a command that has ended, if something of it runs, and forgets groups that have ended.
func (j *jobs) note(group int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.left = slices.DeleteFunc(append(j.left, group), func(group int) bool { return !alive(group) })
}

// end tells what commands have left running to end.
func (j *jobs) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, group := range j.left {
		terminate(group)
	}
}
