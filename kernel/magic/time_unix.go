//go:build !windows

package magic

import (
	"syscall"
	"time"
)

// usedTime returns the processor time of this process so far; zero where the system does not tell.
func usedTime() processorTime {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return processorTime{}
	}
	return processorTime{time.Duration(use.Utime.Nano()), time.Duration(use.Stime.Nano())}
}
