package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// asCommand makes the test's own executable the command: see TestMain.
const asCommand = "ORTHANT_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A result is what a run of the command gave.
type result struct {
	stdout, stderr string
	code           int
}

// orthantCommand prepares the command, to run in a folder and with a Jupyter data folder of its own below that.
func orthantCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=1", "JUPYTER_DATA_DIR="+filepath.Join(dir, "jupyter"))
	return cmd
}

// orthant runs the command, see orthantCommand.
func orthant(t *testing.T, dir string, args ...string) result {
	t.Helper()
	cmd := orthantCommand(t, dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// writeNotebook writes a notebook of code cells, the first tagged parameters, and returns its name.
func writeNotebook(t *testing.T, dir string, sources ...string) string {
	t.Helper()
	type cell struct {
		Type     string         `json:"cell_type"`
		Metadata map[string]any `json:"metadata"`
		Source   string         `json:"source"`
	}
	var cells []cell
	for i, s := range sources {
		metadata := map[string]any{}
		if i == 0 {
			metadata["tags"] = []string{"parameters"}
		}
		cells = append(cells, cell{"code", metadata, s})
	}
	data, err := json.Marshal(map[string]any{"cells": cells, "metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 4})
	if err != nil {
		t.Fatal(err)
	}
	const name = "nb.ipynb"
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestUsage checks that wrong calls end with 2 and one line.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	nb := writeNotebook(t, dir, "x := 1")
	for _, test := range []struct {
		name string
		args []string
		says string
	}{
		{"nothing", nil, "expected one of"},
		{"unknown command", []string{"fly"}, "unexpected argument fly"},
		{"unknown flag", []string{"run", "--fast", nb}, "unknown flag --fast"},
		{"no notebook", []string{"run"}, "<notebook>"},
		{"no such notebook", []string{"run", "none.ipynb"}, "none.ipynb"},
		{"bad timeout", []string{"run", nb, "--timeout", "soon"}, "timeout"},
		{"negative timeout", []string{"run", nb, "--timeout=-1s"}, "negative"},
		{"bad parameter", []string{"run", nb, "-p", "x"}, "name=value"},
		{"unknown parameter", []string{"run", nb, "-p", "y=1"}, "declares y"},
		{"parameter of another type", []string{"run", nb, "-p", "x=1.5"}, `cannot read "1.5" as int`},
		{"unwritable", []string{"run", nb, "-o", filepath.Join("none", "out.ipynb")}, "cannot write"},
		{"empty notebook", []string{"run", ""}, "empty"},
		{"empty out", []string{"run", nb, "-o", ""}, "empty"},
		{"empty prefix", []string{"install", "--prefix", ""}, "empty"},
		{"empty prefix, =", []string{"uninstall", "--prefix="}, "empty"},
		{"empty name", []string{"install", "--name="}, "empty"},
		{"two places", []string{"install", "--user", "--sys-prefix"}, "can't be used together"},
		{"bad name", []string{"install", "--name", "a b"}, `"a b"`},
		{"not installed", []string{"uninstall"}, "there is no kernel"},
		{"no time for the doctor", []string{"doctor", "--timeout=-1s"}, "leaves no time"},
		{"no connection file", []string{"kernel", "none.json"}, "none.json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := orthant(t, dir, test.args...)
			// What went wrong is the last line; a cell that ran before has a line of progress.
			lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
			last := lines[len(lines)-1]
			if got.code != exitUsage || !strings.HasPrefix(last, "orthant: ") || !strings.Contains(last, test.says) {
				t.Errorf("got code %d and %q; want code %d and a line that has %q", got.code, got.stderr, exitUsage, test.says)
			}
			for _, line := range lines[:len(lines)-1] {
				if !strings.HasPrefix(line, "cell ") {
					t.Errorf("one more line: %q", line)
				}
			}
			if got.stdout != "" {
				t.Errorf("on stdout: %q", got.stdout)
			}
		})
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name  string
		cells []string
		args  []string
		code  int
		has   []string // parts of the notebook on stdout
	}{
		{name: "good", cells: []string{"x := 20", `fmt.Println("<out>")`, "2*x + 2"}, has: []string{`"<out>\n"`, `"42"`, `"nbformat_minor": 5`}},
		{name: "parameter", cells: []string{"x := 20", "2*x + 2"}, args: []string{"-p", "x=-2"}, has: []string{`"x = -2"`, `"-2"`, "injected-parameters"}},
		{name: "failing", cells: []string{`panic("oh")`, "1 + 1"}, code: exitCell, has: []string{`"output_type": "error"`, "oh"}},
		{name: "failing, allowed", cells: []string{`panic("oh")`, "1 + 1"}, args: []string{"--allow-errors"}, has: []string{"oh", `"2"`}},
		{name: "timeout", cells: []string{"for {\n}", "1 + 1"}, args: []string{"--timeout", "100ms"}, code: exitCell, has: []string{`"ename": "Timeout"`}},
		{name: "nobody types", cells: []string{"var n int\n_, err := fmt.Scan(&n)\nfmt.Println(err)"}, has: []string{"no input: nobody can be asked here"}},
		{name: "prints go to their cell only", cells: []string{`import "os"`, `fmt.Fprintln(os.Stdout, "by os"); println("builtin")`}, has: []string{"by os", "builtin"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			nb := writeNotebook(t, dir, test.cells...)
			got := orthant(t, dir, append([]string{"run", nb, "-o", "-"}, test.args...)...)
			if got.code != test.code {
				t.Fatalf("got code %d, want %d; stderr:\n%s", got.code, test.code, got.stderr)
			}
			var parsed map[string]any
			if err := json.Unmarshal([]byte(got.stdout), &parsed); err != nil {
				t.Errorf("stdout is more than the notebook: %v", err)
			}
			for _, part := range test.has {
				if !strings.Contains(got.stdout, part) {
					t.Errorf("the notebook lacks %s:\n%s", part, got.stdout)
				}
			}
			lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
			if !strings.HasPrefix(lines[0], "cell 1 of ") {
				t.Errorf("progress begins with %q", lines[0])
			}
			if last := lines[len(lines)-1]; (test.code != 0) != strings.HasPrefix(last, "orthant: nb.ipynb: cell 1 of 2 failed: ") {
				t.Errorf("the last line is %q", last)
			}
		})
	}
}

// TestReadme runs the cells that the README shows.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, fence := range strings.Split(string(readme), "```go\n")[1:] {
		cell, _, _ := strings.Cut(fence, "```")
		cells = append(cells, cell)
	}
	if len(cells) != 3 {
		t.Fatalf("the README has %d cells, not 3", len(cells))
	}
	dir := t.TempDir()
	got := orthant(t, dir, "run", writeNotebook(t, dir, cells...), "-o", "-")
	if got.code != 0 {
		t.Fatalf("got code %d; stderr:\n%s", got.code, got.stderr)
	}
	for _, want := range []string{`"image/png"`, `"output_type": "execute_result"`, `"0.`} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the notebook lacks %s", want)
		}
	}
}

// TestInterrupt sends SIGINT to a run: what was output so far is saved.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGINT that one process can send to another")
	}
	dir := t.TempDir()
	nb := writeNotebook(t, dir, `fmt.Println("done")`, "for {\n}", "1 + 1")
	cmd := orthantCommand(t, dir, "run", nb, "-o", "out.ipynb")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "cell 2 of 3") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitCell {
		t.Errorf("got %v, want exit code %d", err, exitCell)
	}
	saved, err := os.ReadFile(filepath.Join(dir, "out.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"done\n"`, `"ename": "Interrupted"`} {
		if !strings.Contains(string(saved), want) {
			t.Errorf("the notebook lacks %s:\n%s", want, saved)
		}
	}
}

// TestInstall installs the test's own executable, which lies in a temporary folder, and removes it again.
func TestInstall(t *testing.T) {
	dir := t.TempDir()
	kernels := filepath.Join(dir, "jupyter", "kernels")
	got := orthant(t, dir, "install", "--name", "Mine")
	if want := filepath.Join(kernels, "mine") + "\n"; got.stdout != want || got.code != 0 {
		t.Fatalf("got %+v, want %q", got, want)
	}
	if !strings.Contains(got.stderr, "copy") || strings.Contains(got.stderr, "warning") {
		t.Errorf("stderr: %q", got.stderr)
	}
	data, err := os.ReadFile(filepath.Join(kernels, "mine", "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec struct{ Argv []string }
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(spec.Argv[0]); err != nil || info.Size() == 0 {
		t.Errorf("kernel.json names %s: %v", spec.Argv[0], err)
	}
	if got := orthant(t, dir, "uninstall", "--name", "mine"); got.code != 0 {
		t.Errorf("uninstall: %+v", got)
	}
	got = orthant(t, dir, "install", "--prefix", "elsewhere")
	if !strings.Contains(got.stderr, "warning") || got.code != 0 {
		t.Errorf("a folder that Jupyter does not search: %+v", got)
	}
}

func TestVersion(t *testing.T) {
	got := orthant(t, t.TempDir(), "version")
	for _, want := range []string{"orthant " + version + "\n", runtime.Version() + " ", "yaegi v"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("got %q, want it to have %q", got.stdout, want)
		}
	}
}

// TestPortInUse checks the end of a kernel that cannot have one of its ports.
func TestPortInUse(t *testing.T) {
	connection := map[string]any{"transport": "tcp", "ip": "127.0.0.1", "key": "k", "signature_scheme": "hmac-sha256"}
	for _, name := range []string{"shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // all stay taken: whichever is tried first will do
		connection[name] = l.Addr().(*net.TCPAddr).Port
	}
	data, err := json.Marshal(connection)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "connection.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	got := orthant(t, dir, "kernel", "connection.json")
	if got.code != exitUsage || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, "in use") {
		t.Errorf("got %+v, want code %d and one line", got, exitUsage)
	}
}
