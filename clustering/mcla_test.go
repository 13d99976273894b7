package clustering

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestMCLASimilarity compares with sets of objects.
func TestMCLASimilarity(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 30 {
		p := randomPartitions(1+rng.IntN(15), 1+rng.IntN(5), 4, 0.3, rng)
		var sets []map[int]bool
		for _, list := range p.Labels() {
			of := make([]map[int]bool, slices.Max(list)+1)
			for i, l := range list {
				if l == Unassigned {
					continue
				}
				if of[l] == nil {
					of[l] = map[int]bool{}
				}
				of[l][i] = true
			}
			sets = append(sets, of...)
		}
		res, err := MCLA{K: 1}.Fit(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r, c := res.Similarity.Dims(); r != len(sets) || c != len(sets) {
			t.Fatalf("%v: similarity is %d×%d, want %d clusters", p, r, c, len(sets))
		}
		for a, x := range sets {
			for b, y := range sets {
				both, either := 0, len(y)
				for i := range x {
					if y[i] {
						both++
					} else {
						either++
					}
				}
				if got, want := res.Similarity.At(a, b), float64(both)/float64(either); got != want { // both are one division
					t.Errorf("%v: similarity of clusters %d and %d is %v, want %v", p.Labels(), a, b, got, want)
				}
			}
		}
	}
}

// TestMCLAAssociation compares the association with the mean of dense indicators, and labels with the association.
func TestMCLAAssociation(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	ties := 0
	for range 40 {
		p := randomPartitions(6+rng.IntN(15), 2+rng.IntN(5), 3, 0.3, rng)
		m := MCLA{K: 1 + rng.IntN(4)}
		res, err := m.Fit(t.Context(), p, Options{Seed: rng.Uint64(), Restarts: 3})
		if err != nil {
			t.Fatal(err)
		}
		l := p.dense()
		groups := slices.Concat(res.MetaClusters...)
		_, k := res.Association.Dims()
		if len(groups) != p.columns() || k != min(m.K, p.columns()) || clusters(groups) != k {
			t.Fatalf("%v of %v: association of %d groups, groups %v", m, p, k, res.MetaClusters)
		}
		for g := range k {
			var mean mat.VecDense
			mean.ReuseAsVec(p.n)
			size := 0.0
			for j, of := range groups {
				if of == g {
					size++
					mean.AddVec(&mean, l.ColView(j))
				}
			}
			for i := range p.n {
				if got, want := res.Association.At(i, g), mean.AtVec(i)/size; got != want { // both are one division
					t.Errorf("%v: association of object %d with group %d is %v, want %v", p, i, g, got, want)
				}
			}
		}
		for i, label := range res.Labels {
			row := res.Association.RawRowView(i)
			want := slices.Index(row, slices.Max(row)) // the first of equal ones
			if slices.Max(row) == 0 {
				want = Unassigned
			} else if slices.Contains(row[want+1:], row[want]) {
				ties++
			}
			if label != want {
				t.Errorf("%v: object %d has label %d for %v", p, i, label, row)
			}
		}
	}
	if ties == 0 {
		t.Error("there were no ties")
	}
}

// TestMCLAState: a step allocates nothing, and what is kept does not depend on what was asked for before.
func TestMCLAState(t *testing.T) {
	p := randomPartitions(30, 6, 3, 0.1, rand.New(rand.NewPCG(15, 16)))
	_, embedding, err := groupsOfClusters(p.jaccard(), 3)
	if err != nil {
		t.Fatal(err)
	}
	s, labels := newMCLAState(p, 3, embedding), make([]int, p.n)
	s.start(0, rand.New(rand.NewPCG(1, 0)))
	var point Point
	if n := testing.AllocsPerRun(10, func() { s.step(); s.measure(&point); s.labelsTo(labels) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	for seed := range uint64(10) {
		s.start(0, rand.New(rand.NewPCG(seed, 0))) // the association is still that of the groups before
		kept := s.keep()
		if s.labelsTo(labels); !mat.Equal(kept.association, mat.NewDense(3, p.n, s.association).T()) {
			t.Errorf("seed %d: what is kept is not the association of the groups", seed)
		}
	}
}
