//go:build unix

package session

import (
	"os"
	"reflect"
	"syscall"
)

// systemExits are the functions of package syscall that send signals to processes.
func (s *Session) systemExits() map[string]reflect.Value {
	return map[string]reflect.Value{
		"Kill": reflect.ValueOf(func(pid int, sig syscall.Signal) error {
			// 0 and below are process groups; -1 is every process there is.
			if pid == os.Getpid() || pid == 0 || pid == -1 || pid == -syscall.Getpgrp() {
				s.signals("syscall.Kill", sig)
			}
			return syscall.Kill(pid, sig)
		}),
	}
}
