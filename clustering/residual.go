package clustering

import "math"

// relativeChange is |f' − f|/|f'| of an objective that has come from f to f'; 0 where they are equal.
func relativeChange(after, before float64) float64 {
	if after == before {
		return 0
	}
	return math.Abs(after-before) / math.Abs(after)
}

// fromIdentity is ‖Z − I‖ of a k×k matrix.
func fromIdentity(z []float64, k int) float64 {
	sum := 0.0
	for i, x := range z {
		if i%(k+1) == 0 {
			x--
		}
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}
