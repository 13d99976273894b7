//go:build !windows

package kernel

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// A registering kernel has told its launcher the ports and waits for the acknowledgement.
type registering struct {
	kernel            *exec.Cmd
	launcher          zmq4.Socket
	file, content     string // the connection file, as the launcher has written it
	identity, message []byte // of the kernel's connection; its ports
}

func startRegistering(t *testing.T) registering {
	t.Helper()
	r := registering{launcher: zmq4.NewRouter(t.Context()), file: filepath.Join(t.TempDir(), "registration.json")}
	t.Cleanup(func() { r.launcher.Close() })
	if err := r.launcher.Listen("tcp://127.0.0.1:*"); err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(r.launcher.Addr().String(), ":")
	// An empty key: what is signed, and that it must be, is for package transport's tests.
	r.content = `{"kernel_id":"k1","transport":"tcp","registration_ip":"127.0.0.1","registration_port":"` + port + `","key":""}`
	if err := os.WriteFile(r.file, []byte(r.content), 0o600); err != nil {
		t.Fatal(err)
	}
	r.kernel = exec.Command(os.Args[0])
	r.kernel.Env = append(os.Environ(), kernelVariable+"="+r.file, parentVariable+"=")
	r.kernel.Stderr = os.Stderr
	if err := r.kernel.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.kernel.Process.Kill()
		r.kernel.Wait()
	})
	m, err := r.launcher.Recv() // the identity of the kernel's connection, delimiter, signature, ports
	if err != nil || len(m.Frames) != 4 {
		t.Fatalf("got %q, %v", m.Frames, err)
	}
	r.identity, r.message = m.Frames[0], m.Frames[3]
	return r
}

// TestRegistration plays the launcher of JEP 66: it names a socket, is told five ports, acknowledges, and talks to the kernel.
func TestRegistration(t *testing.T) {
	r := startRegistering(t)
	var ports map[string]string
	if err := json.Unmarshal(r.message, &ports); err != nil {
		t.Fatal(err)
	}
	if ports["kernel_id"] != "k1" || len(ports) != 6 {
		t.Errorf("got %v", ports)
	}
	info := wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1"}
	for _, ch := range wire.Channels() {
		n, err := strconv.Atoi(ports[string(ch)+"_port"])
		if err != nil {
			t.Fatal(err)
		}
		info = info.SetPort(ch, n)
	}
	if before, err := os.ReadFile(r.file); err != nil || string(before) != r.content {
		t.Errorf("before the acknowledgement the file is %s, %v", before, err)
	}
	if err := r.launcher.SendMulti(zmq4.NewMsgFrom(r.identity, []byte("<IDS|MSG>"), nil, []byte("ACK"))); err != nil {
		t.Fatal(err)
	}
	c := kerneltest.Dial(t, info)
	c.Execute("value 1").Want("busy", "execute_input [1] value 1", "execute_result [1] 1", "idle", "execute_reply [1] ok")

	var completed map[string]any
	data, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &completed); err != nil {
		t.Fatal(err)
	}
	if completed["shell_port"] != float64(info.ShellPort) || completed["registration_ip"] != "127.0.0.1" || completed["kernel_id"] != "k1" {
		t.Errorf("the completed connection file is %s", data)
	}
	c.Control(wire.ShutdownRequest{})
	c.WaitClosed()
	if status, err := os.Stat(r.file); err != nil || status.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read the key: %v, %v", status.Mode(), err)
	}
}

// TestRegistrationStops ends a kernel whose launcher has not acknowledged yet; a SIGINT in front means nothing.
func TestRegistrationStops(t *testing.T) {
	r := startRegistering(t)
	start := time.Now()
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if err := r.kernel.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.kernel.Wait(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > shutdownLimit {
		t.Errorf("took %v", took)
	}
}

// TestRegistrationFails checks that a kernel ends that no launcher will ever look for.
func TestRegistrationFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "registration.json")
	content := `{"transport":"tcp","registration_ip":"127.0.0.1","registration_port":1,"key":"k"}` // nobody listens on port 1
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	kernel := exec.Command(os.Args[0])
	kernel.Env = append(os.Environ(), kernelVariable+"="+file, parentVariable+"=")
	out, err := kernel.CombinedOutput()
	if err == nil || !strings.HasPrefix(string(out), "kernel: transport: registration at 127.0.0.1:1: ") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("got %v and %q, want a line that names the launcher", err, out)
	}
}
