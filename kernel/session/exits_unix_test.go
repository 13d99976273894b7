//go:build unix

package session

import (
	"strings"
	"testing"
)

// TestSignalsToItself sends signals to the process that runs the cells: one that does no harm where it is sent after all.
func TestSignalsToItself(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"itself", "syscall.Kill(syscall.Getpid(), syscall.SIGURG)", "syscall.Kill(…, urgent I/O condition) to the kernel's own process ends the cell"},
		{"its group", "syscall.Kill(0, syscall.SIGURG)", "syscall.Kill(…, urgent I/O condition) to the kernel's own process ends the cell"},
		{"everybody", "syscall.Kill(-1, syscall.SIGURG)", "syscall.Kill(…, urgent I/O condition) to the kernel's own process ends the cell"},
		{"whether it is there", "syscall.Kill(syscall.Getpid(), 0)\npanic(\"there\")", "there"},
		{"exec", "syscall.Exec(\"/bin/true\", nil, nil)", "syscall.Exec is refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			_, e := s.Execute(t.Context(), Cell{1, "import \"syscall\"\n" + test.src}, &recorder{})
			if e == nil || !strings.Contains(e.Value, test.want) {
				t.Errorf("got %v, want %s", e, test.want)
			}
		})
	}
}
