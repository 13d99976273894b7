package thin

// chunk is how many entries of each row CombineTo works on at a time, so that the rows stay in the cache for all sums. It has no
// influence on the result.
const chunk = 256

// InnerTo sets dst, p×q, to XᵀY, where xt, p×n, and yt, q×n, are X and Y transposed. It takes 2npq operations, and is the faster the
// more columns Y has.
func InnerTo(dst, xt, yt []float64, n int) {
	p, q := len(xt)/n, len(yt)/n
	for a := range p {
		x, sums := xt[a*n:(a+1)*n], dst[a*q:(a+1)*q]
		b := 0
		for ; b+4 <= q; b += 4 {
			active.dot4(sums[b:b+4], x, yt[b*n:(b+4)*n], n)
		}
		for ; b < q; b++ {
			sums[b] = active.dot(x, yt[b*n:(b+1)*n])
		}
	}
}

// CombineTo sets dst, q×n, to the transpose of X·S, where xt, p×n, is X transposed and s is p×q by rows. dst and xt must not overlap.
// Each sum is added in the order of the columns of X. It takes 2npq operations.
func CombineTo(dst, xt, s []float64, n int) {
	clear(dst)
	AddCombineTo(dst, xt, s, n)
}

// AddCombineTo adds the transpose of X·S to dst; see CombineTo.
func AddCombineTo(dst, xt, s []float64, n int) {
	p, q := len(xt)/n, len(dst)/n
	for first := 0; first < n; first += chunk {
		last := min(n, first+chunk)
		for b := range q {
			y := dst[b*n+first : b*n+last]
			for a := range p {
				active.axpy(y, s[a*q+b], xt[a*n+first:a*n+last])
			}
		}
	}
}
