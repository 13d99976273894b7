package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Found is a kernelspec of ours, or one that stands where ours could.
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
// program of our name, and all of our names.
func Find(places []Place) []Found {
	var all []Found
	names := map[string]bool{defaultName: true}
	for _, p := range places {
		entries, err := os.ReadDir(filepath.Join(p.Data, "kernels"))
		if err != nil {
			continue // most places are not there; Jupyter passes over those that it cannot read, too
		}
		for _, e := range entries {
			f, err := readFound(p, filepath.Join(p.Data, "kernels", e.Name()))
			if err != nil {
				continue // not a kernelspec
			}
			all = append(all, f)
			if !f.Foreign || f.startsOurs() {
				names[f.Name] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(f Found) bool { return !names[f.Name] })
}

// startsOurs says whether the program has our name.
func (f Found) startsOurs() bool {
	return len(f.Argv) > 0 && strings.HasPrefix(strings.ToLower(filepath.Base(f.Argv[0])), defaultName)
}

// readFound reads a kernelspec. The error says that the folder is none.
func readFound(p Place, dir string) (Found, error) {
	name := filepath.Base(dir)
	data, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return Found{}, err
	}
	f := Found{Name: strings.ToLower(name), Dir: dir, Place: p, Foreign: checkOurs(dir) != nil}
	switch {
	case err != nil:
		f.Err = cause(err)
	case !validName.MatchString(name):
		f.Argv, f.Env, _ = parseSpec(data) // one error is enough
		f.Err = errors.New("the folder's name has characters that Jupyter refuses")
	default:
		f.Argv, f.Env, f.Err = parseSpec(data)
	}
	return f, nil
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
