package clustering

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/eigen"
)

// cutOf is the objective, counted in sets.
func cutOf(p *Partitions, part []int) int {
	cut := 0
	for _, list := range p.labels {
		spanned := map[[2]int]bool{} // a cluster and a part
		for i, l := range list {
			if l != Unassigned {
				spanned[[2]int{l, part[i]}] = true
			}
		}
		cut += len(spanned) - (slices.Max(list) + 1)
	}
	return cut
}

// bestMove is the move that lowers the cut the most, by trying all.
func bestMove(p *Partitions, part []int, k, limit int) (gain, object, to int) {
	sizes := make([]int, k)
	for _, a := range part {
		if a != Unassigned {
			sizes[a]++
		}
	}
	cut := cutOf(p, part)
	object, to = -1, -1
	for i, a := range part {
		for b := range k {
			if a == Unassigned || a == b || sizes[b] == limit {
				continue
			}
			part[i] = b
			if g := cut - cutOf(p, part); g > gain {
				gain, object, to = g, i, b
			}
			part[i] = a
		}
	}
	return gain, object, to
}

// TestHGPAMoves follows runs move by move, each compared with a search over all.
func TestHGPAMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	moves := 0
	for range 60 {
		p := randomPartitions(4+rng.IntN(20), 1+rng.IntN(6), 1+rng.IntN(5), 0.2, rng)
		placed, err := p.checkPlaced(1)
		if err != nil {
			t.Fatal(err)
		}
		m := HGPA{K: 1 + rng.IntN(min(5, len(placed))), RandomStart: true}
		s := newHGPAState(m, p, placed)
		s.start(0, rng)
		for {
			if want := cutOf(p, s.part); s.cut != want {
				t.Fatalf("%v of %v: cut %d, want %d", m, p.Labels(), s.cut, want)
			}
			if slices.Max(s.sizes) > s.limit {
				t.Fatalf("%v of %v: sizes %v, limit %d", m, p.Labels(), s.sizes, s.limit)
			}
			part := slices.Clone(s.part)
			gain, object, to := bestMove(p, part, m.K, s.limit)
			before := s.cut
			s.step()
			if before-s.cut != gain || (s.change > 0) != (gain > 0) {
				t.Fatalf("%v of %v: a move gains %d, the best %d", m, p.Labels(), before-s.cut, gain)
			}
			if gain == 0 {
				break
			}
			moves++
			if part[object] = to; !slices.Equal(s.part, part) {
				t.Fatalf("%v of %v: parts %v, want object %d in part %d", m, p.Labels(), s.part, object, to)
			}
		}
	}
	if moves < 60 {
		t.Errorf("only %d moves in 60 runs", moves)
	}
}

// leastCut is the least cut of all partitions into k parts of at most limit objects.
func leastCut(p *Partitions, k, limit int) int {
	part, sizes, least := make([]int, p.n), make([]int, k), math.MaxInt
	var place func(i int)
	place = func(i int) {
		if i == p.n {
			least = min(least, cutOf(p, part))
			return
		}
		for b := range k {
			if sizes[b] < limit {
				part[i] = b
				sizes[b]++
				place(i + 1)
				sizes[b]--
			}
		}
	}
	place(0)
	return least
}

// TestHGPAFindsTheBest compares many random starts with the best of all balanced partitions, and the start of the singular vector
// with both.
func TestHGPAFindsTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for range 12 {
		p := randomPartitions(7, 3, 3, 0, rng)
		for k := 1; k <= 3; k++ {
			want := leastCut(p, k, sizeLimit(p.n, k))
			many, err := HGPA{K: k, RandomStart: true}.Fit(t.Context(), p, Options{Restarts: 200})
			if err != nil || many.Objective != float64(want) {
				t.Errorf("K = %d, %v: %v, %v; the least cut is %d", k, p.Labels(), many, err, want)
			}
			one, err := HGPA{K: k}.Fit(t.Context(), p, Options{})
			if err != nil || one.Objective < float64(want) {
				t.Errorf("K = %d, %v: %v, %v; the least cut is %d", k, p.Labels(), one, err, want)
			}
			if gain, _, _ := bestMove(p, one.Labels, k, one.Limit); gain > 0 || one.Status != Converged {
				t.Errorf("K = %d, %v: %v, and a move gains %d", k, p.Labels(), one, gain)
			}
		}
	}
}

// TestHGPAResult: what the result shows of the partition is what the labels have.
func TestHGPAResult(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, random := range []bool{false, true} {
		for range 30 {
			p := randomPartitions(5+rng.IntN(30), 1+rng.IntN(6), 4, 0.3, rng)
			res, err := HGPA{K: 3, RandomStart: random}.Fit(t.Context(), p, Options{Seed: rng.Uint64()})
			if err != nil {
				t.Fatal(err)
			}
			cut, sizes := 0, make([]int, 3)
			for m, spans := range res.Spans {
				for l, span := range spans {
					parts := map[int]bool{}
					for i, label := range p.labels[m] {
						if label == l {
							parts[res.Labels[i]] = true
						}
					}
					if span != len(parts) {
						t.Errorf("%v: cluster %d of partition %d spans %d parts, want %d", p, l, m, span, len(parts))
					}
					cut += span - 1
				}
			}
			for _, l := range res.Labels {
				if l != Unassigned {
					sizes[l]++
				}
			}
			if float64(cut) != res.Objective || !slices.Equal(sizes, res.Sizes) || slices.Max(sizes) > res.Limit {
				t.Errorf("%v: spans sum to %d, sizes %v of at most %d, want %v", res, cut, res.Sizes, res.Limit, sizes)
			}
			if random != (res.Order == nil) || random != (res.Vector == nil) {
				t.Errorf("RandomStart %v: order %v, vector %v", random, res.Order, res.Vector)
			}
		}
	}
}

// TestHGPAStart: the objects in the order of the second singular vector, in blocks whose sizes differ by one at most.
func TestHGPAStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	compared := 0
	for range 30 {
		p := randomPartitions(10+rng.IntN(20), 4, 3, 0.1, rng)
		placed, err := p.checkPlaced(3)
		if err != nil {
			t.Fatal(err)
		}
		b := ncutBiadjacency(p).dense()
		var svd mat.SVD
		var u mat.Dense
		if !svd.Factorize(b, mat.SVDThin) {
			t.Fatal("no singular values")
		}
		svd.UTo(&u)
		if values := svd.Values(nil); values[0]-values[1] < 1e-3 || values[1]-values[2] < 1e-3 {
			continue
		}
		want := mat.Col(nil, 1, &u)
		eigen.Orient(want)
		res, err := HGPA{K: 3}.Fit(t.Context(), p, Options{MaxIter: 1})
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if !floats.EqualApprox(res.Vector, want, vectorTol) {
			t.Errorf("%v: vector %v, want %v", p, res.Vector, want)
		}
		for t0, i := range res.Order[1:] {
			if before := res.Order[t0]; res.Vector[before] > res.Vector[i] || res.Vector[before] == res.Vector[i] && before > i {
				t.Errorf("%v: object %d is before %d in the order", p, before, i)
			}
		}
		s := newHGPAState(HGPA{K: 3}, p, res.Order)
		s.start(0, nil)
		if slices.Max(s.sizes)-slices.Min(s.sizes) > 1 || len(res.Order) != len(placed) {
			t.Errorf("%v: blocks of %v objects, of %d", p, s.sizes, len(placed))
		}
		for t0, i := range res.Order[1:] {
			if s.part[i] < s.part[res.Order[t0]] {
				t.Errorf("%v: blocks %v are not those of the order", p, s.part)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d vectors were compared", compared)
	}
}

// TestHGPAOrdersComponents: where the second vector is not determined, one component comes after the other.
func TestHGPAOrdersComponents(t *testing.T) {
	p := partitions(t, []int{1, 0, 1, 0, 1, 2, 2, 0}, []int{1, 0, 1, 0, 0, 2, 2, 3}, []int{1, 4, 0, 4, 0, 2, 2, 5})
	res, err := HGPA{K: 2}.Fit(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	component := []int{0, 0, 0, 0, 0, 1, 1, 0}
	for t0, i := range res.Order[1:] {
		if component[i] < component[res.Order[t0]] {
			t.Errorf("order %v", res.Order)
		}
	}
	if _, components := p.components(res.Order); components != 2 {
		t.Errorf("%d components, want 2", components)
	}
	// It is a vector of the first component alone: in the second no singular value but 1 is above 0.
	if math.Abs(floats.Norm(res.Vector, 2)-1) > 1e-14 || math.Abs(res.Vector[5])+math.Abs(res.Vector[6]) > vectorTol {
		t.Errorf("vector %v", res.Vector)
	}
}

func TestHGPALimit(t *testing.T) {
	for _, c := range []struct{ n, k, want int }{
		{1, 1, 2}, {100, 5, 21}, {100, 10, 11}, {101, 10, 11}, {20, 4, 6}, {12, 3, 5}, {7, 7, 2}, {2000, 10, 210},
	} {
		if got := sizeLimit(c.n, c.k); got != c.want {
			t.Errorf("%d objects in %d parts: limit %d, want %d", c.n, c.k, got, c.want)
		}
	}
}

// TestHGPARestarts: all alike, and a warning, unless they start at random.
func TestHGPARestarts(t *testing.T) {
	p := randomPartitions(30, 5, 3, 0, rand.New(rand.NewPCG(25, 26)))
	for _, random := range []bool{false, true} {
		res, err := HGPA{K: 3, RandomStart: random}.Fit(t.Context(), p, Options{Restarts: 5})
		if err != nil {
			t.Fatal(err)
		}
		same := true
		for _, run := range res.Runs {
			same = same && slices.Equal(run.Labels, res.Labels)
		}
		if warned := strings.Contains(strings.Join(res.Warnings, ""), "all 5 restarts are the same"); same == random || warned == random {
			t.Errorf("RandomStart %v: restarts alike: %v, warnings %q", random, same, res.Warnings)
		}
	}
}

func TestHGPAStepAllocatesNothing(t *testing.T) {
	p := randomPartitions(200, 6, 60, 0.1, rand.New(rand.NewPCG(27, 28)))
	placed, err := p.checkPlaced(5)
	if err != nil {
		t.Fatal(err)
	}
	s := newHGPAState(HGPA{K: 5, RandomStart: true}, p, placed)
	s.start(0, rand.New(rand.NewPCG(1, 0)))
	var point Point
	before := s.cut
	if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&point) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if s.cut > before-10 {
		t.Errorf("the cut went from %d to %d: were there ten moves?", before, s.cut)
	}
}
