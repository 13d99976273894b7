package kernel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// connectionFileArgument is what stands for the connection file in a kernelspec's argv.
const connectionFileArgument = "{connection_file}"

// A probed is the process of a kernel that is probed.
type probed struct {
	cmd   *exec.Cmd
	said  *tail
	ended chan struct{} // closed when the process has ended
	err   error         // of its end; read after ended
}

// startProbed starts the command for a connection file. What it writes is kept to explain a failure.
func startProbed(command, environment []string, file string) (*probed, error) {
	if len(command) == 0 {
		return nil, errors.New("there is no command")
	}
	args := make([]string, len(command))
	for i, arg := range command {
		args[i] = strings.ReplaceAll(arg, connectionFileArgument, file)
	}
	said := new(tail)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), environment...)
	if runtime.GOOS != "windows" { // where it would have to be a handle
		cmd.Env = append(cmd.Env, parentVariable+"="+strconv.Itoa(os.Getpid())) // it ends with this process, however that ends
	}
	cmd.Stdout, cmd.Stderr = io.Discard, said
	cmd.WaitDelay = time.Second // a child of it may keep our end of stderr open
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	process := &probed{cmd: cmd, said: said, ended: make(chan struct{})}
	go func() {
		process.err = cmd.Wait()
		close(process.ended)
	}()
	return process, nil
}

// failure says how the process has ended.
func (p *probed) failure() error {
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	if last := p.said.lastLine(); last != "" {
		return fmt.Errorf("the process ended (%s): %s", how, last)
	}
	return fmt.Errorf("the process ended (%s)", how)
}

// explain says why a conversation has failed: the process has ended, if it has.
func (p *probed) explain(ctx context.Context, err error) error {
	const patience = time.Second // from the end of its connections to the end of the process
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.ended:
		return p.failure()
	case <-ctx.Done():
	case <-timer.C:
	}
	return err
}

// await waits for the end of a process that has promised to end.
func (p *probed) await(ctx context.Context) error {
	select {
	case <-p.ended:
	case <-ctx.Done():
		return fmt.Errorf("the process does not end after its shutdown_reply: %w", ctx.Err())
	}
	if p.err != nil {
		return p.failure()
	}
	return nil
}

// end ends the process, whatever it does, and waits for it.
func (p *probed) end() {
	p.cmd.Process.Kill() // an error says that it has ended
	<-p.ended
}

// A tail keeps the end of what is written to it.
type tail struct{ text []byte }

// tailSize is more than a line of any error that a person should read.
const tailSize = 4 << 10

// Write never fails.
func (t *tail) Write(data []byte) (int, error) {
	t.text = append(t.text, data...)
	t.text = t.text[max(0, len(t.text)-tailSize):]
	return len(data), nil
}

// lastLine returns the last line that is not empty.
func (t *tail) lastLine() string {
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return strings.TrimSpace(string(lines[len(lines)-1]))
}
