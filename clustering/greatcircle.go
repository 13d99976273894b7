package clustering

// Steps on the unit sphere that keep a vector nonnegative, for rows of a factor whose norm is constrained; see scnmf.go.

import (
	"math"

	"orthant/clustering/internal/thin"
)

// cayleyTo sets y to the solution of (I + τ/2 A) y = (I − τ/2 A) x, A = a xᵀ − x aᵀ, which has the norm of x: (31), by
// Sherman, Morrison and Woodbury.
//
//	y = x − (τs/q) a + (τ/q) (p − τ/2·m) x,  s = x·x, p = a·x, m = (a·a) s − p², q = 1 + (τ/2)² m
func cayleyTo(y, x, a []float64, tau float64) {
	s, p := thin.Dot(x, x), thin.Dot(a, x)
	m := max(0, float64(thin.Dot(a, a)*s)-float64(p*p))
	q := 1 + float64(tau/2*(tau/2)*m)
	alongA, alongX := tau*s/q, tau/q*(p-float64(tau/2*m))
	for b := range y {
		y[b] = x[b] - float64(alongA*a[b]) + float64(alongX*x[b])
	}
}

// paperTau is τ of (37) at the unit vector x >= 0 with the gradient c1 − c2, c1 and c2 >= 0: the smallest root over the entries b of
// B τ² + C τ + D = 0, each written so that it is −D/C where B is 0. A zero of x makes D and τ 0.
func paperTau(x, c1, c2 []float64) float64 {
	s, x1, x2 := thin.Dot(x, x), thin.Dot(c1, x), thin.Dot(c2, x)
	p1 := float64(s*(thin.Dot(c1, c1)+thin.Dot(c2, c2))) + float64(2*x1*x2) // P1 = p1·x
	p2 := float64(2*s*thin.Dot(c1, c2)) + (float64(x1*x1) + float64(x2*x2)) // P2 = p2·x
	tau := math.Inf(1)                                                      // c1 = c2 = 0
	for b, xb := range x {
		if xb == 0 {
			return 0 // also where C = 0, too, and (37) is 0/0
		}
		quadratic := (p1 + p2) * xb                       // B
		linear := 4 * (float64(s*c1[b]) + float64(x2*xb)) // C
		tau = min(tau, 8*xb/(linear+math.Sqrt(float64(linear*linear)+float64(16*quadratic*xb))))
	}
	return tau
}

// atRest is the part of 1+‖a‖ up to which a projected gradient's norm is rounding.
const atRest = 1e-14

// descentTo sets dir to −g/‖g‖, where g = a − (a·x)x is the gradient a projected at the unit vector x, and returns ‖g‖; 0: x is at
// rest, and dir is not to be used.
func descentTo(dir, x, a []float64) float64 {
	along := thin.Dot(a, x)
	for b := range dir {
		dir[b] = float64(along*x[b]) - a[b]
	}
	norm := math.Sqrt(thin.Dot(dir, dir))
	if !(norm > atRest*(1+math.Sqrt(thin.Dot(a, a)))) {
		return 0
	}
	for b := range dir {
		dir[b] /= norm
	}
	return norm
}

// circleTo sets y to cos(θ) x + sin(θ) u. For unit x and u at a right angle that is the great circle from x towards u.
func circleTo(y, x, u []float64, theta float64) {
	sin, cos := math.Sincos(theta)
	for b := range y {
		y[b] = float64(cos*x[b]) + float64(sin*u[b])
	}
}

// circleBound is the largest θ, π/2 at most, up to which the great circle from x >= 0 towards u has no negative entry.
func circleBound(x, u []float64) float64 {
	theta := math.Pi / 2
	for b, ub := range u {
		if ub < 0 {
			theta = min(theta, math.Atan2(x[b], -ub))
		}
	}
	return theta
}

// cubicMinimum is the θ > 0 that makes −slope·θ + curvature·θ²/2 + bound·θ³/6 smallest; slope and bound are positive.
func cubicMinimum(slope, curvature, bound float64) float64 {
	root := math.Sqrt(float64(curvature*curvature) + float64(2*bound*slope))
	if curvature < 0 {
		return (root - curvature) / bound
	}
	return 2 * slope / (curvature + root)
}
