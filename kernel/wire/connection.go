package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
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
	// Registration says where a kernel that chooses its ports itself has to tell them; the zero value is nowhere.
	Registration Registration
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
	owner := make(map[int]Channel)
	for _, ch := range Channels() {
		p := c.Port(ch)
		if p < 0 || c.Transport == "tcp" && p > maxPort {
			return fmt.Errorf("%s_port %d is out of range", ch, p)
		}
		if other, taken := owner[p]; taken && p != 0 {
			return fmt.Errorf("%s_port and %s_port are both %d", other, ch, p)
		}
		owner[p] = ch
	}
	_, err := lookupScheme(c.SignatureScheme)
	return err
}

// maxPort is the highest port of tcp.
const maxPort = 65535

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

// MarshalJSON writes c as a connection file. With a registration it is one that serves both: other clients find the ports
// there, and a kernel that is started with it again registers again.
func (c ConnectionInfo) MarshalJSON() ([]byte, error) {
	scheme := c.SignatureScheme
	if scheme == "" {
		scheme = DefaultScheme
	}
	return json.Marshal(struct {
		ShellPort        int    `json:"shell_port"`
		IOPubPort        int    `json:"iopub_port"`
		StdinPort        int    `json:"stdin_port"`
		ControlPort      int    `json:"control_port"`
		HBPort           int    `json:"hb_port"`
		IP               string `json:"ip"`
		Key              string `json:"key"`
		Transport        string `json:"transport"`
		SignatureScheme  string `json:"signature_scheme"`
		KernelName       string `json:"kernel_name"`
		KernelID         string `json:"kernel_id,omitempty"`
		RegistrationIP   string `json:"registration_ip,omitempty"`
		RegistrationPort int    `json:"registration_port,omitempty"`
	}{
		c.ShellPort, c.IOPubPort, c.StdinPort, c.ControlPort, c.HBPort, c.IP, c.Key, c.Transport, scheme, c.KernelName,
		c.Registration.KernelID, c.Registration.IP, c.Registration.Port,
	})
}
