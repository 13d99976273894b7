package score

import (
	"fmt"

	"orthant/clustering/internal/assignment"
)

// Accuracy is the share of objects, 0..1, whose cluster stands for their class when clusters are renamed one to one in the best
// way (the assignment problem, solved exactly). Clusters left over, where there are more than classes, are wrong, and so are
// objects labelled -1.
func Accuracy(truth, labels []int) (float64, error) {
	c, err := newContingency(truth, labels)
	if err == nil {
		err = c.requireClasses()
	}
	if err != nil {
		return 0, fmt.Errorf("score: Accuracy: %w", err)
	}
	_, right := assignment.Max(c.assigned())
	return float64(right) / float64(c.n), nil
}

// Purity is the share of objects, 0..1, that belong to the largest class in their cluster. Objects labelled -1 are wrong. It
// never falls when clusters are split: a clustering into single objects has purity 1.
func Purity(truth, labels []int) (float64, error) {
	c, err := newContingency(truth, labels)
	if err == nil {
		err = c.requireClasses()
	}
	if err != nil {
		return 0, fmt.Errorf("score: Purity: %w", err)
	}
	counts := c.assigned()
	right := 0
	for b := range counts[0] {
		largest := 0
		for a := range counts {
			largest = max(largest, counts[a][b])
		}
		right += largest
	}
	return float64(right) / float64(c.n), nil
}
