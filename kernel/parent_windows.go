package kernel

import (
	"context"
	"time"

	"golang.org/x/sys/windows"
)

// parentPoll is how long one wait for the parent lasts before ctx is looked at again.
const parentPoll = time.Second

// waitForParent waits until the process behind an inherited handle has ended, and reports false if ctx was done before
// or if the handle cannot be waited for.
func waitForParent(ctx context.Context, handle uint64) bool {
	for ctx.Err() == nil {
		event, err := windows.WaitForSingleObject(windows.Handle(handle), uint32(parentPoll.Milliseconds()))
		if err != nil {
			return false
		}
		if event == windows.WAIT_OBJECT_0 {
			return true
		}
	}
	return false
}
