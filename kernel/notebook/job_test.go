package notebook

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// inFolder makes a folder with a notebook in.ipynb and returns the folder.
func inFolder(t *testing.T, sources ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.ipynb"), codeNotebook(sources...), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestJobWrites(t *testing.T) {
	for _, test := range []struct {
		name   string
		source string
		out    string // below the folder; "" and "-" as Job.Out has them
		err    string
		has    string // what the written file has
	}{
		{name: "nowhere", source: "out a"},
		{name: "stdout", source: "out a", out: "-", has: `"a\n"`},
		{name: "new file", source: "out a", out: "out.ipynb", has: `"a\n"`},
		{name: "over the input", source: "out a", out: "in.ipynb", has: `"a\n"`},
		{name: "also when a cell fails", source: "out a\nfail E x", out: "out.ipynb", err: "in.ipynb: cell 1 of 1 failed: E: x", has: `"ename": "E"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := inFolder(t, test.source)
			in := filepath.Join(dir, "in.ipynb")
			before := listing(t, dir)
			s := newFake()
			var stdout bytes.Buffer
			job := Job{In: in, Out: test.out, Stdout: &stdout, Open: func() (Session, error) { return s, nil }}
			if test.out != "" && test.out != "-" {
				job.Out = filepath.Join(dir, test.out)
			}
			err := job.Run(context.Background())
			if got := strings.TrimPrefix(errorText(err), dir+string(filepath.Separator)); got != test.err {
				t.Errorf("got error %q, want %q", got, test.err)
			}
			if !s.closed {
				t.Error("the session was not closed")
			}
			after := listing(t, dir)
			if test.out != "-" && stdout.Len() > 0 {
				t.Errorf("on stdout: %s", stdout.String())
			}
			after["-"] = stdout.String()
			if !strings.Contains(after[test.out], test.has) {
				t.Errorf("%s: got\n%s\nwant it to have %s", test.out, after[test.out], test.has)
			}
			for name, content := range after {
				if name != test.out && name != "-" && before[name] != content {
					t.Errorf("%s was touched", name)
				}
			}
		})
	}
}

// listing returns the content of each file of a folder.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(content)
	}
	return files
}

// TestJobFolder checks where cells run, and that the process is back afterwards.
func TestJobFolder(t *testing.T) {
	dir := inFolder(t, "x")
	t.Chdir(dir)
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("in.ipynb", filepath.Join("sub", "in.ipynb")); err != nil {
		t.Fatal(err)
	}
	var during string
	job := Job{In: filepath.Join("sub", "in.ipynb"), Out: "out.ipynb", Open: func() (s Session, err error) {
		during, err = os.Getwd()
		return newFake(), err
	}}
	if err := job.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := filepath.Base(during); got != "sub" {
		t.Errorf("cells ran in %s", during)
	}
	// Out is meant from where the command was given, not from the notebook's folder.
	if _, err := os.Stat("out.ipynb"); err != nil {
		t.Error(err)
	}
}

func TestJobRefuses(t *testing.T) {
	dir := inFolder(t, "x")
	t.Chdir(dir)
	for name, content := range map[string]string{
		"text.ipynb":   "hello",
		"python.ipynb": `{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":{"kernelspec":{"language":"python"}}}`,
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, in, out, err string
	}{
		{"no such file", "none.ipynb", "", "open none.ipynb: no such file or directory"},
		{"a folder", ".", "", "read .: is a directory"},
		{"not a notebook", "text.ipynb", "", "text.ipynb: not a notebook: line 1: invalid character 'h' looking for beginning of value"},
		{"another language", "python.ipynb", "", "python.ipynb: the notebook's language is python, not go"},
		{"out in no folder", "in.ipynb", filepath.Join("none", "out.ipynb"), "cannot write " + filepath.Join("none", "out.ipynb") + ": no such file or directory"},
		{"out a folder", "in.ipynb", ".", ". is not a regular file"},
		{"no session", "in.ipynb", "", "in.ipynb: no session today"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(test.err, "directory") {
				t.Skip("Windows words its errors differently")
			}
			before := len(listing(t, "."))
			job := Job{In: test.in, Out: test.out, Open: func() (Session, error) {
				if test.name == "no session" {
					return nil, errors.New("no session today")
				}
				return newFake(), nil
			}}
			err := job.Run(context.Background())
			if got := errorText(err); got != test.err {
				t.Errorf("got error %q, want %q", got, test.err)
			}
			if after := len(listing(t, ".")); after != before {
				t.Errorf("%d files became %d", before, after)
			}
		})
	}
}

// TestReplaceFile checks permissions, links, and that a failure leaves nothing behind.
func TestReplaceFile(t *testing.T) {
	dir := inFolder(t, "out a")
	t.Chdir(dir)
	if err := os.WriteFile("real.ipynb", nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.ipynb", "link.ipynb"); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	job := Job{In: "in.ipynb", Out: "link.ipynb", Open: func() (Session, error) { return newFake(), nil }}
	if err := job.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat("link.ipynb"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v %v", info.Mode(), err)
	}
	info, err := os.Stat("real.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() == 0 {
		t.Error("nothing was written")
	}
	if got, want := info.Mode().Perm(), os.FileMode(0o640); runtime.GOOS != "windows" && got != want {
		t.Errorf("permissions became %v, were %v", got, want)
	}
	if err := os.Mkdir("full", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile("full", []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(entries); n != 4 {
		t.Errorf("%d entries remain, want 4", n)
	}
}
