//go:build !windows

package kernel

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// duplicate returns a duplicate of a descriptor, which programs that are started do not get.
func duplicate(number int) (*os.File, error) {
	fd, err := unix.FcntlInt(uintptr(number), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "descriptor "+strconv.Itoa(number)), nil
}

// redirect makes a descriptor a duplicate of a file's.
func redirect(number int, to *os.File) error { return unix.Dup2(int(to.Fd()), number) }
