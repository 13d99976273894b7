//go:build !windows

package magic

import (
	"os/exec"
	"syscall"
)

// shell returns a command of sh, in a process group of its own: a signal to the group ends all that it starts, and the
// terminal's or the manager's signals to the kernel's group do not reach it.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// The group of a process that has ended may be empty, so errors mean that all is well.

// alive reports whether a process of a group runs.
func alive(pid int) bool { return syscall.Kill(-pid, 0) == nil }

// ask interrupts a group.
func ask(pid int) { _ = syscall.Kill(-pid, syscall.SIGINT) }

// terminate tells a group to end.
func terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }

// kill ends a group.
func kill(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
