package install

import (
	"errors"
	"path/filepath"
	"testing"
)

// fakeMachine returns a machine with an environment, a home folder and a Python prefix of its own; no prefix is no Python.
func fakeMachine(goos, home, prefix string, env map[string]string) machine {
	return machine{
		goos:   goos,
		getenv: func(key string) string { return env[key] },
		home:   func() (string, error) { return home, nil },
		python: func() (string, error) {
			if prefix == "" {
				return "", errors.New("no python")
			}
			return prefix, nil
		},
	}
}

func TestUserData(t *testing.T) {
	home := filepath.FromSlash("/home/me")
	join := filepath.Join
	for _, test := range []struct {
		name, goos string
		env        map[string]string
		want       string
	}{
		{"linux", "linux", nil, join(home, ".local", "share", "jupyter")},
		{"linux XDG", "linux", map[string]string{"XDG_DATA_HOME": "/x"}, join("/x", "jupyter")},
		{"darwin", "darwin", map[string]string{"XDG_DATA_HOME": "/x"}, join(home, "Library", "Jupyter")},
		{"darwin platform", "darwin", map[string]string{"JUPYTER_PLATFORM_DIRS": "1"}, join(home, "Library", "Application Support", "Jupyter")},
		{"darwin platform off", "darwin", map[string]string{"JUPYTER_PLATFORM_DIRS": "False"}, join(home, "Library", "Jupyter")},
		{"windows", "windows", map[string]string{"APPDATA": `C:\R`, "LOCALAPPDATA": `C:\L`}, join(`C:\R`, "jupyter")},
		{"windows platform", "windows", map[string]string{"APPDATA": `C:\R`, "LOCALAPPDATA": `C:\L`, "JUPYTER_PLATFORM_DIRS": "1"}, join(`C:\L`, "Jupyter")},
		{"windows bare", "windows", nil, join(home, ".jupyter", "data")},
		{"JUPYTER_DATA_DIR wins", "darwin", map[string]string{"JUPYTER_DATA_DIR": "/d", "JUPYTER_PLATFORM_DIRS": "1"}, "/d"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := fakeMachine(test.goos, home, "", test.env).userData()
			if err != nil || got != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestDataDir(t *testing.T) {
	abs := func(path string) string {
		a, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, test := range []struct {
		name    string
		env     map[string]string
		python  string
		options Options
		want    string // empty: an error
	}{
		{name: "user is the default", want: filepath.Join("/h", ".local", "share", "jupyter")},
		{name: "user", options: Options{User: true}, want: filepath.Join("/h", ".local", "share", "jupyter")},
		{name: "prefix", options: Options{Prefix: "p"}, want: filepath.Join(abs("p"), "share", "jupyter")},
		{name: "virtual environment", env: map[string]string{"VIRTUAL_ENV": "/v", "CONDA_PREFIX": "/c"}, python: "/p",
			options: Options{SysPrefix: true}, want: filepath.Join("/v", "share", "jupyter")},
		{name: "conda", env: map[string]string{"CONDA_PREFIX": "/c"}, python: "/p", options: Options{SysPrefix: true}, want: filepath.Join("/c", "share", "jupyter")},
		{name: "python", python: "/p", options: Options{SysPrefix: true}, want: filepath.Join("/p", "share", "jupyter")},
		{name: "no python", options: Options{SysPrefix: true}},
		{name: "user and prefix", options: Options{User: true, Prefix: "p"}},
		{name: "user and sys-prefix", python: "/p", options: Options{User: true, SysPrefix: true}},
		{name: "sys-prefix and prefix", python: "/p", options: Options{SysPrefix: true, Prefix: "p"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := fakeMachine("linux", "/h", test.python, test.env).dataDir(test.options)
			if failed := err != nil; failed != (test.want == "") || !failed && got != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestCheckName(t *testing.T) {
	for _, test := range []struct {
		name, want string // want is empty where the name is refused
	}{
		{"", "orthant"}, {"orthant", "orthant"}, {"MyLab", "mylab"}, {"go-1.26_x", "go-1.26_x"},
		{"a b", ""}, {"a/b", ""}, {`a\b`, ""}, {"ä", ""}, {".", ""}, {"..", ""}, {"a\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := checkName(test.name)
			if got != test.want || (err != nil) != (test.want == "") {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}
