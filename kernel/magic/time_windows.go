package magic

import (
	"syscall"
	"time"
)

// usedTime returns the processor time of this process so far; zero where the system does not tell.
func usedTime() processorTime {
	const self = ^syscall.Handle(0) // GetCurrentProcess
	var created, ended, system, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &created, &ended, &system, &user); err != nil {
		return processorTime{}
	}
	return processorTime{filetime(user), filetime(system)}
}

// filetime returns a span that Windows counts in tenths of microseconds. Filetime's own method takes it for a date.
func filetime(t syscall.Filetime) time.Duration {
	const tick = 100 * time.Nanosecond
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * tick
}
