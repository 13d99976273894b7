package transport

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"orthant/kernel/wire"
)

func TestListenRefuses(t *testing.T) {
	good := wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1"}
	scheme, transport, address := good, good, good
	scheme.SignatureScheme, transport.Transport, address.IP = "hmac-crc", "udp", "203.0.113.7" // TEST-NET-3: not ours
	for _, tc := range []struct {
		name string
		info wire.ConnectionInfo
		want string
	}{
		{"scheme", scheme, `transport: signature_scheme "hmac-crc" is unknown`},
		{"transport", transport, `transport: transport "udp"`},
		{"address", address, "transport: shell: cannot listen on tcp://203.0.113.7:0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tr, err := Listen(tc.info, Options{})
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || errors.Is(err, ErrInUse) {
				t.Fatalf("got %v, %v, want an error that begins with %q", tr, err, tc.want)
			}
			checkGoroutines(t)
		})
	}
}

// TestPortInUse binds nothing when one of the ports is taken, and says which.
func TestPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := portOf(taken)
	info := wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", HBPort: port}
	before := time.Now()
	_, err = Listen(info, Options{BindTimeout: 200 * time.Millisecond})
	if want := "transport: hb: address is in use by another process: tcp://127.0.0.1:" + strconv.Itoa(port); !errors.Is(err, ErrInUse) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if took := time.Since(before); took < 200*time.Millisecond {
		t.Errorf("gave up after %v", took)
	}
	checkGoroutines(t)

	// The same, with the port given back meanwhile.
	released := make(chan struct{})
	go func() {
		defer close(released)
		time.Sleep(100 * time.Millisecond) // not for ordering: Listen succeeds whenever it happens
		taken.Close()
	}()
	tr := startAt(t, info, Options{BindTimeout: patience})
	if got := tr.Connection().HBPort; got != port {
		t.Errorf("got port %d, want %d", got, port)
	}
	<-released
}

// TestRestart binds the same ports again, right after they were in use with open connections.
func TestRestart(t *testing.T) {
	first := start(t, Options{})
	info := first.Connection()
	for _, ch := range wire.Channels() {
		dial(t, first, ch, "")
	}
	first.Close(context.Background())
	second := startAt(t, info, Options{BindTimeout: time.Nanosecond})
	go serve(t, second)
	dial(t, second, wire.Shell, "").ask("x")
}

func TestSocketFiles(t *testing.T) {
	dir := t.TempDir()
	info := wire.ConnectionInfo{Transport: "ipc", IP: filepath.Join(dir, "k"), ShellPort: 1, ControlPort: 2, StdinPort: 3, IOPubPort: 4, HBPort: 5}
	_, shell := info.Address(wire.Shell)
	t.Run("stale", func(t *testing.T) {
		l, err := net.Listen("unix", shell)
		if err != nil {
			t.Fatal(err)
		}
		l.(*net.UnixListener).SetUnlinkOnClose(false) // as a killed process leaves it
		l.Close()
		if _, err := os.Lstat(shell); err != nil {
			t.Fatal(err)
		}
		startAt(t, info, Options{BindTimeout: time.Nanosecond})
	})
	t.Run("removed on close", func(t *testing.T) {
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 0 {
			t.Fatalf("got %v, %v, want no files", files, err)
		}
	})
	t.Run("in use", func(t *testing.T) {
		first := startAt(t, info, Options{})
		go serve(t, first)
		if _, err := Listen(info, Options{BindTimeout: time.Nanosecond}); !errors.Is(err, ErrInUse) {
			t.Fatalf("got %v, want ErrInUse", err)
		}
		dial(t, first, wire.Shell, "").ask("still there")
	})
	t.Run("not a socket", func(t *testing.T) {
		if err := os.WriteFile(shell, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Listen(info, Options{BindTimeout: time.Nanosecond}); err == nil {
			t.Fatal("got no error")
		}
		if data, err := os.ReadFile(shell); err != nil || string(data) != "precious" {
			t.Fatalf("the file became %q, %v", data, err)
		}
	})
}
