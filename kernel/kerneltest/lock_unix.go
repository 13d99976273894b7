//go:build !windows

package kerneltest

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile waits for the exclusive lock on the file at path, which it makes where it is missing. The lock ends with the
// process at the latest.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		if err = unix.Flock(int(f.Fd()), unix.LOCK_EX); err != unix.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
