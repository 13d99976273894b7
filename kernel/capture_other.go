//go:build !linux

package kernel

import (
	"errors"
	"os"
)

// free gives the blocks of a part of a file back to the disk, where that can be done.
func free(*os.File, int64, int64) error { return errors.ErrUnsupported }
