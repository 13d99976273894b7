//go:build !windows

package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"orthant/kernel/history"
	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// The test binary is also the processes that these tests need, when one of these variables is set.
const (
	kernelVariable   = "ORTHANT_TEST_KERNEL"   // be a kernel for the named connection file
	sessionVariable  = "ORTHANT_TEST_SESSION"  // with the real session instead of a fake one
	launcherVariable = "ORTHANT_TEST_LAUNCHER" // start such a kernel, and end when stdin does
)

func TestMain(m *testing.M) {
	if file := os.Getenv(kernelVariable); file != "" {
		// The cache and the data of a kernel go with the connection file.
		for _, home := range []string{"HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
			if err := os.Setenv(home, filepath.Dir(file)); err != nil {
				panic(err)
			}
		}
		open := func(*history.Store) (interpreter, error) { return newFakeSession(), nil }
		if os.Getenv(sessionVariable) != "" {
			open = openSession
		}
		stderr, err := OwnStderr()
		if err != nil {
			panic(err)
		}
		if err := run(context.Background(), file, Options{Stderr: stderr}, open); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	if file := os.Getenv(launcherVariable); file != "" {
		launch(file)
		return
	}
	os.Exit(m.Run())
}

// launch is a front end's launcher: it starts a kernel and ends when its stdin does, without a word to the kernel.
func launch(file string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), launcherVariable+"=", kernelVariable+"="+file, parentVariable+"="+strconv.Itoa(os.Getpid()))
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var end [1]byte
	if _, err := os.Stdin.Read(end[:]); err == nil {
		fmt.Fprintln(os.Stderr, "the launcher was written to")
	}
}

// A kernelProcess is a kernel in a process of its own.
type kernelProcess struct {
	*exec.Cmd
	ended chan error // gets what Wait returned
}

// writeConnectionFile writes a connection file for sockets in a temporary folder.
func writeConnectionFile(t *testing.T) (string, wire.ConnectionInfo) {
	t.Helper()
	// Not t.TempDir, whose path can be too long for the address of a socket.
	dir, err := os.MkdirTemp("", "orthant")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	info := wire.ConnectionInfo{
		Transport: "ipc", IP: filepath.Join(dir, "k"), Key: "a key", SignatureScheme: "hmac-sha256",
		ShellPort: 1, ControlPort: 2, StdinPort: 3, IOPubPort: 4, HBPort: 5,
	}
	data, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "connection.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, info
}

// startProcess starts a kernel with a fake session in a process of its own, with additions to its environment.
func startProcess(t *testing.T, environment ...string) (*kernelProcess, *kerneltest.Client) {
	t.Helper()
	return startProcessWith(t, func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, environment...) })
}

// startProcessWith is startProcess for a process that is not started as others are.
func startProcessWith(t *testing.T, prepare func(*exec.Cmd)) (*kernelProcess, *kerneltest.Client) {
	t.Helper()
	file, info := writeConnectionFile(t)
	return startProcessAt(t, file, info, prepare)
}

// startProcessAt is startProcessWith for a connection file that is there.
func startProcessAt(t *testing.T, file string, info wire.ConnectionInfo, prepare func(*exec.Cmd)) (*kernelProcess, *kerneltest.Client) {
	t.Helper()
	p := &kernelProcess{Cmd: exec.Command(os.Args[0]), ended: make(chan error, 1)}
	p.Env = append(os.Environ(), kernelVariable+"="+file, parentVariable+"=")
	p.Env = append(p.Env, "GORACE=atexit_sleep_ms=0") // the race detector's pause of 1 s is not the kernel's
	p.Stdout, p.Stderr = os.Stdout, os.Stderr
	if _, err := p.StdinPipe(); err != nil { // as a manager starts it, and never written to
		t.Fatal(err)
	}
	prepare(p.Cmd)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() {
		if err := p.Process.Kill(); err == nil {
			<-p.ended
		}
	})
	return p, kerneltest.Dial(t, info)
}

// wantEnd waits until the process has ended, well and in time after start.
func (p *kernelProcess) wantEnd(t *testing.T, start time.Time) {
	t.Helper()
	select {
	case err := <-p.ended:
		if took := time.Since(start); err != nil || took > shutdownLimit {
			t.Errorf("the process ended after %v with %v, want a good end within %v", took, err, shutdownLimit)
		}
		p.ended <- err
	case <-time.After(kerneltest.Timeout):
		t.Fatal("the process does not end")
	}
}

func (p *kernelProcess) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

func TestProcessInterruptSignal(t *testing.T) {
	p, c := startProcess(t)
	p.signal(t, os.Interrupt) // idle: nothing happens
	c.Execute("print alive").Want(
		"busy", "execute_input [1] print alive", `stdout "alive\n"`, "idle", "execute_reply [1] ok",
	)
	cell := c.Send(wire.Shell, kerneltest.Request("print x\nblock")).WaitFor(`stdout "x\n"`)
	p.signal(t, os.Interrupt)
	cell.Wait().Want(
		"busy",
		"execute_input [2] print x\nblock",
		`stdout "x\n"`,
		"error Interrupted: interrupted",
		"idle",
		"execute_reply [2] error Interrupted: interrupted",
	)
	c.Execute("value 3").Want(
		"busy", "execute_input [3] value 3", "execute_result [3] 3", "idle", "execute_reply [3] ok",
	)
}

func TestProcessEnds(t *testing.T) {
	tests := []struct {
		name string
		cell string // runs meanwhile; empty for none
		end  func(*testing.T, *kernelProcess, *kerneltest.Client)
	}{
		{"SIGTERM", "", func(t *testing.T, p *kernelProcess, _ *kerneltest.Client) { p.signal(t, syscall.SIGTERM) }},
		{"SIGTERM, blocked", "print x\nblock", func(t *testing.T, p *kernelProcess, _ *kerneltest.Client) { p.signal(t, syscall.SIGTERM) }},
		{"SIGTERM, deaf", "print x\nawait never", func(t *testing.T, p *kernelProcess, _ *kerneltest.Client) { p.signal(t, syscall.SIGTERM) }},
		{"shutdown", "", shutDown},
		{"shutdown, blocked", "print x\nblock", shutDown},
		{"shutdown, deaf", "print x\nawait never", shutDown},
		{"SIGINT and shutdown, as managers do", "print x\nawait never", func(t *testing.T, p *kernelProcess, c *kerneltest.Client) {
			p.signal(t, os.Interrupt)
			shutDown(t, p, c)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, c := startProcess(t)
			if tt.cell != "" {
				c.Send(wire.Shell, kerneltest.Request(tt.cell)).WaitFor(`stdout "x\n"`)
			}
			start := time.Now()
			tt.end(t, p, c)
			p.wantEnd(t, start)
		})
	}
}

func shutDown(_ *testing.T, _ *kernelProcess, c *kerneltest.Client) {
	reply := `shutdown_reply {"status":"ok","restart":false}`
	c.Control(wire.ShutdownRequest{}).Want("busy", reply, "idle", reply)
}

// TestProcessEndsItsChildren checks that what cells have started ends with the kernel. The child holds the write end of a
// pipe, which is at its end when nobody does.
func TestProcessEndsItsChildren(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	p, c := startProcessWith(t, func(cmd *exec.Cmd) {
		cmd.ExtraFiles = []*os.File{writer}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as managers start kernels
	})
	writer.Close()
	t.Cleanup(func() {
		if t.Failed() {
			syscall.Kill(-p.Process.Pid, syscall.SIGKILL)
		}
	})
	c.Execute("spawn").Want("busy", "execute_input [1] spawn", "idle", "execute_reply [1] ok")
	start := time.Now()
	shutDown(t, p, c)
	p.wantEnd(t, start)
	if err := reader.SetReadDeadline(time.Now().Add(kerneltest.Timeout)); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the child lives on: %v", err)
	}
}

// TestProcessKilled kills a kernel after a reply, and a second one while a cell runs. The next finds both cells.
func TestProcessKilled(t *testing.T) {
	file := "ORTHANT_HISTORY=" + filepath.Join(t.TempDir(), "history.sqlite")
	p, c := startProcess(t, file)
	c.Execute("value 1")
	c.Shell(wire.HistoryRequest{HistAccessType: "tail"}) // a reply does not wait for the disk, but this one does
	p.kill(t)
	p, c = startProcess(t, file)
	c.Send(wire.Shell, kerneltest.Request("print x\nawait never")).WaitFor(`stdout "x\n"`)
	c.CreateSubshell().Send(wire.HistoryRequest{HistAccessType: "tail"}).Wait() // this reply waits for the disk too
	p.kill(t)
	_, c = startProcess(t, file)
	c.Shell(wire.HistoryRequest{HistAccessType: "tail", Output: true}).Want(
		"busy", "idle",
		`history_reply {"status":"ok","history":[[1,1,["value 1","1"]],[2,1,["print x\nawait never",null]]]}`,
	)
}

// kill ends the process at once.
func (p *kernelProcess) kill(t *testing.T) {
	t.Helper()
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.ended <- <-p.ended // it has ended
}

// TestProcessHasNoInput checks that a cell which reads its input is at the end of it at once.
func TestProcessHasNoInput(t *testing.T) {
	_, c := startProcess(t)
	c.Execute("stdin").Want(
		"busy", "execute_input [1] stdin", `stdout "\"\" <nil>\n"`, "idle", "execute_reply [1] ok",
	)
}

// TestNativeDescriptors checks that descriptors 0 and 1 are what they were when the garbage has been collected, and no client's
// connections.
func TestNativeDescriptors(t *testing.T) {
	_, c := startProcess(t, sessionVariable+"=1")
	c.Execute("import (\n\t\"os\"\n\t\"runtime\"\n\t\"syscall\"\n\t\"time\"\n)\nvar _ = syscall.Read\nf := os.NewFile(1, \"stdout\")")
	c.Execute("f = nil\nfor range 3 {\n\truntime.GC()\n\ttime.Sleep(10 * time.Millisecond)\n}")
	c.Another().Execute("1")
	e := c.Execute("fmt.Println(syscall.Read(0, make([]byte, 1)))\nsyscall.Write(1, []byte(\"native\\n\"));")
	if got, want := e.Text("stdout"), "0 <nil>\nnative\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestProcessWithClosedStderr checks that the kernel survives the end of whoever reads its log.
func TestProcessWithClosedStderr(t *testing.T) {
	file, info := writeConnectionFile(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), kernelVariable+"="+file, parentVariable+"=")
	cmd.Stderr = writer
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	writer.Close()
	reader.Close()
	c := kerneltest.Dial(t, info)
	c.Execute("log into the void")
	c.Execute("value 2").Want(
		"busy", "execute_input [2] value 2", "execute_result [2] 2", "idle", "execute_reply [2] ok",
	)
}

// TestProcessEndsWithItsParent checks that a kernel whose launcher was killed does not stay behind.
func TestProcessEndsWithItsParent(t *testing.T) {
	file, info := writeConnectionFile(t)
	launcher := exec.Command(os.Args[0])
	launcher.Env = append(os.Environ(), launcherVariable+"="+file)
	launcher.Stderr = os.Stderr
	stdin, err := launcher.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := launcher.Start(); err != nil {
		t.Fatal(err)
	}
	c := kerneltest.Dial(t, info)
	c.Execute("value 1")
	stdin.Close()
	if err := launcher.Wait(); err != nil {
		t.Fatal(err)
	}
	c.WaitClosed()
}

func TestRunRefuses(t *testing.T) {
	file, info := writeConnectionFile(t)
	startAt := func(t *testing.T) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), kernelVariable+"="+file, parentVariable+"=")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
		})
		kerneltest.Dial(t, info).Execute("value 1")
	}
	notOne := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(notOne, []byte(`{"transport":"carrier pigeon"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, file string
		before     func(*testing.T)
		want       string
	}{
		{"no file", filepath.Join(t.TempDir(), "missing.json"), nil, "no such file"},
		{"not a connection file", notOne, nil, "other.json: key is missing"},
		{"an address in use", file, startAt, "in use"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.before != nil {
				tt.before(t)
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), kernelVariable+"="+tt.file)
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != 2 {
				t.Errorf("the process ended with %v, want exit code 2", err)
			}
			if got := string(out); !strings.Contains(got, tt.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("got %q, want one line with %q", got, tt.want)
			}
		})
	}
}
