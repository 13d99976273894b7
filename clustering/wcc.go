package clustering

// Weighted consensus clustering: NMFC with a weight for each partition.
//
//	min ‖Σ_m w_m W^m − HSHᵀ‖²   over H, S >= 0 with HᵀH = I and w >= 0 with Σ w = 1,   W^m = L_m L_mᵀ
//
//	L  N×K  0/1, the M partitions, as in NMFE; L_m are the columns of partition m
//	w  M    the weights of the partitions
//	H  N×k  cluster indicator: the label of object i is the argmax of row i
//	S  k×k  symmetric: the scale of the clusters, and how much they overlap
//
// T. Li and C. Ding, "Weighted consensus clustering", SIAM International Conference on Data Mining (SDM) 2008. An iteration is a
// number of those of NMFC, with Σ_m w_m W^m in the place of W̃, and then the exact minimum over w of the quadratic function
//
//	wᵀQw − 2cᵀw,   Q_ml = <W^m, W^l> = Σ n_ab² over the contingency table of the partitions m and l,
//	               c_m = <W^m, HSHᵀ> = Σ t_aᵀ S t_a over the clusters a of partition m, t_a = Hᵀ1_a
//
// on the simplex. What the paper leaves open, and where this departs from it, is as for NMFC; the weights start equal. The number of
// updates of H and S between two of the weights is 100 unless given, which the labels had a say in: of as many updates, those with
// fewer of the weights among them have the higher NMI on partitions made by Perturb, up to the fewest tried (EXPERIMENTS.md, the last
// section). 100 leaves room for 30 updates of the weights in the iterations that NMFC makes.
//
// A partition in which objects are missing has a small W^m, easy to fit: all the weight may go to it, and then the objects that it
// misses are in no cluster.
//
// An iteration takes Inner times the operations of NMFC and Kk² for c; Q is computed once, in NM² operations.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/simplex"
	"orthant/clustering/internal/thin"
)

// WCC is weighted consensus clustering (Li and Ding, SDM 2008): it minimises ‖Σ_m w_m W^m − HSHᵀ‖² over H, S >= 0 with HᵀH = I and
// weights w on the simplex, where W^m is the 0/1 matrix of the objects that partition m puts together. It starts as [NMFC] does.
type WCC struct {
	// K is the number of clusters of the result, 1..N.
	K int
	// Inner is the number of updates of H and S between two of the weights, >= 0. 0: 100.
	Inner int
	// RandomStart begins from a random H, as the paper does; see [NMFC].
	RandomStart bool
	// H0, N×K and >= 0, is the H that the first run starts from, with S = H0ᵀW̃H0 for equal weights. It is taken as it is, without
	// scaling.
	H0 *mat.Dense
}

// WCCResult is what WCC returns. H, S and Weights are those of the best run, nil if every run diverged. The weights of all iterations
// are in its Trace.
type WCCResult struct {
	Result
	// H is the N×K cluster indicator, >= 0.
	H *mat.Dense
	// S, K×K, is symmetric and >= 0.
	S *mat.Dense
	// Weights are those of the M partitions: >= 0, with the sum 1.
	Weights []float64
}

const (
	wccMaxIter = 30   // with wccInner as many updates as NMFC makes
	wccTol     = 1e-6 // a hundred updates of NMFC an iteration, and its 1e-8
	wccInner   = 100
)

// Fit joins the partitions p into K clusters. See [Options] for the defaults (MaxIter 30, Tol 1e-6 on the relative change of the
// objective), and [Result] for what an error leaves. Errors and warnings: those of [NMFC], a negative Inner, and a
// partition in which all objects are missing: for it alone the objective is 0.
func (m WCC) Fit(ctx context.Context, p *Partitions, opts Options) (*WCCResult, error) {
	warnings, err := m.validate(p)
	if err != nil {
		return nil, fmt.Errorf("clustering: WCC: %w", err)
	}
	begin, more := newConsensusStart(p, m.K, m.RandomStart, m.H0, opts)
	q := p.contingency()
	res, kept, err := run(ctx, problem[consensusKept]{
		name: "WCC", method: m.String(), data: p.hash(), n: p.n, warnings: append(warnings, more...),
		maxIter: wccMaxIter, tol: wccTol,
		newState: func() state[consensusKept] { return newWCCState(m, p, q, begin) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &WCCResult{Result: *res, H: kept.h, S: kept.s, Weights: kept.weights}, err
}

// Variant is m on p as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m WCC) Variant(name string, p *Partitions, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, p, opts)) })
}

// String is m as a Go literal, a given start by its hash.
func (m WCC) String() string { return describe(m) }

// validate checks m and its input.
func (m WCC) validate(p *Partitions) (warnings []string, err error) {
	if err := p.checkFor(m.K); err != nil {
		return nil, err
	}
	if m.Inner < 0 {
		return nil, fmt.Errorf("Inner = %d is negative", m.Inner)
	}
	for l := range p.Len() {
		if p.first[l] == p.first[l+1] {
			return nil, fmt.Errorf("partition %d has no labels: all the weight would go to it", l)
		}
	}
	return checkStart("H0", m.H0, p.n, m.K)
}

// wccState is an iterate of NMFC with the programme whose solution the weights are.
type wccState struct {
	*consensus
	inner int
	qp    *simplex.QP
	c     []float64 // M
	t, st []float64 // k: Hᵀ1 of a cluster, S times it
	worst float64   // |Σw − 1|
}

func newWCCState(m WCC, p *Partitions, q []float64, begin *consensusStart) *wccState {
	s := &wccState{
		consensus: newConsensus(p, q, begin), inner: m.Inner, qp: simplex.NewQP(p.Len()),
		c: make([]float64, p.Len()), t: make([]float64, m.K), st: make([]float64, m.K),
	}
	if s.inner == 0 {
		s.inner = wccInner
	}
	return s
}

func (s *wccState) start(r int, rng *rand.Rand) {
	s.consensus.start(r, rng)
	s.worst = math.Abs(thin.Sum(s.weights) - 1)
}

func (s *wccState) step() {
	for range s.inner {
		s.update()
	}
	s.linear()
	if err := s.qp.Solve(s.weights, s.q, s.c); err != nil {
		panic(err) // Q, of whole numbers, is positive semidefinite
	}
	s.weigh()
	s.worst = math.Abs(thin.Sum(s.weights) - 1)
	s.settle()
}

// linear sets c.
func (s *wccState) linear() {
	columns := s.p.columns()
	clear(s.c)
	for j, m := range s.p.owner {
		for a := range s.t {
			s.t[a] = s.lh[a*columns+j]
		}
		for a := range s.st {
			s.st[a] = thin.Dot(s.s[a*s.k:(a+1)*s.k], s.t)
		}
		s.c[m] += thin.Dot(s.t, s.st)
	}
}

func (s *wccState) measure(p *Point) {
	s.consensus.measure(p)
	p.Feasibility = s.worst
	p.Weights = s.weights
}

func (s *wccState) keep() consensusKept {
	kept := s.consensus.keep()
	kept.weights = append([]float64(nil), s.weights...)
	return kept
}
