package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"orthant/kernel/session"
	"orthant/stdlib"
	"orthant/stdlib/display"
)

// A Session is what a notebook runs in; [session.Session] is one.
type Session interface {
	// Execute runs a cell, see [session.Session.Execute].
	Execute(ctx context.Context, c session.Cell, out display.Sink) (*display.Bundle, *session.Error)
	// Lookup returns what is known of a name that a cell defined.
	Lookup(name string) (session.Name, bool)
	// Close ends what the cells still run.
	Close() error
}

var _ Session = (*session.Session)(nil)

// Options say how a notebook runs.
type Options struct {
	// Timeout is how long one cell may run; 0 is for ever.
	Timeout time.Duration
	// AllowErrors goes on after a cell that failed or timed out, and does not count it as a failure of the run.
	AllowErrors bool
	// Parameters are set by a cell that is put after the one tagged parameters. Values of variables of the types bool,
	// string, time.Duration, of whole and of floating-point numbers are read as such; for other types the value is a Go
	// expression.
	Parameters []Parameter
	// Version is recorded in the notebook's metadata together with [stdlib.API]; empty records nothing.
	Version string
	// Progress gets one line for each cell that starts, warnings, and the tracebacks of cells that fail; nil for none.
	Progress io.Writer
	// Color leaves ANSI colours in tracebacks.
	Color bool
}

// Tags of cells that nbclient, and so nbconvert and papermill, treat specially.
const (
	skipTag   = "skip-execution"   // the cell is left as it is
	raisesTag = "raises-exception" // the cell may fail
)

// grace is how long a cell that was told to stop may take to do so. Go code stops within a fraction of a second; only a
// compiled function that does not look at its context takes longer.
var grace = 10 * time.Second

// A CellError says which cell ended a run and why.
type CellError struct {
	Cell, Cells int            // the cell, counted from 1 among those that were to run, and their number
	Err         *session.Error // why it failed
	Stuck       bool           // the cell did not stop when told to: it still runs, and the session is of no more use
}

// Error returns one line: the cell, the kind of the error and the first line of its text.
func (e *CellError) Error() string {
	return fmt.Sprintf("cell %d of %d failed: %v", e.Cell, e.Cells, oneLine(e.Err))
}

// Unwrap returns the session's error.
func (e *CellError) Unwrap() error { return e.Err }

// Run executes the notebook's code cells from top to bottom in s and stores their outputs in nb. Cells are numbered as
// they run, from 1; cells without code, and those tagged skip-execution, are passed over. A notebook without language_info
// gets that of Go, as from Jupyter's clients.
//
// When a cell fails, times out, or is interrupted because ctx ended, Run returns a [CellError]; nb has the outputs so
// far, the failed cell's ending in the error, and the cells after it are as if never run. With o.AllowErrors, and for
// cells tagged raises-exception, only the end of ctx ends the run early. Parameters that do not fit are an error of another
// type, after which nb is not worth saving.
func Run(ctx context.Context, nb *Notebook, s Session, o Options) error {
	if lang := nb.Language(); lang != "" && lang != goLanguage {
		return fmt.Errorf("the notebook's language is %s, not %s", lang, goLanguage)
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	r := &run{nb: nb, session: s, options: o, tape: tape{displays: map[string][]*Output{}}}
	if api := nb.api(); api > stdlib.API {
		r.logf("the notebook was last run with a newer version (its api is %d, this one's is %d)", api, stdlib.API)
	}
	if len(o.Parameters) > 0 {
		var err error
		if r.injected, err = placeInjected(nb); err != nil {
			return err
		}
	}
	for _, c := range nb.Cells {
		if c.Type() != CodeCell || c.HasTag(skipTag) {
			continue
		}
		c.reset()
		if c == r.injected || strings.TrimSpace(c.Source()) != "" {
			r.cells = append(r.cells, c)
		}
	}
	err := r.all(ctx)
	nb.nameLanguage()
	if o.Version != "" {
		nb.setVersion(o.Version)
	}
	return errors.Join(err, r.store())
}

// A run is one execution of a notebook.
type run struct {
	nb       *Notebook
	session  Session
	options  Options
	cells    []*Cell // those to run
	injected *Cell   // the one that sets the parameters, nil without parameters
	tape     tape
	done     []*recorder // of the cells that ran, in the order of cells
}

// all runs the cells, up to the first failure that counts.
func (r *run) all(ctx context.Context) error {
	for i, c := range r.cells {
		if c == r.injected {
			source, err := assignments(r.session, r.options.Parameters)
			if err != nil {
				return err
			}
			c.setSource(source)
		}
		r.logf("cell %d of %d: %s", i+1, len(r.cells), headline(c.Source()))
		failed, stuck := r.cell(ctx, c, i+1)
		if failed == nil {
			continue
		}
		if c == r.injected && ctx.Err() == nil {
			return injectedError(failed)
		}
		for _, line := range failed.Traceback {
			r.logf("%s", line)
		}
		allowed := r.options.AllowErrors || c.HasTag(raisesTag)
		if !allowed || stuck || ctx.Err() != nil {
			return &CellError{Cell: i + 1, Cells: len(r.cells), Err: failed, Stuck: stuck}
		}
	}
	return nil
}

// cell runs one cell under the number and records what it outputs. The error is nil when the cell succeeded.
func (r *run) cell(ctx context.Context, c *Cell, number int) (failed *session.Error, stuck bool) {
	cellCtx, cancel := context.WithCancel(ctx)
	if r.options.Timeout > 0 {
		cellCtx, cancel = context.WithTimeout(ctx, r.options.Timeout)
	}
	defer cancel()
	out := r.tape.recorder()
	r.done = append(r.done, out)
	value, failed, stuck := r.execute(cellCtx, session.Cell{Number: number, Source: c.Source()}, out)
	if value != nil {
		out.result(*value, number)
	}
	switch {
	case cellCtx.Err() == nil:
	case ctx.Err() == nil:
		failed = because("Timeout", fmt.Sprintf("the cell ran longer than %v", r.options.Timeout), failed)
	case failed == nil: // compiled code took the end of its context for a reason to return early
		failed = because("Interrupted", "the run was interrupted", nil)
	}
	if failed != nil {
		out.fail(failed)
	}
	return failed, stuck
}

// execute runs a cell in the session. A cell that does not stop within the grace time after the end of ctx is left
// behind with its goroutine, since nothing can end a compiled function from outside: stuck is true.
func (r *run) execute(ctx context.Context, c session.Cell, out *recorder) (value *display.Bundle, failed *session.Error, stuck bool) {
	type outcome struct {
		value  *display.Bundle
		failed *session.Error
	}
	ended := make(chan outcome, 1)
	go func() {
		value, failed := r.session.Execute(ctx, c, out)
		ended <- outcome{value, failed}
	}()
	select {
	case o := <-ended:
		return o.value, o.failed, false
	case <-ctx.Done():
	}
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case o := <-ended:
		return o.value, o.failed, false
	case <-patience.C:
		text := fmt.Sprintf("the cell was told to stop and still runs after %v", grace)
		return nil, because("Interrupted", text, nil), true
	}
}

// because returns an error of the runner's own, with the traceback of the one that the session gave, if any.
func because(name, value string, inner *session.Error) *session.Error {
	e := &session.Error{Name: name, Value: value, Traceback: []string{name + ": " + value}}
	if inner != nil {
		e.Traceback = append(e.Traceback, inner.Traceback...)
	}
	return e
}

// store puts the outputs into the cells. It comes after the last cell has ended, since cells may go on to output, and
// to change what earlier ones show.
func (r *run) store() error {
	var errs []error
	for i, out := range r.done {
		errs = append(errs, r.cells[i].setRun(i+1, out.close()))
	}
	return errors.Join(errs...)
}

// logf writes a line of progress. Errors of writing are of no consequence for the run.
func (r *run) logf(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !r.options.Color {
		line = ansi.ReplaceAllString(line, "")
	}
	fmt.Fprintln(r.options.Progress, line)
}

// ansi matches the escape sequences that set colours.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// headline returns the first line of source that is not blank, cut to the width of a terminal line.
func headline(source string) string {
	const width = 60
	line, more, _ := strings.Cut(strings.TrimSpace(source), "\n")
	if runes := []rune(line); len(runes) > width {
		return string(runes[:width]) + "…"
	}
	if strings.TrimSpace(more) != "" {
		line += " …"
	}
	return line
}

// oneLine returns an error with the kind and the first line of e's text.
func oneLine(e *session.Error) error {
	first, _, _ := strings.Cut(e.Value, "\n")
	return errors.New(e.Name + ": " + first)
}
