package clustering

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// A consensusStart says where the runs of NMFC and WCC begin. It is shared by all of them.
type consensusStart struct {
	k         int
	h0        *mat.Dense // of run 0; nil: as the others
	embedding *mat.Dense // of the objects that are in a partition, for k-means; nil: random starts
	connected []int      // these objects
}

// newConsensusStart returns the start, and a warning if it cannot be spectral although it should.
func newConsensusStart(p *Partitions, k int, random bool, h0 *mat.Dense, opts Options) (c *consensusStart, warnings []string) {
	c = &consensusStart{k: k, h0: h0}
	if random || h0 != nil && opts.Restarts <= 1 {
		return c, nil
	}
	m := Spectral{K: k}
	g, connected, err := m.validate(p.affinity())
	var embedding *mat.Dense
	if err == nil {
		_, embedding, err = m.embed(g)
	}
	if err != nil {
		return c, []string{"the start is random, not spectral: " + err.Error()}
	}
	c.connected, c.embedding = connected, rowsOf(embedding, connected)
	return c, nil
}

// affinity is the co-association LLᵀ/M in factored form.
func (p *Partitions) affinity() *affinity.Anchored {
	var rows, cols []int
	var values []float64
	weight := math.Sqrt(1 / float64(p.Len()))
	for i := range p.n {
		for _, j := range p.clustersOf(i) {
			rows, cols, values = append(rows, i), append(cols, j), append(values, weight)
		}
	}
	b, err := affinity.NewSparse(p.n, p.columns(), rows, cols, values)
	if err != nil {
		panic(fmt.Sprintf("internal: the indicator of partitions: %v", err))
	}
	a, err := affinity.NewAnchored(b)
	if err != nil {
		panic(fmt.Sprintf("internal: the indicator of partitions: %v", err))
	}
	return a
}
