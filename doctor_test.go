package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"orthant/install/doctor"
	"orthant/kernel/kerneltest"
)

// A setup is a machine on which something may be wrong: a folder with all that Jupyter and the kernel look at.
type setup struct {
	t   *testing.T
	dir string
	env map[string]string
}

// newSetup returns a machine with a front end, with the tools that commands need, and without Python and kernelspecs.
func newSetup(t *testing.T) *setup {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &setup{t, dir, map[string]string{
		asCommand: "1", "HOME": filepath.Join(dir, "home"), "PATH": filepath.Join(dir, "bin"), "TMPDIR": os.TempDir(),
	}}
	for _, d := range []string{"home", "bin"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range []string{"sh", "mv", "chmod", "mkdir"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, s.path("bin", tool)); err != nil {
			t.Fatal(err)
		}
	}
	s.write(0o755, "#!/bin/sh\n", "bin", "jupyter-lab")
	return s
}

func (s *setup) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

// kernels is the user's folder of kernelspecs.
func (s *setup) kernels(elem ...string) string {
	base := []string{"home", ".local", "share", "jupyter", "kernels"}
	if runtime.GOOS == "darwin" {
		base = []string{"home", "Library", "Jupyter", "kernels"}
	}
	return s.path(append(base, elem...)...)
}

// write writes a file below the folder.
func (s *setup) write(mode os.FileMode, content string, elem ...string) {
	s.t.Helper()
	path := filepath.Join(elem...)
	if !filepath.IsAbs(path) {
		path = s.path(elem...)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		s.t.Fatal(err)
	}
}

// edit changes the kernel.json in a kernelspec's folder.
func (s *setup) edit(dir string, change func(spec map[string]any)) {
	s.t.Helper()
	path := filepath.Join(dir, "kernel.json")
	data, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	var spec map[string]any
	if err := json.Unmarshal(data, &spec); err != nil {
		s.t.Fatal(err)
	}
	change(spec)
	if data, err = json.Marshal(spec); err != nil {
		s.t.Fatal(err)
	}
	s.write(0o644, string(data), path)
}

// environ is the machine's environment, and nothing of the test's own.
func (s *setup) environ() []string {
	var list []string
	for name, value := range s.env {
		list = append(list, name+"="+value)
	}
	return list
}

// must runs the command, which has to succeed.
func (s *setup) must(args ...string) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), self(s.t), args...)
	cmd.Env, cmd.Dir = s.environ(), s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// examine runs the doctor after the shell commands before it, and returns what it found and how it ended.
func (s *setup) examine(before ...string) (doctor.Report, int) {
	s.t.Helper()
	script := strings.Join(append(before, "exec '"+self(s.t)+"' doctor --json"), "\n")
	cmd := exec.CommandContext(s.t.Context(), s.path("bin", "sh"), "-c", script)
	cmd.Env, cmd.Dir = s.environ(), s.dir
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	// What a command before it prints is in front.
	_, object, _ := strings.Cut("\n"+string(out), "\n{\n")
	var report doctor.Report
	if err := json.Unmarshal([]byte("{"+object), &report); err != nil {
		s.t.Fatalf("%v: %s\n%v", err, out, cmd.ProcessState)
	}
	return report, cmd.ProcessState.ExitCode()
}

// durations are what differs from run to run, paths what differs from processor to processor.
var (
	durations = regexp.MustCompile(`\d+\.\d\d s`)
	paths     = regexp.MustCompile(`(there is:)[a-z0-9 -]* portable`)
)

// lines returns what is not ok, a line each, as in state check: text => mend; folders of the machine are named D and this
// executable is orthant.
func (s *setup) lines(r doctor.Report) []string {
	name := strings.NewReplacer(readOnlyDir(s), "READONLY", self(s.t), "orthant", s.kernels(), "KERNELS", s.dir, "D")
	var lines []string
	for _, f := range r.Findings {
		if f.State == doctor.OK {
			continue
		}
		line := string(f.State) + " " + f.Check + ": " + f.Text
		if f.Mend != "" {
			line += " => " + f.Mend
		}
		line = paths.ReplaceAllString(name.Replace(line), "$1 …")
		lines = append(lines, durations.ReplaceAllString(line, "0.00 s"))
	}
	return lines
}

// readOnly makes a folder in which the user cannot write, and returns it.
func readOnly(s *setup) string {
	dir := readOnlyDir(s)
	if os.Geteuid() == 0 {
		if runtime.GOOS != "linux" {
			s.t.Skip("root can write everywhere")
		}
		return dir
	}
	if err := os.Mkdir(dir, 0o555); err != nil {
		s.t.Fatal(err)
	}
	return dir
}

// readOnlyDir is where that folder is; for root, the only one in which not even root can write.
func readOnlyDir(s *setup) string {
	if os.Geteuid() != 0 {
		return s.path("read-only")
	}
	return "/sys"
}

// TestDoctor breaks something on each machine, compares what the doctor says of it, and runs the commands that it names:
// then it has to be content.
func TestDoctor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for sh")
	}
	type edit = func(map[string]any)
	installed := func(s *setup, args ...string) { s.must(append([]string{"install"}, args...)...) }
	edited := func(change edit) func(*setup) {
		return func(s *setup) {
			installed(s)
			s.edit(s.kernels("orthant"), change)
		}
	}
	program := func(content string, mode os.FileMode) func(*setup) {
		return func(s *setup) {
			installed(s)
			s.write(mode, content, "opt", "orthant")
			if err := os.Chmod(s.path("opt", "orthant"), mode); err != nil {
				s.t.Fatal(err)
			}
			s.edit(s.kernels("orthant"), func(spec map[string]any) { spec["argv"].([]any)[0] = s.path("opt", "orthant") })
		}
	}
	for _, test := range []struct {
		name   string
		damage func(s *setup)
		want   []string
		stays  bool // no command mends it
	}{
		{name: "nothing", damage: func(s *setup) { installed(s) }},
		{name: "a name of its own, in an odd place", damage: func(s *setup) {
			s.env["JUPYTER_DATA_DIR"] = s.path("odd one's")
			installed(s, "--name", "MyLab")
		}},
		{name: "not installed", damage: func(*setup) {}, want: []string{
			"wrong kernelspec: orthant is not installed where Jupyter looks => orthant install"}},
		{name: "installed where Jupyter does not look", damage: func(s *setup) {
			installed(s)
			s.env["JUPYTER_DATA_DIR"] = s.path("elsewhere")
			s.env["PYTHONUSERBASE"] = s.path("nowhere")
		}, want: []string{"wrong kernelspec: KERNELS/orthant is not where Jupyter looks => orthant install"}},
		{name: "a folder without a kernel.json", damage: func(s *setup) {
			installed(s)
			if err := os.Remove(s.kernels("orthant", "kernel.json")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"wrong kernelspec: KERNELS/orthant is in the way: it has no kernel.json" +
			" => mv KERNELS/orthant KERNELS/orthant.old && orthant install"}},
		{name: "a link that leads nowhere", damage: func(s *setup) {
			if err := os.MkdirAll(s.kernels(), 0o755); err != nil {
				s.t.Fatal(err)
			}
			if err := os.Symlink(s.path("gone"), s.kernels("orthant")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"wrong kernelspec: KERNELS/orthant is in the way: it has no kernel.json" +
			" => mv KERNELS/orthant KERNELS/orthant.old && orthant install"}},
		{name: "program gone", damage: func(s *setup) {
			installed(s)
			if err := os.Remove(s.kernels("orthant", "orthant")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"wrong kernelspec: KERNELS/orthant names the program KERNELS/orthant/orthant, which is gone => orthant install"}},
		{name: "program gone, below a prefix with a space, under a name", damage: func(s *setup) {
			s.env["JUPYTER_PATH"] = s.path("a b", "share", "jupyter")
			installed(s, "--prefix", s.path("a b"), "--name", "lab")
			if err := os.Remove(s.path("a b", "share", "jupyter", "kernels", "lab", "orthant")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"wrong kernelspec: D/a b/share/jupyter/kernels/lab names the program D/a b/share/jupyter/kernels/lab/orthant, " +
			"which is gone => orthant install --name lab --prefix 'D/a b'"}},
		{name: "program gone, in a folder that is no prefix", damage: func(s *setup) {
			s.env["JUPYTER_DATA_DIR"] = s.path("data")
			installed(s)
			delete(s.env, "JUPYTER_DATA_DIR")
			s.env["JUPYTER_PATH"] = s.path("data")
			if err := os.Remove(s.path("data", "kernels", "orthant", "orthant")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"wrong kernelspec: D/data/kernels/orthant names the program D/data/kernels/orthant/orthant, which is gone" +
			" => JUPYTER_DATA_DIR=D/data orthant install"}},
		{name: "program not executable", damage: program("#!/bin/sh\n", 0o644), want: []string{
			"wrong kernelspec: KERNELS/orthant names the program D/opt/orthant, which is not executable => orthant install"}},
		{name: "program is a folder", damage: edited(func(spec map[string]any) { spec["argv"].([]any)[0] = "/" }), want: []string{
			"wrong kernelspec: KERNELS/orthant names the program /, which is not a file => orthant install"}},
		{name: "program not on the PATH", damage: edited(func(spec map[string]any) { spec["argv"].([]any)[0] = "orthant" }), want: []string{
			"wrong kernelspec: KERNELS/orthant names the program orthant, which is not on the PATH, and may be on no server's => orthant install"}},
		{name: "another program", damage: program("#!/bin/sh\necho I am something else >&2\nexit 7\n", 0o755), want: []string{
			"wrong start: D/opt/orthant does not work: kernel: probe: the process ended (exit status 7): I am something else => orthant install"}},
		{name: "no connection file", damage: edited(func(spec map[string]any) { spec["argv"] = spec["argv"].([]any)[:2] }), want: []string{
			"wrong kernelspec: KERNELS/orthant/kernel.json: argv has no {connection_file} => orthant install --replace"}},
		{name: "keys missing", damage: edited(func(spec map[string]any) { delete(spec, "display_name"); spec["env"] = 7 }), want: []string{
			"wrong kernelspec: KERNELS/orthant/kernel.json: display_name is missing; env is of the wrong kind: 7 => orthant install"}},
		{name: "no JSON", damage: func(s *setup) { s.write(0o644, "{", s.kernels("orthant", "kernel.json")) }, want: []string{
			"wrong kernelspec: KERNELS/orthant/kernel.json: it is no JSON object: unexpected end of JSON input => orthant install --replace"}},
		{name: "byte order mark", damage: func(s *setup) { s.write(0o644, "\ufeff{}", s.kernels("orthant", "kernel.json")) }, want: []string{
			"wrong kernelspec: KERNELS/orthant/kernel.json: it begins with a byte order mark, which Jupyter cannot read => orthant install --replace"}},
		{name: "a folder whose name Jupyter refuses", damage: func(s *setup) {
			installed(s)
			if err := os.Rename(s.kernels("orthant"), s.kernels("go kernel")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"wrong kernelspec: KERNELS/go kernel/kernel.json: the folder's name has characters that Jupyter refuses => orthant install"}, stays: true},
		{name: "upper case", damage: func(s *setup) {
			installed(s)
			if err := os.Rename(s.kernels("orthant"), s.kernels("ORTHANT")); err != nil {
				s.t.Fatal(err)
			}
			s.edit(s.kernels("ORTHANT"), func(spec map[string]any) { spec["argv"].([]any)[0] = s.kernels("ORTHANT", "orthant") })
		}},
		{name: "one kernel in two places", damage: func(s *setup) {
			s.env["JUPYTER_PATH"] = s.path("p", "share", "jupyter")
			installed(s)
			installed(s, "--prefix", s.path("p"))
		}, want: []string{"warning kernelspec: KERNELS/orthant is never used: D/p/share/jupyter/kernels/orthant comes first => orthant uninstall"}},
		{name: "another kernel of the name in front", damage: func(s *setup) {
			s.env["JUPYTER_PATH"] = s.path("p", "share", "jupyter")
			installed(s)
			s.write(0o755, "#!/bin/sh\nexit 1\n", "p", "other")
			s.write(0o644, `{"argv":["`+s.path("p", "other")+`","{connection_file}"],"display_name":"x","language":"x"}`,
				"p", "share", "jupyter", "kernels", "orthant", "kernel.json")
		}, want: []string{
			"wrong start: D/p/other does not work: kernel: probe: the process ended (exit status 1) => orthant install --replace --prefix D/p",
			"warning kernelspec: KERNELS/orthant is never used: D/p/share/jupyter/kernels/orthant comes first => orthant uninstall",
		}},
		{name: "HOME not set", damage: func(s *setup) {
			s.env["JUPYTER_DATA_DIR"], s.env["XDG_CACHE_HOME"] = s.path("data"), s.path("cache")
			installed(s)
			delete(s.env, "HOME")
		}, want: []string{"warning home: HOME is not set => export HOME=" + passwordHome(t),
			"warning history: no folder for the user's data: HOME is not set; set ORTHANT_HISTORY to the path of a file, or to off"}},
		{name: "HOME is not there", damage: func(s *setup) {
			s.env["JUPYTER_DATA_DIR"] = s.path("data")
			installed(s)
			s.env["HOME"] = s.path("gone")
		}, want: []string{"warning home: D/gone is not a folder => mkdir -p D/gone"}},
		{name: "a file where the runtime folder should be", damage: func(s *setup) {
			installed(s)
			s.write(0o644, "", "run")
			s.env["JUPYTER_RUNTIME_DIR"] = s.path("run", "jupyter")
		}, want: []string{"wrong runtime folder: D/run is not a folder: Jupyter cannot write connection files => mv D/run D/run.old"}},
		{name: "a folder that cannot be written to", damage: func(s *setup) {
			installed(s)
			s.env["JUPYTER_RUNTIME_DIR"] = filepath.Join(readOnly(s), "runtime")
		}, want: []string{"wrong runtime folder: READONLY cannot be written to: Jupyter cannot write connection files => chmod u+rwx READONLY"},
			stays: os.Geteuid() == 0},
		{name: "no front end", damage: func(s *setup) {
			installed(s)
			if err := os.Remove(s.path("bin", "jupyter-lab")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"warning front ends: none is on the PATH; orthant run needs none => python3 -m pip install jupyterlab"}, stays: true},
		{name: "VS Code without its extension", damage: func(s *setup) {
			installed(s)
			if err := os.Rename(s.path("bin", "jupyter-lab"), s.path("bin", "code")); err != nil {
				s.t.Fatal(err)
			}
		}, want: []string{"warning front ends: VS Code lacks its Jupyter extension => code --install-extension ms-toolsai.jupyter"}, stays: true},
		{name: "a limit that is none", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_MEMORY"] = "lots"
		}, want: []string{
			`wrong start: KERNELS/orthant/orthant does not work: kernel: probe: the process ended (exit status 2): ` +
				`orthant: kernel: session: ORTHANT_MEMORY="lots": want a number of bytes, or one with KiB, MiB or GiB behind it`,
			`wrong memory: ORTHANT_MEMORY="lots": want a number of bytes, or one with KiB, MiB or GiB behind it => unset ORTHANT_MEMORY`,
		}},
		{name: "little memory", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_MEMORY"] = "200MiB"
		}, want: []string{"warning memory: cells may use only 200.0 MiB (ORTHANT_MEMORY) => export ORTHANT_MEMORY=1GiB"}},
		{name: "an output limit that is none", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_OUTPUT_LIMIT"] = "lots"
		}, want: []string{
			"wrong start: KERNELS/orthant/orthant does not work: kernel: probe: the process ended (exit status 2): " +
				`orthant: kernel: session: ORTHANT_OUTPUT_LIMIT="lots": want a number of bytes, or one with KiB, MiB or GiB behind it; 0 is no limit`,
			`wrong output: ORTHANT_OUTPUT_LIMIT="lots": want a number of bytes, or one with KiB, MiB or GiB behind it; 0 is no limit` +
				" => unset ORTHANT_OUTPUT_LIMIT",
		}},
		{name: "an output limit in the wrong unit", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_OUTPUT_LIMIT"] = "8"
		}, want: []string{"warning output: a cell may write only 8 bytes of text (ORTHANT_OUTPUT_LIMIT) => export ORTHANT_OUTPUT_LIMIT=8MiB"}},
		{name: "arithmetic that no processor has", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_CPU"] = "quantum"
		}, want: []string{"wrong arithmetic: clustering: KMeans: ORTHANT_CPU=quantum is not a path of this build; there is: … => unset ORTHANT_CPU"}},
		{name: "settings that are good", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_OUTPUT_LIMIT"], s.env["ORTHANT_HISTORY"], s.env["ORTHANT_LONG"] = "0", "off", "1"
			s.env["ORTHANT_CPU"] = "portable"
		}},
		{name: "no history, in the user's words", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_HISTORY"] = "None"
		}, want: []string{"warning history: ORTHANT_HISTORY=None names a file; off is for none => export ORTHANT_HISTORY=off"}},
		{name: "a history in each folder", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_HISTORY"] = "my.sqlite"
		}, want: []string{"warning history: ORTHANT_HISTORY=my.sqlite is another file in each folder that a kernel starts in" +
			" => export ORTHANT_HISTORY=D/my.sqlite"}},
		{name: "a history in a folder that only shells know", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_HISTORY"] = "~/my.sqlite"
		}, want: []string{"warning history: ORTHANT_HISTORY=~/my.sqlite is another file in each folder that a kernel starts in" +
			" => export ORTHANT_HISTORY=D/home/my.sqlite"}},
		{name: "a folder for a history", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_HISTORY"] = s.path("home")
		}, want: []string{"warning history: sessions are not kept: D/home: it is not a regular file => unset ORTHANT_HISTORY"}},
		{name: "a history that cannot be", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_HISTORY"] = filepath.Join(readOnly(s), "history")
		}, want: []string{"warning history: READONLY cannot be written to: the history cannot be kept => unset ORTHANT_HISTORY"}},
		{name: "something else in the history's place", damage: func(s *setup) {
			s.env["JUPYTER_DATA_DIR"], s.env["XDG_DATA_HOME"] = s.path("data"), s.path("xdg")
			installed(s)
			if runtime.GOOS == "darwin" {
				s.t.Skip("XDG_DATA_HOME is not read")
			}
			s.write(0o644, "my notes", "xdg", "orthant", "history.sqlite")
		}, want: []string{"warning history: D/xdg/orthant/history.sqlite: it is no history; the next kernel moves it aside and begins one" +
			" => mv D/xdg/orthant/history.sqlite D/xdg/orthant/history.sqlite.old"}},
		{name: "a setting that nothing reads", damage: func(s *setup) {
			installed(s)
			s.env["ORTHANT_MEMROY"] = "8GiB"
		}, want: []string{"warning variables: ORTHANT_MEMROY is set and means nothing; there are ORTHANT_MEMORY, ORTHANT_OUTPUT_LIMIT, ORTHANT_HISTORY, ORTHANT_CPU" +
			" => unset ORTHANT_MEMROY"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSetup(t)
			test.damage(s)
			report, code := s.examine()
			if got := s.lines(report); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if wrong := report.Wrong() > 0; wrong != (code == exitWrong) || !wrong && code != 0 {
				t.Errorf("exit code %d with %d things wrong", code, report.Wrong())
			}
			if len(test.want) == 0 || test.stays {
				return
			}
			mends := make(map[string]bool)
			for _, f := range report.Findings {
				if f.Mend != "" {
					mends[f.Mend] = true
				}
			}
			mended, code := s.examine(slices.Sorted(maps.Keys(mends))...)
			if left := s.lines(mended); len(left) > 0 || code != 0 {
				t.Errorf("after %q: exit code %d\n%s", slices.Sorted(maps.Keys(mends)), code, strings.Join(left, "\n"))
			}
		})
	}
}

// TestDoctorText compares what people read.
func TestDoctorText(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the machine is one of Unix")
	}
	s := newSetup(t)
	s.env["ORTHANT_MEMORY"] = "1GiB"
	s.env["JUPYTER_DATA_DIR"], s.env["XDG_CACHE_HOME"] = s.path("data"), s.path("cache")
	s.must("install")
	cmd := exec.CommandContext(t.Context(), self(t), "doctor")
	cmd.Env = s.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v", err)
	}
	got := durations.ReplaceAllString(strings.ReplaceAll(string(out), s.dir, "D"), "0.00 s")
	cache, history := "D/cache/orthant", "D/home/.local/share/orthant/history.sqlite"
	if runtime.GOOS == "darwin" {
		history = "D/home/Library/Application Support/orthant/history.sqlite"
		cache = "D/home/Library/Caches/orthant"
	}
	want := `ok       kernelspec  orthant: D/data/kernels/orthant
ok       start       D/data/kernels/orthant/orthant answers after 0.00 s, has run a cell after 0.00 s
ok       folders     data D/data, runtime D/data/runtime, cache ` + cache + `
ok       ports       programs can listen on 127.0.0.1 and be connected to
ok       front ends  JupyterLab
ok       memory      cells may use 1.0 GiB (ORTHANT_MEMORY)
ok       output      a cell may write 8.0 MiB of text (ORTHANT_OUTPUT_LIMIT sets another limit)
ok       history     ` + history + `
ok       variables   ORTHANT_MEMORY=1GiB

orthant ` + version + `: nothing is wrong
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := os.Stat(strings.Replace(history, "D", s.dir, 1)); err == nil {
		t.Error("the doctor has written into the user's history")
	}
}

// TestVariables compares the variables that the doctor knows with those that the code reads.
func TestVariables(t *testing.T) {
	read := regexp.MustCompile(`(?:Getenv\(|Variable\s*= )"(ORTHANT_\w+)"`)
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		content, err := os.ReadFile(path)
		for _, match := range read.FindAllSubmatch(content, -1) {
			if name := string(match[1]); !strings.HasPrefix(name, "ORTHANT_TEST_") {
				found[name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(found))
	want := slices.Sorted(slices.Values(slices.Concat(variables, testVariables)))
	if !slices.Equal(got, want) {
		t.Errorf("the code reads %q, the doctor knows %q", got, want)
	}
}

// TestDoctorBesideJupyter checks that the doctor sees what a Jupyter on the PATH sees.
func TestDoctorBesideJupyter(t *testing.T) {
	python := kerneltest.Python(t)
	for _, test := range []struct {
		name, config string
		want         []string
	}{
		{"as it comes", `{}`, nil},
		{"a configuration that allows another kernel only", `{"KernelSpecManager":{"allowed_kernelspecs":["python3"]}}`, []string{
			"wrong kernelspec: KERNELS/orthant is a good one, but Jupyter does not list it: its configuration may allow other kernels only " +
				"(KernelSpecManager.allowed_kernelspecs)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSetup(t)
			if err := os.Remove(s.path("bin", "jupyter-lab")); err != nil {
				t.Fatal(err)
			}
			s.env["PATH"] += string(os.PathListSeparator) + filepath.Join(python.Prefix(), "bin")
			s.write(0o644, test.config, "home", ".jupyter", "jupyter_config.json")
			s.must("install")
			report, code := s.examine()
			if got := s.lines(report); !slices.Equal(got, test.want) || (code == 0) != (len(test.want) == 0) {
				t.Errorf("got code %d and\n%s\nwant\n%s", code, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			for _, f := range report.Findings {
				if f.Check == "front ends" && (!strings.Contains(f.Text, "nbclient 0.") || !strings.Contains(f.Text, "Console")) {
					t.Errorf("the front ends are %s", f.Text)
				}
			}
		})
	}
}

// passwordHome is the user's folder as the password database has it.
func passwordHome(t *testing.T) string {
	t.Helper()
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return u.HomeDir
}
