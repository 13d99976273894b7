package kernel

import (
	"context"
	"os"
	"strconv"
)

// parentVariable names the environment variable in which a front end's launcher passes its own process: a process id,
// on Windows an inherited process handle. A kernel that outlived it would be an orphan that nothing ends.
const parentVariable = "JPY_PARENT_PID"

// watchParent calls gone when the process that started the kernel has ended. It returns at the latest when ctx is done;
// at once where the environment names no parent.
func watchParent(ctx context.Context, gone func()) {
	id, err := strconv.ParseUint(os.Getenv(parentVariable), 10, 64)
	if err != nil || id == 0 {
		return // started by hand, or by a launcher that does not want it
	}
	if waitForParent(ctx, id) {
		gone()
	}
}
