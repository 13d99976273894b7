package score

import (
	"fmt"
	"math"
)

// AMI is the mutual information of two labellings adjusted for chance and divided by the arithmetic mean of their entropies: 1 if
// they agree, 0 on average for independent ones of the same sizes, negative for less. Two labellings that cannot differ, both
// of one cluster or both of single objects, have 1. Unlike [NMI] it does not grow with the number of clusters.
//
// Source: Vinh, Epps and Bailey, JMLR 11 (2010), the measure AMI of their table 2 and the expectation of their theorem 1.
func AMI(truth, labels []int) (float64, error) { return AMIBy(Arithmetic, truth, labels) }

// AMIBy is AMI with the given normaliser. It takes time in the order of the number of objects times the larger number of
// clusters.
func AMIBy(by Normalizer, truth, labels []int) (float64, error) {
	c, err := by.contingency(truth, labels)
	if err != nil {
		return 0, fmt.Errorf("score: AMI: %w", err)
	}
	if c.cannotDiffer() {
		return 1, nil
	}
	// Where chance alone reaches the most there is, as for single objects and Min, the ratio is rounding and nothing was found.
	const rounding = 1e-12 // of sums of as many terms as there may be, relative
	expected := c.expectedInformation()
	most := by.mean(entropy(c.rows, c.n), entropy(c.columns, c.n))
	if most-expected <= rounding*most {
		return 0, nil
	}
	return min(1, (c.mutualInformation()-expected)/(most-expected)), nil // rounding may carry 1 past it
}

// cannotDiffer reports whether both labellings are of one cluster, or both of single objects.
func (c *contingency) cannotDiffer() bool {
	rows, columns := len(c.rows), len(c.columns)
	return rows == columns && (rows == 1 || rows == c.n)
}

// expectedInformation is the mean of the mutual information over all labellings of the same sizes: the count of objects that two
// clusters share is hypergeometric.
func (c *contingency) expectedInformation() float64 {
	logFactorial := make([]float64, c.n+1)
	for i := 2; i <= c.n; i++ {
		logFactorial[i] = logFactorial[i-1] + math.Log(float64(i))
	}
	n, sum := float64(c.n), 0.0
	for _, a := range c.rows {
		for _, b := range c.columns {
			whole := logFactorial[a] + logFactorial[b] + logFactorial[c.n-a] + logFactorial[c.n-b] - logFactorial[c.n]
			for shared := max(1, a+b-c.n); shared <= min(a, b); shared++ {
				x := float64(shared)
				logP := whole - logFactorial[shared] - logFactorial[a-shared] - logFactorial[b-shared] - logFactorial[c.n-a-b+shared]
				sum += x / n * math.Log(n*x/(float64(a)*float64(b))) * math.Exp(logP)
			}
		}
	}
	return sum
}
