package clustering

import (
	"slices"
	"time"
)

// A Point is one iteration of one restart, as Options.Observe sees it. Iteration 0 is the start.
type Point struct {
	// Run is the number of the restart, from 0; RMKCLearning in what RMKC does before the restarts.
	Run int
	// Iteration counts the updates made so far.
	Iteration int
	// Objective is the method's objective, which it makes small.
	Objective float64
	// Change is what Options.Tol is compared with: the relative change of the iterate or of the objective, as the method's
	// documentation says. It is 0 at iteration 0.
	Change float64
	// Orthogonality is the residual of the method's orthogonality constraint (for SNMFNcut the Frobenius norm of
	// HᵀDH − I); 0 for a method without one.
	Orthogonality float64
	// Feasibility is the largest violation among the method's other equality constraints (sums or norms that should be 1);
	// 0 for a method without any. Nonnegativity holds exactly in all methods.
	Feasibility float64
	// Weights are the weights that a method learns, one per view or kernel; nil for the others. Only to be read.
	Weights []float64
	// Elapsed is the time since the restart began.
	Elapsed time.Duration
}

// A Trace is the course of one restart. Its slices run in parallel: entry t is iteration t, and entry 0 is the start. The
// fields mean what those of Point mean.
type Trace struct {
	Objective     []float64
	Change        []float64
	Orthogonality []float64
	Feasibility   []float64
	Weights       [][]float64 // nil for a method that learns no weights
	Elapsed       []time.Duration
}

// Len is the number of recorded iterations, the start included.
func (t Trace) Len() int { return len(t.Objective) }

// traceCapacity bounds what is reserved ahead of a run: a MaxIter of a million must not cost memory that is never used.
const traceCapacity = 4096

// reserve makes room for the start and maxIter iterations, so that recording them allocates nothing in a usual run.
func (t *Trace) reserve(maxIter int) {
	n := min(maxIter+1, traceCapacity)
	t.Objective = make([]float64, 0, n)
	t.Change = make([]float64, 0, n)
	t.Orthogonality = make([]float64, 0, n)
	t.Feasibility = make([]float64, 0, n)
	t.Elapsed = make([]time.Duration, 0, n)
}

// record appends p.
func (t *Trace) record(p Point) {
	t.Objective = append(t.Objective, p.Objective)
	t.Change = append(t.Change, p.Change)
	t.Orthogonality = append(t.Orthogonality, p.Orthogonality)
	t.Feasibility = append(t.Feasibility, p.Feasibility)
	t.Elapsed = append(t.Elapsed, p.Elapsed)
	if p.Weights != nil {
		t.Weights = append(t.Weights, slices.Clone(p.Weights))
	}
}
