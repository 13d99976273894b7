package install

import (
	"os"
	"path/filepath"
	"slices"
)

// A Place is a data folder in which Jupyter looks for kernelspecs: in the folder kernels below it.
type Place struct {
	Data string // absolute where the environment says so
	// Why says who has Jupyter look there: the name of an environment variable, "user", "environment" (the active Python
	// environment), "system" or "IPython".
	Why string
}

// Places returns where Jupyter, as started from this environment, looks for kernelspecs: the first place wins. It is what
// jupyter --paths prints, as far as that can be known without Jupyter.
//
// https://docs.jupyter.org/en/latest/use/jupyter-directories.html#data-files
func Places() []Place { return thisMachine().places() }

// places follows jupyter_core.paths.jupyter_path and jupyter_client.kernelspec.
func (m machine) places() []Place {
	var places []Place
	for _, dir := range filepath.SplitList(m.getenv("JUPYTER_PATH")) {
		places = append(places, Place{dir, "JUPYTER_PATH"})
	}
	user, environment := m.userPlaces(), m.environmentPlaces()
	if m.prefersEnvironment() {
		user, environment = environment, user
	}
	places = append(places, user...)
	places = append(places, environment...)
	places = append(places, m.systemPlaces()...)
	if home, err := m.home(); err == nil {
		places = append(places, Place{filepath.Join(home, ".ipython"), "IPython"})
	}
	return firstOfEach(places)
}

// firstOfEach leaves out folders that came before.
func firstOfEach(places []Place) []Place {
	var firsts []Place
	for _, p := range places {
		p.Data = filepath.Clean(p.Data)
		if !slices.ContainsFunc(firsts, func(f Place) bool { return f.Data == p.Data }) {
			firsts = append(firsts, p)
		}
	}
	return firsts
}

func (m machine) userPlaces() (places []Place) {
	if data, err := m.userData(); err == nil {
		places = append(places, Place{data, "user"})
	}
	// Python's user site, which a virtual environment leaves out. On other systems its folder has Python's version in it.
	if home, err := m.home(); err == nil && m.goos == "linux" && m.getenv("VIRTUAL_ENV") == "" {
		base := m.getenv("PYTHONUSERBASE")
		if base == "" {
			base = filepath.Join(home, ".local")
		}
		places = append(places, Place{shared(base), "user"})
	}
	return places
}

func (m machine) environmentPlaces() []Place {
	prefix, err := m.activePrefix()
	if err != nil {
		return nil // without Python there is no environment
	}
	return []Place{{shared(prefix), "environment"}}
}

func (m machine) systemPlaces() []Place {
	if m.goos != "windows" {
		return []Place{{shared("/usr/local"), "system"}, {shared("/usr"), "system"}}
	}
	// Since jupyter_core 5.8 a folder that everybody can write to has to be asked for.
	if common := m.getenv("PROGRAMDATA"); common != "" && isSet(m.getenv("JUPYTER_USE_PROGRAMDATA")) {
		return []Place{{filepath.Join(common, "jupyter"), "system"}}
	}
	return nil
}

// prefersEnvironment says whether the active environment comes before the user's folder.
func (m machine) prefersEnvironment() bool {
	if value := m.getenv("JUPYTER_PREFER_ENV_PATH"); value != "" {
		return isSet(value)
	}
	if m.getenv("VIRTUAL_ENV") != "" {
		return true
	}
	name := m.getenv("CONDA_DEFAULT_ENV")
	return m.getenv("CONDA_PREFIX") != "" && name != "" && name != "base"
}

// isSearched says whether Jupyter looks for kernels in the data folder.
func (m machine) isSearched(dataDir string) bool {
	return slices.ContainsFunc(m.places(), func(p Place) bool {
		return p.Data == filepath.Clean(dataDir) || SameFile(p.Data, dataDir)
	})
}

// SameFile says whether two paths lead to one file or folder; two that lead nowhere do not.
func SameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// UserPlace returns the place in which Install puts a kernelspec by default.
func UserPlace() (Place, error) {
	data, err := thisMachine().userData()
	return Place{data, "user"}, err
}

// UnsearchedPlaces returns folders in which people leave kernelspecs although Jupyter, as started from this environment,
// does not look there: those of other systems and of other settings, and those beside the executable.
func UnsearchedPlaces(executable string) []Place { return thisMachine().unsearched(executable) }

func (m machine) unsearched(executable string) []Place {
	var places []Place
	if home, err := m.home(); err == nil {
		for _, dir := range []string{
			filepath.Join(home, ".local", "share", "jupyter"), filepath.Join(home, "Library", "Jupyter"),
			filepath.Join(home, "Library", "Application Support", "Jupyter"), filepath.Join(home, ".jupyter", "data"),
			filepath.Join(home, ".jupyter"),
		} {
			places = append(places, Place{dir, "home"})
		}
	}
	for _, variable := range []string{"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "XDG_DATA_HOME"} {
		if dir := m.getenv(variable); dir != "" {
			places = append(places, Place{filepath.Join(dir, "jupyter"), variable})
		}
	}
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := m.getenv(variable); dir != "" {
			places = append(places, Place{shared(dir), variable})
		}
	}
	if dir := filepath.Dir(executable); filepath.Base(dir) == "bin" {
		places = append(places, Place{shared(filepath.Dir(dir)), "executable"})
	}
	return slices.DeleteFunc(firstOfEach(places), func(p Place) bool { return m.isSearched(p.Data) })
}

// RuntimeDir returns the folder in which Jupyter keeps connection files.
func RuntimeDir() (string, error) {
	m := thisMachine()
	if dir := m.getenv("JUPYTER_RUNTIME_DIR"); dir != "" {
		return dir, nil
	}
	data, err := m.userData()
	return filepath.Join(data, "runtime"), err
}
