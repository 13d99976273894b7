//go:build !windows

package kernel

import (
	"context"
	"os"
	"time"
)

// parentPoll is how often the parent is looked for. Unix tells a process nothing when its parent ends (Linux's
// PR_SET_PDEATHSIG is tied to the parent's thread, not its process), so all kernels poll; ipykernel too each second.
const parentPoll = time.Second

// initProcess adopts orphans.
const initProcess = 1

// waitForParent waits until the parent with the given process id has ended, and reports false if ctx was done before.
func waitForParent(ctx context.Context, id uint64) bool {
	tick := time.NewTicker(parentPoll)
	defer tick.Stop()
	return parentEnded(ctx, tick.C, os.Getppid, id)
}

// parentEnded polls ppid at each tick. When ppid is not the announced id at first, a wrapper script stands between: then
// only being adopted by init tells that it is gone, and a subreaper's adoption goes unseen.
func parentEnded(ctx context.Context, tick <-chan time.Time, ppid func() int, id uint64) bool {
	wrapped := uint64(ppid()) != id
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick:
		}
		now := ppid()
		if wrapped && now == initProcess || !wrapped && uint64(now) != id {
			return true
		}
	}
}
