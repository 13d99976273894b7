package clustering

// Hypergraph partitioning: clusters are hyperedges over the objects, and as few as possible are cut.
//
//	min Σ_e (λ(e) − 1)   over partitions of the objects into K parts of at most ⌈1.05·N/K⌉ objects
//
//	e     a cluster of one of the partitions, as a set of objects
//	λ(e)  the number of parts that have an object of e
//	N     the number of objects that are in some partition
//
// A. Strehl and J. Ghosh, "Cluster Ensembles - A Knowledge Reuse Framework for Combining Multiple Partitions", Journal of Machine
// Learning Research 3 (2002), 583-617.
//
// Where this departs from the paper, and why:
//
//   - The paper cuts the hypergraph with hMETIS, which counts an edge that is cut once and allows 5 % of imbalance. Here an edge
//     counts for each part behind the first, and the search is a simple one: figures differ from those of the original.
//   - Start: the objects in the order of their entries in the second left singular vector of B = D₁^(-1/2) L D₂^(-1/2) (see HBGF),
//     cut into K equal blocks. Equal entries: the lower object first.
//   - If the hypergraph has c > 1 components, the second vector is any of a space of dimension c-1. Then the components come one
//     after the other, in the order of their first objects, and within them the order is that of the first vector whose
//     singular value is less than 1, number c+1: for c = 1 the second one again.
//   - Then one object moves at a time: of all moves that the limit allows, the one that lowers the cut the most, as long as one does.
//     Equal gains: the lowest object, then the lowest part. Nothing is in the way of a part that loses its last object, so that
//     there may be fewer than K clusters in the end where K is large.
//   - An object that is in no partition is in no edge: -1.
//
// A run has nothing random in it. The start takes the operations of HBGF; a move N·K at most, and those for the objects of edges
// that enter a part or leave one. Each move lowers the cut by 1 at least, so there are no more than it is at the start.

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// HGPA joins partitions by a balanced cut of the hypergraph whose edges are their clusters (Strehl and Ghosh, JMLR 3, 2002): no part
// has more than 1.05 times its share of the objects, so that it suits clusters of one size. The original uses hMETIS; this orders the
// objects by a singular vector and then moves one at a time, so that figures differ. Nothing in it is random: all restarts are the
// same, and one is enough, unless RandomStart is set.
type HGPA struct {
	// K is the number of parts, 1..N.
	K int
	// RandomStart starts from equal blocks of the objects in a random order, another in each restart, instead of that of the
	// singular vector.
	RandomStart bool
}

// HGPAResult is what HGPA returns. Objective is the cut.
type HGPAResult struct {
	Result
	// Spans has one list per partition: the number of parts that each of its clusters has objects in, 1..K. The cut is the sum
	// of what they are above 1.
	Spans [][]int
	// Sizes are the numbers of objects of the K parts; Limit is the most there may be.
	Sizes []int
	Limit int
	// Order has the objects that are in some partition in the order that was cut into blocks; nil with RandomStart.
	Order []int
	// Vector has one entry per object: the left singular vector that made the order; 0 for an object in no partition; nil with
	// RandomStart.
	Vector []float64
}

// Fit joins the partitions p. Options.MaxIter counts moves, and by default there is no limit to them; a run ends when no move lowers
// the cut, for which Tol need not be set. Errors: nil or empty partitions, and K < 1 or above the number of objects that are in some
// partition. See [Result] for what an error leaves.
func (m HGPA) Fit(ctx context.Context, p *Partitions, opts Options) (*HGPAResult, error) {
	placed, err := p.checkPlaced(m.K)
	if err != nil {
		return nil, fmt.Errorf("clustering: HGPA: %w", err)
	}
	warnings := p.warnOfEquals(placed, m.K)
	order, vector := placed, []float64(nil)
	if !m.RandomStart {
		if opts.Restarts > 1 {
			warnings = append(warnings, fmt.Sprintf("all %d restarts are the same; RandomStart makes them differ", opts.Restarts))
		}
		if order, vector, err = spectralOrder(p, placed); err != nil {
			return nil, fmt.Errorf("clustering: HGPA: %w", err)
		}
	}
	res, kept, err := run(ctx, problem[hgpaKept]{
		name: "HGPA", method: m.String(), data: p.hash(), n: p.n, warnings: warnings,
		maxIter:  len(p.cols) + 1, // a cut is less than the number of pairs of an edge and an object in it
		newState: func() state[hgpaKept] { return newHGPAState(m, p, order) },
	}, opts)
	if res == nil {
		return nil, err
	}
	full := &HGPAResult{Result: *res, Sizes: kept.sizes, Limit: sizeLimit(len(placed), m.K), Vector: vector}
	if kept.spans != nil {
		full.Spans = p.byPartition(kept.spans)
	}
	if !m.RandomStart {
		full.Order = order
	}
	return full, err
}

// Variant is m on p as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m HGPA) Variant(name string, p *Partitions, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, p, opts)) })
}

// String is m as a Go literal.
func (m HGPA) String() string { return describe(m) }

// sizeLimit is ⌈1.05·n/k⌉, in whole numbers: 1.05 is none of float64's.
func sizeLimit(n, k int) int { return (105*n + 100*k - 1) / (100 * k) }

// spectralOrder is the order of the placed objects, and the vector it is from.
func spectralOrder(p *Partitions, placed []int) (order []int, vector []float64, err error) {
	component, components := p.components(placed)
	_, vector, _, err = ncutBiadjacency(p).singularPairs(components, 1)
	if err != nil {
		return nil, nil, err
	}
	order = slices.Clone(placed)
	slices.SortFunc(order, func(i, o int) int {
		return cmp.Or(cmp.Compare(component[i], component[o]), cmp.Compare(vector[i], vector[o]), cmp.Compare(i, o))
	})
	return order, vector, nil
}

// hgpaKept is what the result shows of the best run.
type hgpaKept struct{ spans, sizes []int }

// hgpaState is a partition into parts with the gains of all moves: that of object i into part b is leave[i] − enter[i,b].
type hgpaState struct {
	m      HGPA
	p      *Partitions
	k      int
	limit  int
	order  []int // what start cuts into blocks
	part   []int // N; -1: in no edge
	sizes  []int // k
	counts []int // Kc×k: the objects of an edge in a part
	leave  []int // N: the edges whose only object in its part it is
	enter  []int // N×k: the edges of an object that have none in a part
	cut    int
	change float64 // of the last step
}

func newHGPAState(m HGPA, p *Partitions, order []int) *hgpaState {
	k := m.K
	return &hgpaState{m: m, p: p, k: k, limit: sizeLimit(len(order), k), order: slices.Clone(order),
		part: make([]int, p.n), sizes: make([]int, k), counts: make([]int, p.columns()*k),
		leave: make([]int, p.n), enter: make([]int, p.n*k)}
}

func (s *hgpaState) start(_ int, rng *rand.Rand) {
	if s.m.RandomStart {
		slices.Sort(s.order) // what the run before left must not matter
		rng.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	}
	for i := range s.part {
		s.part[i] = Unassigned
	}
	for t, i := range s.order {
		s.part[i] = t * s.k / len(s.order)
	}
	s.recount()
	s.change = 0
}

// recount makes everything that depends on the parts.
func (s *hgpaState) recount() {
	clear(s.sizes)
	clear(s.counts)
	clear(s.leave)
	clear(s.enter)
	for i, a := range s.part {
		if a == Unassigned {
			continue
		}
		s.sizes[a]++
		for _, e := range s.p.clustersOf(i) {
			s.counts[e*s.k+a]++
		}
	}
	s.cut = 0
	for e := range s.p.columns() {
		s.cut += s.span(e) - 1
		counts := s.counts[e*s.k : (e+1)*s.k]
		for _, i := range s.p.objectsOf(e) {
			for b, c := range counts {
				switch {
				case c == 0:
					s.enter[i*s.k+b]++
				case c == 1 && b == s.part[i]:
					s.leave[i]++
				}
			}
		}
	}
}

// span is λ(e).
func (s *hgpaState) span(e int) int {
	span := 0
	for _, c := range s.counts[e*s.k : (e+1)*s.k] {
		if c > 0 {
			span++
		}
	}
	return span
}

func (s *hgpaState) step() {
	gain, object, part := 0, -1, -1
	for i, a := range s.part {
		if s.leave[i] <= gain { // no move of i has more; those in no edge have 0
			continue
		}
		for b, enter := range s.enter[i*s.k : (i+1)*s.k] {
			if b != a && s.sizes[b] < s.limit && s.leave[i]-enter > gain {
				gain, object, part = s.leave[i]-enter, i, b
			}
		}
	}
	s.change = 0
	if gain > 0 {
		s.change = float64(gain) / float64(s.cut)
		s.cut -= gain
		s.move(object, part)
	}
}

// move puts object i into part b and corrects the gains that this changes: those of the objects of an edge that leaves a part or
// enters one, and that of the only object it has there before or after.
func (s *hgpaState) move(i, b int) {
	a := s.part[i]
	s.part[i] = b
	s.sizes[a]--
	s.sizes[b]++
	for _, e := range s.p.clustersOf(i) {
		from, to := &s.counts[e*s.k+a], &s.counts[e*s.k+b]
		*from--
		switch *from {
		case 0:
			s.leave[i]--
			s.addEnter(e, a, 1)
		case 1:
			s.leave[s.other(e, a, i)]++
		}
		switch *to {
		case 0:
			s.leave[i]++
			s.addEnter(e, b, -1)
		case 1:
			s.leave[s.other(e, b, i)]--
		}
		*to++
	}
}

// addEnter corrects what it costs the objects of edge e to enter part b.
func (s *hgpaState) addEnter(e, b, by int) {
	for _, o := range s.p.objectsOf(e) {
		s.enter[o*s.k+b] += by
	}
}

// other is the first object of edge e in part b but for i. There is one.
func (s *hgpaState) other(e, b, i int) int {
	for _, o := range s.p.objectsOf(e) {
		if o != i && s.part[o] == b {
			return o
		}
	}
	panic("clustering: HGPA: an edge has fewer objects in a part than were counted") // a bug of ours
}

func (s *hgpaState) measure(p *Point) { p.Objective, p.Change = float64(s.cut), s.change }

func (s *hgpaState) labelsTo(labels []int) { copy(labels, s.part) }

func (s *hgpaState) keep() hgpaKept {
	spans := make([]int, s.p.columns())
	for e := range spans {
		spans[e] = s.span(e)
	}
	return hgpaKept{spans: spans, sizes: slices.Clone(s.sizes)}
}
