package clustering

// Symmetric nonnegative factorisation joined with the normalised cut.
//
//	min J(H) = ‖W − HHᵀ‖² + 2α Tr Hᵀ(D−W)H   over H >= 0 with HᵀDH = I            (3), (4)
//
//	W  n×n  affinity, symmetric, >= 0
//	D  n×n  diagonal, the degrees W·1
//	H  n×k  cluster indicator: the label of object i is the argmax of row i
//	α >= 0  weight of the cut; 0 is symmetric NMF under the constraint
//
// Z. Xia and C. Ding, "Integrating Symmetric Nonnegative Matrix Factorization and Normalized Cut Spectral Clustering", ICDM
// Workshops 2010. Numbers in parentheses are the paper's equations.
//
// Where this departs from the paper, and why:
//
//   - The start. The paper gives none. H is uniform on (0,1], then each column is scaled to hᵀDh = 1. From an unscaled start
//     HᵀDH is thousands of times I; there Λ = 0, and the iteration first lives near the stationary points of symmetric NMF,
//     which are fixed points of (5) too, before it comes down.
//   - Stopping: ‖H'−H‖ <= Tol·‖H‖. The fourth root makes steps small, so Tol is small too.
//   - Theorem 2 (the Lagrangian (21) rises) holds for Λ held fixed over a step, not along a run that recomputes Λ: neither
//     (21) nor J is monotone there.
//   - Theorem 1 (KKT): complementary slackness holds in the limit, feasibility need not. At a fixed point, with Z = HᵀDH,
//     Z_kk = 1 − Σ_{l≠k} Z_kl Λ_lk / Λ_kk: the constraint holds exactly if clusters do not overlap. The residual is reported.
//   - In (6) the clipped matrix is made symmetric first; in exact arithmetic it is.
//   - An entry below 1e-140 of its row's largest becomes 0. Entries on the way to 0 never get there by multiplication, and once
//     their squares are denormal numbers the products take ten times as long.
//
// An iteration takes 2n²k + 8nk² operations and reads W once, 2k operations an entry of a sparse W instead of 2n²k; the objective comes from traces that the next step needs
// anyway, so that it costs nothing of order n².

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// SNMFNcut is symmetric NMF integrated with the normalised cut (Xia and Ding, ICDM Workshops 2010): it minimises
// ‖W−HHᵀ‖² + 2α Tr Hᵀ(D−W)H over H >= 0 with HᵀDH = I, where D holds the degrees of the affinity W. Zero parameters mean
// zero; [NewSNMFNcut] has the paper's.
type SNMFNcut struct {
	// K is the number of clusters, 1..n.
	K int
	// Alpha is the weight α >= 0 of the normalised cut against the factorisation. 0 means 0. The paper calls 0.01 "SNMF",
	// 10 "Ncut", and discusses values about 1. With the orthogonality constraint it hardly matters, without it a great deal.
	Alpha float64
	// NonOrthogonal drops the constraint HᵀDH = I: the update is (31), and J never rises.
	NonOrthogonal bool
	// Unscaled leaves the start as it is drawn or given. Otherwise each column is scaled to hᵀDh = 1 first. It has no effect
	// with NonOrthogonal, which never scales. Set it to go on from the H of an earlier result.
	Unscaled bool
	// H0, n×K and >= 0, is the start of the first run; nil: random like that of all others.
	H0 *mat.Dense
}

// NewSNMFNcut returns the paper's method for k clusters, with α = 1.
func NewSNMFNcut(k int) SNMFNcut { return SNMFNcut{K: k, Alpha: 1} }

// SNMFNcutResult is what SNMFNcut returns. H and Lambda are those of the best run, nil if every run diverged.
type SNMFNcutResult struct {
	Result
	// H is the n×K cluster indicator, >= 0.
	H *mat.Dense
	// Lambda is the K×K multiplier (6) of the constraint at H, >= 0; nil with NonOrthogonal.
	Lambda *mat.Dense
}

const (
	snmfncutMaxIter = 2000 // from random starts accuracy still rises between 500 and 2000 iterations on images of faces
	snmfncutTol     = 1e-6 // 1e-4 stops far too early: steps are fourth roots
)

// Fit clusters the n objects whose affinity is w, n×n, symmetric and nonnegative: dense, an [affinity.Sparse] or an
// [affinity.Anchored]. Degrees may be zero: such an object is labelled -1. See [Options] for the defaults (MaxIter 2000, Tol 1e-6 on
// ‖H'−H‖/‖H‖), and [Result] for what an error leaves.
func (m SNMFNcut) Fit(ctx context.Context, w mat.Matrix, opts Options) (*SNMFNcutResult, error) {
	g, warnings, err := m.validate(w)
	if err != nil {
		return nil, fmt.Errorf("clustering: SNMFNcut: %w", err)
	}
	res, kept, err := run(ctx, problem[snmfncutKept]{
		name: "SNMFNcut", method: m.String(), data: g.w.data(), n: g.n, warnings: warnings,
		maxIter: snmfncutMaxIter, tol: snmfncutTol,
		newState: func() state[snmfncutKept] { return newSNMFNcutState(m, g) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &SNMFNcutResult{Result: *res, H: kept.h, Lambda: kept.lambda}, err
}

// Variant is m on w as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m SNMFNcut) Variant(name string, w mat.Matrix, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, w, opts)) })
}

// String is m as a Go literal, a given start by its hash.
func (m SNMFNcut) String() string { return describe(m) }

// validate checks m and its input.
func (m SNMFNcut) validate(w mat.Matrix) (*graph, []string, error) {
	g, err := newGraph(w)
	if err != nil {
		return nil, nil, err
	}
	if err := firstError(checkK(m.K, g.n), checkWeight("Alpha", m.Alpha)); err != nil {
		return nil, nil, err
	}
	warnings, err := checkStart("H0", m.H0, g.n, m.K)
	return g, warnings, err
}

// snmfncutKept is what the result shows of the best run.
type snmfncutKept struct{ h, lambda *mat.Dense }

// snmfncutState is an iterate H with the products that both its point and the step from it need. The n×k matrices are kept
// transposed, k rows of length n; see package thin.
type snmfncutState struct {
	m      SNMFNcut
	g      *graph
	n, k   int
	mul    func(dst, ht []float64) // dst = W·ht
	change float64                 // ‖H'−H‖/‖H‖ of the last step

	h, wh, dh []float64 // H, WH, DH
	den       []float64 // denominator of (5) or (31)
	top       []float64 // length n: the largest entry of each row of H

	hh, hwh, hdh []float64 // k×k: G = HᵀH, HᵀWH, Z = HᵀDH
	lambda       []float64 // k×k: Λ of (6)
}

func newSNMFNcutState(m SNMFNcut, g *graph) *snmfncutState {
	n, k := g.n, m.K
	thick := func() []float64 { return make([]float64, k*n) }
	small := func() []float64 { return make([]float64, k*k) }
	return &snmfncutState{
		m: m, g: g, n: n, k: k, mul: g.w.multiplier(k),
		h: thick(), wh: thick(), dh: thick(), den: thick(), top: make([]float64, n),
		hh: small(), hwh: small(), hdh: small(), lambda: small(),
	}
}

func (s *snmfncutState) start(r int, rng *rand.Rand) {
	if s.m.H0 != nil && r == 0 {
		copy(s.h, thin.Transposed(s.m.H0))
	} else {
		uniformTo(s.h, rng)
	}
	s.change = 0
	if !s.m.NonOrthogonal && !s.m.Unscaled {
		s.scale()
	}
	s.products()
}

// scale makes hᵀDh = 1 for each column h; a column on objects without neighbours cannot be scaled and stays.
func (s *snmfncutState) scale() {
	thin.ScaleTo(s.dh, s.g.degree, s.h)
	for a := range s.k {
		h, dh := s.h[a*s.n:(a+1)*s.n], s.dh[a*s.n:(a+1)*s.n]
		if z := thin.Dot(h, dh); z > 0 {
			norm := math.Sqrt(z)
			for i := range h {
				h[i] /= norm
			}
		}
	}
}

// products brings everything that depends on H up to date.
func (s *snmfncutState) products() {
	s.mul(s.wh, s.h)
	thin.ScaleTo(s.dh, s.g.degree, s.h)
	thin.GramTo(s.hh, s.h, s.h, s.k)
	thin.GramTo(s.hwh, s.h, s.wh, s.k)
	thin.GramTo(s.hdh, s.h, s.dh, s.k)
	for a := range s.k {
		for b := range s.k {
			g2 := thin.Dot(s.hh[a*s.k:(a+1)*s.k], s.hh[b*s.k:(b+1)*s.k])
			s.lambda[a*s.k+b] = max(0, float64((1+s.m.Alpha)*s.hwh[a*s.k+b])-g2) // (6): [(1+α) HᵀWH − HᵀHHᵀH]₊
		}
	}
}

func (s *snmfncutState) step() {
	clear(s.den)
	thin.AddMulTo(s.den, s.hh, s.h, s.k) // HHᵀH
	if s.m.NonOrthogonal {
		for i, dh := range s.dh {
			s.den[i] += float64(s.m.Alpha * dh) // (31): + α DH
		}
	} else {
		thin.AddMulTo(s.den, s.lambda, s.dh, s.k) // (5): + DHΛ
	}
	moved, size := 0.0, 0.0
	for i, h := range s.h {
		next := 0.0
		if s.den[i] > 0 {
			next = h * math.Sqrt(math.Sqrt((1+s.m.Alpha)*s.wh[i]/s.den[i])) // (5), (31)
		}
		d := next - h
		moved += float64(d * d)
		size += float64(h * h)
		s.h[i] = next
	}
	s.change = 0
	if moved > 0 {
		s.change = math.Sqrt(moved / size)
	}
	flushTo(s.h, s.top)
	s.products()
}

func (s *snmfncutState) measure(p *Point) {
	hwh, hh2, hdh := 0.0, thin.Dot(s.hh, s.hh), 0.0
	scale := 0.0
	for a := range s.k {
		hwh += s.hwh[a*s.k+a]
		hdh += s.hdh[a*s.k+a]
		scale = max(scale, math.Abs(s.hdh[a*s.k+a]-1))
	}
	// (15): ‖W‖² − 2(1+α) Tr HᵀWH + Tr(HᵀH)² + 2α Tr HᵀDH
	p.Objective = s.g.norm2 - float64(2*(1+s.m.Alpha)*hwh) + hh2 + float64(2*s.m.Alpha*hdh)
	p.Change = s.change
	p.Orthogonality = fromIdentity(s.hdh, s.k)
	p.Feasibility = 0
	if !s.m.NonOrthogonal {
		p.Feasibility = scale // the largest |hᵀDh − 1|
	}
}

func (s *snmfncutState) labelsTo(labels []int) { argmaxTo(labels, s.h) }

func (s *snmfncutState) keep() snmfncutKept {
	kept := snmfncutKept{h: thin.Dense(s.h, s.k)}
	if !s.m.NonOrthogonal {
		kept.lambda = mat.NewDense(s.k, s.k, append([]float64(nil), s.lambda...))
	}
	return kept
}
