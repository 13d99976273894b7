package session_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// playLimit is how long a program may run, compiled or not.
const playLimit = 30 * time.Second

// sometimes begins the reason of a program that goes wrong in some runs only.
const sometimes = "sometimes "

var failures = flag.String("failures", "", "a `file` to write the programs of GOROOT/test to that fail: name, form, first line of the failure")

// gorootForms are the two ways in which a program becomes cells.
var gorootForms = []struct {
	name  string
	cells func(source string) []string
}{
	{"one", func(source string) []string { return []string{source + "\nmain()\n"} }},
	{"two", func(source string) []string { return []string{source, "main()"} }},
}

// gorootSample is what runs when the long form is off: programs that are quick, of each folder, with and without a golden
// output, with arguments, one with an exit status of its own, and one that is known to fail.
var gorootSample = []string{
	"args.go", "char_lit.go", "deferprint.go", "helloworld.go", "peano.go", "printbig.go", "sigchld.go", "switch.go",
	"abi/double_nested_struct.go", "abi/leaf.go", "chan/fifo.go", "chan/sieve1.go", "fixedbugs/bug011.go",
	"fixedbugs/issue4448.go", "fixedbugs/issue8047b.go", "fixedbugs/issue30606.go", "interface/bigdata.go",
	"interface/fake.go", "ken/cplx2.go", "ken/string.go", "typeparam/absdiff3.go", "typeparam/list.go", "typeparam/sum.go",
}

// TestGoroot runs the Go project's own test programs, those that are one file with the recipe "run", each as one cell that
// ends with a call of main and as a cell that is followed by one with that call. A program passes as it does for the Go
// project's runner: it exits with 0, and what it outputs on both streams is the content of its .out file, nothing where
// there is none.
//
// What is left out is left out by a rule of gorootRules or by its name in exclude.txt; what fails today is in known.txt,
// which -update rewrites. A name with one of the forms, "one" or "two", stands for that form only.
//
//	ORTHANT_LONG=1 go test ./kernel/session -run TestGoroot -v -timeout 60m
//	ORTHANT_LONG=1 go test ./kernel/session -run TestGoroot/issue4448
func TestGoroot(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this runs many processes")
	}
	folder := filepath.Join("testdata", "goroot")
	programs := gorootPrograms(t, goroot(t))
	excluded := excludedPrograms(t, programs, filepath.Join(folder, "exclude.txt"))
	known := readKnown(t, filepath.Join(folder, "known.txt"))
	checkKnown(t, known, programs, excluded)
	if !long() {
		checkSample(t, programs)
	}
	report := &gorootReport{known: known, wrong: map[string]map[string]string{}}
	for _, p := range programs {
		if excluded[p.name] != "" || !long() && !slices.Contains(gorootSample, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			wrong := map[string]string{}
			for _, form := range gorootForms {
				got, err := play{Cells: form.cells(p.source), Args: p.args}.run(t.Context(), t, playLimit)
				if err != nil {
					t.Fatal(err)
				}
				if w := p.compare(got); w != "" {
					wrong[form.name] = w
				}
			}
			report.add(t, p.name, wrong)
		})
	}
	t.Cleanup(func() { // after the last of the programs
		report.close(t)
		t.Logf("passed %d / run %d / excluded %d / all %d", report.passed, len(report.wrong), len(excluded), len(programs))
	})
}

// compare returns what is wrong with the outcome of a program, in one line; nothing where all is right.
func (p *gorootProgram) compare(got played) string {
	if got.failure != "" {
		return strings.ReplaceAll(firstLine(got.failure), "\t", " ")
	}
	return differs(warnings.ReplaceAllString(strings.ReplaceAll(got.output, "\r\n", "\n"), ""), p.golden)
}

// warnings are the lines by which the session warns of a cell. They are no output of the program's.
var warnings = regexp.MustCompile(`(?m)^(?:line|cell) \d+: (?:package \S+ takes hidden fields for exported ones: .*|\S+ tells of the interpreter, not of cells)\n`)

// differs returns in one line where two outputs differ; nothing where they do not.
func differs(output, golden string) string {
	if output == golden {
		return ""
	}
	have, want := strings.Split(output, "\n"), strings.Split(golden, "\n")
	for i := range min(len(have), len(want)) {
		if have[i] != want[i] {
			return fmt.Sprintf("output line %d is %q, want %q", i+1, clip(have[i]), clip(want[i]))
		}
	}
	return fmt.Sprintf("output has %d lines, want %d", len(have)-1, len(want)-1)
}

func clip(line string) string {
	const size = 100
	if len(line) > size {
		return line[:size] + "..."
	}
	return line
}

// A gorootReport collects what the programs did and holds it against the list of what is known to fail.
type gorootReport struct {
	known *knownList

	mu     sync.Mutex
	passed int
	wrong  map[string]map[string]string // by program and form, for each program that ran
}

// add notes what is wrong with a program, by form.
func (r *gorootReport) add(t *testing.T, name string, wrong map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrong[name] = wrong
	if len(wrong) == 0 {
		r.passed++
	}
	if *update {
		return
	}
	for _, form := range gorootForms {
		w, fails := wrong[form.name]
		reason, listed := r.reason(name, form.name)
		switch {
		case fails && listed:
			t.Logf("%s: known (%s): %s", form.name, reason, w)
		case fails:
			t.Errorf("%s: %s", form.name, w)
		case listed && !strings.HasPrefix(reason, sometimes):
			t.Errorf("%s: goes right now: take it off known.txt, or run with -update", form.name)
		}
	}
}

// reason looks a form of a program up in the list.
func (r *gorootReport) reason(name, form string) (string, bool) {
	for _, key := range []string{name, name + " " + form} {
		if reason, ok := r.known.reasons[key]; ok {
			return reason, true
		}
	}
	return "", false
}

// close rewrites the list, where that was asked for, and the file of the failures. What did not run stays on the list.
func (r *gorootReport) close(t *testing.T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if *update {
		r.rewrite()
		if err := r.known.write(); err != nil {
			t.Error(err)
		}
	}
	if *failures != "" {
		var lines strings.Builder
		for _, name := range slices.Sorted(maps.Keys(r.wrong)) {
			for _, form := range slices.Sorted(maps.Keys(r.wrong[name])) {
				fmt.Fprintf(&lines, "%s\t%s\t%s\n", name, form, r.wrong[name][form])
			}
		}
		if err := os.WriteFile(*failures, []byte(lines.String()), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// rewrite brings the list to what the programs that ran did. A reason stays as long as its program is on the list.
func (r *gorootReport) rewrite() {
	for name, wrong := range r.wrong {
		if strings.HasPrefix(r.known.reasons[name], sometimes) {
			continue
		}
		var old string
		for _, key := range []string{name, name + " one", name + " two"} {
			old = cmp.Or(old, r.known.reasons[key])
			delete(r.known.reasons, key)
		}
		for form, w := range wrong {
			key := name
			if len(wrong) < len(gorootForms) {
				key += " " + form
			}
			r.known.reasons[key] = cmp.Or(old, w)
		}
	}
}

// checkKnown fails for names on the list that are no program, or one that does not run.
func checkKnown(t *testing.T, known *knownList, programs []*gorootProgram, excluded map[string]string) {
	t.Helper()
	exist := map[string]bool{}
	for _, p := range programs {
		exist[p.name] = true
	}
	for key := range known.reasons {
		name, form, _ := strings.Cut(key, " ")
		switch {
		case !exist[name]:
			t.Errorf("%s names %s, which is no program of GOROOT/test", known.path, name)
		case excluded[name] != "":
			t.Errorf("%s names %s, which is left out (%s)", known.path, name, excluded[name])
		case form != "" && form != "one" && form != "two":
			t.Errorf("%s: %q is no form", known.path, form)
		case form != "" && known.reasons[name] != "":
			t.Errorf("%s names %s with a form and without", known.path, name)
		}
	}
}

// checkSample fails for names in the sample that are no program.
func checkSample(t *testing.T, programs []*gorootProgram) {
	t.Helper()
	for _, name := range gorootSample {
		if !slices.ContainsFunc(programs, func(p *gorootProgram) bool { return p.name == name }) {
			t.Errorf("the sample names %s, which is no program of GOROOT/test", name)
		}
	}
}
