//go:build !windows

package kernel

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// TestRegistration plays the launcher of JEP 66: it names a socket, is told five ports, acknowledges, and talks to the kernel.
func TestRegistration(t *testing.T) {
	launcher := zmq4.NewRouter(t.Context())
	defer launcher.Close()
	if err := launcher.Listen("tcp://127.0.0.1:*"); err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(launcher.Addr().String(), ":")
	file := filepath.Join(t.TempDir(), "registration.json")
	// An empty key: what is signed, and that it must be, is for package transport's tests.
	content := `{"kernel_id":"k1","transport":"tcp","registration_ip":"127.0.0.1","registration_port":"` + port + `","key":""}`
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}

	kernel := exec.Command(os.Args[0])
	kernel.Env = append(os.Environ(), kernelVariable+"="+file, parentVariable+"=")
	kernel.Stderr = os.Stderr
	if err := kernel.Start(); err != nil {
		t.Fatal(err)
	}
	defer kernel.Wait()
	defer kernel.Process.Kill()

	m, err := launcher.Recv() // the identity of the kernel's connection, delimiter, signature, ports
	if err != nil || len(m.Frames) != 4 {
		t.Fatalf("got %q, %v", m.Frames, err)
	}
	var ports map[string]string
	if err := json.Unmarshal(m.Frames[3], &ports); err != nil {
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
	if before, err := os.ReadFile(file); err != nil || string(before) != content {
		t.Errorf("before the acknowledgement the file is %s, %v", before, err)
	}
	if err := launcher.SendMulti(zmq4.NewMsgFrom(m.Frames[0], []byte("<IDS|MSG>"), nil, []byte("ACK"))); err != nil {
		t.Fatal(err)
	}
	c := kerneltest.Dial(t, info)
	c.Execute("value 1").Want("busy", "execute_input [1] value 1", "execute_result [1] 1", "idle", "execute_reply [1] ok")

	var completed map[string]any
	data, err := os.ReadFile(file)
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
	if status, err := os.Stat(file); err != nil || status.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read the key: %v, %v", status.Mode(), err)
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
