package clustering

// Several partitions of the same objects: what an ensemble method works on.
//
//	L = [L_1 … L_M]  N×K  0/1: (L_m)_ij = 1 where object i is in cluster j of partition m                           (1)
//
//	M  partitions, N objects, K clusters of all partitions together; a column of L is a cluster
//
// X. Zheng, S. Zhu, J. Gao and H. Mamitsuka, "Instance-wise weighted nonnegative matrix factorization for aggregating partitions
// with locally reliable clusters", IJCAI 2015, 4091-4097.
//
// An object may be missing in a partition, which the paper does not have: its row has no 1 among that partition's columns. L has
// one entry per object and partition and is never made dense.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/memory"
)

// Partitions are M partitions of the same N objects: what the ensemble methods work on. [NewPartitions] makes them from lists of
// labels, [PartitionsOfRuns] from the runs of other methods, [Perturb] from known classes. They do not change after that.
type Partitions struct {
	n      int     // objects
	labels [][]int // M×N: counted from 0 within a partition without gaps; Unassigned: missing
	first  []int   // M+1: the columns of partition m are first[m]..first[m+1]
	owner  []int   // K: the partition of a column

	rows    []int // N+1: object i is in the columns cols[rows[i]:rows[i+1]], ascending, of different partitions
	cols    []int
	heads   []int // K+1: column j has the objects members[heads[j]:heads[j+1]], ascending
	members []int
}

// NewPartitions makes partitions of lists of labels, one per partition and all of the same length: one label per object, any
// integer >= 0, or -1 where the partition does not say. Within a partition the labels are renumbered from 0 without gaps, in their
// order. Errors: no list, no object, another length or a label below -1 (which list, and which object), and no label at all.
func NewPartitions(labels ...[]int) (*Partitions, error) {
	p, err := newPartitions(labels)
	if err != nil {
		return nil, fmt.Errorf("clustering: NewPartitions: %w", err)
	}
	return p, nil
}

// PartitionsOfRuns makes a partition of each run of each result, in their order: twenty restarts of k-means are an ensemble of
// twenty. A run that diverged is a partition in which all objects are missing. Errors: a result that is nil (which), and those of
// [NewPartitions].
func PartitionsOfRuns(results ...Fitted) (*Partitions, error) {
	var labels [][]int
	for i, res := range results {
		if v := reflect.ValueOf(res); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, fmt.Errorf("clustering: PartitionsOfRuns: result %d is nil", i)
		}
		labels = append(labels, res.Common().RunLabels()...)
	}
	p, err := newPartitions(labels)
	if err != nil {
		return nil, fmt.Errorf("clustering: PartitionsOfRuns: %w", err)
	}
	return p, nil
}

func newPartitions(labels [][]int) (*Partitions, error) {
	if err := checkPartitions(labels); err != nil {
		return nil, err
	}
	p := &Partitions{n: len(labels[0]), first: []int{0}}
	for m, list := range labels {
		compact, k := compacted(list)
		p.labels = append(p.labels, compact)
		p.first = append(p.first, p.first[m]+k)
		for range k {
			p.owner = append(p.owner, m)
		}
	}
	p.index()
	return p, nil
}

// checkPartitions is an error for lists that are not partitions of the same objects.
func checkPartitions(labels [][]int) error {
	if len(labels) == 0 {
		return errors.New("there are no partitions")
	}
	n, known := len(labels[0]), false
	for m, list := range labels {
		if len(list) != n {
			return fmt.Errorf("partition %d has %s, partition 0 has %d", m, count(len(list), "label"), n)
		}
		for i, l := range list {
			if l < Unassigned {
				return fmt.Errorf("partition %d: the label of object %d is %d, want >= 0, or -1 where it is missing", m, i, l)
			}
			known = known || l >= 0
		}
	}
	switch {
	case n == 0:
		return errors.New("the partitions have no objects")
	case !known:
		return errors.New("all labels of all partitions are missing")
	}
	return nil
}

// compacted renumbers labels from 0 without gaps, in their order, and returns how many there are; -1 stays.
func compacted(labels []int) ([]int, int) {
	distinct := slices.Clone(labels)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	if distinct[0] == Unassigned {
		distinct = distinct[1:]
	}
	compact := make([]int, len(labels))
	for i, l := range labels {
		compact[i] = Unassigned
		if l != Unassigned {
			compact[i], _ = slices.BinarySearch(distinct, l)
		}
	}
	return compact, len(distinct)
}

// index lists the columns of each object and the objects of each column.
func (p *Partitions) index() {
	p.rows = append(make([]int, 0, p.n+1), 0)
	p.heads = make([]int, p.columns()+1)
	for i := range p.n {
		for m, list := range p.labels {
			if l := list[i]; l != Unassigned {
				j := p.first[m] + l
				p.cols = append(p.cols, j)
				p.heads[j+1]++
			}
		}
		p.rows = append(p.rows, len(p.cols))
	}
	for j := range p.columns() {
		p.heads[j+1] += p.heads[j]
	}
	p.members = make([]int, len(p.cols))
	next := slices.Clone(p.heads)
	for i := range p.n {
		for _, j := range p.clustersOf(i) {
			p.members[next[j]] = i
			next[j]++
		}
	}
}

// Len is M, the number of partitions.
func (p *Partitions) Len() int { return len(p.labels) }

// Objects is N, the number of objects.
func (p *Partitions) Objects() int { return p.n }

// Clusters is K, the number of clusters of all partitions together. None is empty.
func (p *Partitions) Clusters() int { return p.columns() }

// Labels are the labels of each partition: M lists of N, counted from 0 without gaps within a partition, -1 where missing. They are
// a copy.
func (p *Partitions) Labels() [][]int {
	labels := make([][]int, len(p.labels))
	for m, list := range p.labels {
		labels[m] = slices.Clone(list)
	}
	return labels
}

// String says how many there are of what.
func (p *Partitions) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s, with %s", count(p.Len(), "partition"), count(p.n, "object"), count(p.columns(), "cluster"))
	if missing := p.Len()*p.n - len(p.cols); missing > 0 {
		fmt.Fprintf(&b, ", %s missing", count(missing, "label"))
	}
	return b.String()
}

// CoAssociation returns LLᵀ/M, N×N: entry (i,j) is the part of the M partitions in which the objects i and j are in the same cluster.
// A partition in which one is missing counts as one in which they are not. It is an affinity; that it would take more than a
// quarter of the memory limit is an error.
func (p *Partitions) CoAssociation() (*mat.Dense, error) {
	err := p.check()
	if err == nil {
		err = memory.CheckSquare(p.n, 1)
	}
	if err != nil {
		return nil, fmt.Errorf("clustering: CoAssociation: %w", err)
	}
	w := mat.NewDense(p.n, p.n, nil)
	for i := range p.n {
		row := w.RawRowView(i)
		for _, j := range p.clustersOf(i) {
			for _, other := range p.objectsOf(j) {
				row[other]++
			}
		}
		for other := range row {
			row[other] /= float64(p.Len())
		}
	}
	return w, nil
}

// columns is K, the number of columns of L.
func (p *Partitions) columns() int { return len(p.owner) }

// clustersOf are the columns of L where the row of object i is 1, ascending; only to be read.
func (p *Partitions) clustersOf(i int) []int { return p.cols[p.rows[i]:p.rows[i+1]] }

// objectsOf are the rows of L where column j is 1, ascending; only to be read.
func (p *Partitions) objectsOf(j int) []int { return p.members[p.heads[j]:p.heads[j+1]] }

// size is the number of objects in column j.
func (p *Partitions) size(j int) int { return p.heads[j+1] - p.heads[j] }

// check is an error for partitions that none of the constructors made.
func (p *Partitions) check() error {
	switch {
	case p == nil:
		return errors.New("the partitions are nil")
	case len(p.labels) == 0:
		return errors.New("there are no partitions: NewPartitions makes them of labels")
	}
	return nil
}

// checkFor is an error for partitions that cannot be joined into k clusters.
func (p *Partitions) checkFor(k int) error {
	if err := p.check(); err != nil {
		return err
	}
	return checkK(k, p.n)
}

// hash is the Data of a Provenance: that of the M×N matrix of the labels as they are renumbered.
func (p *Partitions) hash() string {
	labels := mat.NewDense(p.Len(), p.n, nil)
	for m, list := range p.labels {
		row := labels.RawRowView(m)
		for i, l := range list {
			row[i] = float64(l)
		}
	}
	return hash(labels)
}

// Perturb makes partitions of known classes that are wrong in most places but for some clusters (Zheng, Zhu, Gao and Mamitsuka,
// IJCAI 2015, experiment 2): each is a copy of the truth in which, with probability Selection, one class drawn at random keeps its
// objects; every other object moves with probability Rate to another class, drawn at random. Objects may move into the class that
// keeps its own, as in the paper's example. Zero means zero; [NewPerturb] has the paper's values.
type Perturb struct {
	// Rate is the probability, 0..1, that an object moves. The paper's is 0.9.
	Rate float64
	// Selection is the probability, 0..1, that a partition has a class whose objects do not move. The paper's is 0.5.
	Selection float64
	// Count is the number of partitions, >= 1. The paper's is 30.
	Count int
}

// NewPerturb returns the paper's generator: 30 partitions, rate 0.9, selection 0.5.
func NewPerturb() Perturb { return Perturb{Rate: 0.9, Selection: 0.5, Count: 30} }

// Of makes the partitions of the objects whose classes are truth: any integers >= 0. Where there is one class only there is no other
// to move to, and nothing moves. A partition does not depend on how many there are. Errors: a parameter outside its range, no
// object, and a negative class (of which object).
func (g Perturb) Of(truth []int, seed uint64) (*Partitions, error) {
	if err := g.validate(truth); err != nil {
		return nil, fmt.Errorf("clustering: Perturb: %w", err)
	}
	classes, k := compacted(truth)
	labels := make([][]int, g.Count)
	for m := range labels {
		labels[m] = slices.Clone(classes)
		if k > 1 {
			g.move(labels[m], k, rand.New(rand.NewPCG(runSeed(seed, m), 0)))
		}
	}
	return newPartitions(labels)
}

// String is g as a Go literal.
func (g Perturb) String() string { return describe(g) }

func (g Perturb) validate(truth []int) error {
	switch {
	case !(g.Rate >= 0 && g.Rate <= 1):
		return fmt.Errorf("Rate = %g, want a probability, 0..1", g.Rate)
	case !(g.Selection >= 0 && g.Selection <= 1):
		return fmt.Errorf("Selection = %g, want a probability, 0..1", g.Selection)
	case g.Count < 1:
		return fmt.Errorf("Count = %d, want at least 1", g.Count)
	case len(truth) == 0:
		return errors.New("there are no objects")
	}
	for i, l := range truth {
		if l < 0 {
			return fmt.Errorf("the class of object %d is %d, want >= 0", i, l)
		}
	}
	return nil
}

// move moves objects among k classes, two at least.
func (g Perturb) move(labels []int, k int, rng *rand.Rand) {
	kept := Unassigned
	if rng.Float64() < g.Selection {
		kept = rng.IntN(k)
	}
	for i, l := range labels {
		if l != kept && rng.Float64() < g.Rate {
			labels[i] = (l + 1 + rng.IntN(k-1)) % k
		}
	}
}
