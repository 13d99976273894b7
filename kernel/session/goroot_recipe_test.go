package session_test

import (
	"fmt"
	"go/build"
	"go/build/constraint"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A gorootProgram is a program of GOROOT/test that is to be run: its recipe, the first line that is no build constraint,
// begins with "run".
type gorootProgram struct {
	name    string // below GOROOT/test, with slashes
	source  string
	flags   []string // of the go command
	files   []string // further source files
	args    []string // of the program
	golden  string   // what it outputs: of its .out file, nothing where there is none
	another bool     // the build constraints ask for another platform
}

// goroot returns the folder with the Go project's own test programs. Those who have Go as a download of the go command
// (GOTOOLCHAIN) have it without them.
func goroot(t testing.TB) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "env", "GOROOT")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "test")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("this installation of Go has no test programs: %v", err)
	}
	return dir
}

// gorootPrograms reads the programs of dir and of the folders in it, but for those folders (x.dir) that are the packages
// of one test.
func gorootPrograms(t testing.TB, dir string) []*gorootProgram {
	t.Helper()
	var programs []*gorootProgram
	for _, pattern := range []string{"*.go", "*/*.go"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range paths {
			if strings.HasSuffix(filepath.Dir(file), ".dir") {
				continue
			}
			name, err := filepath.Rel(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := readRecipe(filepath.ToSlash(name), string(source))
			if err != nil {
				t.Fatal(err)
			}
			if p == nil {
				continue
			}
			golden, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			p.golden = string(golden)
			programs = append(programs, p)
		}
	}
	slices.SortFunc(programs, func(a, b *gorootProgram) int { return strings.Compare(a.name, b.name) })
	return programs
}

// readRecipe reads a file's recipe as the Go project's runner does (cmd/internal/testdir); nil for a file that is not to be
// run as it is: one to be compiled, one of several in a folder (rundir, runindir), one that prints a program (runoutput).
func readRecipe(name, source string) (*gorootProgram, error) {
	var recipe string
	for rest := source; recipe == "" && rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if constraint.IsGoBuild(line) || constraint.IsPlusBuild(line) {
			continue
		}
		recipe = strings.TrimSpace(strings.TrimPrefix(line, "//"))
	}
	words, err := splitQuoted(recipe)
	if err != nil && strings.HasPrefix(recipe, "run") {
		return nil, fmt.Errorf("%s: %q: %w", name, recipe, err)
	}
	if len(words) == 0 || words[0] != "run" {
		return nil, nil
	}
	p := &gorootProgram{name: name, source: source}
	rest := words[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		flag := rest[0]
		rest = rest[1:]
		// The runner's own flags, and -gcflags written apart, have their value in the next word.
		if slices.Contains([]string{"-t", "-goexperiment", "-godebug", "-gomodversion", "-gcflags"}, flag) && len(rest) > 0 {
			flag, rest = flag+"="+rest[0], rest[1:]
		}
		p.flags = append(p.flags, flag)
	}
	// As go run: what ends in .go belongs to the program, up to the first word that does not.
	for len(rest) > 0 && strings.HasSuffix(rest[0], ".go") {
		p.files, rest = append(p.files, rest[0]), rest[1:]
	}
	p.args = rest
	header, _, _ := strings.Cut(source, "\npackage")
	p.another = !satisfied(header)
	return p, nil
}

// satisfied reports whether the build constraints of a file's header hold here, for a binary without cgo.
func satisfied(header string) bool {
	for line := range strings.Lines(header) {
		if expr, err := constraint.Parse(strings.TrimRight(line, "\r\n")); err == nil && !expr.Eval(hasTag) {
			return false
		}
	}
	return true
}

func hasTag(tag string) bool {
	return slices.Contains(build.Default.ReleaseTags, tag) || slices.Contains(build.Default.ToolTags, tag) ||
		slices.Contains([]string{runtime.GOOS, runtime.GOARCH, "gc", "test_run"}, tag)
}

// splitQuoted splits a line at white space that is not between quotes, which are dropped.
func splitQuoted(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case !unicode.IsSpace(r):
			word.WriteRune(r)
			inWord = true
		case inWord:
			words = append(words, word.String())
			word.Reset()
			inWord = false
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("unclosed %c", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

func TestReadRecipe(t *testing.T) {
	for _, test := range []struct {
		source string
		want   *gorootProgram // nil for a file that is not run
	}{
		{"// run\n\npackage main", &gorootProgram{}},
		{"//run\npackage main", &gorootProgram{}},
		{"//go:build ignore\n\n// run\n\npackage main", &gorootProgram{another: true}},
		{"// run\n\n//go:build !plan9 && gc\n\npackage main", &gorootProgram{}},
		{"// run\n\n//go:build cgo\n\npackage main", &gorootProgram{another: true}},
		{"// run\n\n// +build plan9 aix\n\npackage main", &gorootProgram{another: true}},
		{"// run\n\npackage main\n\n//go:build plan9\n", &gorootProgram{}},
		{"// run a \"b c\"\npackage main", &gorootProgram{args: []string{"a", "b c"}}},
		{"// run -gcflags='all=-N -l' x\npackage main", &gorootProgram{flags: []string{"-gcflags=all=-N -l"}, args: []string{"x"}}},
		{"// run -gcflags -l=4\npackage main", &gorootProgram{flags: []string{"-gcflags=-l=4"}}},
		{"// run -goexperiment fieldtrack\npackage main", &gorootProgram{flags: []string{"-goexperiment=fieldtrack"}}},
		{"// run other.go arg\npackage main", &gorootProgram{files: []string{"other.go"}, args: []string{"arg"}}},
		{"// runindir\npackage main", nil},
		{"// errorcheck -0 \"a\npackage main", nil},
		{"package main", nil},
	} {
		got, err := readRecipe(path.Join("a", "b.go"), test.source)
		if err != nil {
			t.Errorf("%q: %v", test.source, err)
			continue
		}
		if (got == nil) != (test.want == nil) {
			t.Errorf("%q: run is %t, want %t", test.source, got != nil, test.want != nil)
			continue
		}
		if got != nil && (got.another != test.want.another || !slices.Equal(got.flags, test.want.flags) ||
			!slices.Equal(got.files, test.want.files) || !slices.Equal(got.args, test.want.args)) {
			t.Errorf("%q: %+v, want %+v", test.source, got, test.want)
		}
	}
}
