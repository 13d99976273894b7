package thin

// DotsTo sets dst[a] to the product of x and row a of rows, which is len(dst)×len(x): a matrix times a vector, in 2·len(rows)
// operations.
func DotsTo(dst, rows, x []float64) {
	n := len(x)
	a := 0
	for ; a+4 <= len(dst); a += 4 {
		active.dot4(dst[a:a+4], x, rows[a*n:(a+4)*n], n)
	}
	for ; a < len(dst); a++ {
		dst[a] = active.dot(x, rows[a*n:(a+1)*n])
	}
}

// AddOuterTo adds the outer product of v and x to dst, which is len(v)×len(x), in 2·len(dst) operations.
func AddOuterTo(dst, v, x []float64) {
	n := len(x)
	for a, va := range v {
		active.axpy(dst[a*n:(a+1)*n], va, x)
	}
}
