//go:build !windows

package kernel

import (
	"os/signal"
	"syscall"
)

// endChildren asks the processes to end that cells have started and left running, and those that these have started.
// They are the rest of our process group: managers start a kernel as the leader of a new one. What a cell has put into
// a group of its own goes on. Where somebody else leads, the group is a shell's or a launcher's, and nothing is done.
func endChildren() error {
	if syscall.Getpgrp() != syscall.Getpid() {
		return nil
	}
	signal.Ignore(syscall.SIGTERM) // we belong to the group, too
	return syscall.Kill(0, syscall.SIGTERM)
}
