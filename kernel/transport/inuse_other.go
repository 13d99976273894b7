//go:build !windows

package transport

import (
	"errors"
	"syscall"
)

// inUse reports whether an address could not be bound because somebody else has it.
func inUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }
