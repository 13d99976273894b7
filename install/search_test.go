package install

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPlaces(t *testing.T) {
	list := "/one" + string(os.PathListSeparator) + "/two"
	local, ipython := filepath.Join("/h", ".local", "share", "jupyter"), filepath.Join("/h", ".ipython")
	for _, test := range []struct {
		name, goos, python string
		env                map[string]string
		want               []string
	}{
		{"linux", "linux", "/p", map[string]string{"JUPYTER_PATH": list},
			[]string{"/one", "/two", local, shared("/p"), shared("/usr/local"), shared("/usr"), ipython}},
		{"python of the system", "linux", "/usr", nil, []string{local, shared("/usr"), shared("/usr/local"), ipython}},
		{"user site apart from the data folder", "linux", "/p", map[string]string{"JUPYTER_DATA_DIR": "/d"},
			[]string{"/d", local, shared("/p"), shared("/usr/local"), shared("/usr"), ipython}},
		{"virtual environment", "linux", "/p", map[string]string{"VIRTUAL_ENV": "/v"},
			[]string{shared("/v"), local, shared("/usr/local"), shared("/usr"), ipython}},
		{"virtual environment, user first", "linux", "/p", map[string]string{"VIRTUAL_ENV": "/v", "JUPYTER_PREFER_ENV_PATH": "0"},
			[]string{local, shared("/v"), shared("/usr/local"), shared("/usr"), ipython}},
		{"conda", "darwin", "/p", map[string]string{"CONDA_PREFIX": "/c", "CONDA_DEFAULT_ENV": "lab"},
			[]string{shared("/c"), filepath.Join("/h", "Library", "Jupyter"), shared("/usr/local"), shared("/usr"), ipython}},
		{"conda's base", "linux", "/p", map[string]string{"CONDA_PREFIX": "/c", "CONDA_DEFAULT_ENV": "base"},
			[]string{local, shared("/c"), shared("/usr/local"), shared("/usr"), ipython}},
		{"environment first", "linux", "/p", map[string]string{"JUPYTER_PREFER_ENV_PATH": "1"},
			[]string{shared("/p"), local, shared("/usr/local"), shared("/usr"), ipython}},
		{"no python", "darwin", "", nil, []string{filepath.Join("/h", "Library", "Jupyter"), shared("/usr/local"), shared("/usr"), ipython}},
		{"windows", "windows", "", map[string]string{"APPDATA": `C:\R`, "PROGRAMDATA": `C:\P`},
			[]string{filepath.Join(`C:\R`, "jupyter"), ipython}},
		{"windows, common", "windows", "", map[string]string{"APPDATA": `C:\R`, "PROGRAMDATA": `C:\P`, "JUPYTER_USE_PROGRAMDATA": "1"},
			[]string{filepath.Join(`C:\R`, "jupyter"), filepath.Join(`C:\P`, "jupyter"), ipython}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, p := range fakeMachine(test.goos, "/h", test.python, test.env).places() {
				got = append(got, p.Data)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestUnsearched(t *testing.T) {
	m := fakeMachine("linux", "/h", "", map[string]string{"JUPYTER_DATA_DIR": "/d", "CONDA_PREFIX": "/c", "VIRTUAL_ENV": "/v"})
	var got []string
	for _, p := range m.unsearched("/opt/go/bin/orthant") {
		got = append(got, p.Data)
	}
	for _, want := range []string{filepath.Join("/h", "Library", "Jupyter"), shared("/c"), shared("/opt/go"), filepath.Join("/h", ".local", "share", "jupyter")} {
		if !slices.Contains(got, want) {
			t.Errorf("%q lacks %s", got, want)
		}
	}
	if slices.Contains(got, shared("/v")) {
		t.Errorf("%q has %s, where Jupyter looks", got, shared("/v"))
	}
}
