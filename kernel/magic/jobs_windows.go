package magic

import (
	"os/exec"
	"strconv"
	"syscall"
)

// shell returns a command of cmd. It gets its line as it stands: cmd has rules of its own for quotes, of which /S leaves one.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CmdLine:       `cmd /D /S /C "` + command + `"`,
		CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP,
	}
	return cmd
}

// alive is false: Windows does not know a process that has ended as the parent of others.
func alive(int) bool { return false }

// ask does nothing: Windows can interrupt only what shares a console.
func ask(int) {}

// terminate ends a process and what it has started.
func terminate(pid int) { kill(pid) }

// kill ends a process and what it has started. The error of one that has ended already means that all is well.
func kill(pid int) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run()
}
