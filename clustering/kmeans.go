package clustering

// k-means: Lloyd's algorithm from the starts of k-means++.
//
//	min J(C, l) = Σ_i ‖x_i − c_{l(i)}‖²   over centres C and labels l
//
//	X  n×d  objects, one a row; any finite numbers
//	C  k×d  centres: the means of their clusters
//
// S. P. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28 (1982), 129-137. D. Arthur and
// S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007, 1027-1035.
//
// What the papers leave open:
//
//   - A cluster that becomes empty takes the object that is farthest from its centre, out of a cluster with more than one: then
//     J falls, and there are k clusters always.
//   - Of centres at the same distance an object takes the first; of objects at the same distance the first goes.
//   - Where the objects have fewer than k different places, k-means++ takes further centres at random among the objects.
//   - A restart ends when no object changes its cluster: Change is 0 then, and else the relative fall of J, if only by the
//     smallest number there is.
//
// An iteration takes 3nkd operations and reads X once for the distances and once for the means.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/objects"
)

// KMeans is Lloyd's algorithm from the starts of k-means++ (Arthur and Vassilvitskii, SODA 2007): it minimises the sum of the
// squared distances from the objects to the centres of their clusters. It finds a local minimum; ten restarts or more are usual.
type KMeans struct {
	// K is the number of clusters, 1..n. None is empty.
	K int
	// Centers0, K×d, are the centres that the first run starts from; nil: those of k-means++, as in all others.
	Centers0 *mat.Dense
}

// KMeansResult is what KMeans returns.
type KMeansResult struct {
	Result
	// Centers, K×d, are the means of the best run's clusters; nil if every run diverged.
	Centers *mat.Dense
}

// kmeansMaxIter is more than data without a million objects need.
const kmeansMaxIter = 300

// Fit clusters the n objects that are the rows of x, n×d, whose entries are finite. See [Options] for the defaults (MaxIter 300; a
// restart ends when no object moves, for which Tol need not be set), and [Result] for what an error leaves.
func (m KMeans) Fit(ctx context.Context, x mat.Matrix, opts Options) (*KMeansResult, error) {
	d, err := m.validate(x)
	if err != nil {
		return nil, fmt.Errorf("clustering: KMeans: %w", err)
	}
	n, _ := d.Dims()
	res, centers, err := run(ctx, problem[*mat.Dense]{
		name: "KMeans", method: m.String(), data: hash(d), n: n, maxIter: kmeansMaxIter,
		newState: func() state[*mat.Dense] { return newKMeansState(m, d) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &KMeansResult{Result: *res, Centers: centers}, err
}

// Variant is m on x as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m KMeans) Variant(name string, x mat.Matrix, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, x, opts)) })
}

// String is m as a Go literal, given centres by their hash.
func (m KMeans) String() string { return describe(m) }

// validate checks m and its input.
func (m KMeans) validate(x mat.Matrix) (*mat.Dense, error) {
	d, err := objects.Of(x)
	if err != nil {
		return nil, err
	}
	n, columns := d.Dims()
	if err := checkK(m.K, n); err != nil {
		return nil, err
	}
	if m.Centers0 != nil {
		if r, c := m.Centers0.Dims(); r != m.K || c != columns {
			return nil, fmt.Errorf("Centers0 is %d×%d, want %d×%d: one row per cluster, the columns of X", r, c, m.K, columns)
		}
		if err := objects.CheckFinite("Centers0", m.Centers0); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// kmeansState is an iterate: centres, the labels of the objects nearest to them, and these distances.
type kmeansState struct {
	m         KMeans
	x         *mat.Dense
	n, k, d   int
	centers   []float64 // k×d
	labels    []int
	distance  []float64 // n: ‖x_i − c_{l(i)}‖²
	sizes     []int     // k
	objective float64   // Σ distance
	change    float64   // of the last step
}

func newKMeansState(m KMeans, x *mat.Dense) *kmeansState {
	n, d := x.Dims()
	return &kmeansState{m: m, x: x, n: n, k: m.K, d: d,
		centers: make([]float64, m.K*d), labels: make([]int, n), distance: make([]float64, n), sizes: make([]int, m.K)}
}

func (s *kmeansState) start(r int, rng *rand.Rand) {
	for i := range s.labels {
		s.labels[i] = Unassigned
	}
	if s.m.Centers0 != nil && r == 0 {
		for a := range s.k {
			copy(s.center(a), s.m.Centers0.RawRowView(a))
		}
	} else {
		s.seed(rng)
	}
	s.assign()
	s.change = 0
}

// seed is k-means++: each centre is an object, drawn with a probability in proportion to the squared distance to the nearest
// centre so far.
func (s *kmeansState) seed(rng *rand.Rand) {
	copy(s.center(0), s.x.RawRowView(rng.IntN(s.n)))
	for i := range s.distance {
		s.distance[i] = objects.SquaredDistance(s.x.RawRowView(i), s.center(0))
	}
	for a := 1; a < s.k; a++ {
		copy(s.center(a), s.x.RawRowView(s.draw(rng)))
		for i := range s.distance {
			s.distance[i] = min(s.distance[i], objects.SquaredDistance(s.x.RawRowView(i), s.center(a)))
		}
	}
}

// draw draws an object with a probability in proportion to its distance; any, where all are 0.
func (s *kmeansState) draw(rng *rand.Rand) int {
	total := 0.0
	for _, x := range s.distance {
		total += x
	}
	if !(total > 0 && total <= math.MaxFloat64) {
		return rng.IntN(s.n)
	}
	left, last := rng.Float64()*total, 0
	for i, x := range s.distance {
		if x == 0 {
			continue
		}
		if last = i; left < x {
			break
		}
		left -= x
	}
	return last
}

func (s *kmeansState) center(a int) []float64 { return s.centers[a*s.d : (a+1)*s.d] }

// assign gives every object to the nearest centre, and empty clusters an object. It reports whether an object has moved.
func (s *kmeansState) assign() (moved bool) {
	clear(s.sizes)
	for i := range s.n {
		row := s.x.RawRowView(i)
		best, nearest := 0, math.Inf(1)
		for a := range s.k {
			if distance := objects.SquaredDistance(row, s.center(a)); distance < nearest {
				best, nearest = a, distance
			}
		}
		moved = moved || s.labels[i] != best
		s.labels[i], s.distance[i] = best, nearest
		s.sizes[best]++
	}
	for a := range s.k {
		if s.sizes[a] == 0 {
			s.fill(a)
			moved = true
		}
	}
	s.objective = 0
	for _, distance := range s.distance {
		s.objective += distance
	}
	return moved
}

// fill gives an empty cluster the farthest object of a cluster with more than one.
func (s *kmeansState) fill(a int) {
	farthest := -1
	for i, distance := range s.distance {
		if s.sizes[s.labels[i]] > 1 && (farthest < 0 || distance > s.distance[farthest]) {
			farthest = i
		}
	}
	s.sizes[s.labels[farthest]]--
	s.sizes[a]++
	s.labels[farthest], s.distance[farthest] = a, 0
	copy(s.center(a), s.x.RawRowView(farthest))
}

func (s *kmeansState) step() {
	clear(s.centers)
	for i, a := range s.labels {
		center := s.center(a)
		for j, x := range s.x.RawRowView(i) {
			center[j] += x
		}
	}
	for a, size := range s.sizes {
		center := s.center(a)
		for j := range center {
			center[j] /= float64(size)
		}
	}
	before := s.objective
	s.change = 0
	if s.assign() && before > 0 { // with more centres than places objects go to and fro between equal ones
		s.change = max(math.SmallestNonzeroFloat64, (before-s.objective)/before)
	}
}

func (s *kmeansState) measure(p *Point) { p.Objective, p.Change = s.objective, s.change }

func (s *kmeansState) labelsTo(labels []int) { copy(labels, s.labels) }

func (s *kmeansState) keep() *mat.Dense {
	return mat.NewDense(s.k, s.d, append([]float64(nil), s.centers...))
}
