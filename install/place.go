package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A machine is what decides where Jupyter looks for kernels.
type machine struct {
	goos   string
	getenv func(string) string
	home   func() (string, error)
	// python returns the prefix of the Python that a shell would start.
	python func() (string, error)
}

// thisMachine returns the machine that the program runs on.
func thisMachine() machine {
	return machine{goos: runtime.GOOS, getenv: os.Getenv, home: homeDir, python: pythonPrefix}
}

// homeDir returns the user's folder: as the environment says or, as for Python, the password database.
func homeDir() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil {
		return home, nil
	}
	if u, errUser := user.Current(); errUser == nil && u.HomeDir != "" {
		return u.HomeDir, nil
	}
	return "", err
}

// pythonPrefix asks Python for sys.prefix.
func pythonPrefix() (string, error) {
	for _, name := range []string{"python3", "python"} { // Windows has only the second
		out, err := exec.Command(name, "-c", "import sys; print(sys.prefix)").Output()
		if prefix := strings.TrimSpace(string(out)); err == nil && prefix != "" {
			return prefix, nil
		}
	}
	return "", errors.New("no Python environment is active: neither VIRTUAL_ENV nor CONDA_PREFIX is set, and there is no python3")
}

// dataDir returns the Jupyter data folder that o asks for.
func (m machine) dataDir(o Options) (string, error) {
	chosen := 0
	for _, is := range []bool{o.User, o.SysPrefix, o.Prefix != ""} {
		if is {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return "", errors.New("only one of user, sys-prefix and prefix can be chosen")
	case o.SysPrefix:
		prefix, err := m.activePrefix()
		return shared(prefix), err
	case o.Prefix != "":
		prefix, err := filepath.Abs(o.Prefix)
		return shared(prefix), err
	}
	return m.userData()
}

// shared returns the Jupyter data folder below an installation prefix.
func shared(prefix string) string { return filepath.Join(prefix, "share", "jupyter") }

// userData returns the user's Jupyter data folder (jupyter_core.paths.jupyter_data_dir).
func (m machine) userData() (string, error) {
	if dir := m.getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := m.home()
	if err != nil {
		return "", err
	}
	platform := isSet(m.getenv("JUPYTER_PLATFORM_DIRS"))
	switch m.goos {
	case "darwin":
		if platform {
			return filepath.Join(home, "Library", "Application Support", "Jupyter"), nil
		}
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		if local := m.getenv("LOCALAPPDATA"); platform && local != "" {
			return filepath.Join(local, "Jupyter"), nil
		}
		if roaming := m.getenv("APPDATA"); roaming != "" {
			return filepath.Join(roaming, "jupyter"), nil
		}
		return filepath.Join(home, ".jupyter", "data"), nil
	}
	if xdg := m.getenv("XDG_DATA_HOME"); xdg != "" {
		return filepath.Join(xdg, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// activePrefix returns the prefix of the active Python environment.
func (m machine) activePrefix() (string, error) {
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := m.getenv(variable); prefix != "" {
			return prefix, nil
		}
	}
	return m.python()
}

// isSet reads an environment variable as jupyter_core does (envset).
func isSet(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "0.0", "n", "no", "off", "false":
		return false
	}
	return true
}

// validName is what Jupyter lists as a kernel (jupyter_client.kernelspec).
var validName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// CheckName says whether a kernelspec may have the name.
func CheckName(name string) error {
	_, err := checkName(name)
	return err
}

// checkName returns the name under which Jupyter would list a kernel of the name.
func checkName(name string) (string, error) {
	if name == "" {
		return defaultName, nil
	}
	if !validName.MatchString(name) {
		return "", fmt.Errorf("the name %q may only have letters, digits, dots, hyphens and underscores", name)
	}
	if strings.Trim(name, ".") == "" {
		return "", fmt.Errorf("the name %q is not one of a folder", name)
	}
	return strings.ToLower(name), nil
}
