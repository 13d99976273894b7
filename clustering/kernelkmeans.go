package clustering

// Kernel k-means: Lloyd's algorithm in the space of a kernel.
//
//	min J(l) = Σ_i ‖φ(x_i) − c_{l(i)}‖²   over labels l, c_a the mean of φ over cluster a
//
//	K  n×n  K[i,j] = φ(x_i)·φ(x_j), symmetric; entries may be negative
//
// With S_a = Σ K[i,j] over i and j in cluster a of size n_a,
//
//	‖φ(x_i) − c_a‖² = K[i,i] − 2 Σ_{j in a} K[i,j] / n_a + S_a / n_a²
//	J(l)            = Tr K − Σ_a S_a / n_a
//
// B. Schölkopf, A. Smola and K.-R. Müller, "Nonlinear Component Analysis as a Kernel Eigenvalue Problem", Neural Computation 10
// (1998), 1299-1319, section 4.3; I. Dhillon, Y. Guan and B. Kulis, "Kernel k-means, Spectral Clustering and Normalized Cuts", KDD 2004.
//
// What the papers leave open:
//
//   - The start: labels at random, each cluster with n/k objects (the first n mod k have one more).
//   - K need not be positive semidefinite. The formulas hold as they stand, but "distances" may be negative then, J may rise,
//     and labels may go in a circle until MaxIter.
//   - A cluster that becomes empty takes the object that is farthest from its mean, out of a cluster with more than one.
//   - Of clusters at the same distance an object takes the first; of objects at the same distance the first goes.
//   - A restart ends when no object changes its cluster: Change is 0 then, and else the relative change of J, if only by the
//     smallest number there is.
//
// An iteration takes n² + 2nk operations and reads K once.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/objects"
)

// KernelKMeans is k-means in the space of a kernel (Dhillon, Guan and Kulis, KDD 2004): it minimises the sum of the squared distances
// from the objects to the means of their clusters there. On the linear kernel it is k-means. It finds a local minimum; ten restarts or
// more are usual.
type KernelKMeans struct {
	// K is the number of clusters, 1..n. None is empty.
	K int
	// Labels0, n labels in 0..K-1, are what the first run starts from; nil: random clusters of equal size, as in all others.
	Labels0 []int
}

// kernelKMeansMaxIter is the limit of the comparison in Zhou et al. (IJCAI 2015); few runs need a quarter of it.
const kernelKMeansMaxIter = 100

// Fit clusters the n objects whose kernel is k, n×n, symmetric and finite. It need not be positive semidefinite, and entries may be
// negative. See [Options] for the defaults (MaxIter 100; a restart ends when no object moves, for which Tol need not be set), and
// [Result] for what an error leaves.
func (m KernelKMeans) Fit(ctx context.Context, k mat.Matrix, opts Options) (*Result, error) {
	d, err := m.validate(k)
	if err != nil {
		return nil, fmt.Errorf("clustering: KernelKMeans: %w", err)
	}
	n, _ := d.Dims()
	res, _, err := run(ctx, problem[struct{}]{
		name: "KernelKMeans", method: m.String(), data: hash(d), n: n, maxIter: kernelKMeansMaxIter,
		newState: func() state[struct{}] { return newKernelKMeansState(m, d) },
	}, opts)
	return res, err
}

// Variant is m on k as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m KernelKMeans) Variant(name string, k mat.Matrix, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return m.Fit(ctx, k, opts) })
}

// String is m as a Go literal, given labels by their hash.
func (m KernelKMeans) String() string { return describe(m) }

// validate checks m and its input.
func (m KernelKMeans) validate(k mat.Matrix) (*mat.Dense, error) {
	d, err := kernelOf("K", k)
	if err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	if err := checkK(m.K, n); err != nil {
		return nil, err
	}
	if m.Labels0 == nil {
		return d, nil
	}
	if len(m.Labels0) != n {
		return nil, fmt.Errorf("Labels0 has %d labels, want %d: one per object", len(m.Labels0), n)
	}
	for i, l := range m.Labels0 {
		if l < 0 || l >= m.K {
			return nil, fmt.Errorf("Labels0[%d] = %d, want 0..%d", i, l, m.K-1)
		}
	}
	return d, nil
}

// kernelOf returns k, called name in messages, as a dense matrix, the caller's own if it is one. It must be n×n with n >= 1, finite, and
// symmetric up to symmetryTol of its largest entry: what is small in a kernel may be the difference of large numbers.
func kernelOf(name string, k mat.Matrix) (*mat.Dense, error) {
	d, dense := k.(*mat.Dense)
	if k == nil || dense && d == nil {
		return nil, errors.New(name + " is nil")
	}
	rows, cols := k.Dims()
	switch {
	case rows == 0 || cols == 0:
		return nil, errors.New(name + " is empty")
	case rows != cols:
		return nil, fmt.Errorf("%s is %d×%d: a kernel is square", name, rows, cols)
	case !dense:
		if err := memory.CheckSquare(rows, 1); err != nil {
			return nil, err
		}
		d = mat.DenseCopyOf(k)
	}
	if err := objects.CheckFinite(name, d); err != nil {
		return nil, err
	}
	largest := 0.0
	for i := range rows {
		for _, v := range d.RawRowView(i) {
			largest = max(largest, math.Abs(v))
		}
	}
	raw := d.RawMatrix()
	for i := range rows {
		for j := i + 1; j < rows; j++ {
			if a, b := raw.Data[i*raw.Stride+j], raw.Data[j*raw.Stride+i]; math.Abs(a-b) > symmetryTol*largest {
				return nil, fmt.Errorf("%s[%d,%d] = %g but %s[%d,%d] = %g: a kernel is symmetric", name, i, j, a, name, j, i, b)
			}
		}
	}
	return d, nil
}

// kernelKMeansState is an iterate: labels, with the sums that its objective and the distances to its means are made of.
type kernelKMeansState struct {
	m         KernelKMeans
	kernel    *mat.Dense
	n, k      int
	trace     float64 // Tr K
	labels    []int
	before    []int     // labels before the step
	distance  []float64 // n: from each object to the mean that it was nearest to
	sizes     []int     // k
	sums      []float64 // k×n: Σ_{j in a} K[i,j]
	within    []float64 // k: S_a
	objective float64   // Tr K − Σ S_a/n_a
	change    float64   // of the last step
}

func newKernelKMeansState(m KernelKMeans, kernel *mat.Dense) *kernelKMeansState {
	n, _ := kernel.Dims()
	s := &kernelKMeansState{m: m, kernel: kernel, n: n, k: m.K,
		labels: make([]int, n), before: make([]int, n), distance: make([]float64, n),
		sizes: make([]int, m.K), sums: make([]float64, m.K*n), within: make([]float64, m.K)}
	for i := range n {
		s.trace += kernel.At(i, i)
	}
	return s
}

func (s *kernelKMeansState) start(r int, rng *rand.Rand) {
	if s.m.Labels0 != nil && r == 0 {
		copy(s.labels, s.m.Labels0)
	} else {
		for i := range s.labels {
			s.labels[i] = i % s.k
		}
		rng.Shuffle(s.n, func(i, j int) { s.labels[i], s.labels[j] = s.labels[j], s.labels[i] })
	}
	s.collect()
	s.measureDistances()
	s.fill()
	s.change = 0
}

// collect brings what depends on the labels up to date.
func (s *kernelKMeansState) collect() {
	clear(s.sizes)
	clear(s.sums)
	for j, a := range s.labels {
		s.sizes[a]++
		floats.Add(s.sums[a*s.n:(a+1)*s.n], s.kernel.RawRowView(j)) // column j is row j
	}
	clear(s.within)
	for i, a := range s.labels {
		s.within[a] += s.sums[a*s.n+i]
	}
	s.objective = s.trace
	for a, size := range s.sizes {
		if size > 0 {
			s.objective -= s.within[a] / float64(size)
		}
	}
}

// to is the squared distance from object i to the mean of cluster a.
func (s *kernelKMeansState) to(i, a int) float64 {
	size := float64(s.sizes[a])
	return s.kernel.At(i, i) - float64(2*s.sums[a*s.n+i]/size) + s.within[a]/size/size
}

// measureDistances sets the distances to the means of the objects' own clusters.
func (s *kernelKMeansState) measureDistances() {
	for i, a := range s.labels {
		s.distance[i] = s.to(i, a)
	}
}

// fill gives each empty cluster the farthest object of a cluster with more than one.
func (s *kernelKMeansState) fill() {
	filled := false
	for a := range s.k {
		if s.sizes[a] > 0 {
			continue
		}
		farthest := -1
		for i, distance := range s.distance {
			if s.sizes[s.labels[i]] > 1 && (farthest < 0 || distance > s.distance[farthest]) {
				farthest = i
			}
		}
		s.sizes[s.labels[farthest]]--
		s.sizes[a]++
		s.labels[farthest] = a
		filled = true
	}
	if filled {
		s.collect()
	}
}

func (s *kernelKMeansState) step() {
	copy(s.before, s.labels)
	for i := range s.labels {
		nearest := math.Inf(1)
		for a := range s.k {
			if distance := s.to(i, a); distance < nearest {
				s.labels[i], nearest = a, distance
			}
		}
		s.distance[i] = nearest
	}
	before := s.objective
	s.collect()
	s.fill()
	s.change = 0
	for i, a := range s.before {
		if a != s.labels[i] {
			s.change = relative(s.objective, before)
			break
		}
	}
}

// relative is |now − before| / |before|, 1 for before = 0, but never 0: something has changed.
func relative(now, before float64) float64 {
	if before == 0 {
		return 1
	}
	return max(math.SmallestNonzeroFloat64, math.Abs(now-before)/math.Abs(before))
}

func (s *kernelKMeansState) measure(p *Point) { p.Objective, p.Change = s.objective, s.change }

func (s *kernelKMeansState) labelsTo(labels []int) { copy(labels, s.labels) }

func (s *kernelKMeansState) keep() struct{} { return struct{}{} }
