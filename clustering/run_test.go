package clustering

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// A method is one row of the conformance table: what is true of all methods is tested once, here.
type method struct {
	name string
	fit  func(ctx context.Context, opts Options) (*Result, []*mat.Dense, error) // on a small input of its own
}

// row is the row of a method: extra are the matrices of its own result.
func row[R any, P interface {
	*R
	Fitted
}](name string, fit func(context.Context, Options) (P, error), extra func(P) []*mat.Dense) method {
	return method{name: name, fit: func(ctx context.Context, opts Options) (*Result, []*mat.Dense, error) {
		res, err := fit(ctx, opts)
		if res == nil {
			return nil, nil, err
		}
		return res.Common(), extra(res), err
	}}
}

// rowOf is x as a matrix of one row; nil where there is nothing.
func rowOf(x []float64) *mat.Dense {
	if len(x) == 0 {
		return nil
	}
	return mat.NewDense(1, len(x), x)
}

// on is a method's Fit with its input.
func on[D, P any](fit func(context.Context, D, Options) (P, error), data D) func(context.Context, Options) (P, error) {
	return func(ctx context.Context, opts Options) (P, error) { return fit(ctx, data, opts) }
}

// methods has every method in each of its variants.
func methods() []method {
	var (
		x                  = points(40, 1, 11)
		w       mat.Matrix = blobs(40, 1, 11)
		views              = []mat.Matrix{w, blobs(40, 0.5, 12)}
		kernels            = []*mat.Dense{blobs(40, 1, 11), blobs(40, 0.5, 11), blobs(40, 2, 12)}
		tall    mat.Matrix = randomObjects(20, 6, rand.New(rand.NewPCG(11, 0)))
		wide    mat.Matrix = randomObjects(12, 30, rand.New(rand.NewPCG(12, 0)))
	)
	snmfncut := func(r *SNMFNcutResult) []*mat.Dense { return []*mat.Dense{r.H, r.Lambda} }
	spectral := func(r *SpectralResult) []*mat.Dense { return []*mat.Dense{r.Embedding} }
	scnmf := func(r *SCNMFResult) []*mat.Dense { return []*mat.Dense{r.U, r.V} }
	umvongc := func(r *UmvONGCResult) []*mat.Dense {
		return []*mat.Dense{r.F, r.G, rowOf(r.Weights)}
	}
	rmkc := func(r *RMKCResult) []*mat.Dense { return []*mat.Dense{r.Vectors, r.Noise, r.Embedding} }
	rows := []method{
		row("KMeans", on(KMeans{K: 3}.Fit, mat.Matrix(x)), func(r *KMeansResult) []*mat.Dense { return []*mat.Dense{r.Centers} }),
		row("Spectral", on(Spectral{K: 5}.Fit, w), spectral),
		row("Spectral/ShiMalik", on(Spectral{K: 5, ShiMalik: true}.Fit, w), spectral),
		row("SNMFNcut", on(SNMFNcut{K: 3, Alpha: 0.1}.Fit, w), snmfncut),
		row("SNMFNcut/Unscaled", on(SNMFNcut{K: 3, Alpha: 0.1, Unscaled: true}.Fit, w), snmfncut),
		row("SNMFNcut/NonOrthogonal", on(SNMFNcut{K: 3, Alpha: 0.1, NonOrthogonal: true}.Fit, w), snmfncut),
		row("SCNMF", on(NewSCNMF(3).Fit, tall), scnmf),
		row("SCNMF/Wide", on(NewSCNMF(3).Fit, wide), scnmf),
		row("SCNMF/PaperStep", on(SCNMF{K: 3, Lambda: 1, Mu: 1, PaperStep: true}.Fit, tall), scnmf),
		row("SCNMF/LabelsByArgmax", on(SCNMF{K: 3, Lambda: 1, LabelsByArgmax: true}.Fit, tall), scnmf),
		row("ONGC", on(ONGC{K: 3, Mu: 0.1, RandomStart: true}.Fit, w), func(r *ONGCResult) []*mat.Dense { return []*mat.Dense{r.F, r.G} }),
		row("UmvONGC", on(UmvONGC{K: 3, Mu: 1}.Fit, views), umvongc),
		row("UmvONGC/RandomStart", on(UmvONGC{K: 3, Mu: 1, RandomStart: true}.Fit, views), umvongc),
		row("KernelKMeans", on(KernelKMeans{K: 3}.Fit, w), func(*Result) []*mat.Dense { return []*mat.Dense{x} }), // has none
		row("RMKC", on(RMKC{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1}.Fit, kernels), rmkc),
		row("RMKC/Spectral", on(RMKC{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1, Spectral: true}.Fit, kernels), rmkc),
	}
	return slices.Concat(rows, ensembleMethods(), graphEnsembleMethods())
}

// forEachMethod runs a test for every row of the table.
func forEachMethod(t *testing.T, f func(t *testing.T, m method)) {
	for _, m := range methods() {
		t.Run(m.name, func(t *testing.T) { f(t, m) })
	}
}

// timeless is res without what depends on the clock or on the number of workers.
func timeless(res *Result) Result {
	r := *res
	r.Options.Workers = 0
	r.Trace.Elapsed = nil
	r.Runs = slices.Clone(r.Runs)
	for i := range r.Runs {
		r.Runs[i].Trace.Elapsed = nil
	}
	return r
}

// bits writes every number of x exactly. No NaN can hide a difference: all of them print alike.
func bits(x ...any) string { return fmt.Sprintf("%#v", x) }

func matrices(ms []*mat.Dense) string {
	var b strings.Builder
	for _, m := range ms {
		if m != nil {
			fmt.Fprintf(&b, "%#v", m.RawMatrix())
		}
	}
	return b.String()
}

func TestSameSeedSameBits(t *testing.T) {
	forEachMethod(t, func(t *testing.T, m method) {
		var want string
		for _, workers := range []int{1, 2, 4, 1} {
			res, extra, err := m.fit(t.Context(), Options{Seed: 7, Restarts: 9, Workers: workers, MaxIter: 60})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Runs) != 9 {
				t.Fatalf("%d runs, want 9", len(res.Runs))
			}
			got := bits(timeless(res)) + matrices(extra)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%d workers: the result is not that of 1 worker", workers)
			}
		}
		other, _, err := m.fit(t.Context(), Options{Seed: 8, Restarts: 9, MaxIter: 60})
		if err != nil {
			t.Fatal(err)
		}
		if bits(timeless(other)) == want {
			t.Error("another seed gives the same result")
		}
	})
}

func TestRunSeedRepeatsARun(t *testing.T) {
	forEachMethod(t, func(t *testing.T, m method) {
		all, _, err := m.fit(t.Context(), Options{Seed: 3, Restarts: 5, MaxIter: 40})
		if err != nil {
			t.Fatal(err)
		}
		for i, run := range all.Runs {
			one, _, err := m.fit(t.Context(), Options{Seed: run.Seed, MaxIter: 40})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := bits(timeless(one).Runs[0]), bits(timeless(all).Runs[i]); got != want {
				t.Errorf("run %d is not repeated by its seed", i)
			}
		}
	})
}

func TestResultIsTheBestRun(t *testing.T) {
	forEachMethod(t, func(t *testing.T, m method) {
		res, _, err := m.fit(t.Context(), Options{Seed: 1, Restarts: 8, MaxIter: 30})
		if err != nil {
			t.Fatal(err)
		}
		best := res.Runs[res.Best]
		for i, run := range res.Runs {
			if run.Objective < best.Objective || run.Objective == best.Objective && i < res.Best {
				t.Errorf("run %d (%g) is better than the best, %d (%g)", i, run.Objective, res.Best, best.Objective)
			}
			if n := run.Trace.Len(); n != run.Iterations+1 || run.Trace.Objective[n-1] != run.Objective {
				t.Errorf("run %d: a trace of %d for %d iterations, or it does not end at the objective", i, n, run.Iterations)
			}
			for _, n := range []int{len(run.Trace.Change), len(run.Trace.Orthogonality), len(run.Trace.Feasibility), len(run.Trace.Elapsed)} {
				if n != run.Trace.Len() {
					t.Errorf("run %d: the trace's slices have different lengths", i)
				}
			}
		}
		if !slices.Equal(res.Labels, best.Labels) || res.Objective != best.Objective || res.Status != best.Status ||
			res.Iterations != best.Iterations || res.Trace.Len() != best.Trace.Len() {
			t.Error("the result is not the best run")
		}
		p := res.Provenance
		if !strings.HasPrefix(p.Data, "sha256:") || p.Method == "" || p.Options == "" || p.Version == "" || p.CPU == "" {
			t.Errorf("the provenance has gaps: %+v", p)
		}
	})
}

func TestStopping(t *testing.T) {
	for _, c := range []struct {
		name   string
		opts   Options
		status Status
		most   int
	}{
		{name: "MaxIter", opts: Options{MaxIter: 2}, status: MaxIter, most: 2},
		{name: "negative Tol", opts: Options{MaxIter: 50, Tol: -1}, status: MaxIter, most: 50},
		{name: "loose Tol", opts: Options{MaxIter: 500, Tol: 0.5}, status: Converged, most: 499},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachMethod(t, func(t *testing.T, m method) {
				res, _, err := m.fit(t.Context(), c.opts)
				if err != nil {
					t.Fatal(err)
				}
				if res.Status != c.status || res.Iterations > c.most || c.status == MaxIter && res.Iterations != c.most {
					t.Errorf("%v after %d iterations, want %v after %d", res.Status, res.Iterations, c.status, c.most)
				}
			})
		})
	}
}

// TestCancel cuts a fit short from within, so that nothing depends on the clock.
func TestCancel(t *testing.T) {
	forEachMethod(t, func(t *testing.T, m method) {
		for _, workers := range []int{1, 2} {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			res, extra, err := m.fit(ctx, Options{MaxIter: 1_000_000, Tol: -1, Restarts: 3, Workers: workers, ObserveEvery: -1,
				Observe: func(p Point) {
					if p.Iteration == 5 {
						cancel()
					}
				}})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("got error %v, want one that wraps context.Canceled", err)
			}
			if res == nil || res.Status != Canceled || len(res.Labels) == 0 || extra[0] == nil {
				t.Fatalf("got %v, want the best result so far", res)
			}
			if len(res.Runs) == 0 || len(res.Runs) > workers {
				t.Errorf("%d runs are in the result of %d workers", len(res.Runs), workers)
			}
			for i, run := range res.Runs {
				if run.Status != Canceled {
					t.Errorf("run %d: %v", i, run.Status)
				}
			}
		}
	})
}

func TestCanceledBefore(t *testing.T) {
	forEachMethod(t, func(t *testing.T, m method) {
		reason := errors.New("the cell was interrupted")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(reason)
		res, _, err := m.fit(ctx, Options{Restarts: 3})
		if !errors.Is(err, context.Canceled) || !errors.Is(err, reason) {
			t.Errorf("got error %v, want context.Canceled and its cause", err)
		}
		if res == nil || len(res.Labels) == 0 || res.Iterations != 0 || len(res.Runs) != 1 {
			t.Errorf("got %v, want the start of run 0", res)
		}
	})
}

// TestFinishedRunsGoFirst: a run that was cut short does not displace one that ended.
func TestFinishedRunsGoFirst(t *testing.T) {
	ended, cut := &Run{Objective: 2, Status: MaxIter}, &Run{Objective: 1, Status: Canceled}
	for _, c := range []struct {
		name string
		a, b *Run
		i, j int
		want bool
	}{
		{name: "ended before cut", a: ended, b: cut, i: 1, j: 0, want: true},
		{name: "cut after ended", a: cut, b: ended, i: 0, j: 1, want: false},
		{name: "lower objective", a: &Run{Objective: 1, Status: Converged}, b: ended, i: 1, j: 0, want: true},
		{name: "tie, lower index", a: ended, b: ended, i: 0, j: 1, want: true},
		{name: "tie, higher index", a: ended, b: ended, i: 1, j: 0, want: false},
	} {
		if got := better(c.a, c.i, c.b, c.j); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestObserveSeesEverythingInOrder(t *testing.T) {
	forEachMethod(t, func(t *testing.T, m method) {
		var inside, calls atomic.Int32
		next := map[int]int{} // written by Observe alone; the race detector watches over "one goroutine at a time"
		res, _, err := m.fit(t.Context(), Options{MaxIter: 20, Tol: -1, Restarts: 6, Workers: 3, ObserveEvery: -1,
			Observe: func(p Point) {
				if inside.Add(1) != 1 {
					t.Error("two calls at a time")
				}
				if p.Iteration != next[p.Run] {
					t.Errorf("run %d: iteration %d, want %d", p.Run, p.Iteration, next[p.Run])
				}
				next[p.Run]++
				if p.Run != RMKCLearning {
					calls.Add(1)
				}
				inside.Add(-1)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if got := calls.Load(); got != 6*21 {
			t.Errorf("%d calls, want %d", got, 6*21)
		}
		if res.Options.Observe != nil {
			t.Error("the result holds on to Observe")
		}
	})
}

// TestObserveIsThrottled asks the observer itself, with times far apart, so that a slow machine cannot fail it.
func TestObserveIsThrottled(t *testing.T) {
	calls := 0
	o := observer{call: func(Point) { calls++ }, every: time.Hour}
	for range 5 {
		o.see(Point{})
	}
	if calls != 1 {
		t.Errorf("%d calls within the hour, want 1", calls)
	}
	o.last = time.Now().Add(-2 * time.Hour)
	o.see(Point{})
	if calls != 2 {
		t.Errorf("%d calls after the hour, want 2", calls)
	}
	opts, err := Options{}.resolve(10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if opts.ObserveEvery != 50*time.Millisecond {
		t.Errorf("observed every %v by default, want 50ms", opts.ObserveEvery)
	}
}

func TestObservePanics(t *testing.T) {
	sentinel := errors.New("stop")
	for _, c := range []struct {
		name string
		end  func()
		want string
		is   error
		lost bool // the run that was observed is lost: nothing stops runtime.Goexit
	}{
		{name: "text", end: func() { panic("no more ink") }, want: "Observe panicked: no more ink"},
		{name: "error", end: func() { panic(sentinel) }, want: "Observe panicked: stop", is: sentinel},
		{name: "runtime error", end: func() { var m map[int]int; m[1] = 1 }, want: "nil map"},
		{name: "Goexit", end: runtime.Goexit, want: "Observe called runtime.Goexit", lost: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachMethod(t, func(t *testing.T, m method) {
				calls := 0
				res, _, err := m.fit(t.Context(), Options{MaxIter: 1_000_000, Tol: -1, Restarts: 4, Workers: 2, ObserveEvery: -1,
					Observe: func(p Point) {
						if calls++; calls == 10 {
							c.end()
						}
					}})
				if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
					t.Errorf("got error %v, want %q", err, c.want)
				}
				if calls != 10 {
					t.Errorf("%d calls, want none after the panic in the tenth", calls)
				}
				if res == nil || res.Status != Canceled || len(res.Labels) == 0 && !c.lost {
					t.Errorf("got %v, want the best result so far", res)
				}
			})
		})
	}
}

// fake is a state whose objectives are given.
type fake struct {
	objective func(run, iteration int) float64
	run, it   int
}

func (s *fake) start(r int, _ *rand.Rand) { s.run, s.it = r, 0 }
func (s *fake) step()                     { s.it++ }
func (s *fake) measure(p *Point)          { p.Objective, p.Change = s.objective(s.run, s.it), 1 }
func (s *fake) labelsTo(labels []int)     { clear(labels) }
func (s *fake) keep() int                 { return s.run }

// fakeProblem is a problem of two objects.
func fakeProblem(objective func(run, iteration int) float64) problem[int] {
	return problem[int]{name: "fake", n: 2, maxIter: 4, tol: 1e-6, newState: func() state[int] { return &fake{objective: objective} }}
}

func TestDivergence(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		some, kept, err := run(t.Context(), fakeProblem(func(r, it int) float64 {
			if r == 1 && it == 2 {
				return bad
			}
			return float64(10 - r)
		}), Options{Restarts: 3})
		if err != nil {
			t.Fatal(err)
		}
		if some.Best != 2 || kept != 2 || some.Status != MaxIter {
			t.Errorf("%g in run 1: best %d, kept %d, %v; want run 2", bad, some.Best, kept, some.Status)
		}
		lost := some.Runs[1]
		if lost.Status != Diverged || lost.Iterations != 1 || lost.Objective != 9 || !slices.Equal(lost.Labels, []int{-1, -1}) {
			t.Errorf("%g in run 1: it ends as %+v", bad, lost)
		}
		all, _, err := run(t.Context(), fakeProblem(func(int, int) float64 { return bad }), Options{Restarts: 3})
		if err == nil || !strings.Contains(err.Error(), "all 3 runs diverged") {
			t.Errorf("%g in all runs: got error %v", bad, err)
		}
		if all == nil || all.Status != Diverged || all.Unassigned != 2 {
			t.Errorf("%g in all runs: got %v", bad, all)
		}
	}
}

func TestPanicInAStep(t *testing.T) {
	res, _, err := run(t.Context(), fakeProblem(func(r, it int) float64 {
		if r == 1 {
			panic("a bug of ours")
		}
		return 1
	}), Options{Restarts: 3, Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "internal error") || !strings.Contains(err.Error(), "a bug of ours") {
		t.Errorf("got error %v", err)
	}
	if res == nil || res.Status != Canceled || len(res.Runs) != 1 || res.Runs[0].Status != MaxIter {
		t.Errorf("got %v, want what run 0 had found", res)
	}
}

func TestRunSeeds(t *testing.T) {
	if runSeed(42, 0) != 42 {
		t.Error("run 0 does not have the seed of the options")
	}
	seen := map[uint64]bool{}
	for seed := range uint64(50) {
		for r := range 50 {
			seen[runSeed(seed, r)] = true
		}
	}
	if len(seen) != 50*50 {
		t.Errorf("%d different seeds for 50 × 50 runs", len(seen))
	}
}

func TestUniformIsNeverZero(t *testing.T) {
	x := make([]float64, 10_000)
	uniformTo(x, rand.New(rand.NewPCG(1, 1)))
	for _, v := range x {
		if !(v > 0 && v <= 1) {
			t.Fatalf("%g is not in (0,1]", v)
		}
	}
}
