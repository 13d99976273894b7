package memory

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of sysinfoapi.h.
type memoryStatus struct {
	length, load                                                     uint32
	totalPhys, availPhys, totalPage, availPage, totalVirt, availVirt uint64
	availExtendedVirt                                                uint64
}

var globalMemoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// physical is the machine's memory.
func physical() (uint64, bool) {
	s := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&s))) // the error is always set; the first result counts
	return s.totalPhys, ok != 0
}

// controlGroup: there are none on this system.
func controlGroup() (uint64, bool) { return 0, false }
