package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// exactPairs is up to how many pairs Wilcoxon counts all ways to distribute the signs. Beyond, the normal approximation is within
// 0.005: half the probability of one sum of ranks, both ways.
const exactPairs = 50

// sameSize is the rounding, relative to the largest score, up to which two differences are of the same size, or none: scores are
// shares of objects, so many differences are equal but for their last bits.
const sameSize = 1e-12

// Wilcoxon is Wilcoxon's signed-rank test of the hypothesis that the differences of a and b are symmetric about 0. Pairs that do
// not differ are left out; differences of the same size, up to rounding, share the mean of their ranks. With up to 50 pairs P is exact,
// shared ranks included; with more it is that of the normal approximation, with the variance that shared ranks have and without
// a correction for continuity. Without a pair that differs P is 1.
//
// Source: Wilcoxon, Biometrics Bulletin 1 (1945), 80-83.
func Wilcoxon(a, b []float64) (Test, error) {
	d, err := differences(a, b)
	if err != nil {
		return Test{}, fmt.Errorf("score: Wilcoxon: %w", err)
	}
	largest := max(floats.Norm(a, math.Inf(1)), floats.Norm(b, math.Inf(1)))
	d = slices.DeleteFunc(d, func(x float64) bool { return math.Abs(x) <= sameSize*largest })
	if len(d) == 0 {
		return Test{P: 1}, nil
	}
	ranks := doubledRanks(d, sameSize*largest)
	positive, all := 0, 0
	for i, r := range ranks {
		all += r
		if d[i] > 0 {
			positive += r
		}
	}
	smaller := min(positive, all-positive)
	t := Test{Statistic: float64(smaller) / 2, N: len(d)}
	if len(d) <= exactPairs {
		t.P = exactP(ranks, smaller)
	} else {
		t.P = normalP(ranks, smaller, all)
	}
	return t, nil
}

// doubledRanks returns twice the ranks of the sizes of differences: whole numbers, also where some share the mean of theirs, as
// those do that are no more than same larger than the smallest of them.
func doubledRanks(d []float64, same float64) []int {
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	size := func(i int) float64 { return math.Abs(d[i]) }
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(size(i), size(j)) })
	ranks := make([]int, len(d))
	for first := 0; first < len(order); {
		last := first
		for last+1 < len(order) && size(order[last+1])-size(order[first]) <= same {
			last++
		}
		for _, i := range order[first : last+1] {
			ranks[i] = first + last + 2 // twice the mean of first+1 ... last+1
		}
		first = last + 1
	}
	return ranks
}

// exactP is the share of the ways to give ranks a sign in which the positive or the negative ones sum up to smaller at most.
func exactP(ranks []int, smaller int) float64 {
	ways := make([]float64, smaller+1) // in how many the positive ranks seen so far sum up to an index
	ways[0] = 1
	for _, r := range ranks {
		for sum := smaller; sum >= r; sum-- {
			ways[sum] += ways[sum-r]
		}
	}
	few := 0.0
	for _, w := range ways {
		few += w
	}
	return min(1, 2*math.Ldexp(few, -len(ranks)))
}

// normalP is the normal approximation of exactP; all is the sum of the ranks.
func normalP(ranks []int, smaller, all int) float64 {
	variance := 0.0
	for _, r := range ranks {
		variance += float64(r) * float64(r) / 4
	}
	z := (float64(smaller) - float64(all)/2) / math.Sqrt(variance)
	return min(1, 2*distuv.UnitNormal.CDF(z))
}
