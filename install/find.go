package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Found is a kernelspec of ours, or one that looks as if it was meant to be.
type Found struct {
	Name  string            // as Jupyter lists it: the folder's name in lower case
	Dir   string            // its folder
	Place Place             // where it was found
	Argv  []string          // the command that starts it
	Env   map[string]string // what is added to the environment
	// Err says why Jupyter does not list the kernel, or would not be able to start it; nil for a good file.
	Err error
	// Foreign says that Install would not replace it without being told to: another kernel's, or broken.
	Foreign bool
}

// Find returns the kernelspecs of ours in the places, in their order: those that Install has made, those that start a
// program of our name, and those of our name.
func Find(places []Place) []Found {
	var found []Found
	for _, p := range places {
		entries, err := os.ReadDir(filepath.Join(p.Data, "kernels"))
		if err != nil {
			continue // most places are not there; Jupyter passes over those that it cannot read, too
		}
		for _, e := range entries {
			dir := filepath.Join(p.Data, "kernels", e.Name())
			if f, ours := readFound(p, dir); ours {
				found = append(found, f)
			}
		}
	}
	return found
}

// readFound reads a kernelspec and says whether it is of ours.
func readFound(p Place, dir string) (f Found, ours bool) {
	data, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil && !errors.Is(err, os.ErrPermission) {
		return Found{}, false // not a kernelspec
	}
	f = Found{Name: strings.ToLower(filepath.Base(dir)), Dir: dir, Place: p, Foreign: checkOurs(dir) != nil}
	if err != nil {
		f.Err = cause(err)
	} else {
		f.Argv, f.Env, f.Err = parseSpec(data)
	}
	named := len(f.Argv) > 0 && strings.HasPrefix(strings.ToLower(filepath.Base(f.Argv[0])), defaultName)
	return f, named || !f.Foreign || f.Name == defaultName
}

// parseSpec reads a kernel.json as Jupyter does, and says what Jupyter would stumble over.
//
// https://jupyter-client.readthedocs.io/en/stable/kernels.html#kernel-specs
func parseSpec(data []byte) (argv []string, env map[string]string, err error) {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, nil, errors.New("it begins with a byte order mark, which Jupyter cannot read")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	var displayName, language string
	for _, f := range []struct {
		name     string
		to       any
		required bool
	}{
		{"argv", &argv, true}, {"display_name", &displayName, true}, {"language", &language, true}, {"env", &env, false},
	} {
		value, given := fields[f.name]
		switch {
		case !given && f.required:
			err = errors.Join(err, fmt.Errorf("%s is missing", f.name))
		case given && json.Unmarshal(value, f.to) != nil:
			err = errors.Join(err, fmt.Errorf("%s is of the wrong kind: %s", f.name, value))
		}
	}
	if err != nil {
		return argv, env, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if !slices.ContainsFunc(argv, func(arg string) bool { return strings.Contains(arg, "{connection_file}") }) {
		return argv, env, errors.New("argv has no {connection_file}")
	}
	return argv, env, nil
}
