package install

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// lasting is a path outside of all temporary folders; nothing has to be there.
var lasting = filepath.FromSlash("/opt/orthant 1.0/bin/orthant")

// newMachine returns a Linux machine whose data folder is below a fresh folder, and that data folder.
func newMachine(t *testing.T) (m machine, data string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "jupyter")
	return fakeMachine("linux", "/nowhere", "", map[string]string{"JUPYTER_DATA_DIR": data}), data
}

func mustInstall(t *testing.T, m machine, o Options) Spec {
	t.Helper()
	spec, err := m.install(o)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// entries lists a folder, empty where there is none.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestInstall(t *testing.T) {
	m, data := newMachine(t)
	spec := mustInstall(t, m, Options{Executable: lasting})
	want := Spec{Dir: filepath.Join(data, "kernels", "orthant"), Executable: lasting, Searched: true}
	if spec != want {
		t.Errorf("got  %+v\nwant %+v", spec, want)
	}
	if got, want := entries(t, spec.Dir), []string{"kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"}; !slices.Equal(got, want) {
		t.Errorf("files: got %q, want %q", got, want)
	}
	if got, want := entries(t, data), []string{"kernels"}; !slices.Equal(got, want) {
		t.Errorf("beside the kernels: got %q, want %q", got, want)
	}
	got, err := os.ReadFile(filepath.Join(spec.Dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "kernel.json.golden")
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		text = []byte(strings.ReplaceAll(string(text), "/opt/orthant 1.0/bin/orthant", `\\opt\\orthant 1.0\\bin\\orthant`))
	}
	if string(got) != string(text) {
		t.Errorf("kernel.json (-update rewrites it): got\n%s\nwant\n%s", got, text)
	}
}

// TestPermissions checks that other users, such as one that runs the server, can read a kernelspec below a prefix.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	m, _ := newMachine(t)
	executable := filepath.Join(t.TempDir(), "orthant")
	if err := os.WriteFile(executable, []byte("#!"), 0o700); err != nil {
		t.Fatal(err)
	}
	spec := mustInstall(t, m, Options{Executable: executable})
	for name, want := range map[string]fs.FileMode{".": 0o755 | fs.ModeDir, "kernel.json": 0o644, "orthant": 0o755} {
		info, err := os.Stat(filepath.Join(spec.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s: got %v, want %v", name, info.Mode(), want)
		}
	}
}

// TestCopy installs an executable that lies in a temporary folder, as under go run.
func TestCopy(t *testing.T) {
	m, _ := newMachine(t)
	executable := filepath.Join(t.TempDir(), "built")
	if err := os.WriteFile(executable, []byte("the program"), 0o755); err != nil {
		t.Fatal(err)
	}
	spec := mustInstall(t, m, Options{Executable: executable})
	if !spec.Copied || filepath.Dir(spec.Executable) != spec.Dir {
		t.Errorf("got %+v, want a copy in the kernelspec's folder", spec)
	}
	if got, err := os.ReadFile(spec.Executable); string(got) != "the program" {
		t.Errorf("the copy is %q, %v", got, err)
	}
	if got := argv0(t, spec.Dir); got != spec.Executable {
		t.Errorf("kernel.json starts %s, want %s", got, spec.Executable)
	}
	// The running test's own executable lies in a temporary folder, too.
	if self := mustInstall(t, m, Options{}); !self.Copied {
		t.Errorf("got %+v, want a copy of this test", self)
	}
}

func argv0(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil {
		t.Fatal(err)
	}
	var spec kernelSpec
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	return spec.Argv[0]
}

func TestReplace(t *testing.T) {
	m, data := newMachine(t)
	first := mustInstall(t, m, Options{Executable: lasting})
	left := filepath.Join(first.Dir, "left")
	if err := os.WriteFile(left, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	second := mustInstall(t, m, Options{Executable: lasting + "2"})
	if first.Dir != second.Dir {
		t.Errorf("moved from %s to %s", first.Dir, second.Dir)
	}
	if got, want := argv0(t, second.Dir), lasting+"2"; got != want {
		t.Errorf("kernel.json starts %s, want %s", got, want)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of the earlier one remains: %v", err)
	}
	if got, want := entries(t, data), []string{"kernels"}; !slices.Equal(got, want) {
		t.Errorf("beside the kernels: got %q, want %q", got, want)
	}
}

// TestReplaceIsAtomic lists the kernels, as Jupyter does, while they are replaced: one is always there, and whole.
func TestReplaceIsAtomic(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot exchange folders")
	}
	m, _ := newMachine(t)
	spec := mustInstall(t, m, Options{Executable: lasting})
	probe := filepath.Join(t.TempDir(), "probe")
	if err := errors.Join(os.Mkdir(probe, 0o755), exchange(spec.Dir, probe), exchange(spec.Dir, probe)); err != nil {
		t.Skipf("the file system cannot exchange folders: %v", err)
	}
	over, listed := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-over:
				listed <- nil
				return
			default:
			}
			if _, err := os.ReadFile(filepath.Join(spec.Dir, specFile)); err != nil {
				listed <- err
				return
			}
		}
	}()
	for range 100 {
		mustInstall(t, m, Options{Executable: lasting})
	}
	close(over)
	if err := <-listed; err != nil {
		t.Error(err)
	}
}

// TestNameCase checks that one name in two cases is one kernel, as it is for Jupyter.
func TestNameCase(t *testing.T) {
	m, data := newMachine(t)
	spec := mustInstall(t, m, Options{Executable: lasting, Name: "MyLab"})
	if got := filepath.Base(spec.Dir); got != "mylab" {
		t.Errorf("the folder is %s", got)
	}
	if err := os.Rename(spec.Dir, filepath.Join(data, "kernels", "MYLAB")); err != nil {
		t.Fatal(err)
	}
	mustInstall(t, m, Options{Executable: lasting, Name: "mylab"})
	if got, want := entries(t, filepath.Join(data, "kernels")), []string{"mylab"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTwoCases checks that of two folders which are one kernel for Jupyter none is left.
func TestTwoCases(t *testing.T) {
	m, data := newMachine(t)
	spec := mustInstall(t, m, Options{Executable: lasting})
	other := filepath.Join(data, "kernels", "ORTHANT")
	if err := os.CopyFS(other, os.DirFS(spec.Dir)); errors.Is(err, fs.ErrExist) {
		t.Skip("the file system does not tell cases apart")
	} else if err != nil {
		t.Fatal(err)
	}
	mustInstall(t, m, Options{Executable: lasting + "2"})
	if got, want := entries(t, filepath.Join(data, "kernels")), []string{"orthant"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := argv0(t, spec.Dir); got != lasting+"2" {
		t.Errorf("kernel.json starts %s", got)
	}
}

// TestReadOnly checks that a place which cannot be written to is an error that says what else there is.
func TestReadOnly(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "prefix")
	if err := os.Mkdir(prefix, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		prefix = "/sys" // in which not even root makes a folder
	}
	if runtime.GOOS == "windows" || os.Getuid() == 0 && runtime.GOOS != "linux" {
		t.Skip("no folder here refuses to be written to")
	}
	_, err := Install(Options{Prefix: prefix})
	if err == nil || !strings.Contains(err.Error(), prefix) || !strings.Contains(err.Error(), "--prefix DIR or --sys-prefix") {
		t.Errorf("got %v, want an error that names the folder and what to do", err)
	}
}

func TestSearched(t *testing.T) {
	m, _ := newMachine(t)
	if spec := mustInstall(t, m, Options{Executable: lasting, Prefix: t.TempDir()}); spec.Searched {
		t.Errorf("got %+v, want a folder that Jupyter does not search", spec)
	}
}

func TestUninstall(t *testing.T) {
	m, data := newMachine(t)
	other := mustInstall(t, m, Options{Executable: lasting, Name: "other"})
	spec := mustInstall(t, m, Options{Executable: lasting})
	dir, err := m.uninstall(Options{})
	if err != nil || dir != spec.Dir {
		t.Fatalf("got %s, %v; want %s", dir, err, spec.Dir)
	}
	if got, want := entries(t, filepath.Dir(other.Dir)), []string{"other"}; !slices.Equal(got, want) {
		t.Errorf("kernels: got %q, want %q", got, want)
	}
	if got, want := entries(t, data), []string{"kernels"}; !slices.Equal(got, want) {
		t.Errorf("beside the kernels: got %q, want %q", got, want)
	}
	if _, err := m.uninstall(Options{}); err == nil {
		t.Error("removed a second time")
	}
}

// TestForeign checks that folders which Install has not made are neither replaced nor removed.
func TestForeign(t *testing.T) {
	for _, test := range []struct {
		name, file, content string
	}{
		{"another kernel", "kernel.json", `{"argv":["python","-m","ipykernel_launcher","-f","{connection_file}"],"display_name":"Python 3","language":"python"}`},
		{"another kernel for Go", "kernel.json", `{"argv":["gonb","--kernel","{connection_file}"],"display_name":"Go (gonb)","language":"go"}`},
		{"no JSON", "kernel.json", "x"},
		{"no argv", "kernel.json", `{"language":"go"}`},
		{"no kernelspec", "thesis.txt", "years of work"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, data := newMachine(t)
			dir := filepath.Join(data, "kernels", "orthant")
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.content), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := m.install(Options{Executable: lasting}); err == nil {
				t.Error("replaced")
			}
			if _, err := m.uninstall(Options{}); err == nil {
				t.Error("removed")
			}
			if got, err := os.ReadFile(filepath.Join(dir, test.file)); string(got) != test.content {
				t.Errorf("the file became %q, %v", got, err)
			}
			if test.file != "kernel.json" {
				if _, err := m.install(Options{Executable: lasting, Replace: true}); err == nil {
					t.Error("replaced what is no kernelspec")
				}
				return
			}
			mustInstall(t, m, Options{Executable: lasting, Replace: true})
			if got := argv0(t, dir); got != lasting {
				t.Errorf("told to replace it: kernel.json starts %s", got)
			}
		})
	}
}

// TestFailureKeepsOld checks that an installation that fails leaves the earlier one in place.
func TestFailureKeepsOld(t *testing.T) {
	m, data := newMachine(t)
	spec := mustInstall(t, m, Options{Executable: lasting})
	if _, err := m.install(Options{Executable: filepath.Join(t.TempDir(), "missing")}); err == nil {
		t.Fatal("installed an executable that does not exist")
	}
	if got := argv0(t, spec.Dir); got != lasting {
		t.Errorf("kernel.json starts %s, want %s", got, lasting)
	}
	if got, want := entries(t, data), []string{"kernels"}; !slices.Equal(got, want) {
		t.Errorf("beside the kernels: got %q, want %q", got, want)
	}
}

func TestIsTemporary(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for _, test := range []struct {
		path string
		want bool
	}{
		{"/usr/local/bin/orthant", false},
		{"/home/me/go/bin/orthant", false},
		{"/home/me/tmp/orthant", false},
		{"/tmpfiles/orthant", false},
		{"/home/me/.cache/go-build/c3/" + hash + "-d/orthant", true},
		{"/srv/cache/c3/" + hash + "-d/orthant", true},
		{"/home/me/go-build2523882156/b001/exe/orthant", true},
		{filepath.Join(os.TempDir(), "x", "orthant"), true},
	} {
		t.Run(test.path, func(t *testing.T) {
			if got := isTemporary(filepath.FromSlash(test.path)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
