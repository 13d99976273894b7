package wire

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// file returns a connection file with some of its lines replaced; "" removes one.
func file(t *testing.T, changes map[string]string) []byte {
	t.Helper()
	fields := map[string]string{
		"transport": `"tcp"`, "ip": `"127.0.0.1"`, "key": `"secret"`, "signature_scheme": `"hmac-sha256"`, "kernel_name": `"orthant"`,
		"shell_port": "5001", "control_port": "5002", "stdin_port": "5003", "iopub_port": "5004", "hb_port": "5005",
	}
	for k, v := range changes {
		fields[k] = v
		if v == "" {
			delete(fields, k)
		}
	}
	out := make(map[string]json.RawMessage)
	for k, v := range fields {
		out[k] = json.RawMessage(v)
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParseConnection(t *testing.T) {
	plain := ConnectionInfo{
		Transport: "tcp", IP: "127.0.0.1", Key: "secret", SignatureScheme: "hmac-sha256", KernelName: "orthant",
		ShellPort: 5001, ControlPort: 5002, StdinPort: 5003, IOPubPort: 5004, HBPort: 5005,
	}
	ipc := plain
	ipc.Transport, ipc.IP, ipc.ShellPort = "ipc", "/run/kernel", 100000
	unsigned := plain
	unsigned.Key, unsigned.SignatureScheme = "", ""
	handshake := plain
	handshake.ShellPort, handshake.ControlPort, handshake.StdinPort, handshake.IOPubPort, handshake.HBPort = 0, 0, 0, 0, 0
	handshake.Registration = Registration{IP: "127.0.0.1", Port: 6000, KernelID: "k1"}
	for _, tc := range []struct {
		name    string
		changes map[string]string
		want    ConnectionInfo
	}{
		{"plain", nil, plain},
		{"ports as strings", map[string]string{"shell_port": `"5001"`, "hb_port": `" 5005 "`}, plain},
		{"ipc numbers are not tcp ports", map[string]string{"transport": `"ipc"`, "ip": `"/run/kernel"`, "shell_port": "100000"}, ipc},
		{"no key, no scheme", map[string]string{"key": `""`, "signature_scheme": ""}, unsigned},
		{"unknown fields", map[string]string{"jupyter_session": `"/a/b"`, "resource": `{"a": [1]}`}, plain},
		{"registration", map[string]string{"registration_port": `"6000"`, "registration_ip": `"127.0.0.1"`, "kernel_id": `"k1"`, "ip": "",
			"shell_port": "", "control_port": "", "stdin_port": "", "iopub_port": "", "hb_port": ""}, handshake},
		{"registration with an earlier kernel's ports", map[string]string{"registration_port": "6000", "registration_ip": `"127.0.0.1"`,
			"kernel_id": `"k1"`}, handshake},
		{"a kernel_id alone", map[string]string{"kernel_id": `"k1"`, "registration_port": "null"}, plain},
		{"encryption declined", map[string]string{"transport_encryption": "null", "curve_publickey": `""`}, plain},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ParseConnection(file(t, tc.changes))
			if err != nil || got != tc.want {
				t.Fatalf("got %+v, %v, want %+v", got, err, tc.want)
			}
		})
	}
}

func TestParseConnectionRefuses(t *testing.T) {
	for _, tc := range []struct {
		name    string
		changes map[string]string
		want    string // part of the message
	}{
		{"unknown scheme", map[string]string{"signature_scheme": `"hmac-sha3"`}, `signature_scheme "hmac-sha3" is unknown`},
		{"unknown scheme without a key", map[string]string{"signature_scheme": `"none"`, "key": `""`}, "is unknown"},
		{"curve keys", map[string]string{"curve_publickey": `"abc"`, "curve_secretkey": `"def"`}, "curve_publickey: encrypted transport"},
		{"curve secret key only", map[string]string{"curve_secretkey": `"def"`}, "curve_secretkey: encrypted transport"},
		{"encryption", map[string]string{"transport_encryption": `"curve"`}, "transport_encryption: encrypted transport"},
		{"no port", map[string]string{"iopub_port": ""}, "iopub_port is missing or 0"},
		{"port 0", map[string]string{"hb_port": "0"}, "hb_port is missing or 0"},
		{"port too large", map[string]string{"stdin_port": "65536"}, "stdin_port 65536 is out of range"},
		{"negative port", map[string]string{"control_port": "-1"}, "control_port -1 is out of range"},
		{"port that is no number", map[string]string{"shell_port": `"http"`}, `shell_port: port "http" is not a whole number`},
		{"fractional port", map[string]string{"shell_port": "5001.5"}, "shell_port: port 5001.5 is not a whole number"},
		{"port of another kind", map[string]string{"shell_port": "[1]"}, "is not a whole number"},
		{"unknown transport", map[string]string{"transport": `"udp"`}, `transport "udp" is neither tcp nor ipc`},
		{"no ip", map[string]string{"ip": ""}, "ip is missing"},
		{"key of another kind", map[string]string{"key": "5"}, "key is 5 and not a string"},
		{"no key", map[string]string{"key": ""}, "key is missing"},
		{"no transport", map[string]string{"transport": ""}, "transport is missing"},
		{"one port twice", map[string]string{"shell_port": "5004"}, "shell_port and iopub_port are both 5004"},
		{"one ipc number twice", map[string]string{"transport": `"ipc"`, "hb_port": "5002"}, "control_port and hb_port are both 5002"},
		{"registration by ipc", map[string]string{"registration_port": "6000", "transport": `"ipc"`}, "registration_port: a kernel that chooses"},
		{"registration nowhere", map[string]string{"registration_port": "6000"}, "registration_ip is missing"},
		{"registration out of range", map[string]string{"registration_port": "65536"}, "registration_port 65536 is out of range"},
		{"registration port that is none", map[string]string{"registration_port": `"x"`}, `registration_port: port "x" is not a whole number`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ParseConnection(file(t, tc.changes))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

func TestReadConnectionFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kernel.json")
	if _, err := ReadConnectionFile(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Fatalf("missing file: got %v, want an error that names it and wraps fs.ErrNotExist", err)
	}
	good := file(t, nil)
	want, err := ParseConnection(good)
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, content string
		want          string // part of the message; empty for a good file
	}{
		{"what we write we also read", string(written), ""},
		{"byte order mark", "\ufeff" + string(good) + "\r\n", ""},
		{"empty", "", "the file is empty"},
		{"blank", " \n", "the file is empty"},
		{"cut short", string(good[:len(good)-5]), "not JSON, or cut short"},
		{"two objects", string(good) + "{}", "not JSON, or cut short"},
		{"array", "[]", "no JSON object"},
		{"null", "null", "no JSON object"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "not JSON"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := ReadConnectionFile(path)
			if tc.want == "" {
				if err != nil || got != want {
					t.Errorf("got %+v, %v, want %+v", got, err, want)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error that names %s and says %q", err, path, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is more than a line", err)
			}
		})
	}
	if _, err := ReadConnectionFile(t.TempDir()); err == nil || !strings.Contains(err.Error(), "connection file") {
		t.Errorf("a folder: got %v", err)
	}
}

func TestAddress(t *testing.T) {
	for _, tc := range []struct {
		name, transport, ip        string
		network, address, endpoint string
	}{
		{"tcp", "tcp", "127.0.0.1", "tcp", "127.0.0.1:7", "tcp://127.0.0.1:7"},
		{"all interfaces", "tcp", "*", "tcp", ":7", "tcp://*:7"},
		{"IPv6", "tcp", "::1", "tcp", "[::1]:7", "tcp://[::1]:7"},
		{"IPv6 in brackets", "tcp", "[::1]", "tcp", "[::1]:7", "tcp://[::1]:7"},
		{"ipc", "ipc", "/run/k", "unix", "/run/k-7", "ipc:///run/k-7"},
		{"relative ipc", "ipc", "kernel-ipc", "unix", "kernel-ipc-7", "ipc://kernel-ipc-7"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := ConnectionInfo{Transport: tc.transport, IP: tc.ip}.SetPort(IOPub, 7)
			if network, address := c.Address(IOPub); network != tc.network || address != tc.address {
				t.Errorf("address: got %s %s, want %s %s", network, address, tc.network, tc.address)
			}
			if got := c.Endpoint(IOPub); got != tc.endpoint {
				t.Errorf("endpoint: got %s, want %s", got, tc.endpoint)
			}
		})
	}
}
