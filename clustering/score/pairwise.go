package score

import "fmt"

// Pairwise is how two labellings agree on pairs of objects. Precision is the share, among the pairs that the prediction puts
// together, of those that belong together; recall is the share that is found, among the pairs that belong together; F is their
// harmonic mean. All are 0..1. A share of no pairs is 1: nothing was claimed wrongly, or nothing was to be found.
type Pairwise struct{ Precision, Recall, F float64 }

// Pairs compares two labellings by pairs of objects.
//
// Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section 16.3.
func Pairs(truth, labels []int) (Pairwise, error) {
	c, err := newContingency(truth, labels)
	if err != nil {
		return Pairwise{}, fmt.Errorf("score: Pairs: %w", err)
	}
	return c.pairwise(), nil
}

// F is the F of [Pairs], as a measure for [Each].
func F(truth, labels []int) (float64, error) {
	c, err := newContingency(truth, labels)
	if err != nil {
		return 0, fmt.Errorf("score: F: %w", err)
	}
	return c.pairwise().F, nil
}

func (c *contingency) pairwise() Pairwise {
	together := 0.0 // pairs that both labellings put together
	for _, row := range c.counts {
		together += pairs(row)
	}
	belong, put := pairs(c.rows), pairs(c.columns)
	p := Pairwise{Precision: 1, Recall: 1, F: 1}
	if put > 0 {
		p.Precision = together / put
	}
	if belong > 0 {
		p.Recall = together / belong
	}
	if belong+put > 0 {
		p.F = 2 * together / (belong + put)
	}
	return p
}
