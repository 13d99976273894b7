package clustering

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"orthant/clustering/internal/thin"
)

// A problem is what a method gives to the run loop: validated input, defaults, and a way to make states. S is what the
// method's own result keeps of the best run.
type problem[S any] struct {
	name     string          // for messages and Result.Method
	method   string          // with parameters, for the provenance
	data     string          // hash of the input
	n        int             // objects
	warnings []string        // for Result.Warnings
	maxIter  int             // default of Options.MaxIter
	tol      float64         // default of Options.Tol
	newState func() state[S] // allocates all that a run needs; one state per worker, used for one run after the other
}

// A state is the iterate of one run with its work space. It is used by one goroutine.
type state[S any] interface {
	// start sets the first iterate: of run r, from rng alone.
	start(r int, rng *rand.Rand)
	// step makes one iteration. It allocates nothing.
	step()
	// measure sets the objective and the residuals of the current iterate, and the change that the last step made. On entry
	// p is the point of the iterate before, and zero at the start.
	measure(p *Point)
	// labelsTo writes the objects' labels.
	labelsTo(labels []int)
	// keep copies what the result shows of the iterate.
	keep() S
}

// A fit is one run of the loop: a problem, its options, and what its runs have come to.
type fit[S any] struct {
	problem[S]
	opts  Options
	watch observer
	stop  context.CancelCauseFunc

	mu    sync.Mutex
	next  int    // the first restart that nobody has begun
	runs  []*Run // by restart; nil: not begun
	best  int    // index of the best finished run, -1: none yet
	kept  S      // of the best run
	crash error  // the first panic, in a step or in Observe
}

// run drives p to its end. The result is nil only if opts or the environment are refused; an error with a result is that of
// the context, of a panic, or says that every run diverged.
func run[S any](ctx context.Context, p problem[S], opts Options) (*Result, S, error) {
	var none S
	opts, err := opts.resolve(p.maxIter, p.tol)
	if err == nil {
		err = thin.Check()
	}
	if err == nil && ctx == nil {
		err = errors.New("the context is nil")
	}
	if err != nil {
		return nil, none, fmt.Errorf("clustering: %s: %w", p.name, err)
	}
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	f := &fit[S]{
		problem: p,
		opts:    opts,
		stop:    stop,
		runs:    make([]*Run, opts.Restarts),
		best:    -1,
	}
	f.watch = observer{call: opts.Observe, every: opts.ObserveEvery, fail: f.fail}
	var workers sync.WaitGroup
	for range opts.Workers {
		workers.Go(func() { f.work(inner) })
	}
	workers.Wait()
	return f.result(ctx)
}

// work makes runs until there are no more, or until the context ends. Run 0 is begun in any case, so that there is a result.
func (f *fit[S]) work(ctx context.Context) {
	returned := false
	defer func() {
		if !returned {
			f.fail(fmt.Errorf("internal error: %w\n%s", panicError("a step", recover()), debug.Stack()))
		}
	}()
	s := f.newState()
	for r := f.claim(ctx); r >= 0; r = f.claim(ctx) {
		run := f.one(ctx, s, r)
		f.finish(r, run, s)
	}
	returned = true
}

// claim returns the next restart to make, or -1.
func (f *fit[S]) claim(ctx context.Context) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next == f.opts.Restarts || f.next > 0 && ctx.Err() != nil {
		return -1
	}
	f.next++
	return f.next - 1
}

// one makes restart r.
func (f *fit[S]) one(ctx context.Context, s state[S], r int) *Run {
	run := &Run{Seed: runSeed(f.opts.Seed, r), Labels: make([]int, f.n)}
	run.Trace.reserve(f.opts.MaxIter)
	began := time.Now()
	s.start(r, rand.New(rand.NewPCG(run.Seed, 0)))
	p := Point{Run: r}
	for {
		s.measure(&p)
		p.Elapsed = time.Since(began)
		if math.IsNaN(p.Objective) || math.IsInf(p.Objective, 0) {
			run.Status = Diverged
			break
		}
		run.Objective, run.Iterations = p.Objective, p.Iteration
		run.Trace.record(p)
		f.watch.see(p)
		if run.Status = f.status(ctx, p); run.Status != 0 {
			break
		}
		s.step()
		p.Iteration++
	}
	if run.Status == Diverged {
		for i := range run.Labels {
			run.Labels[i] = Unassigned
		}
		return run
	}
	s.labelsTo(run.Labels)
	return run
}

// status says whether the run whose last point is p has ended and why; 0: it has not.
func (f *fit[S]) status(ctx context.Context, p Point) Status {
	switch {
	case p.Iteration > 0 && p.Change <= f.opts.Tol:
		return Converged
	case p.Iteration == f.opts.MaxIter:
		return MaxIter
	case ctx.Err() != nil:
		return Canceled
	}
	return 0
}

// finish enters a run that has ended, and keeps its iterate if it is the best so far.
func (f *fit[S]) finish(r int, run *Run, s state[S]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs[r] = run
	if run.Status == Diverged {
		return
	}
	if f.best < 0 || better(run, r, f.runs[f.best], f.best) {
		f.best, f.kept = r, s.keep()
	}
}

// better reports whether run a, restart i, goes before run b, restart j. It is an order of the runs alone, so the best does
// not depend on which ended first.
func better(a *Run, i int, b *Run, j int) bool {
	if cut := a.Status == Canceled; cut != (b.Status == Canceled) {
		return !cut
	}
	if a.Objective != b.Objective {
		return a.Objective < b.Objective
	}
	return i < j
}

// fail ends all runs because of err. The first error counts.
func (f *fit[S]) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.crash == nil {
		f.crash = err
		f.stop(err)
	}
}

// result puts the runs together. All workers have ended.
func (f *fit[S]) result(ctx context.Context) (*Result, S, error) {
	res := &Result{
		Method:     f.name,
		Options:    f.opts,
		Warnings:   f.warnings,
		Provenance: provenance(f.data, f.method, f.opts),
	}
	res.Options.Observe = nil
	cut := f.crash != nil
	ended := 0
	for _, run := range f.runs {
		if run == nil {
			cut = true // not begun, or lost in a panic
			continue
		}
		if run.Status == Canceled {
			cut = true
		} else {
			ended++
		}
		if f.best >= 0 && run == f.runs[f.best] {
			res.Best = len(res.Runs)
		}
		res.Runs = append(res.Runs, *run)
	}
	if len(res.Runs) > 0 {
		best := res.Runs[res.Best]
		res.Labels = slices.Clone(best.Labels)
		res.Objective, res.Status, res.Iterations, res.Trace = best.Objective, best.Status, best.Iterations, best.Trace
		res.Unassigned = unassigned(res.Labels)
	}
	var err error
	switch {
	case cut:
		res.Status = Canceled
		err = fmt.Errorf("clustering: %s: %d of %d runs ended: %w", f.name, ended, f.opts.Restarts, f.cause(ctx))
	case f.best < 0:
		err = fmt.Errorf("clustering: %s: all %d runs diverged: the input's numbers are too large or too small; scale them",
			f.name, f.opts.Restarts)
	}
	return res, f.kept, err
}

// cause is why runs were cut short: a panic of ours or of Observe before the context's own end.
func (f *fit[S]) cause(ctx context.Context) error {
	if f.crash != nil {
		return f.crash
	}
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}

// runSeed is the seed of restart r: the given seed for the first, so that a single run can be repeated from Run.Seed, and for
// the others a number spread by the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), so that the restarts of
// neighbouring seeds have nothing in common.
func runSeed(seed uint64, r int) uint64 {
	if r == 0 {
		return seed
	}
	z := seed + uint64(r)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniformTo fills x with numbers from (0, 1]. A zero would stay zero under multiplicative updates.
func uniformTo(x []float64, rng *rand.Rand) {
	for i := range x {
		x[i] = 1 - rng.Float64()
	}
}
