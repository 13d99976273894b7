package clustering

import "math"

// negligible is the part of its row's largest entry below which an entry becomes 0. Squares of what is left stay above
// 1e-308, the smallest normal number, with room for the scale of H; labels cannot change, and no row becomes 0.
const negligible = 1e-140

// multiplyTo multiplies each entry of x by num/den; den = 0 makes it 0.
func multiplyTo(x, num, den []float64) {
	for i := range x {
		if den[i] > 0 {
			x[i] *= num[i] / den[i]
		} else {
			x[i] = 0
		}
	}
}

// multiplyRootTo multiplies each entry of x by √(num/den); den = 0 makes it 0.
func multiplyRootTo(x, num, den []float64) {
	for i := range x {
		if den[i] > 0 {
			x[i] *= math.Sqrt(num[i] / den[i])
		} else {
			x[i] = 0
		}
	}
}

// flushTo sets the entries of x to 0 that are negligible beside the largest of their row; xt is x transposed. top, one entry a row of
// x, is work space.
func flushTo(xt, top []float64) {
	n := len(top)
	clear(top)
	for a := 0; a < len(xt); a += n {
		for i, x := range xt[a : a+n] {
			top[i] = max(top[i], x)
		}
	}
	for a := 0; a < len(xt); a += n {
		x := xt[a : a+n]
		for i := range x {
			if x[i] < negligible*top[i] {
				x[i] = 0
			}
		}
	}
}
