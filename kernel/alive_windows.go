package kernel

import "os"

// processAlive reports whether a process exists.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // the handle of a process that was found
	return true
}
