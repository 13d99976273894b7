package memory

import "golang.org/x/sys/unix"

// physical returns the bytes of memory that the machine has, 0 where it does not say.
func physical() uint64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return n
}

// controlGroup returns 0: the system has no control groups.
func controlGroup() uint64 { return 0 }
