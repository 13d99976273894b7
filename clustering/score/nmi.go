package score

import (
	"fmt"
	"math"
)

// A Normalizer is what the mutual information of two labellings is divided by: a mean of their entropies.
type Normalizer int

// The normalisers in use. Say which one a table has: the figures differ.
const (
	// Arithmetic mean: Fred and Jain, CVPR 2003.
	Arithmetic Normalizer = iota
	// Geometric mean: Strehl and Ghosh, JMLR 2003.
	Geometric
	// Max is the larger entropy: Cai, He and Han's MutualInfo.
	Max
	// Min is the smaller entropy.
	Min
)

// String is the normaliser's name.
func (n Normalizer) String() string {
	switch n {
	case Arithmetic:
		return "arithmetic"
	case Geometric:
		return "geometric"
	case Max:
		return "max"
	case Min:
		return "min"
	}
	return fmt.Sprintf("Normalizer(%d)", int(n))
}

// NMI is the mutual information of two labellings divided by the arithmetic mean of their entropies, 0..1. If both consist of
// one cluster it is 1, if exactly one of them does it is 0.
func NMI(truth, labels []int) (float64, error) { return NMIBy(Arithmetic, truth, labels) }

// NMIBy is NMI with the given normaliser.
func NMIBy(by Normalizer, truth, labels []int) (float64, error) {
	c, err := by.contingency(truth, labels)
	if err != nil {
		return 0, fmt.Errorf("score: NMI: %w", err)
	}
	switch one, other := len(c.rows) == 1, len(c.columns) == 1; {
	case one && other:
		return 1, nil
	case one || other:
		return 0, nil
	}
	// Rounding may carry a ratio that is 0 or 1 in exact arithmetic past the end of its range.
	return min(1, max(0, c.mutualInformation()/by.mean(entropy(c.rows, c.n), entropy(c.columns, c.n)))), nil
}

// contingency is newContingency, for a known normaliser.
func (n Normalizer) contingency(truth, labels []int) (*contingency, error) {
	if n < Arithmetic || n > Min {
		return nil, fmt.Errorf("%v is not a normaliser", n)
	}
	return newContingency(truth, labels)
}

// mean is the normaliser of two positive entropies.
func (n Normalizer) mean(a, b float64) float64 {
	switch n {
	case Geometric:
		return math.Sqrt(a * b)
	case Max:
		return max(a, b)
	case Min:
		return min(a, b)
	}
	return (a + b) / 2
}

// mutualInformation is Σ n_ab/n · log(n·n_ab / (n_a n_b)), in natural units.
func (c *contingency) mutualInformation() float64 {
	sum := 0.0
	for a, row := range c.counts {
		for b, count := range row {
			if count > 0 {
				x := float64(count)
				sum += x * math.Log(x*float64(c.n)/(float64(c.rows[a])*float64(c.columns[b])))
			}
		}
	}
	return sum / float64(c.n)
}

// entropy is −Σ s/n · log(s/n) over the sizes s of clusters, in natural units.
func entropy(sizes []int, n int) float64 {
	sum := 0.0
	for _, s := range sizes {
		x := float64(s)
		sum += x * math.Log(float64(n)/x)
	}
	return sum / float64(n)
}
