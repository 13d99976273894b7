package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"orthant/install"
)

// Options are what the doctor is told about the program that asks.
type Options struct {
	// Version is the program's.
	Version string
	// Executable is the program's absolute path; empty: the running one.
	Executable string
	// Start starts the kernel of a kernelspec, talks to it and ends it. The environment is added to this process's.
	Start func(ctx context.Context, argv, environment []string) (Kernel, error)
	// Limits are what cells may use no more of.
	Limits []Limit
	// Arithmetic is the error of the clustering methods where ArithmeticVariable asks for arithmetic that is not there.
	Arithmetic         func() error
	ArithmeticVariable string
	// History says which file keeps the user's cells, empty for none, and why it cannot be used.
	History func() (path string, err error)
	// HistoryVariable is the environment variable that names the file; HistoryOff is its value for none.
	HistoryVariable, HistoryOff string
	// Variables are the environment variables that users may set, TestVariables those of the program's tests. Those that
	// begin with ORTHANT_TEST_ need not be there.
	Variables, TestVariables []string
}

// A Limit is how much of something cells may use, which an environment variable sets. No kernel starts with a wrong one.
type Limit struct {
	Check    string // what it is of, a word
	May      string // the beginning of a sentence about it, such as "cells may use"
	Variable string
	// Read returns the limit, 0 for none, and says what it is; the error is that of its setting.
	Read func() (bytes uint64, text string, err error)
	// Little is a limit below which cells are of little use, Enough the text of one above.
	Little uint64
	Enough string
}

// A Kernel is what a kernel said of itself.
type Kernel struct {
	Implementation string
	Version        string
	Ready, Cell    time.Duration // until it answered, and until it had run a cell
}

// implementation is the name that our kernel gives itself.
const implementation = "orthant"

// An examination is one look at the machine.
type examination struct {
	Options
	shell   shell
	places  []install.Place // where Jupyter looks
	jupyter jupyter
}

// Examine looks at everything, which takes a few seconds; ctx bounds the time.
func Examine(ctx context.Context, o Options) Report {
	x := &examination{Options: o, shell: thisShell(), places: install.Places()}
	if x.Executable == "" {
		x.Executable, _ = os.Executable() // without a path the commands name the program alone
	}
	x.jupyter = findJupyter()
	if places, err := x.jupyter.places(ctx, x.places); err == nil {
		x.places = places // Jupyter knows best
	} else {
		x.jupyter = jupyter{} // not to be asked again: a Python without it, or one that is broken
	}
	sections := []func(context.Context) []Finding{
		x.kernelspecs, x.folders, x.ports, x.frontEnds, x.limits, x.arithmetic, x.history, x.variables,
	}
	found := make([][]Finding, len(sections))
	var all sync.WaitGroup
	for i, section := range sections {
		all.Go(func() { found[i] = section(ctx) })
	}
	all.Wait()
	report := Report{Version: o.Version}
	for _, findings := range found {
		report.Findings = append(report.Findings, findings...)
	}
	return report
}

// late is what is found where the time was over before that: nothing is to blame.
func (x *examination) late(check string) Finding {
	return Finding{check, Warning, "not looked at: the time was over", x.shell.command(x.program(), "doctor", "--timeout", "5m")}
}

// program is how a command names the running program: by its name alone where a shell would find it.
func (x *examination) program() string {
	name := filepath.Base(x.Executable)
	if found, err := exec.LookPath(name); x.Executable == "" || err == nil && install.SameFile(found, x.Executable) {
		return name
	}
	return x.Executable
}

// seconds is how a report gives durations.
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
