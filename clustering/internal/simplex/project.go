package simplex

import "slices"

// Project sets dst to the point of the simplex that is nearest to v, in the Euclidean norm. dst may be v; sorted is scratch of
// the same length, one at least. It takes time in the order of n log n.
//
// Source: Held, Wolfe and Crowder, Mathematical Programming 6 (1974); max(0, v - t) with the t that makes the sum 1, found among
// the sorted entries.
func Project(dst, v, sorted []float64) {
	copy(sorted, v)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	sum, t := 0.0, 0.0
	for i, x := range sorted {
		sum += x
		if next := (sum - 1) / float64(i+1); x > next {
			t = next // the first i+1 entries are positive
		}
	}
	for i, x := range v {
		dst[i] = max(0, x-t)
	}
}
