package kerneltest

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// requirements pins every package of the environment that Python makes.
//
//go:embed requirements.txt
var requirements []byte

// A PythonEnv is a Python interpreter that can import Jupyter's client packages, those of requirements.txt.
type PythonEnv struct {
	interpreter string
	path        string // PYTHONPATH of an environment made by pip --target; empty for a virtual environment
}

// Python returns the environment with Jupyter's client packages. The first call on a machine makes it, in the user's
// cache folder (a minute, most of it downloads); later calls, of other test processes too, find it there. A test that
// calls it is left out under -short, and fails where there is no Python to make the environment with.
func Python(t testing.TB) *PythonEnv {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a Python environment, which -short leaves out")
	}
	env, err := pythonOnce()
	if err != nil {
		t.Fatal(err)
	}
	return env
}

var pythonOnce = sync.OnceValues(makePython)

// Prefix returns the folder below which ipykernel's own kernelspec, python3, is installed.
func (e *PythonEnv) Prefix() string {
	if e.path != "" {
		return e.path
	}
	return filepath.Dir(filepath.Dir(e.interpreter)) // of bin or Scripts
}

// Command returns a command that runs the interpreter with args. Jupyter's and IPython's folders and our history are below a temporary
// one, so that nothing of the user's is read or written; kernelspecs are found in prefix/share/jupyter/kernels, for
// each given prefix.
func (e *PythonEnv) Command(t testing.TB, prefixes []string, args ...string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	search := make([]string, len(prefixes))
	for i, p := range prefixes {
		search[i] = filepath.Join(p, "share", "jupyter")
	}
	cmd := exec.CommandContext(t.Context(), e.interpreter, args...)
	cmd.Env = append(os.Environ(),
		"JUPYTER_PATH="+strings.Join(search, string(os.PathListSeparator)),
		"JUPYTER_DATA_DIR="+filepath.Join(home, "data"),
		"JUPYTER_CONFIG_DIR="+filepath.Join(home, "config"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(home, "runtime"),
		"IPYTHONDIR="+filepath.Join(home, "ipython"),
		"ORTHANT_HISTORY="+filepath.Join(home, "history.sqlite"),
		"PYTHONDONTWRITEBYTECODE=1",
		"PYTHONUTF8=1",
	)
	if e.path != "" {
		cmd.Env = append(cmd.Env, "PYTHONPATH="+e.path)
	}
	return cmd
}

// errNoPython says what to install. Tests that need Jupyter fail with it.
var errNoPython = errors.New("this test needs Python 3.11 or newer with its venv module or pip: install it " +
	"(Debian and Ubuntu: apt-get install python3 python3-venv; macOS: brew install python; Windows: python.org), " +
	"or leave such tests out with go test -short")

// makePython finds or makes the environment.
func makePython() (*PythonEnv, error) {
	base, version, err := findPython()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("kerneltest: no place for the Python environment: %w", err)
	}
	// The interpreter is part of the key: an environment dies with the Python it was made from.
	key := sha256.New()
	key.Write(requirements)
	fmt.Fprintln(key, base, version)
	dir := filepath.Join(cache, "orthant", "python-"+hex.EncodeToString(key.Sum(nil))[:16])
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("kerneltest: no place for the Python environment: %w", err)
	}
	unlock, err := lockFile(dir + ".lock")
	if err != nil {
		return nil, fmt.Errorf("kerneltest: locking the Python environment: %w", err)
	}
	defer unlock()

	if env, err := openPython(dir); err == nil {
		return env, nil
	}
	// What an interrupted run left behind is not worth mending.
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("kerneltest: removing an unfinished Python environment: %w", err)
	}
	pins := dir + ".txt"
	if err := os.WriteFile(pins, requirements, 0o644); err != nil {
		return nil, fmt.Errorf("kerneltest: %w", err)
	}
	venvErr := makeVenv(base, dir, pins)
	if venvErr != nil {
		// Debian splits ensurepip off into python3-venv; pip alone is enough for us.
		if err := os.RemoveAll(dir); err != nil {
			return nil, fmt.Errorf("kerneltest: %w", err)
		}
		if err := makeTarget(base, dir, pins); err != nil {
			return nil, fmt.Errorf("%w\n%w\n%w", errNoPython, venvErr, err)
		}
	}
	return openPython(dir)
}

// findPython returns the path and the version of the first Python on PATH that is new enough.
func findPython() (path, version string, err error) {
	const ask = "import sys; print(sys.executable); print('.'.join(map(str, sys.version_info[:3]))); " +
		"sys.exit(sys.version_info < (3, 11))"
	for _, name := range []string{"python3", "python"} {
		out, err := exec.Command(name, "-c", ask).Output()
		if err != nil {
			continue // not there, or too old: the next name may do
		}
		if lines := strings.Fields(string(out)); len(lines) == 2 {
			return lines[0], lines[1], nil
		}
	}
	return "", "", errNoPython
}

// readyFile is written last, so that an environment without it is known to be unfinished. It holds "venv" or "target".
const readyFile = "orthant-ready"

// openPython returns the finished environment in dir.
func openPython(dir string) (*PythonEnv, error) {
	kind, err := os.ReadFile(filepath.Join(dir, readyFile))
	if err != nil {
		return nil, fmt.Errorf("kerneltest: Python environment: %w", err)
	}
	form, interpreter, _ := strings.Cut(string(kind), "\n")
	env := &PythonEnv{interpreter: interpreter}
	if form == "target" {
		env.path = dir
	}
	if out, err := exec.Command(env.interpreter, "-c", "pass").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("kerneltest: Python environment %s: %w\n%s", dir, err, out)
	}
	return env, nil
}

// makeVenv makes a virtual environment in dir.
func makeVenv(base, dir, pins string) error {
	if err := run(base, "-m", "venv", dir); err != nil {
		return err
	}
	interpreter := filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		interpreter = filepath.Join(dir, "Scripts", "python.exe")
	}
	if err := run(interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", pins); err != nil {
		return err
	}
	return markReady(dir, "venv", interpreter)
}

// makeTarget installs the packages into dir, to be put on PYTHONPATH.
func makeTarget(base, dir, pins string) error {
	err := run(base, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", dir, "-r", pins)
	if err != nil {
		return err
	}
	return markReady(dir, "target", base)
}

func markReady(dir, form, interpreter string) error {
	return os.WriteFile(filepath.Join(dir, readyFile), []byte(form+"\n"+interpreter), 0o644)
}

// run runs a command; its error holds what the command said.
func run(name string, args ...string) error {
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(out.Bytes()))
	}
	return nil
}
