package clustering

// Instance-wise weighted nonnegative matrix factorisation of an ensemble: each object has a weight of its own for each partition.
//
//	min J = ‖L∘Ψ − HWᵀ‖² + λ‖Ψ‖²   over H, W >= 0 and Ψ >= 0 with Σ_j L_ij Ψ_ij = 1 for each object i                  (7)
//
//	L  N×K  0/1, the M partitions, as in NMFE
//	Ψ  N×K  weights, on the support of L only: κ_ij is the weight of object i for the partition that cluster j is from
//	H  N×k  cluster indicator: the label of object i is the argmax of row i
//	W  K×k  which clusters of the partitions make up a cluster of the result
//	λ >= 0  how much equal weights are worth: for λ → ∞ they are 1/M, and this is NMFE (if no label is missing)
//
// X. Zheng, S. Zhu, J. Gao and H. Mamitsuka, "Instance-wise weighted nonnegative matrix factorization for aggregating partitions
// with locally reliable clusters", IJCAI 2015, 4091-4097. Numbers in parentheses are the paper's equations.
//
// What the paper leaves open, and where this departs from it:
//
//   - λ is not given; 1 was better than 0.1 and 10 on 13 of 14 sets of the paper's experiment 2. Nor is the number of updates of W
//     and H an iteration: 1 here.
//   - The start: H and W are uniform on (0,1], the weights of an object equal. The order: W, H, Ψ.
//   - (8) is computed exactly, as the projection of row i of HWᵀ/(1+λ), on the support, onto the simplex. The paper's closed form
//     is the case in which no weight becomes 0, and its Theorem 1 leaves out Ψ >= 0; it holds nevertheless, because the problem is
//     strictly convex.
//   - The function in the paper's Lemma 1 needs −2b₁x − 2b₂y: with the signs as printed its minimiser is another.
//   - Missing labels, negligible entries and stopping: as in NMFE.
//
// An iteration takes 2NMk operations for each of the products with L∘Ψ, 2NMk for HWᵀ, which is needed on the support only,
// NM log M for the projections, and 4(N+K)k² for the rest. The paper's O(K²NM) is that of dense matrices.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/simplex"
	"orthant/clustering/internal/thin"
)

// INA is instance-wise weighted nonnegative matrix factorisation for aggregating partitions (Zheng, Zhu, Gao and Mamitsuka, IJCAI
// 2015): it minimises ‖L∘Ψ−HWᵀ‖² + λ‖Ψ‖² over H, W, Ψ >= 0, where each object's weights Ψ sum to 1, so that an object can rely on the
// partitions that are right about it. The objective never rises. Zero parameters mean zero; [NewINA] has usual ones.
type INA struct {
	// K is the number of clusters of the result, 1..N.
	K int
	// Lambda is the weight λ >= 0 of ‖Ψ‖². 0 means 0: then an object may rely on a single partition. The larger it is the more equal
	// are the weights.
	Lambda float64
	// Inner is the number of updates of W and H between two of the weights, >= 0. 0: 1.
	Inner int
	// History keeps the weights of all iterations in the result. It takes 8NM bytes an iteration.
	History bool
	// H0, N×K and >= 0, is the H that the first run starts from; nil: random like that of all others.
	H0 *mat.Dense
	// W0 is the W that the first run starts from, >= 0, with a row for each of the partitions' clusters and K columns; nil: random
	// like that of all others.
	W0 *mat.Dense
}

// NewINA returns the method for k clusters with λ = 1 and one update of W and H an iteration.
func NewINA(k int) INA { return INA{K: k, Lambda: 1, Inner: 1} }

// INAResult is what INA returns. The matrices are those of the best run, nil if every run diverged. The weights in its Trace are the
// means over the objects, one for each of the M partitions; those of objects that are in no partition do not count.
type INAResult struct {
	Result
	// H is the N×K cluster indicator, >= 0.
	H *mat.Dense
	// W, >= 0, has a row for each of the partitions' clusters, those of the first partition first, and K columns.
	W *mat.Dense
	// Psi, N×M, are the weights: row i has those of object i, >= 0, for each of the M partitions. They sum to 1, and are 0 where the
	// object is missing. [Partitions.Weighted] puts them in the form L∘Ψ of the paper.
	Psi *mat.Dense
	// History are the weights at the start and after each iteration, in the form of Psi, in step with Trace; nil unless asked for.
	History []*mat.Dense
}

const (
	inaMaxIter = 1000
	inaTol     = 1e-7 // as for NMFE
	// historyPart is the part of the memory limit that a history may take, as that of a square matrix.
	historyPart = 4
)

// Fit joins the partitions p into K clusters. See [Options] for the defaults (MaxIter 1000, Tol 1e-7 on the relative change of the
// objective), and [Result] for what an error leaves. Errors: those of [NMFE], a Lambda that is not finite and >= 0, a negative Inner,
// and a History that would take more than a quarter of the memory limit at MaxIter iterations.
func (m INA) Fit(ctx context.Context, p *Partitions, opts Options) (*INAResult, error) {
	warnings, err := m.validate(p, opts)
	if err != nil {
		return nil, fmt.Errorf("clustering: INA: %w", err)
	}
	res, kept, err := run(ctx, problem[inaKept]{
		name: "INA", method: m.String(), data: p.hash(), n: p.n, warnings: warnings,
		maxIter: inaMaxIter, tol: inaTol,
		newState: func() state[inaKept] { return newINAState(m, p) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &INAResult{Result: *res, H: kept.h, W: kept.w, Psi: kept.psi, History: kept.history}, err
}

// Variant is m on p as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m INA) Variant(name string, p *Partitions, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, p, opts)) })
}

// String is m as a Go literal, a given start by its hash.
func (m INA) String() string { return describe(m) }

// Weighted returns L∘Ψ, N×K with a column for each of the partitions' clusters: psi, N×M, has the weight of each object for each
// partition, and row i of the result has it in the columns of the clusters that object i is in, and 0 elsewhere. Errors: partitions
// that no constructor made, and another shape of psi.
func (p *Partitions) Weighted(psi *mat.Dense) (*mat.Dense, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("clustering: Weighted: %w", err)
	}
	if psi == nil {
		return nil, fmt.Errorf("clustering: Weighted: the weights are nil")
	}
	if r, c := psi.Dims(); r != p.n || c != p.Len() {
		return nil, fmt.Errorf("clustering: Weighted: the weights are %d×%d, want %d×%d: objects by partitions", r, c, p.n, p.Len())
	}
	w := mat.NewDense(p.n, p.columns(), nil)
	for i := range p.n {
		for _, j := range p.clustersOf(i) {
			w.Set(i, j, psi.At(i, p.owner[j]))
		}
	}
	return w, nil
}

// validate checks m and its input.
func (m INA) validate(p *Partitions, opts Options) (warnings []string, err error) {
	if err := p.checkFor(m.K); err != nil {
		return nil, err
	}
	if err := checkWeight("Lambda", m.Lambda); err != nil {
		return nil, err
	}
	if m.Inner < 0 {
		return nil, fmt.Errorf("Inner = %d is negative", m.Inner)
	}
	if err := m.checkHistory(p, opts); err != nil {
		return nil, err
	}
	return checkFactors(p, m.K, m.H0, m.W0)
}

// checkHistory is an error for a history that would not fit. Each worker keeps that of its run, beside the best.
func (m INA) checkHistory(p *Partitions, opts Options) error {
	opts, err := opts.resolve(inaMaxIter, inaTol)
	if !m.History || err != nil {
		return nil // the run loop reports what is wrong with the options
	}
	limit, ok, err := memory.Limit()
	if err != nil || !ok {
		return err
	}
	bytes := 8 * float64(p.n) * float64(p.Len()) * float64(opts.MaxIter+1) * float64(opts.Workers+1)
	if bytes > float64(limit)/historyPart {
		return fmt.Errorf("History of %d iterations needs up to %.0f bytes, above a quarter of the memory limit of %d bytes: "+
			"set Options.MaxIter to fewer, or Options.Workers to 1", opts.MaxIter, bytes, limit)
	}
	return nil
}

// inaKept is what the result shows of the best run.
type inaKept struct {
	h, w, psi *mat.Dense
	history   []*mat.Dense
}

// inaState is the factorisation of Y = L∘Ψ, whose entries on the support of L are the weights.
type inaState struct {
	*factors
	m INA

	wt      []float64 // K×k: W
	row     []float64 // k: a row of H
	lstar   []float64 // M: a row of L* = HWᵀ, on the support
	sorted  []float64 // M: work space of the projection
	weights []float64 // M: the mean weights
	present float64   // objects that are in a partition
	history []*mat.Dense

	cross, size, worst float64 // Σ κ L*, ‖Ψ‖², the largest |Σκ − 1|
	objective, change  float64
}

func newINAState(m INA, p *Partitions) *inaState {
	s := &inaState{
		factors: newFactors(p, m.K), m: m,
		wt: make([]float64, p.columns()*m.K), row: make([]float64, m.K),
		lstar: make([]float64, p.Len()), sorted: make([]float64, p.Len()), weights: make([]float64, p.Len()),
	}
	for i := range p.n {
		if len(p.clustersOf(i)) > 0 {
			s.present++
		}
	}
	return s
}

func (s *inaState) start(r int, rng *rand.Rand) {
	for i := range s.n {
		_, kappa := s.Row(i)
		for t := range kappa {
			kappa[t] = 1 / float64(len(kappa))
		}
	}
	s.factors.start(s.m.H0, s.m.W0, r, rng)
	s.rows(false)
	s.objective, s.change = s.value(), 0
	s.history = nil
	s.remember()
}

func (s *inaState) step() {
	for range max(1, s.m.Inner) {
		s.update()
	}
	s.rows(true)
	before := s.objective
	s.objective = s.value()
	s.change = relativeChange(before, s.objective, (1+s.m.Lambda)*s.size)
	s.remember()
}

// rows goes through the objects: (8), if the weights are to move, and the sums that depend on the weights and on L*.
func (s *inaState) rows(move bool) {
	columns := s.p.columns()
	for a := range s.k {
		for j, w := range s.w[a*columns : (a+1)*columns] {
			s.wt[j*s.k+a] = w
		}
	}
	s.cross, s.size, s.worst = 0, 0, 0
	clear(s.weights)
	for i := range s.n {
		cols, kappa := s.Row(i)
		if len(cols) == 0 {
			continue
		}
		for a := range s.row {
			s.row[a] = s.h[a*s.n+i]
		}
		lstar := s.lstar[:len(cols)]
		for t, j := range cols {
			lstar[t] = thin.Dot(s.row, s.wt[j*s.k:(j+1)*s.k])
		}
		if move {
			kappaTo(kappa, lstar, s.m.Lambda, s.sorted)
		}
		sum := 0.0
		for t, x := range kappa {
			sum += x
			s.weights[s.p.owner[cols[t]]] += x / s.present
		}
		s.cross += thin.Dot(kappa, lstar)
		s.size += thin.Dot(kappa, kappa)
		s.worst = max(s.worst, math.Abs(sum-1))
	}
}

// kappaTo sets kappa to the weights (8) of an object, from its row of L* on the support: κ = [(L* − μ)/(1+λ)]₊ with the μ that makes
// the sum 1. sorted is work space, as long or longer.
func kappaTo(kappa, lstar []float64, lambda float64, sorted []float64) {
	for t, x := range lstar {
		kappa[t] = x / (1 + lambda)
	}
	simplex.Project(kappa, kappa, sorted[:len(kappa)])
}

// value is (7): ‖Y‖² − 2 Tr HᵀYW + Tr HᵀH WᵀW + λ‖Ψ‖², where ‖Y‖ = ‖Ψ‖.
func (s *inaState) value() float64 {
	return float64((1+s.m.Lambda)*s.size) - float64(2*s.cross) + thin.Dot(s.hh, s.ww)
}

func (s *inaState) measure(p *Point) {
	p.Objective, p.Change = s.objective, s.change
	p.Feasibility = s.worst
	p.Weights = s.weights
}

// remember enters the weights in the history, if there is to be one.
func (s *inaState) remember() {
	if s.m.History {
		s.history = append(s.history, s.psi())
	}
}

// psi are the weights, N×M.
func (s *inaState) psi() *mat.Dense {
	psi := mat.NewDense(s.n, s.p.Len(), nil)
	for i := range s.n {
		cols, kappa := s.Row(i)
		for t, j := range cols {
			psi.Set(i, s.p.owner[j], kappa[t])
		}
	}
	return psi
}

func (s *inaState) keep() inaKept {
	return inaKept{h: thin.Dense(s.h, s.k), w: thin.Dense(s.w, s.k), psi: s.psi(), history: s.history}
}
