package session

import (
	"os"
	"slices"
	"sync"
	"syscall"
)

// standardFiles are the files that cells have made of the process's standard descriptors. They are kept, because one that is
// garbage closes its descriptor: that is the kernel's, and the next client's connection would take its number.
type standardFiles struct {
	mu   sync.Mutex
	kept []*os.File
}

// newFile is os.NewFile.
func (s *standardFiles) newFile(descriptor uintptr, name string) *os.File {
	f := os.NewFile(descriptor, name)
	// On Windows these are variables, and of another type.
	if slices.Contains([]uintptr{uintptr(syscall.Stdin), uintptr(syscall.Stdout), uintptr(syscall.Stderr)}, descriptor) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.kept = append(s.kept, f)
	}
	return f
}
