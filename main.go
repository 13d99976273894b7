// Command orthant is a Jupyter kernel for Go. It runs notebooks with or without Jupyter:
//
//	orthant run NOTEBOOK.ipynb -o OUT.ipynb   run a notebook here and now
//	orthant install                           make Jupyter know the kernel
//	orthant doctor                            look what is wrong with that, and how to mend it
//	orthant kernel CONNECTION_FILE            what Jupyter starts
//
// It exits with 0 when all went well, with 1 when a cell failed, timed out or was interrupted or the doctor found something
// wrong, and with 2 for everything else: bad usage, bad input, a port in use. Errors are one line on stderr.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/install"
	"orthant/install/doctor"
	"orthant/kernel"
	"orthant/kernel/history"
	"orthant/kernel/magic"
	"orthant/kernel/notebook"
	"orthant/kernel/session"
)

// version is that of the program and of its kernel, as in CHANGELOG.md.
const version = "0.1.0"

// The exit codes.
const (
	exitCell  = 1 // a cell failed
	exitWrong = 1 // the doctor found something wrong
	exitUsage = 2 // anything else went wrong
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "orthant: %v\n", err)
		os.Exit(exitCode(err))
	}
}

// command reads the command line and does what it says.
func command(args []string) error {
	var cli struct {
		Kernel    kernelCommand    `cmd:"" help:"Serve a Jupyter client. Jupyter starts this."`
		Run       runCommand       `cmd:"" help:"Run a notebook without Jupyter."`
		Install   installCommand   `cmd:"" help:"Make Jupyter know the kernel."`
		Uninstall uninstallCommand `cmd:"" help:"Make Jupyter forget the kernel."`
		Doctor    doctorCommand    `cmd:"" help:"Look whether Jupyter and the kernel work together, and how to mend what is wrong."`
		Version   versionCommand   `cmd:"" help:"Print the versions of this program, of Go and of the interpreter."`
	}
	parser, err := kong.New(&cli,
		kong.Name("orthant"),
		kong.Description("A Jupyter kernel for Go that knows orthogonal nonnegative matrix factorization."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return err
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return err
	}
	return ctx.Run()
}

// exitCode says how the process ends after an error.
func exitCode(err error) int {
	var cell *notebook.CellError
	if errors.As(err, &cell) {
		return exitCell
	}
	var wrong *wrongError
	if errors.As(err, &wrong) {
		return exitWrong
	}
	return exitUsage
}

// given is the text of an argument or a flag. An empty one is an error and does not mean the default: it comes from a shell
// variable that is not set, as in --prefix "$WHERE".
type given string

// UnmarshalText is called by kong.
func (g *given) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("the value is empty")
	}
	*g = given(text)
	return nil
}

type kernelCommand struct {
	ConnectionFile given `arg:"" help:"The file in which Jupyter says where to listen."`
}

// Run serves until the client shuts the kernel down. SIGINT, which interrupts a cell, is the kernel's business.
func (c kernelCommand) Run() error {
	stderr, err := kernel.OwnStderr() // descriptor 2 becomes the cells'
	if err != nil {
		return err
	}
	return kernel.Run(context.Background(), string(c.ConnectionFile), kernel.Options{
		Version: version,
		Logger:  slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Stderr:  stderr,
	})
}

type runCommand struct {
	Notebook    given         `arg:"" help:"The notebook (.ipynb, nbformat 4.0 to 4.5)."`
	Out         given         `short:"o" placeholder:"FILE" help:"Where the notebook goes with its outputs; - is stdout. Without it nothing is written."`
	Timeout     time.Duration `placeholder:"DURATION" help:"How long a cell may run, such as 90s or 5m."`
	AllowErrors bool          `help:"Go on after a cell that fails, and exit with 0."`
	Parameters  []string      `short:"p" name:"parameter" sep:"none" placeholder:"NAME=VALUE" help:"Set a variable after the cell tagged parameters. Repeatable."`
}

// Validate is called by kong.
func (c runCommand) Validate() error {
	if c.Timeout < 0 {
		return fmt.Errorf("--timeout=%v is negative", c.Timeout)
	}
	return nil
}

// Run runs the notebook. The first SIGINT or SIGTERM interrupts the running cell, and what was output so far is saved;
// the second one ends the process at once.
func (c runCommand) Run() error {
	parameters, err := notebook.ParseParameters(c.Parameters)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return notebook.Job{
		In:     string(c.Notebook),
		Out:    string(c.Out),
		Stdout: os.Stdout,
		Open:   openSession,
		Options: notebook.Options{
			Timeout:     c.Timeout,
			AllowErrors: c.AllowErrors,
			Parameters:  parameters,
			Version:     version,
			Progress:    os.Stderr,
			Color:       isTerminal(os.Stderr),
		},
	}.Run(ctx)
}

// openSession opens the session that a notebook runs in.
func openSession() (notebook.Session, error) {
	s, err := session.New()
	if err != nil {
		return nil, err // not s: a nil *Session in an interface is not nil
	}
	return magic.New(s, magic.Options{}), nil
}

// isTerminal says whether a file is shown to somebody as it is written.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// location holds the flags that say which kernelspec is meant.
type location struct {
	User      bool  `xor:"place" help:"In the user's Jupyter data folder (the default)."`
	SysPrefix bool  `xor:"place" help:"In the active Python environment."`
	Prefix    given `xor:"place" placeholder:"DIR" help:"In DIR/share/jupyter."`
	Name      given `default:"orthant" help:"The kernel's name."`
}

func (l location) options() install.Options {
	return install.Options{User: l.User, SysPrefix: l.SysPrefix, Prefix: string(l.Prefix), Name: string(l.Name)}
}

type installCommand struct {
	location
	Replace bool `help:"Replace what has the name, even if it is broken or another kernel."`
}

// Run prints the kernelspec's folder.
func (c installCommand) Run() error {
	options := c.options()
	options.Replace = c.Replace
	spec, err := install.Install(options)
	if err != nil {
		return err
	}
	if spec.Copied {
		fmt.Fprintf(os.Stderr, "this executable will not stay where it is; the kernel starts a copy of it, %s\n", spec.Executable)
	}
	if !spec.Searched {
		fmt.Fprintf(os.Stderr, "warning: Jupyter does not look there unless JUPYTER_PATH or its Python environment says so\n")
	}
	return printLine(spec.Dir)
}

type uninstallCommand struct {
	location
}

// Run prints the folder that was removed.
func (c uninstallCommand) Run() error {
	dir, err := install.Uninstall(c.options())
	if err != nil {
		return err
	}
	return printLine(dir)
}

// arithmeticVariable chooses clustering's kernels.
const arithmeticVariable = "ORTHANT_CPU"

// The environment variables that the program, its packages and their tests read.
var (
	variables     = []string{session.MemoryVariable, session.OutputLimitVariable, history.Variable, arithmeticVariable}
	testVariables = []string{
		"ORTHANT_LONG", "ORTHANT_FUZZ_SEED", "ORTHANT_FUZZ_TIME", "ORTHANT_PLAY", "ORTHANT_SESSIONS", "ORTHANT_SOAK",
	}
)

type doctorCommand struct {
	JSON    bool          `name:"json" help:"Print the findings for programs."`
	Timeout time.Duration `default:"60s" placeholder:"DURATION" help:"How long everything may take (${default})."`
}

// Validate is called by kong.
func (c doctorCommand) Validate() error {
	if c.Timeout <= 0 {
		return fmt.Errorf("--timeout=%v leaves no time", c.Timeout)
	}
	return nil
}

// A wrongError says that the doctor found something wrong.
type wrongError struct{ things int }

func (e *wrongError) Error() string {
	if e.things == 1 {
		return "doctor: 1 thing is wrong"
	}
	return fmt.Sprintf("doctor: %d things are wrong", e.things)
}

// Run prints what the doctor finds. Only what is wrong is an error; a warning is none.
func (c doctorCommand) Run() error {
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	report := doctor.Examine(ctx, doctor.Options{
		Version: version,
		Start: func(ctx context.Context, argv, environment []string) (doctor.Kernel, error) {
			unwritten := append(environment, history.Variable+"="+history.Off) // the cell is not the user's
			p, err := kernel.Probe(ctx, argv, unwritten, "1 + 1")
			return doctor.Kernel{Implementation: p.Implementation, Version: p.Version, Ready: p.Ready, Cell: p.Cell}, err
		},
		Limits: []doctor.Limit{
			{Check: "memory", May: "cells may use", Variable: session.MemoryVariable, Read: session.MemoryLimit, Little: 256 << 20, Enough: "1GiB"},
			{Check: "output", May: "a cell may write", Variable: session.OutputLimitVariable, Read: session.OutputLimit, Little: 1 << 10, Enough: "8MiB"},
		},
		Arithmetic: func() error {
			_, err := clustering.KMeans{K: 1}.Fit(context.Background(), mat.NewDense(1, 1, nil), clustering.Options{}) // as all methods, it looks first
			return err
		},
		ArithmeticVariable: arithmeticVariable,

		History:         history.Check,
		HistoryVariable: history.Variable,
		HistoryOff:      history.Off,
		Variables:       variables,
		TestVariables:   testVariables,
	})
	var err error
	if c.JSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		err = report.Write(os.Stdout, isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "")
	}
	if n := report.Wrong(); err == nil && n > 0 {
		err = &wrongError{n}
	}
	return err
}

type versionCommand struct{}

func (versionCommand) Run() error {
	return printLine(fmt.Sprintf("orthant %s\n%s %s/%s\nyaegi %s",
		version, runtime.Version(), runtime.GOOS, runtime.GOARCH, moduleVersion("github.com/traefik/yaegi")))
}

// moduleVersion returns the version of a module that the program was built with.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "unknown"
}

// printLine prints what a command is asked for.
func printLine(line string) error {
	_, err := fmt.Println(line)
	return err
}
