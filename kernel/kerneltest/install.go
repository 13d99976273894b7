package kerneltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// Install builds the program and installs its kernelspec, named orthant, into a temporary folder. It returns the prefix,
// for PythonEnv.Command.
func Install(t testing.TB) (prefix string) {
	t.Helper()
	prefix = t.TempDir()
	program := filepath.Join(t.TempDir(), "orthant")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "orthant")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	install := exec.CommandContext(t.Context(), program, "install", "--prefix", prefix)
	for _, cmd := range []*exec.Cmd{build, install} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
	return prefix
}
