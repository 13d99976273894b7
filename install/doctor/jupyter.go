package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"orthant/install"
)

// A jupyter is the Jupyter that a shell would start.
type jupyter struct {
	command []string // what goes before its arguments; nil where there is none
}

// askTime bounds how long Jupyter may take for one answer: Python starts slowly on a cold disk.
const askTime = 20 * time.Second

var errNoJupyter = errors.New("there is no Jupyter on the PATH")

// findJupyter looks for Jupyter on the PATH, and for a Python there that may have it as a module.
func findJupyter() jupyter {
	if path, err := exec.LookPath("jupyter"); err == nil {
		return jupyter{[]string{path}}
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return jupyter{[]string{path, "-m", "jupyter"}}
		}
	}
	return jupyter{}
}

// ask runs Jupyter and returns what it prints.
func (j jupyter) ask(ctx context.Context, args ...string) ([]byte, error) {
	if j.command == nil {
		return nil, errNoJupyter
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.command[0], append(j.command[1:len(j.command):len(j.command)], args...)...)
	cmd.WaitDelay = time.Second
	return cmd.Output()
}

// places returns where this Jupyter looks. Those that are known keep their reasons.
func (j jupyter) places(ctx context.Context, known []install.Place) ([]install.Place, error) {
	out, err := j.ask(ctx, "--paths", "--json")
	if err != nil {
		return nil, err
	}
	var paths struct{ Data []string }
	if err := json.Unmarshal(out, &paths); err != nil {
		return nil, err
	}
	if len(paths.Data) == 0 {
		return nil, errors.New("no data folders")
	}
	var places []install.Place
	for _, dir := range paths.Data {
		p := install.Place{Data: filepath.Clean(dir), Why: "Jupyter"}
		for _, k := range known {
			if k.Data == p.Data {
				p.Why = k.Why
			}
		}
		places = append(places, p)
	}
	// Jupyter does not print where only the search for kernels looks.
	for _, k := range known {
		if k.Why == "IPython" {
			places = append(places, k)
		}
	}
	return places, nil
}

// kernels returns the folders of the kernels that this Jupyter lists, by name.
func (j jupyter) kernels(ctx context.Context) (map[string]string, error) {
	out, err := j.ask(ctx, "kernelspec", "list", "--json")
	if err != nil {
		return nil, err
	}
	var list struct {
		Kernelspecs map[string]struct {
			Dir string `json:"resource_dir"`
		} `json:"kernelspecs"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, err
	}
	dirs := make(map[string]string)
	for name, spec := range list.Kernelspecs {
		dirs[name] = spec.Dir
	}
	return dirs, nil
}

// versions returns the versions of the packages that this Jupyter knows, by name.
func (j jupyter) versions(ctx context.Context) (map[string]string, error) {
	out, err := j.ask(ctx, "--version")
	if err != nil {
		return nil, err
	}
	versions := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		name, version, ok := strings.Cut(line, ":")
		if version = strings.TrimSpace(version); ok && version != "" && version != "not installed" {
			versions[strings.TrimSpace(name)] = version
		}
	}
	return versions, nil
}
