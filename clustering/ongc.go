package clustering

// Orthonormal nonnegative graph clustering of one view: the problem, the steps and the departures of [UmvONGC], whose paper
// (arXiv 2211.02883) calls it ONGC_G on the Gaussian graph (affinity.ONGCGaussian) and ONGC_U on the anchor graph (affinity.ULGE).
//
//	min J(F, G) = ‖A − FGᵀ‖² + μ‖F − G‖²   over FᵀF = I, G >= 0

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// ONGC is orthonormal nonnegative graph clustering (arXiv 2211.02883): it minimises ‖A − FGᵀ‖² + μ‖F−G‖² over orthonormal F and
// nonnegative G. It is [UmvONGC] of one view. Zero parameters mean zero; [NewONGC] has values to begin with.
type ONGC struct {
	// K is the number of clusters, 1..n.
	K int
	// Mu is μ >= 0. 0 means 0.
	Mu float64
	// RandomStart begins from random numbers instead of from spectral clusterings of the graph.
	RandomStart bool
	// G0, n×K and >= 0, is the start of the first run; nil: like that of all others.
	G0 *mat.Dense
}

// NewONGC returns the method for k clusters with μ = 0.1, as [NewUmvONGC].
func NewONGC(k int) ONGC { return ONGC{K: k, Mu: NewUmvONGC(k).Mu} }

// ONGCResult is what ONGC returns. F and G are those of the best run, nil if every run diverged.
type ONGCResult struct {
	Result
	// F is the n×K representation, FᵀF = I.
	F *mat.Dense
	// G is the n×K cluster indicator, >= 0.
	G *mat.Dense
}

// Fit clusters the n objects whose affinity is a, n×n, symmetric and nonnegative: dense, an [affinity.Sparse] or an
// [affinity.Anchored]. The defaults of opts are those of [UmvONGC]; see [Result] for what an error leaves.
func (m ONGC) Fit(ctx context.Context, a mat.Matrix, opts Options) (*ONGCResult, error) {
	all := UmvONGC{K: m.K, Mu: m.Mu, RandomStart: m.RandomStart, G0: m.G0}
	res, err := all.fit(ctx, "ONGC", m.String(), []mat.Matrix{a}, opts)
	if res == nil {
		return nil, err
	}
	return &ONGCResult{Result: res.Result, F: res.F, G: res.G}, err
}

// Variant is m on a as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m ONGC) Variant(name string, a mat.Matrix, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, a, opts)) })
}

// String is m as a Go literal, a given start by its hash.
func (m ONGC) String() string { return describe(m) }
