package kernel

import (
	"os"

	"golang.org/x/sys/unix"
)

// free gives the blocks of a part of a file back to the disk; it reads as zeros then, and the file stays as long as it is.
func free(f *os.File, from, to int64) error {
	return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, from, to-from)
}
