package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// defaultName is the kernelspec's name unless another is asked for.
const defaultName = "orthant"

// Options say where a kernelspec is. At most one of User, SysPrefix and Prefix may be set; with none, it is User.
type Options struct {
	User      bool   // below the user's Jupyter data folder
	SysPrefix bool   // below the prefix of the active Python environment
	Prefix    string // below PREFIX/share/jupyter
	Name      string // letters, digits, dots, hyphens and underscores; saved in lower case; empty: orthant

	// Executable is the absolute path of the program to start; empty: the running one.
	Executable string
	// Replace says to replace a kernelspec of the same name also where it is broken or another kernel's. Folders without a
	// kernel.json are never replaced.
	Replace bool
}

// A Spec is an installed kernelspec.
type Spec struct {
	Dir        string // its folder, absolute
	Executable string // what it starts, absolute
	Copied     bool   // whether Executable is a copy made for it, see the package's documentation
	Searched   bool   // whether Jupyter, as started from this environment, looks where Dir is
}

// Install writes the kernelspec, in place of an earlier one of ours under the same name. It appears all at once, by a
// rename. A kernelspec of another kernel under that name is an error unless Options.Replace is set, and so is a place that cannot be written to.
func Install(o Options) (Spec, error) {
	spec, err := thisMachine().install(o)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = fmt.Errorf("%w; --prefix DIR or --sys-prefix puts the kernelspec elsewhere", err)
	}
	if err != nil {
		return Spec{}, fmt.Errorf("install: %w", err)
	}
	return spec, nil
}

// Uninstall removes the kernelspec, with the copy of the executable if there is one, and returns its folder. That there
// is none, or that it is another kernel's, is an error.
func Uninstall(o Options) (dir string, err error) {
	dir, err = thisMachine().uninstall(o)
	if err != nil {
		return "", fmt.Errorf("uninstall: %w", err)
	}
	return dir, nil
}

func (m machine) install(o Options) (spec Spec, err error) {
	data, dir, err := m.locate(o)
	if err != nil {
		return Spec{}, err
	}
	old, err := existing(dir)
	if err != nil {
		return Spec{}, err
	}
	for _, dir := range old {
		if err := checkReplaceable(dir, o.Replace); err != nil {
			return Spec{}, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return Spec{}, err
	}
	// Beside the folder of kernels and not in it, where Jupyter would find the half-made one.
	stage, err := os.MkdirTemp(data, ".orthant-*")
	if err != nil {
		return Spec{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	spec, err = m.build(filepath.Join(stage, "new"), dir, o.Executable)
	if err != nil {
		return Spec{}, err
	}
	if err := swap(stage, old, dir); err != nil {
		return Spec{}, err
	}
	spec.Searched = m.isSearched(data)
	return spec, nil
}

func (m machine) uninstall(o Options) (dir string, err error) {
	data, dir, err := m.locate(o)
	if err != nil {
		return "", err
	}
	old, err := existing(dir)
	if err != nil {
		return "", err
	}
	if len(old) == 0 {
		return "", fmt.Errorf("there is no kernel at %s", dir)
	}
	if err := checkOurs(old[0]); err != nil {
		return "", err
	}
	// Renamed first, so that it is gone at once or, where a file is in use on Windows, not at all.
	stage, err := os.MkdirTemp(data, ".orthant-*")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	if err := os.Rename(old[0], filepath.Join(stage, "old")); err != nil {
		return "", err
	}
	return old[0], nil
}

// locate returns the data folder and the kernelspec's folder in it, both absolute.
func (m machine) locate(o Options) (data, dir string, err error) {
	name, err := checkName(o.Name)
	if err != nil {
		return "", "", err
	}
	if data, err = m.dataDir(o); err != nil {
		return "", "", err
	}
	data, err = filepath.Abs(data)
	return data, filepath.Join(data, "kernels", name), err
}

// existing returns the folders that Jupyter takes for the same kernel as dir: names are compared without regard to case,
// so that there may be more than one.
func existing(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found []string
	for _, e := range entries {
		if strings.EqualFold(e.Name(), filepath.Base(dir)) {
			found = append(found, filepath.Join(filepath.Dir(dir), e.Name()))
		}
	}
	return found, err
}

// checkReplaceable returns an error unless Install may remove the folder. A folder that is no kernelspec it never removes.
func checkReplaceable(dir string, replace bool) error {
	err := checkOurs(dir)
	if err == nil {
		return nil
	}
	if info, errStat := os.Stat(filepath.Join(dir, specFile)); errStat != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%w; choose another name", err)
	}
	if replace {
		return nil
	}
	return fmt.Errorf("%w; choose another name, or replace it with --replace", err)
}

// build makes the kernelspec's folder at temp; it will be moved to dir.
func (m machine) build(temp, dir, executable string) (Spec, error) {
	if executable == "" {
		var err error
		if executable, err = os.Executable(); err != nil {
			return Spec{}, err
		}
	}
	if err := os.Mkdir(temp, 0o755); err != nil {
		return Spec{}, err
	}
	spec := Spec{Dir: dir, Executable: executable}
	if isTemporary(executable) {
		spec.Copied = true
		spec.Executable = filepath.Join(dir, copyName())
		if err := copyExecutable(filepath.Join(temp, copyName()), executable); err != nil {
			return Spec{}, err
		}
	}
	return spec, writeSpec(temp, spec.Executable)
}

// swap puts stage/new in the place of dir. The old folders go into stage, and back if that fails. Where the system can
// exchange two folders, there is a kernelspec at any time.
func swap(stage string, old []string, dir string) error {
	if len(old) == 1 && old[0] == dir && exchange(filepath.Join(stage, "new"), dir) == nil {
		return nil
	}
	aside := func(i int) string { return filepath.Join(stage, fmt.Sprintf("old%d", i)) }
	var err error
	moved := 0
	for ; moved < len(old) && err == nil; moved++ {
		err = os.Rename(old[moved], aside(moved))
	}
	if err == nil {
		err = os.Rename(filepath.Join(stage, "new"), dir)
	} else {
		moved-- // the last one is where it was
	}
	if err != nil {
		for i := range moved {
			err = errors.Join(err, os.Rename(aside(i), old[i]))
		}
	}
	return err
}
