package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// A Registration is where a kernel that was started without ports tells which ones it has taken. No other process can
// take them in between, as it can when the launcher chooses.
//
// https://github.com/jupyter/enhancement-proposals/tree/master/66-jupyter-handshaking
type Registration struct {
	IP       string // of the launcher's registration socket
	Port     int    // 1 to 65535
	KernelID string // by which the launcher knows the kernel; may be empty
}

// Address returns where the launcher's registration socket is, as net.Dial takes it.
func (r Registration) Address() (network, address string) {
	return "tcp", net.JoinHostPort(strings.Trim(r.IP, "[]"), strconv.Itoa(r.Port))
}

// prepareRegistration checks the fields of the handshake and lets the kernel choose its ports.
func (c *ConnectionInfo) prepareRegistration() error {
	if c.Transport != "tcp" {
		return fmt.Errorf("registration_port: a kernel that chooses its ports needs transport tcp, not %q", c.Transport)
	}
	if c.Registration.Port < 0 || c.Registration.Port > maxPort {
		return fmt.Errorf("registration_port %d is out of range", c.Registration.Port)
	}
	if c.Registration.IP == "" {
		return errors.New("registration_ip is missing")
	}
	if c.IP == "" {
		// The launcher has no other word of where the kernel is.
		c.IP = c.Registration.IP
	}
	for _, ch := range Channels() {
		*c.port(ch) = 0
	}
	return nil
}

// registered is what a kernel tells the launcher. The ports are strings: with the transport ipc they will not always be
// numbers (JEP 106).
type registered struct {
	KernelID    string `json:"kernel_id"`
	ShellPort   string `json:"shell_port"`
	ControlPort string `json:"control_port"`
	StdinPort   string `json:"stdin_port"`
	IOPubPort   string `json:"iopub_port"`
	HBPort      string `json:"hb_port"`
}

// EncodeRegistration returns the frames that tell the launcher where the kernel of c listens: delimiter, signature, ports.
func (c *Codec) EncodeRegistration(info ConnectionInfo) ([][]byte, error) {
	content, err := json.Marshal(registered{
		KernelID:    info.Registration.KernelID,
		ShellPort:   strconv.Itoa(info.ShellPort),
		ControlPort: strconv.Itoa(info.ControlPort),
		StdinPort:   strconv.Itoa(info.StdinPort),
		IOPubPort:   strconv.Itoa(info.IOPubPort),
		HBPort:      strconv.Itoa(info.HBPort),
	})
	if err != nil {
		return nil, fmt.Errorf("wire: registration: %w", err)
	}
	return [][]byte{delimiter, c.signer.sign([][]byte{content}), content}, nil
}

// acknowledgement is the launcher's whole answer.
const acknowledgement = "ACK"

// CheckAcknowledgement returns an error unless the frames are a launcher's signed answer that it has got the
// registration. The error wraps ErrFraming or ErrSignature.
func (c *Codec) CheckAcknowledgement(frames [][]byte) error {
	at := delimiterIndex(frames)
	if at < 0 || len(frames) < at+3 {
		return fmt.Errorf("wire: acknowledgement: %w: %d frames of %d bytes", ErrFraming, len(frames), size(frames))
	}
	signature, parts := frames[at+1], frames[at+2:]
	if !c.signer.verify(signature, parts) {
		return fmt.Errorf("wire: acknowledgement: %w", ErrSignature)
	}
	// Some launchers write every frame as JSON.
	if len(parts) != 1 || string(bytes.Trim(parts[0], `"`)) != acknowledgement {
		return fmt.Errorf("wire: acknowledgement: %w: %q is not %s", ErrFraming, parts, acknowledgement)
	}
	return nil
}
