package kerneltest

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestNoPython(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, _, err := findPython(); !errors.Is(err, errNoPython) {
		t.Errorf("got error %v, want %v", err, errNoPython)
	}
}

// TestPython checks that the environment has what the tests of other packages import, and nothing of the user's.
func TestPython(t *testing.T) {
	const script = "import jupyter_client, jupyter_console, jupyter_kernel_test, nbclient, nbformat, ipykernel\n" +
		"from jupyter_client.kernelspec import KernelSpecManager\n" +
		"print('found', KernelSpecManager().get_kernel_spec('mine').display_name)"
	prefix := t.TempDir()
	dir := filepath.Join(prefix, "share", "jupyter", "kernels", "mine")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	spec := `{"argv":["x"],"display_name":"a name","language":"go"}`
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte(spec), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := Python(t).Command(t, []string{prefix}, "-c", script).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "found a name" {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestOpenPythonRefusesAnUnfinishedEnvironment(t *testing.T) {
	if _, err := openPython(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v, want that the mark is missing", err)
	}
}

func TestLockFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var holders atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				unlock, err := lockFile(path)
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				runtime.Gosched()
				holders.Add(-1)
				unlock()
			}
		})
	}
	group.Wait()
}
