package transport

import (
	"errors"

	"golang.org/x/sys/windows"
)

// inUse reports whether an address could not be bound because somebody else has it. Windows answers with WSAEACCES
// where that somebody asked for exclusive use.
func inUse(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}
