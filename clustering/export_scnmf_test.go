package clustering

import "math"

// Cayley is cayleyTo for fixtures.
func Cayley(x, a []float64, tau float64) []float64 {
	y := make([]float64, len(x))
	cayleyTo(y, x, a, tau)
	return y
}

// CayleyBound is the τ up to which Cayley's y is nonnegative, by the bound of the great circle: 2 tan(θ/2)/‖g‖.
func CayleyBound(x, a []float64) float64 {
	dir := make([]float64, len(x))
	norm := descentTo(dir, x, a)
	return 2 * math.Tan(circleBound(x, dir)/2) / norm
}
