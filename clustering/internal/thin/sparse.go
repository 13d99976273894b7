package thin

// Rows gives the entries of a sparse matrix that are not zero, row by row: their columns, ascending, and their values.
type Rows interface {
	Row(i int) (cols []int, values []float64)
}

// SparseMulTo sets dst, k×n, to the transpose of A·X, where A is n×m and xt, k×m, is X transposed. Each sum is added one term after
// the other. It takes 2k operations an entry of A.
func SparseMulTo(dst []float64, a Rows, xt []float64, k int) {
	n, m := len(dst)/k, len(xt)/k
	for i := range n {
		cols, values := a.Row(i)
		for l := range k {
			x := xt[l*m : (l+1)*m]
			sum := 0.0
			for t, j := range cols {
				sum += float64(values[t] * x[j])
			}
			dst[l*n+i] = sum
		}
	}
}

// SparseTMulTo sets dst, k×m, to the transpose of Aᵀ·X, where A is n×m and xt, k×n, is X transposed. Each sum is added in the order
// of the rows of A. It takes 2k operations an entry of A.
func SparseTMulTo(dst []float64, a Rows, xt []float64, k int) {
	n, m := len(xt)/k, len(dst)/k
	clear(dst)
	for i := range n {
		cols, values := a.Row(i)
		for l := range k {
			x, sums := xt[l*n+i], dst[l*m:(l+1)*m]
			for t, j := range cols {
				sums[j] += float64(values[t] * x)
			}
		}
	}
}
