package score

import "fmt"

// ARI is the Rand index of two labellings adjusted for chance (Hubert and Arabie, Journal of Classification 1985): 1 if they
// agree, 0 on average for independent ones of the same sizes, negative for less. Two labellings that cannot differ, both of
// one cluster or both of single objects, have 1.
func ARI(truth, labels []int) (float64, error) {
	c, err := newContingency(truth, labels)
	if err != nil {
		return 0, fmt.Errorf("score: ARI: %w", err)
	}
	together := 0.0 // pairs that both labellings put together
	for _, row := range c.counts {
		together += pairs(row)
	}
	a, b, all := pairs(c.rows), pairs(c.columns), pairs([]int{c.n})
	if a == b && (a == 0 || a == all) {
		return 1, nil
	}
	expected := a * b / all
	return (together - expected) / ((a+b)/2 - expected), nil
}

// pairs is the number of pairs of objects within groups of the given sizes.
func pairs(sizes []int) float64 {
	sum := 0.0
	for _, s := range sizes {
		sum += float64(s) * float64(s-1) / 2
	}
	return sum
}
