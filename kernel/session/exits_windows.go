package session

import (
	"fmt"
	"reflect"
	"syscall"
)

// systemExits are the functions of package syscall that end processes.
func (s *Session) systemExits() map[string]reflect.Value {
	return map[string]reflect.Value{
		"ExitProcess": reflect.ValueOf(func(code uint32) { s.exit(fmt.Sprintf("syscall.ExitProcess(%d)", code)) }),
		"TerminateProcess": reflect.ValueOf(func(handle syscall.Handle, code uint32) error {
			if own, err := syscall.GetCurrentProcess(); err == nil && handle == own {
				s.exit(fmt.Sprintf("syscall.TerminateProcess(…, %d) of the kernel's own process", code))
			}
			return syscall.TerminateProcess(handle, code)
		}),
	}
}
