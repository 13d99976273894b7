package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ReadConnectionFile reads and checks the connection file at path. Its errors name the file and the field.
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

// ParseConnection parses and checks the content of a connection file. Fields it does not know are ignored.
//
// A file with a registration_port is one of the registration handshake (JEP 66): it names no ports, or those of an earlier
// kernel, which are not read; ip is registration_ip unless it is given.
func ParseConnection(data []byte) (ConnectionInfo, error) {
	fields, err := parseObject(data)
	if err != nil {
		return ConnectionInfo{}, err
	}
	if err := refuseEncryption(fields); err != nil {
		return ConnectionInfo{}, err
	}
	info, err := readConnection(fields)
	if err != nil {
		return ConnectionInfo{}, err
	}
	if info.Registration != (Registration{}) {
		err = info.prepareRegistration()
	} else {
		err = info.checkPorts()
	}
	if err != nil {
		return ConnectionInfo{}, err
	}
	return info, info.Validate()
}

// parseObject parses a file that should be one JSON object. A byte order mark, which editors and PowerShell write, is
// left out.
func parseObject(data []byte) (map[string]json.RawMessage, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return nil, errors.New("the file is empty")
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal(data, &fields)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) || err == nil && fields == nil:
		return nil, errors.New("the file holds no JSON object")
	case err != nil:
		return nil, fmt.Errorf("the file is not JSON, or cut short: %w", err)
	}
	return fields, nil
}

// readConnection reads the fields that are there.
func readConnection(fields map[string]json.RawMessage) (ConnectionInfo, error) {
	var c ConnectionInfo
	if _, given := fields["key"]; !given {
		return c, errors.New(`key is missing; "" would be a kernel without signatures`)
	}
	for _, f := range []struct {
		name string
		to   *string
	}{
		{"transport", &c.Transport}, {"ip", &c.IP}, {"key", &c.Key}, {"signature_scheme", &c.SignatureScheme},
		{"kernel_name", &c.KernelName}, {"registration_ip", &c.Registration.IP}, {"kernel_id", &c.Registration.KernelID},
	} {
		if value, given := fields[f.name]; given && json.Unmarshal(value, f.to) != nil {
			return c, fmt.Errorf("%s is %s and not a string", f.name, value)
		}
	}
	if c.Transport == "" {
		return c, errors.New("transport is missing")
	}
	if err := readPort(fields, "registration_port", &c.Registration.Port); err != nil {
		return c, err
	}
	if c.Registration.Port == 0 { // a plain connection file, whatever else it says
		c.Registration = Registration{}
	}
	for _, ch := range Channels() {
		if err := readPort(fields, string(ch)+"_port", c.port(ch)); err != nil {
			return c, err
		}
	}
	return c, nil
}

// checkPorts says which port is not there.
func (c *ConnectionInfo) checkPorts() error {
	for _, ch := range Channels() {
		if c.Port(ch) == 0 {
			return fmt.Errorf("%s_port is missing or 0", ch)
		}
	}
	return nil
}

// readPort reads a port: a whole number or, since JEP 106, a string that holds one. Nothing and null are 0.
func readPort(fields map[string]json.RawMessage, name string, to *int) error {
	value := fields[name]
	text := string(value)
	if text == "" || text == "null" {
		return nil
	}
	if text[0] == '"' {
		if err := json.Unmarshal(value, &text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("%s: port %s is not a whole number", name, value)
	}
	*to = n
	return nil
}

// refuseEncryption returns an error for a file that asks for an encrypted transport. Ignoring that would leave the client
// waiting, or talking in the clear where it believes otherwise. jupyter_client 8.9 writes these fields for kernelspecs
// that declare supported_encryption; ours does not.
func refuseEncryption(fields map[string]json.RawMessage) error {
	for _, name := range []string{"transport_encryption", "curve_publickey", "curve_secretkey"} {
		if asked(fields[name]) {
			return fmt.Errorf("%s: encrypted transport (CURVE) is not supported; "+
				"remove supported_encryption from the kernelspec or transport_encryption from the client", name)
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
