package clustering

// Nonnegative matrix factorisation of an ensemble: the clusters of M partitions, one beside the other, as one 0/1 matrix.
//
//	min ‖L − HWᵀ‖²   over H, W >= 0                                                                                 (4)
//
//	L  N×K  0/1, the M partitions: (L_m)_ij = 1 where object i is in cluster j of partition m; see Partitions          (1)
//	H  N×k  cluster indicator: the label of object i is the argmax of row i
//	W  K×k  which clusters of the partitions make up a cluster of the result
//
// X. Zheng, S. Zhu, J. Gao and H. Mamitsuka, "Instance-wise weighted nonnegative matrix factorization for aggregating partitions
// with locally reliable clusters", IJCAI 2015, 4091-4097. Numbers in parentheses are the paper's equations; the updates are those
// of D. D. Lee and H. S. Seung, NIPS 2000.
//
// What the paper leaves open:
//
//   - The start: H and W are uniform on (0,1]. The order: W before H, once each an iteration.
//   - Stopping: the relative change of the objective. An objective that is a rounding error of its terms counts as 0.
//   - An object that is missing in a partition has a row of zeros there; one that is in no partition at all is labelled -1.
//   - An entry below 1e-140 of its row's largest becomes 0, as in SNMFNcut and for its reasons.
//
// An iteration takes 4NMk operations for the products with L, which has one entry per object and partition, and 4(N+K)k² for the
// others: L is never dense, HWᵀ never formed, and the objective comes from products that the step makes anyway.

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// NMFE is nonnegative matrix factorisation of an ensemble (Zheng, Zhu, Gao and Mamitsuka, IJCAI 2015): it minimises ‖L−HWᵀ‖² over
// H, W >= 0, where L has a column for each cluster of each partition. The objective never rises.
type NMFE struct {
	// K is the number of clusters of the result, 1..N.
	K int
	// H0, N×K and >= 0, is the H that the first run starts from; nil: random like that of all others.
	H0 *mat.Dense
	// W0 is the W that the first run starts from, >= 0, with a row for each of the partitions' clusters and K columns; nil: random
	// like that of all others.
	W0 *mat.Dense
}

// NMFEResult is what NMFE returns. H and W are those of the best run, nil if every run diverged.
type NMFEResult struct {
	Result
	// H is the N×K cluster indicator, >= 0.
	H *mat.Dense
	// W, >= 0, has a row for each of the partitions' clusters, those of the first partition first, and K columns.
	W *mat.Dense
}

const (
	nmfeMaxIter = 1000
	nmfeTol     = 1e-7 // multiplicative updates creep where two clusters part; labels still change at 1e-5
)

// Fit joins the partitions p into K clusters. See [Options] for the defaults (MaxIter 1000, Tol 1e-7 on the relative change of the
// objective), and [Result] for what an error leaves. Errors: partitions that no constructor made, K outside 1..N, and a start of
// another shape or with entries that are not finite and >= 0.
func (m NMFE) Fit(ctx context.Context, p *Partitions, opts Options) (*NMFEResult, error) {
	warnings, err := m.validate(p)
	if err != nil {
		return nil, fmt.Errorf("clustering: NMFE: %w", err)
	}
	res, kept, err := run(ctx, problem[nmfeKept]{
		name: "NMFE", method: m.String(), data: p.hash(), n: p.n, warnings: warnings,
		maxIter: nmfeMaxIter, tol: nmfeTol,
		newState: func() state[nmfeKept] { return newNMFEState(m, p) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &NMFEResult{Result: *res, H: kept.h, W: kept.w}, err
}

// Variant is m on p as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m NMFE) Variant(name string, p *Partitions, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, p, opts)) })
}

// String is m as a Go literal, a given start by its hash.
func (m NMFE) String() string { return describe(m) }

// validate checks m and its input.
func (m NMFE) validate(p *Partitions) (warnings []string, err error) {
	if err := p.checkFor(m.K); err != nil {
		return nil, err
	}
	return checkFactors(p, m.K, m.H0, m.W0)
}

// checkFactors checks given starts h0 and w0 of H and W; nil is none.
func checkFactors(p *Partitions, k int, h0, w0 *mat.Dense) (warnings []string, err error) {
	if warnings, err = checkStart("H0", h0, p.n, k); err != nil {
		return nil, err
	}
	if w0 != nil {
		if r, c := w0.Dims(); r != p.columns() || c != k {
			return nil, fmt.Errorf("W0 is %d×%d, want %d×%d: one row per cluster of the partitions, K columns", r, c, p.columns(), k)
		}
	}
	more, err := checkStart("W0", w0, p.columns(), k)
	return append(warnings, more...), err
}

// nmfeKept is what the result shows of the best run.
type nmfeKept struct{ h, w *mat.Dense }

// nmfeState is the factorisation of L itself.
type nmfeState struct {
	*factors
	m                 NMFE
	objective, change float64
}

func newNMFEState(m NMFE, p *Partitions) *nmfeState {
	s := &nmfeState{factors: newFactors(p, m.K), m: m}
	for t := range s.y {
		s.y[t] = 1 // (1)
	}
	return s
}

func (s *nmfeState) start(r int, rng *rand.Rand) {
	s.factors.start(s.m.H0, s.m.W0, r, rng)
	s.objective, s.change = s.residual(), 0
}

func (s *nmfeState) step() {
	s.update()
	before := s.objective
	s.objective = s.residual()
	s.change = relativeChange(before, s.objective, float64(len(s.y)))
}

// residual is ‖L − HWᵀ‖² = ‖L‖² − 2 Tr HᵀLW + Tr HᵀH WᵀW.
func (s *nmfeState) residual() float64 {
	return float64(len(s.y)) - float64(2*thin.Dot(s.h, s.yw)) + thin.Dot(s.hh, s.ww)
}

func (s *nmfeState) measure(p *Point) { p.Objective, p.Change = s.objective, s.change }

func (s *nmfeState) keep() nmfeKept {
	return nmfeKept{h: thin.Dense(s.h, s.k), w: thin.Dense(s.w, s.k)}
}

// factors are nonnegative H and W whose product is to be near a matrix Y, N×K, that is zero where L is. The thin matrices are kept
// transposed, k rows of length N or K; see package thin.
type factors struct {
	p    *Partitions
	n, k int

	y      []float64 // Y on the support of L: y[t] is in the column p.cols[t]
	h, w   []float64 // H, W
	yh, yw []float64 // YᵀH with the H of before the step, YW
	hd, wd []float64 // denominators of (6) and (5)
	hh, ww []float64 // k×k: HᵀH, WᵀW
	top    []float64 // the largest entry of each row of H or of W
}

func newFactors(p *Partitions, k int) *factors {
	n, columns := p.n, p.columns()
	thick := func() []float64 { return make([]float64, k*n) }
	wide := func() []float64 { return make([]float64, k*columns) }
	return &factors{
		p: p, n: n, k: k, y: make([]float64, len(p.cols)),
		h: thick(), yw: thick(), hd: thick(), w: wide(), yh: wide(), wd: wide(),
		hh: make([]float64, k*k), ww: make([]float64, k*k), top: make([]float64, max(n, columns)),
	}
}

// Row makes Y a thin.Rows.
func (f *factors) Row(i int) (cols []int, values []float64) {
	from, to := f.p.rows[i], f.p.rows[i+1]
	return f.p.cols[from:to], f.y[from:to]
}

// start sets H and W: in run 0 as they are given, if they are, and else at random.
func (f *factors) start(h0, w0 *mat.Dense, r int, rng *rand.Rand) {
	for _, x := range []struct {
		dst   []float64
		given *mat.Dense
	}{{f.h, h0}, {f.w, w0}} {
		if x.given != nil && r == 0 {
			copy(x.dst, thin.Transposed(x.given))
		} else {
			uniformTo(x.dst, rng)
		}
	}
	thin.SparseMulTo(f.yw, f, f.w, f.k)
	thin.GramTo(f.hh, f.h, f.h, f.k)
	thin.GramTo(f.ww, f.w, f.w, f.k)
}

// update is one update of W and one of H.
func (f *factors) update() {
	thin.SparseTMulTo(f.yh, f, f.h, f.k)
	clear(f.wd)
	thin.AddMulTo(f.wd, f.hh, f.w, f.k)
	multiplyTo(f.w, f.yh, f.wd) // (5): W ∘ YᵀH / WHᵀH
	flushTo(f.w, f.top[:f.p.columns()])
	thin.GramTo(f.ww, f.w, f.w, f.k)

	thin.SparseMulTo(f.yw, f, f.w, f.k)
	clear(f.hd)
	thin.AddMulTo(f.hd, f.ww, f.h, f.k)
	multiplyTo(f.h, f.yw, f.hd) // (6): H ∘ YW / HWᵀW
	flushTo(f.h, f.top[:f.n])
	thin.GramTo(f.hh, f.h, f.h, f.k)
}

func (f *factors) labelsTo(labels []int) { argmaxTo(labels, f.h) }
