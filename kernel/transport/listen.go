package transport

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"orthant/kernel/wire"
)

// bindRetry is how often a port in use is tried again.
const bindRetry = 50 * time.Millisecond

// bind listens on a channel's address, trying again until deadline while it is in use.
func bind(info wire.ConnectionInfo, ch wire.Channel, deadline time.Time) (net.Listener, error) {
	network, address := info.Address(ch)
	for {
		l, err := listen(network, address)
		if err == nil {
			return l, nil
		}
		if !inUse(err) {
			return nil, fmt.Errorf("transport: %s: cannot listen on %s: %w", ch, info.Endpoint(ch), err)
		}
		if !time.Now().Before(deadline) {
			return nil, fmt.Errorf("transport: %s: %w: %s", ch, ErrInUse, info.Endpoint(ch))
		}
		time.Sleep(bindRetry) // not for ordering: nothing tells when another process lets go of a port
	}
}

// listen is net.Listen, after a socket file that nobody listens on any more is removed.
func listen(network, address string) (net.Listener, error) {
	if network == "unix" {
		if err := removeStale(address); err != nil {
			return nil, err
		}
	}
	return net.Listen(network, address)
}

// removeStale removes the socket file of a process that has ended. A file that is no socket is left for net.Listen to
// fail on; so is a socket on which somebody listens.
func removeStale(path string) error {
	if strings.HasPrefix(path, "@") {
		return nil // Linux's abstract names are no files
	}
	fi, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && fi.Mode()&os.ModeSocket == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
		return conn.Close()
	}
	return os.Remove(path)
}

// portOf returns the tcp port on which l listens, 0 for other networks.
func portOf(l net.Listener) int {
	if addr, ok := l.Addr().(*net.TCPAddr); ok {
		return addr.Port
	}
	return 0
}
