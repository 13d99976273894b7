package kerneltest

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits for the exclusive lock on the file at path, which it makes where it is missing. The lock ends with the
// process at the latest.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
