package clustering

// Robust multiple kernel clustering.
//
//	min Σ_i α_i (‖K − (K_i − E_i − E_iᵀ)‖² + γ1 ‖E_i‖_{2,1}) + γ2 rank K                              (2)
//	over K = Kᵀ positive semidefinite, E_i, and α >= 0 with Σ α_i^ρ = 1
//
//	K_i  n×n  kernel i of m, symmetric; need not be positive semidefinite
//	K    n×n  the consensus kernel, which is what is clustered
//	E_i  n×n  noise of kernel i: few rows, the corrupted objects, differ from 0; ‖E‖_{2,1} is the sum of the rows' norms
//	α    m    weights of the kernels
//	ρ in (0,1), γ1 >= 0, γ2 >= 0
//
// P. Zhou, L. Du, L. Shi, H. Wang and Y.-D. Shen, "Recovery of Corrupted Multiple Kernels for Clustering", IJCAI 2015, 4105-4111.
// Numbers in parentheses are the paper's equations.
//
// Where this departs from the paper, and why:
//
//   - E_i is not stored. With D = K_i − K and s_j the norm of row j of E_i before the step, (6) is
//     e_jk = 4 s_j D_jk / (4(s_j + s_k) + γ1), which divides by zero nowhere that (6) does: a row that is 0 stays 0. Hence
//     K_i − E_i − E_iᵀ = K + γ1 D_jk / (4(s_j + s_k) + γ1), and the norms of the rows are all that must be known of E_i.
//   - (17) in logarithms: r^(1/(ρ−1)) leaves the range of a float64 soon. Kernels with r_i = 0, z of them, have the weight
//     z^(−1/ρ), the others 0, which is the limit.
//   - Only the eigenpairs of B that (15) keeps are computed where they are few; see spectrum.
//   - On much of the paper's own grid of parameters the rank of K is below k, and 0 where γ2 is large, which it does not mention.
//     Spectral clustering then uses the columns that there are and says so; rank 0 is an error.
//   - The start, K = mean of the kernels, E_i = (K_i − K)/2, α_i = m^(−1/ρ), is the paper's. It need not be positive
//     semidefinite, and its rank is taken to be n: from iteration 1 on the objective never rises.
//   - Stopping: 30 iterations. The paper says "converge"; but the objective falls on for hundreds of iterations while the weights
//     gather on one kernel (EXPERIMENTS.md, the last section).
//   - Clustering: the paper runs kernel k-means and spectral clustering on K without more words. Kernel k-means is
//     KernelKMeans. Spectral clustering is that of Ng, Jordan and Weiss, with row sums of K, which may be negative, raised to
//     1e-12 of the largest.
//
// An iteration takes 20 n²m operations or so, 9n³ for all eigenpairs or 2n²(r+p) for few, and reads each kernel twice; there are
// four more matrices of the size of a kernel.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/eigen"
	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/thin"
)

// RMKC is robust multiple kernel clustering (Zhou et al., IJCAI 2015): it learns a kernel of low rank on which many kernels agree once
// the rows and columns of corrupted objects are taken out of each, and clusters that kernel. Zero parameters mean zero, and a Rho of
// zero is refused; [NewRMKC] has values that work.
type RMKC struct {
	// K is the number of clusters, 1..n.
	K int
	// Rho is the exponent ρ of the constraint Σ α_i^ρ = 1, between 0 and 1, both excluded: the smaller, the more alike are the
	// weights' logarithms. The paper takes the best of 0.3, 0.5 and 0.7.
	Rho float64
	// Gamma1 is the price γ1 >= 0 of noise; the paper takes the best of 1e-3..1e3. 0 means 0: everything may be noise.
	Gamma1 float64
	// Gamma2 is the price γ2 >= 0 of the kernel's rank; the paper takes the best of 1e-2..1e2. 0 means 0. If it is too large the
	// learned kernel is zero.
	Gamma2 float64
	// Spectral clusters the learned kernel by its eigenvectors (the paper's RMKC-SC); otherwise kernel k-means does (RMKC-KM).
	Spectral bool
}

// NewRMKC returns the method for k clusters with ρ = 0.5 and γ1 = γ2 = 0.1, which are in the middle of what is good on the paper's
// data. The paper chooses by the true labels.
func NewRMKC(k int) RMKC { return RMKC{K: k, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1} }

// RMKCResult is what RMKC returns. The embedded Result is that of the clustering of the learned kernel: its objective is that of
// kernel k-means, or of k-means with Spectral.
type RMKCResult struct {
	Result
	// Learning is the course of the learning, one run: its Objective is (2), Trace.Weights has the weights of all iterations. Its
	// labels are those of the result.
	Learning *Result
	// Rank is the rank of the learned kernel K, 0..n.
	Rank int
	// Values are the positive eigenvalues of K, descending, Rank of them.
	Values []float64
	// Vectors, n×Rank, are the eigenvectors that belong to them; nil for rank 0. Entries of the largest size are positive.
	Vectors *mat.Dense
	// Weights are the weights α of the m kernels.
	Weights []float64
	// Noise, n×m, has in row j and column i the norm of row j of E_i: how much of object j is noise in kernel i. It is 0 for an object
	// whose row kernel i shares with the learned kernel.
	Noise *mat.Dense
	// Embedding, n×min(K, Rank), is what k-means worked on with Spectral, rows of length 1; nil without.
	Embedding *mat.Dense
}

// Kernel returns the learned kernel, n×n, of rank Rank: a new matrix, zero for rank 0. It is an error if the memory limit does not
// allow it.
func (r *RMKCResult) Kernel() (*mat.Dense, error) {
	k, err := r.kernel(len(r.Labels))
	if err != nil {
		return nil, fmt.Errorf("clustering: RMKCResult: %w", err)
	}
	return k, nil
}

func (r *RMKCResult) kernel(n int) (*mat.Dense, error) {
	if err := memory.CheckSquare(n, 1); err != nil {
		return nil, err
	}
	k := mat.NewDense(n, n, nil)
	if r.Rank > 0 {
		thin.AddSpectrumTo(k, r.Values, thin.Transposed(r.Vectors))
		thin.Mirror(k)
	}
	return k, nil
}

const (
	// The paper iterates until convergence and does not say what that is. The objective falls on for hundreds of iterations, while the
	// weights gather on one kernel, which is not what many kernels are for, and accuracy falls with it (EXPERIMENTS.md, the last section).
	rmkcMaxIter = 30
	rmkcTol     = 1e-6  // on the relative change of the objective
	rmkcFloor   = 1e-12 // of the largest row sum: below, a row's sum is raised to it
	// RMKCLearning is the Point.Run of the iterations of learning, which come before the restarts of the clustering.
	RMKCLearning = -1
)

// Fit learns a kernel from kernels, each n×n, symmetric and finite, and clusters it.
//
// Options act in two stages. The learning does not depend on chance: it is one run, whatever Seed and Restarts are. The clustering of
// what was learned has Seed and Restarts (ten are usual), and Workers. MaxIter and Tol hold for each of the two; their defaults
// are 30 and 1e-6, on the relative change of (2), for the learning, and those of [KernelKMeans], or of [KMeans] with Spectral, for
// the clustering. Observe sees the iterations of both, those of the learning with Run = [RMKCLearning].
//
// See [Result] for what an error leaves. If the learning is cut short, or what it learned has rank 0, which is an error, nothing is
// clustered: the embedded Result is that of the learning, and all labels are -1.
func (m RMKC) Fit(ctx context.Context, kernels []*mat.Dense, opts Options) (*RMKCResult, error) {
	n, err := m.validate(kernels)
	if err == nil {
		_, err = opts.resolve(rmkcMaxIter, rmkcTol) // before learningOptions hide the rest of them
	}
	if err != nil {
		return nil, fmt.Errorf("clustering: RMKC: %w", err)
	}
	var hashes []string
	for _, k := range kernels {
		hashes = append(hashes, hash(k))
	}
	learning, kept, err := run(ctx, problem[*rmkcKept]{
		name: "RMKC", method: m.String(), data: hashAll(hashes), n: n, maxIter: rmkcMaxIter, tol: rmkcTol,
		newState: func() state[*rmkcKept] { return newRMKCState(m, kernels) },
	}, learningOptions(opts))
	if learning == nil {
		return nil, err
	}
	res := &RMKCResult{Result: *learning, Learning: learning}
	if kept != nil { // not if the learning was lost in a panic
		res.Values, res.Vectors, res.Weights, res.Noise, res.Rank = kept.values, kept.vectors, kept.weights, kept.noise, len(kept.values)
	}
	if err != nil {
		return res, err
	}
	q, err := m.clustering(res)
	if err != nil {
		return res, fmt.Errorf("clustering: RMKC: %w", err)
	}
	clustered, _, err := run(ctx, q, opts)
	if clustered != nil {
		res.Result = *clustered
		learning.Labels, learning.Unassigned = slices.Clone(res.Labels), res.Unassigned
		learning.Runs[0].Labels = slices.Clone(res.Labels)
	}
	return res, err
}

// learningOptions are those of the learning.
func learningOptions(opts Options) Options {
	opts.Restarts, opts.Workers = 1, 1
	if observe := opts.Observe; observe != nil {
		opts.Observe = func(p Point) {
			p.Run = RMKCLearning
			observe(p)
		}
	}
	return opts
}

// Variant is m on kernels as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m RMKC) Variant(name string, kernels []*mat.Dense, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, kernels, opts)) })
}

// String is m as a Go literal.
func (m RMKC) String() string { return describe(m) }

// validate checks m and its input, and returns the number of objects.
func (m RMKC) validate(kernels []*mat.Dense) (n int, err error) {
	if len(kernels) == 0 {
		return 0, errors.New("no kernels: want one at least")
	}
	for i, k := range kernels {
		name := fmt.Sprintf("kernels[%d]", i)
		if _, err := kernelOf(name, k); err != nil {
			return 0, err
		}
		rows, _ := k.Dims()
		if i == 0 {
			n = rows
		}
		if rows != n {
			return 0, fmt.Errorf("%s is %d×%[2]d, kernels[0] is %d×%[3]d: all are of the same objects", name, rows, n)
		}
		norm2 := 0.0
		for j := range n {
			norm2 += thin.Dot(k.RawRowView(j), k.RawRowView(j))
		}
		if norm2 > math.MaxFloat64/16/float64(len(kernels)) { // the squares of differences, added up, must stay finite
			return 0, fmt.Errorf("the squares of the entries of %s overflow: scale it", name)
		}
	}
	if !(m.Rho > 0 && m.Rho < 1) {
		return 0, fmt.Errorf("Rho = %g, want a number between 0 and 1", m.Rho)
	}
	if err := firstError(checkK(m.K, n), checkWeight("Gamma1", m.Gamma1), checkWeight("Gamma2", m.Gamma2)); err != nil {
		return 0, err
	}
	return n, memory.CheckSquare(n, 4)
}

// rmkcKept is what the result shows of the learning.
type rmkcKept struct {
	values, weights []float64
	vectors, noise  *mat.Dense
}

// rmkcState is an iterate K, α with the norms of the rows of each E_i. Of the n×n matrices only the upper triangles are used.
type rmkcState struct {
	m       RMKC
	kernels []*mat.Dense
	n       int
	k, b    *mat.Dense // K; B of (8), then the next K
	noise   []float64  // m×n: s, the norms of the rows of E_i
	next    []float64  // m×n: s after the step
	alpha   []float64  // m
	r       []float64  // m: r_i of (16)
	logs    []float64  // m
	eigen   *spectrum
	begun   bool // there was a step: K is VΣVᵀ of eigen

	objective, change float64
}

func newRMKCState(m RMKC, kernels []*mat.Dense) *rmkcState {
	n, _ := kernels[0].Dims()
	count := len(kernels)
	return &rmkcState{
		m: m, kernels: kernels, n: n,
		k: mat.NewDense(n, n, nil), b: mat.NewDense(n, n, nil),
		noise: make([]float64, count*n), next: make([]float64, count*n),
		alpha: make([]float64, count), r: make([]float64, count), logs: make([]float64, count),
		eigen: newSpectrum(n),
	}
}

func (s *rmkcState) start(int, *rand.Rand) {
	count := float64(len(s.kernels))
	s.eigen.reset()
	s.begun, s.change = false, 0
	clear(s.noise)
	for j := range s.n {
		mean := s.k.RawRowView(j)[j:]
		clear(mean)
		for _, kernel := range s.kernels {
			floats.Add(mean, kernel.RawRowView(j)[j:])
		}
		floats.Scale(1/count, mean) // K = mean of the K_i
		for i, kernel := range s.kernels {
			norms := s.noise[i*s.n+j : (i+1)*s.n]
			row := 0.0
			for l, x := range kernel.RawRowView(j)[j:] {
				d := (x - mean[l]) / 2 // E_i = (K_i − K)/2
				norms[l] += float64(d * d)
				if l > 0 {
					row += float64(d * d)
				}
			}
			norms[0] += row
		}
	}
	for i, x := range s.noise {
		s.noise[i] = math.Sqrt(x)
	}
	s.objective = s.m.Gamma2 * float64(s.n)
	for i := range s.alpha {
		s.alpha[i] = math.Pow(count, -1/s.m.Rho)
		s.objective += float64(s.alpha[i] * s.m.Gamma1 * thin.Sum(s.noise[i*s.n:(i+1)*s.n])) // ‖K − K_i + E_i + E_iᵀ‖ = 0
	}
}

func (s *rmkcState) step() {
	total := thin.Sum(s.alpha)
	s.separate(total)
	if !s.eigen.find(s.b, s.m.Gamma2/total) {
		s.objective = math.NaN() // the run ends as diverged
		return
	}
	s.b.Zero()
	thin.AddSpectrumTo(s.b, s.eigen.values[:s.eigen.rank], s.eigen.vectors[:s.eigen.rank*s.n]) // (15): K = Σ_{σ>0, σ²>τ} σvvᵀ
	s.weigh()
	s.k, s.b = s.b, s.k
	s.noise, s.next = s.next, s.noise
	s.begun = true

	before := s.objective
	s.objective = s.m.Gamma2 * float64(s.eigen.rank)
	for i, r := range s.r {
		s.objective += float64(s.alpha[i] * r) // (2)
	}
	s.change = relativeChange(before, s.objective, 0) // a sum of positive terms
}

// separate makes the step (6) of each E_i: next becomes the norms of its rows, and b becomes B = Σ α_i (K_i − E_i − E_iᵀ) / Σ α_i.
func (s *rmkcState) separate(total float64) {
	n, g1 := s.n, s.m.Gamma1
	clear(s.next)
	for j := range n {
		k, b := s.k.RawRowView(j)[j:], s.b.RawRowView(j)[j:]
		copy(b, k)
		for i, kernel := range s.kernels {
			x := kernel.RawRowView(j)[j:]
			norms, next := s.noise[i*n+j:(i+1)*n], s.next[i*n+j:(i+1)*n]
			share, own, row := s.alpha[i]/total, norms[0], 0.0
			for l, x := range x {
				d := x - k[l]
				t := float64(4*(own+norms[l])) + g1
				if t == 0 {
					b[l] += float64(share * d) // E is 0 there
					continue
				}
				q := d / t
				b[l] += float64(share * float64(g1*q)) // K_i − E_i − E_iᵀ = K + γ1 D / (4(s_j + s_k) + γ1)
				jl, lj := 4*own*q, 4*norms[l]*q        // (6): e_jk = 4 s_j D / (4(s_j + s_k) + γ1)
				row += float64(jl * jl)
				if l > 0 {
					next[l] += float64(lj * lj)
				}
			}
			next[0] += row
		}
	}
	for i, x := range s.next {
		s.next[i] = math.Sqrt(x)
	}
}

// weigh sets r_i = ‖K − (K_i − E_i − E_iᵀ)‖² + γ1 ‖E_i‖_{2,1} for the new K in b, and α (17). noise and k are still those of before.
func (s *rmkcState) weigh() {
	n, g1 := s.n, s.m.Gamma1
	clear(s.r)
	for j := range n {
		k, b := s.k.RawRowView(j)[j:], s.b.RawRowView(j)[j:]
		for i, kernel := range s.kernels {
			norms := s.noise[i*n+j : (i+1)*n]
			own, diagonal, row := norms[0], 0.0, 0.0
			for l, x := range kernel.RawRowView(j)[j:] {
				d := x - k[l]
				if t := float64(4*(own+norms[l])) + g1; t > 0 {
					d = g1 * (d / t)
				}
				e := b[l] - k[l] - d
				if l == 0 {
					diagonal = float64(e * e)
				} else {
					row += float64(e * e)
				}
			}
			s.r[i] += diagonal + float64(2*row)
		}
	}
	for i := range s.r {
		s.r[i] += float64(g1 * thin.Sum(s.next[i*n:(i+1)*n]))
	}
	rmkcWeightsTo(s.alpha, s.r, s.logs, s.m.Rho)
}

// rmkcWeightsTo sets alpha to (17), α_i = r_i^(1/(ρ−1)) / (Σ_j r_j^(ρ/(ρ−1)))^(1/ρ), for r >= 0; logs is work space.
func rmkcWeightsTo(alpha, r, logs []float64, rho float64) {
	zeros, top := 0, math.Inf(-1)
	for i, x := range r {
		if x == 0 {
			zeros++
			continue
		}
		logs[i] = math.Log(x) / (rho - 1)
		top = max(top, logs[i])
	}
	if zeros > 0 {
		for i, x := range r {
			alpha[i] = 0
			if x == 0 {
				alpha[i] = math.Pow(float64(zeros), -1/rho)
			}
		}
		return
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(rho * (l - top))
	}
	for i, l := range logs {
		alpha[i] = math.Exp(l - top - math.Log(sum)/rho)
	}
}

func (s *rmkcState) measure(p *Point) {
	p.Objective, p.Change, p.Weights = s.objective, s.change, s.alpha
	sum := 0.0
	for _, a := range s.alpha {
		sum += math.Pow(a, s.m.Rho)
	}
	p.Feasibility = math.Abs(sum - 1)
}

// labelsTo: nothing is clustered yet.
func (s *rmkcState) labelsTo(labels []int) {
	for i := range labels {
		labels[i] = Unassigned
	}
}

func (s *rmkcState) keep() *rmkcKept {
	kept := &rmkcKept{weights: append([]float64(nil), s.alpha...), noise: thin.Dense(s.noise, len(s.kernels))}
	if r := s.eigen.rank; s.begun && r > 0 {
		vt := append([]float64(nil), s.eigen.vectors[:r*s.n]...)
		for a := range r {
			eigen.Orient(vt[a*s.n : (a+1)*s.n])
		}
		kept.values, kept.vectors = append([]float64(nil), s.eigen.values[:r]...), thin.Dense(vt, r)
	}
	return kept
}

// clustering is the second stage: of the kernel that was learned. It sets Embedding. An error says that there is nothing to cluster.
func (m RMKC) clustering(res *RMKCResult) (problem[struct{}], error) {
	q := problem[struct{}]{name: res.Learning.Method, method: m.String(), data: res.Learning.Provenance.Data, n: len(res.Learning.Labels)}
	if res.Rank == 0 {
		return q, fmt.Errorf("the learned kernel has rank 0: there is nothing to cluster: Gamma2 = %g is too large", m.Gamma2)
	}
	if !m.Spectral {
		k, err := res.kernel(q.n)
		if err != nil {
			return q, err
		}
		q.maxIter = kernelKMeansMaxIter
		q.newState = func() state[struct{}] { return newKernelKMeansState(KernelKMeans{K: m.K}, k) }
		return q, nil
	}
	if res.Rank < m.K {
		q.warnings = []string{fmt.Sprintf(
			"the learned kernel has rank %d, so that the embedding has %s for %d clusters; a smaller Gamma2 gives more",
			res.Rank, count(res.Rank, "column"), m.K)}
	}
	embedding, err := m.embed(res)
	if err != nil {
		return q, err
	}
	res.Embedding = embedding
	q.maxIter = kmeansMaxIter
	q.newState = func() state[struct{}] { return embeddedState{newKMeansState(KMeans{K: m.K}, res.Embedding)} }
	return q, nil
}

// embed returns the embedding of Ng, Jordan and Weiss: the leading eigenvectors of D^(−1/2) K D^(−1/2), each row scaled to length 1. With
// K = VΣVᵀ and X = D^(−1/2) V Σ^(1/2) they are those of XXᵀ, and come from those of XᵀX, which is Rank×Rank: u = Xq/√λ.
func (m RMKC) embed(res *RMKCResult) (*mat.Dense, error) {
	n, rank := res.Vectors.Dims()
	xt := thin.Transposed(res.Vectors)
	degree, largest := make([]float64, n), 0.0
	for a, sigma := range res.Values {
		v := xt[a*n : (a+1)*n]
		floats.AddScaled(degree, sigma*thin.Sum(v), v) // K·1
	}
	for _, d := range degree {
		largest = max(largest, d)
	}
	if largest == 0 {
		return nil, errors.New("no row of the learned kernel has a sum above 0: it cannot be normalised")
	}
	for i, d := range degree {
		degree[i] = 1 / math.Sqrt(max(d, rmkcFloor*largest))
	}
	for a, sigma := range res.Values {
		root := math.Sqrt(sigma)
		for i := range n {
			xt[a*n+i] *= root * degree[i]
		}
	}
	gram := mat.NewSymDense(rank, nil)
	for a := range rank {
		for b := a; b < rank; b++ {
			gram.SetSym(a, b, thin.Dot(xt[a*n:(a+1)*n], xt[b*n:(b+1)*n]))
		}
	}
	var pairs mat.EigenSym
	if !pairs.Factorize(gram, true) {
		return nil, errors.New("the eigenvalues of the normalised kernel were not found")
	}
	var q mat.Dense
	pairs.VectorsTo(&q)
	u := mat.NewDense(n, min(m.K, rank), nil)
	for c := range min(m.K, rank) {
		column := make([]float64, n)
		for a := range rank {
			floats.AddScaled(column, q.At(a, rank-1-c), xt[a*n:(a+1)*n])
		}
		if length := floats.Norm(column, 2); length > 0 { // √λ
			floats.Scale(1/length, column)
		}
		eigen.Orient(column)
		u.SetCol(c, column)
	}
	for i := range n {
		if row := u.RawRowView(i); floats.Norm(row, 2) > 0 {
			floats.Scale(1/floats.Norm(row, 2), row)
		}
	}
	return u, nil
}

// embeddedState is k-means on an embedding.
type embeddedState struct{ *kmeansState }

func (embeddedState) keep() struct{} { return struct{}{} }
