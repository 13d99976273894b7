package kernel

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// adoptChildren puts the kernel into a job, to which the processes belong that cells start, and those that these start. The
// system ends what is in it when the kernel ends, however that does. What a cell starts with CREATE_BREAKAWAY_FROM_JOB goes on.
func adoptChildren() error {
	job, err := windows.CreateJobObject(nil, nil) // its handle is closed with the process, by the system
	if err != nil {
		return err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
		LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK,
	}}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		return err
	}
	return windows.AssignProcessToJobObject(job, windows.CurrentProcess())
}

// endChildren does nothing: the job ends with the process.
func endChildren() error { return nil }
