package memory

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX.
//
// https://learn.microsoft.com/en-us/windows/win32/api/sysinfoapi/ns-sysinfoapi-memorystatusex
type memoryStatus struct {
	length, load                                                                   uint32
	physical, freePhysical, paging, freePaging, virtual, freeVirtual, freeExtended uint64
}

// physical returns the bytes of memory that the machine has, 0 where it does not say.
func physical() uint64 {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0
	}
	return s.physical
}

// controlGroup returns 0: the system has no control groups.
func controlGroup() uint64 { return 0 }
