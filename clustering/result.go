package clustering

import (
	"fmt"
	"strings"
)

// A Result is what every method returns, alone or embedded in a result of its own. Labels, Objective, Iterations and Trace
// are those of the best restart: the one with the lowest objective among those that ran to their end, the first such on
// ties; only if none ran to its end, the best of those that were cut short.
type Result struct {
	// Method is the method's name, for example "SNMFNcut".
	Method string
	// Options are those of the fit, with their defaults filled in and without Observe.
	Options Options
	// Labels has one entry per object, in 0..k-1, or -1 for an object that belongs to no cluster.
	Labels []int
	// Objective is the best restart's last objective.
	Objective float64
	// Status is the best restart's status, or Canceled if the fit was cut short.
	Status Status
	// Iterations is the number of updates the best restart made.
	Iterations int
	// Trace is the course of the best restart.
	Trace Trace
	// Runs are the restarts in order: all of them, or those that had begun when the fit was cut short.
	Runs []Run
	// Best is the index in Runs of the best restart.
	Best int
	// Unassigned counts the objects labelled -1.
	Unassigned int
	// Warnings are sentences about input that was accepted although it can hardly have been meant.
	Warnings []string
	// Provenance says where the result came from.
	Provenance Provenance
}

// A Run is one restart.
type Run struct {
	// Seed is the restart's own seed: Options{Seed: Seed} alone, with one restart, repeats it bit for bit, unless it began
	// from a given start.
	Seed uint64
	// Labels is as in Result.
	Labels []int
	// Objective is the last finite objective.
	Objective float64
	// Status says why the run ended.
	Status Status
	// Iterations is the number of updates made.
	Iterations int
	// Trace is the run's course.
	Trace Trace
}

// A Status says why a run ended. It is not an error: a fit that stops at MaxIter is a fit.
type Status int

// The ways for a run to end.
const (
	// Converged: the change of the last iteration was at most Options.Tol.
	Converged Status = iota + 1
	// MaxIter: Options.MaxIter iterations were made.
	MaxIter
	// Canceled: the context ended, Observe panicked, or another run failed.
	Canceled
	// Diverged: the objective left the range of a float64. The run's labels are all -1.
	Diverged
)

// String is the status as a word or two for a sentence.
func (s Status) String() string {
	switch s {
	case Converged:
		return "converged"
	case MaxIter:
		return "stopped at MaxIter"
	case Canceled:
		return "canceled"
	case Diverged:
		return "diverged"
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// Fitted is any method's result: *Result itself and a pointer to every struct that embeds Result. Figures and tables take it
// as an argument.
type Fitted interface {
	// Common is the part that all results have.
	Common() *Result
}

// Common returns r, which makes every struct that embeds a Result a Fitted.
func (r *Result) Common() *Result { return r }

// RunLabels are the labels of each restart, in the order of r.Runs: what is needed to score each of them.
func (r *Result) RunLabels() [][]int {
	all := make([][]int, len(r.Runs))
	for i, run := range r.Runs {
		all[i] = run.Labels
	}
	return all
}

// String is one sentence about the result; it is what a notebook cell shows of it.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s in %s, objective %.6g, %v after %s",
		r.Method, count(len(r.Labels), "object"), count(clusters(r.Labels), "cluster"),
		r.Objective, r.Status, count(r.Iterations, "iteration"))
	if len(r.Runs) > 1 {
		fmt.Fprintf(&b, ", best of %d runs", len(r.Runs))
	}
	if r.Unassigned > 0 {
		fmt.Fprintf(&b, ", %d unassigned", r.Unassigned)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "; warning: %s", w)
	}
	return b.String()
}

// count is n with the noun it counts.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
