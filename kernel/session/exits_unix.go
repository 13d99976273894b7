//go:build unix

package session

import (
	"os"
	"reflect"
	"syscall"
)

// ignored are signals that do nothing to a process that does not ask for them.
var ignored = map[syscall.Signal]bool{syscall.SIGCHLD: true, syscall.SIGCONT: true, syscall.SIGWINCH: true}

// systemExits are the functions of package syscall that send signals to processes.
func (s *Session) systemExits() map[string]reflect.Value {
	return map[string]reflect.Value{
		"Kill": reflect.ValueOf(func(pid int, sig syscall.Signal) error {
			// 0 and below are process groups; -1 is every process there is.
			own := pid == os.Getpid() || pid == 0 || pid == -1 || pid == -syscall.Getpgrp()
			if own && !ignored[sig] {
				s.signals("syscall.Kill", sig)
			}
			return syscall.Kill(pid, sig)
		}),
	}
}
