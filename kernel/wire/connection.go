package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// A ConnectionInfo is what a connection file says: where a kernel listens and how messages are signed.
//
// https://jupyter-client.readthedocs.io/en/stable/kernels.html#connection-files
type ConnectionInfo struct {
	// Transport is "tcp" or "ipc".
	Transport string
	// IP is the address to bind; "*" means all interfaces. With ipc it is the beginning of the sockets' paths.
	IP string
	// Ports are 1 to 65535, or for ipc any positive number. In a ConnectionInfo made by hand, 0 asks a tcp listener
	// for a free port; in a connection file 0 is an error.
	ShellPort, ControlPort, StdinPort, IOPubPort, HBPort int
	// Key is the signing key; an empty key means that messages are neither signed nor checked.
	Key string
	// SignatureScheme is "hmac-sha256" (also meant by ""), "hmac-md5" or "hmac-sha512".
	SignatureScheme string
	// KernelName is the kernelspec's name, for information.
	KernelName string
}

// ReadConnectionFile reads and checks the connection file at path.
func ReadConnectionFile(path string) (ConnectionInfo, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return ConnectionInfo{}, fmt.Errorf("wire: connection file: %w", err)
	}
	info, err := ParseConnection(data)
	if err != nil {
		return ConnectionInfo{}, fmt.Errorf("wire: connection file %s: %w", path, err)
	}
	return info, nil
}

// connectionFile is the JSON of a connection file. The fields at the end are read only to be refused.
type connectionFile struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       port   `json:"shell_port"`
	ControlPort     port   `json:"control_port"`
	StdinPort       port   `json:"stdin_port"`
	IOPubPort       port   `json:"iopub_port"`
	HBPort          port   `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name"`

	RegistrationPort json.RawMessage `json:"registration_port"`
	CurvePublicKey   json.RawMessage `json:"curve_publickey"`
	CurveSecretKey   json.RawMessage `json:"curve_secretkey"`
	Encryption       json.RawMessage `json:"transport_encryption"`
}

// ParseConnection parses and checks the content of a connection file. Fields it does not know are ignored.
func ParseConnection(data []byte) (ConnectionInfo, error) {
	var f connectionFile
	if err := json.Unmarshal(data, &f); err != nil {
		return ConnectionInfo{}, fmt.Errorf("not a connection file: %w", err)
	}
	if err := f.refuse(); err != nil {
		return ConnectionInfo{}, err
	}
	info := ConnectionInfo{
		Transport: f.Transport, IP: f.IP,
		ShellPort: int(f.ShellPort), ControlPort: int(f.ControlPort), StdinPort: int(f.StdinPort),
		IOPubPort: int(f.IOPubPort), HBPort: int(f.HBPort),
		Key: f.Key, SignatureScheme: f.SignatureScheme, KernelName: f.KernelName,
	}
	for _, ch := range Channels() {
		if info.Port(ch) == 0 {
			return ConnectionInfo{}, fmt.Errorf("%s_port is missing or 0", ch)
		}
	}
	if err := info.Validate(); err != nil {
		return ConnectionInfo{}, err
	}
	return info, nil
}

// refuse returns an error for what a connection file may ask and this kernel does not offer. Ignoring it would leave
// the client waiting, or talking in the clear where it believes otherwise.
func (f *connectionFile) refuse() error {
	if asked(f.RegistrationPort) {
		// https://github.com/jupyter/enhancement-proposals/tree/master/66-jupyter-handshaking
		return errors.New("registration_port: the registration handshake (JEP 66) is not supported; " +
			"start the kernel with a connection file that names the five ports")
	}
	// jupyter_client 8.9 writes these when a kernelspec declares supported_encryption; ours does not.
	for _, k := range []struct {
		name  string
		value json.RawMessage
	}{
		{"transport_encryption", f.Encryption}, {"curve_publickey", f.CurvePublicKey}, {"curve_secretkey", f.CurveSecretKey},
	} {
		if asked(k.value) {
			return fmt.Errorf("%s: encrypted transport (CURVE) is not supported; "+
				"remove supported_encryption from the kernelspec or transport_encryption from the client", k.name)
		}
	}
	return nil
}

// asked reports whether a value is present and says something: null, "", 0 and false say nothing.
func asked(value json.RawMessage) bool {
	switch string(bytes.TrimSpace(value)) {
	case "", "null", `""`, "0", "false", "{}", `"none"`:
		return false
	}
	return true
}

// Validate checks the fields that ParseConnection also checks, except that a port may be 0.
func (c ConnectionInfo) Validate() error {
	switch c.Transport {
	case "tcp", "ipc":
	default:
		return fmt.Errorf("transport %q is neither tcp nor ipc", c.Transport)
	}
	if c.IP == "" {
		return errors.New("ip is missing")
	}
	for _, ch := range Channels() {
		p := c.Port(ch)
		if p < 0 || c.Transport == "tcp" && p > 65535 {
			return fmt.Errorf("%s_port %d is out of range", ch, p)
		}
	}
	_, err := lookupScheme(c.SignatureScheme)
	return err
}

// Port returns the port of a channel, 0 for a name that is not a channel.
func (c ConnectionInfo) Port(ch Channel) int {
	if p := c.port(ch); p != nil {
		return *p
	}
	return 0
}

// SetPort returns a copy of c with another port for a channel.
func (c ConnectionInfo) SetPort(ch Channel, port int) ConnectionInfo {
	if p := c.port(ch); p != nil {
		*p = port
	}
	return c
}

func (c *ConnectionInfo) port(ch Channel) *int {
	switch ch {
	case Shell:
		return &c.ShellPort
	case Control:
		return &c.ControlPort
	case Stdin:
		return &c.StdinPort
	case IOPub:
		return &c.IOPubPort
	case Heartbeat:
		return &c.HBPort
	}
	return nil
}

// Address returns where a channel listens, as net.Listen takes it: ("tcp", "127.0.0.1:5000") or ("unix", "/run/k-1").
func (c ConnectionInfo) Address(ch Channel) (network, address string) {
	port := strconv.Itoa(c.Port(ch))
	if c.Transport == "ipc" {
		return "unix", c.IP + "-" + port
	}
	ip := c.IP
	if ip == "*" { // zmq's wildcard; net.Listen says it with an empty host
		ip = ""
	}
	return "tcp", net.JoinHostPort(strings.Trim(ip, "[]"), port)
}

// Endpoint returns where a channel listens, as zmq writes it: "tcp://127.0.0.1:5000" or "ipc:///run/k-1".
func (c ConnectionInfo) Endpoint(ch Channel) string {
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, c.Port(ch))
	}
	return "tcp://" + net.JoinHostPort(strings.Trim(c.IP, "[]"), strconv.Itoa(c.Port(ch)))
}

// MarshalJSON writes c as a connection file.
func (c ConnectionInfo) MarshalJSON() ([]byte, error) {
	scheme := c.SignatureScheme
	if scheme == "" {
		scheme = DefaultScheme
	}
	return json.Marshal(struct {
		ShellPort       int    `json:"shell_port"`
		IOPubPort       int    `json:"iopub_port"`
		StdinPort       int    `json:"stdin_port"`
		ControlPort     int    `json:"control_port"`
		HBPort          int    `json:"hb_port"`
		IP              string `json:"ip"`
		Key             string `json:"key"`
		Transport       string `json:"transport"`
		SignatureScheme string `json:"signature_scheme"`
		KernelName      string `json:"kernel_name"`
	}{c.ShellPort, c.IOPubPort, c.StdinPort, c.ControlPort, c.HBPort, c.IP, c.Key, c.Transport, scheme, c.KernelName})
}

// A port is an integer or, since JEP 106, a string that holds one.
type port int

// UnmarshalJSON reads 5000 and "5000".
func (p *port) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	if data[0] == '"' {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("port %s is not a whole number", data)
	}
	*p = port(n)
	return nil
}
