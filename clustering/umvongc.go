package clustering

// Unified multi-view orthonormal nonnegative graph clustering.
//
//	min J(F, G, α) = ‖Σ_v α_v A_v − FGᵀ‖² + μ‖F − G‖²   over FᵀF = I, G >= 0, α >= 0, Σ_v α_v = 1        (7)
//
//	A_v n×n  affinity of view v, symmetric, >= 0
//	F   n×k  orthonormal representation
//	G   n×k  cluster indicator: the label of object i is the argmax of row i
//	α   m    weights of the views
//	μ >= 0   how much F, which is orthonormal, and G, which is nonnegative, are held together
//
// "Unified Multi-View Orthonormal Non-Negative Graph Based Clustering Framework", arXiv 2211.02883, 2022. Numbers in parentheses are the paper's equations.
//
// Where this departs from the paper, and why:
//
//   - The weights. The paper solves for α with Σ α = 1 alone and then drops what is negative, α = (J)₊. Unless the views' inner
//     products Q are diagonal, that is not the minimum, and it need not sum to 1. Here the quadratic programme (21) over the simplex is
//     solved exactly. Of several minima (identical views) the one nearest to equal weights is taken.
//   - The start, which the paper does not give. G is the indicator of a spectral clustering of the mean graph, its columns of length
//     1, another for each restart. With RandomStart it is uniform on (0,1], over √(n/k): then accuracy falls steeply for μ >= 100, which is
//     what the paper's figure of the sensitivity shows; from the spectral start it does not.
//   - An object whose row of G is zero takes the label from its row of F.
//   - The minimum over F is not unique where M of (12) has a rank below k. J is the same for all.
//
// An iteration takes 4n²k operations for each dense view, 4k for each entry of a sparse or factored one, and 4nk² more. It reads
// each view twice. The objective comes from the products that the step makes anyway.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/polar"
	"orthant/clustering/internal/simplex"
	"orthant/clustering/internal/thin"
)

// UmvONGC is unified multi-view orthonormal nonnegative graph clustering (arXiv 2211.02883): it minimises
// ‖Σ α_v A_v − FGᵀ‖² + μ‖F−G‖² over orthonormal F, nonnegative G and weights α >= 0 of the views that sum to 1. Zero parameters mean
// zero; [NewUmvONGC] has values to begin with. [ONGC] is the same of one view.
type UmvONGC struct {
	// K is the number of clusters, 1..n.
	K int
	// Mu is μ >= 0. 0 means 0. The paper tries 10^-5 to 10^5; the smaller it is, the less it matters.
	Mu float64
	// EqualWeights leaves the weights at 1/m. Learned weights favour graphs of a small norm, whose view may be the worst.
	EqualWeights bool
	// RandomStart begins from random numbers instead of from spectral clusterings of the mean graph.
	RandomStart bool
	// G0, n×K and >= 0, is the start of the first run; nil: like that of all others.
	G0 *mat.Dense
}

// NewUmvONGC returns the method for k clusters with μ = 0.1, in the range where μ hardly matters.
func NewUmvONGC(k int) UmvONGC { return UmvONGC{K: k, Mu: 0.1} }

// UmvONGCResult is what UmvONGC returns. F, G and Weights are those of the best run, nil if every run diverged. Trace.Weights has the
// weights of each iteration, Trace.Orthogonality ‖FᵀF − I‖, and Trace.Feasibility |Σ α − 1|.
type UmvONGCResult struct {
	Result
	// F is the n×K representation, FᵀF = I.
	F *mat.Dense
	// G is the n×K cluster indicator, >= 0.
	G *mat.Dense
	// Weights are those of the views, >= 0, with sum 1.
	Weights []float64
}

const (
	umvongcMaxIter = 500
	umvongcTol     = 1e-7 // on the objective, which moves by O(1/μ) an iteration for a large μ
)

// Fit clusters the n objects whose affinities are views, each n×n, symmetric and nonnegative: dense, an [affinity.Sparse] or an
// [affinity.Anchored]. See [Options] for the defaults (MaxIter 500, Tol 1e-7 on the relative change of the objective), and [Result] for
// what an error leaves.
func (m UmvONGC) Fit(ctx context.Context, views []mat.Matrix, opts Options) (*UmvONGCResult, error) {
	return m.fit(ctx, "UmvONGC", m.String(), views, opts)
}

// fit is Fit of the method that is called name.
func (m UmvONGC) fit(ctx context.Context, name, method string, views []mat.Matrix, opts Options) (*UmvONGCResult, error) {
	v, warnings, err := m.validate(views)
	var seeding *mat.Dense
	if err == nil && !m.RandomStart {
		_, seeding, err = Spectral{K: m.K}.embed(v.mean())
	}
	if err != nil {
		return nil, fmt.Errorf("clustering: %s: %w", name, err)
	}
	res, kept, err := run(ctx, problem[umvongcKept]{
		name: name, method: method, data: v.data(), n: v.n, warnings: warnings,
		maxIter: umvongcMaxIter, tol: umvongcTol,
		newState: func() state[umvongcKept] { return newUmvONGCState(m, v, seeding) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &UmvONGCResult{Result: *res, F: kept.f, G: kept.g, Weights: kept.weights}, err
}

// Variant is m on views as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m UmvONGC) Variant(name string, views []mat.Matrix, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, views, opts)) })
}

// String is m as a Go literal, a given start by its hash.
func (m UmvONGC) String() string { return describe(m) }

// validate checks m and its input.
func (m UmvONGC) validate(list []mat.Matrix) (*views, []string, error) {
	v, err := newViews(list)
	if err != nil {
		return nil, nil, err
	}
	if err := firstError(checkK(m.K, v.n), checkWeight("Mu", m.Mu)); err != nil {
		return nil, nil, err
	}
	warnings, err := checkStart("G0", m.G0, v.n, m.K)
	return v, warnings, err
}

// umvongcKept is what the result shows of the best run.
type umvongcKept struct {
	f, g    *mat.Dense
	weights []float64
}

// umvongcState is an iterate with the products that both its point and the step from it need. The n×k matrices are kept
// transposed, k rows of length n; see package thin.
type umvongcState struct {
	m       UmvONGC
	v       *views
	n, k    int
	mul     []func(dst, ht []float64) // the products with each view
	seeding *partitioner              // of the spectral embedding; nil with RandomStart
	drawn   []int                     // the labels that seeding has drawn
	polar   *polar.Factor
	qp      *simplex.QP

	f, g    []float64   // F, G
	af, ag  [][]float64 // A_v F, A_v G of each view
	m12     []float64   // M of (12)
	weights []float64   // α
	c       []float64   // c_v = <A_v F, G>
	ff, gg  []float64   // k×k: FᵀF, GᵀG
	change  float64
	value   float64 // J
	size    float64 // ‖Σ α_v A_v‖², beside which J may be rounding
}

func newUmvONGCState(m UmvONGC, v *views, seeding *mat.Dense) *umvongcState {
	n, k := v.n, m.K
	thick := func() []float64 { return make([]float64, k*n) }
	s := &umvongcState{m: m, v: v, n: n, k: k,
		polar: polar.New(n, k), qp: simplex.NewQP(len(v.forms)),
		f: thick(), g: thick(), m12: thick(),
		weights: make([]float64, len(v.forms)), c: make([]float64, len(v.forms)),
		ff: make([]float64, k*k), gg: make([]float64, k*k),
	}
	for _, view := range v.forms {
		s.mul = append(s.mul, view.multiplier(k))
		s.af, s.ag = append(s.af, thick()), append(s.ag, thick())
	}
	if seeding != nil {
		s.seeding = newPartitioner(seeding, k)
		s.drawn = make([]int, n)
	}
	return s
}

func (s *umvongcState) start(r int, rng *rand.Rand) {
	switch {
	case s.m.G0 != nil && r == 0:
		copy(s.g, thin.Transposed(s.m.G0))
	case s.m.RandomStart:
		uniformTo(s.g, rng)
		scale := math.Sqrt(float64(s.n) / float64(s.k))
		for i := range s.g {
			s.g[i] /= scale
		}
	default:
		s.seeding.bestTo(s.drawn, rng)
		indicatorTo(s.g, s.drawn)
	}
	for i := range s.weights {
		s.weights[i] = 1 / float64(len(s.weights))
	}
	s.multiply(s.ag, s.g)
	s.representation()
	s.value = s.objective()
	s.change = 0
}

// indicatorTo sets gt, k×n, to the transpose of Y(YᵀY)^(-1/2), Y the 0/1 indicator of the labels, each of which some object has.
func indicatorTo(gt []float64, labels []int) {
	n := len(labels)
	clear(gt)
	for i, l := range labels {
		gt[l*n+i] = 1
	}
	for a := 0; a < len(gt); a += n {
		column := gt[a : a+n]
		length := math.Sqrt(thin.Sum(column))
		for i := range column {
			column[i] /= length
		}
	}
}

// multiply sets each of dst to the product of a view and X.
func (s *umvongcState) multiply(dst [][]float64, xt []float64) {
	for i, mul := range s.mul {
		mul(dst[i], xt)
	}
}

func (s *umvongcState) step() {
	s.representation()
	s.indicate()
	s.multiply(s.ag, s.g)
	s.weigh()
	value := s.objective()
	s.change = relativeChange(s.value, value, s.size)
	s.value = value
}

// representation is (12): F = UVᵀ of the singular value decomposition of M = Σ α_v A_v G + μG.
func (s *umvongcState) representation() {
	for i, g := range s.g {
		s.m12[i] = float64(s.m.Mu * g)
	}
	for i, ag := range s.ag {
		thin.AddScaled(s.m12, s.weights[i], ag)
	}
	if err := s.polar.To(s.f, s.m12); err != nil {
		panic(err) // of a finite matrix there is one
	}
	s.multiply(s.af, s.f)
	s.products()
}

// indicate is (20): G = [(Σ α_v A_v F + μF)/(1+μ)]₊.
func (s *umvongcState) indicate() {
	for i, f := range s.f {
		s.g[i] = float64(s.m.Mu * f)
	}
	for i, af := range s.af {
		thin.AddScaled(s.g, s.weights[i], af)
	}
	for i, p := range s.g {
		s.g[i] = max(0, p/(1+s.m.Mu))
	}
	s.products()
}

// products brings up to date what the objective and the weights need of F and G.
func (s *umvongcState) products() {
	thin.GramTo(s.ff, s.f, s.f, s.k)
	thin.GramTo(s.gg, s.g, s.g, s.k)
	for i, af := range s.af {
		s.c[i] = thin.Dot(af, s.g)
	}
}

// weigh is (21): α = argmin αᵀQα − 2cᵀα over the simplex, with Q_vw = <A_v, A_w>.
func (s *umvongcState) weigh() {
	if s.m.EqualWeights {
		return
	}
	if err := s.qp.Solve(s.weights, s.v.q, s.c); err != nil {
		panic(err) // a matrix of inner products is positive semidefinite
	}
}

// objective is (7) from traces: αᵀQα − 2 Σ α_v c_v + <FᵀF, GᵀG> + μ‖F−G‖². It sets size. J is never negative but for rounding, which is cut off.
func (s *umvongcState) objective() float64 {
	m, norm2, fit, apart := len(s.weights), 0.0, 0.0, 0.0
	for i, a := range s.weights {
		norm2 += float64(a * thin.Dot(s.v.q[i*m:(i+1)*m], s.weights))
		fit += float64(a * s.c[i])
	}
	for i, f := range s.f {
		d := f - s.g[i]
		apart += float64(d * d)
	}
	s.size = norm2
	return max(0, norm2-float64(2*fit)+thin.Dot(s.ff, s.gg)+float64(s.m.Mu*apart))
}

func (s *umvongcState) measure(p *Point) {
	p.Objective, p.Change, p.Weights = s.value, s.change, s.weights
	p.Orthogonality = fromIdentity(s.ff, s.k)
	p.Feasibility = math.Abs(thin.Sum(s.weights) - 1)
}

func (s *umvongcState) labelsTo(labels []int) {
	argmaxTo(labels, s.g)
	for i, l := range labels {
		if l != Unassigned {
			continue
		}
		labels[i] = 0
		for a := range s.k {
			if s.f[a*s.n+i] > s.f[labels[i]*s.n+i] {
				labels[i] = a
			}
		}
	}
}

func (s *umvongcState) keep() umvongcKept {
	return umvongcKept{f: thin.Dense(s.f, s.k), g: thin.Dense(s.g, s.k), weights: append([]float64(nil), s.weights...)}
}
