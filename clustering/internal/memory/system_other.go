//go:build !linux && !darwin && !windows

package memory

// physical: not known on this system.
func physical() (uint64, bool) { return 0, false }

// controlGroup: there are none on this system.
func controlGroup() (uint64, bool) { return 0, false }
