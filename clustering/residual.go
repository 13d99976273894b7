package clustering

import "math"

// rest is the part of the terms of an objective below which it is a rounding error: sums of thousands of terms are wrong in the
// thirteenth digit.
const rest = 1e-12

// relativeChange is |after − before| / |after| for an objective that is the sum of terms of the given size: what is no more than a
// rounding error of them counts as 0, and for no change at all.
func relativeChange(before, after, size float64) float64 {
	moved := math.Abs(after - before)
	if moved == 0 || max(math.Abs(before), math.Abs(after)) <= rest*size {
		return 0
	}
	return moved / max(math.Abs(after), rest*size)
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
