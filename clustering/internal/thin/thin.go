package thin

import "gonum.org/v1/gonum/mat"

// Dot is Σ x[i]·y[i]. x and y have the same length.
func Dot(x, y []float64) float64 { return active.dot(x, y) }

// AddScaled adds a·x to y, of the same length.
func AddScaled(y []float64, a float64, x []float64) { active.axpy(y, a, x) }

// MulTo sets dst to the transpose of W·H, where ht is H transposed: dst and ht are k×n, w is n×n. It takes 2n²k operations and
// reads w once: four rows at a time, which serve all columns while they are in the cache.
func MulTo(dst []float64, w *mat.Dense, ht []float64) {
	raw := w.RawMatrix()
	n, stride := raw.Rows, raw.Stride
	i := 0
	for ; i+4 <= n; i += 4 {
		rows := raw.Data[i*stride : (i+3)*stride+n]
		for a := 0; a < len(ht); a += n {
			active.dot4(dst[a+i:a+i+4], ht[a:a+n], rows, stride)
		}
	}
	for ; i < n; i++ {
		row := raw.Data[i*stride : i*stride+n]
		for a := 0; a < len(ht); a += n {
			dst[a+i] = active.dot(ht[a:a+n], row)
		}
	}
}

// GramTo sets dst, k×k, to XᵀY, where xt and yt are X and Y transposed, k×n. The result must be known to be symmetric (as
// HᵀH and HᵀWH are): one triangle is computed, 2·n·k(k+1)/2 operations, and mirrored.
func GramTo(dst, xt, yt []float64, k int) {
	n := len(xt) / k
	for a := range k {
		x := xt[a*n : (a+1)*n]
		for b := a; b < k; b++ {
			s := active.dot(x, yt[b*n:(b+1)*n])
			dst[a*k+b], dst[b*k+a] = s, s
		}
	}
}

// AddMulTo adds the transpose of X·S to dst, where xt is X transposed: dst and xt are k×n, s is symmetric k×k. 2nk²
// operations.
func AddMulTo(dst, s, xt []float64, k int) {
	n := len(xt) / k
	for a := range k {
		for b := range k {
			active.axpy(dst[a*n:(a+1)*n], s[a*k+b], xt[b*n:(b+1)*n])
		}
	}
}

// ScaleTo sets dst to the transpose of diag(d)·X, where xt is X transposed: dst and xt are k×n, d has length n.
func ScaleTo(dst, d, xt []float64) {
	n := len(d)
	for a := 0; a < len(xt); a += n {
		x, y := xt[a:a+n], dst[a:a+n]
		for i, di := range d {
			y[i] = di * x[i]
		}
	}
}

// Sum is Σ x[i], added one after the other.
func Sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// Transposed returns the k×n transpose of the n×k matrix m.
func Transposed(m *mat.Dense) []float64 {
	n, k := m.Dims()
	t := make([]float64, n*k)
	for i := range n {
		for a, x := range m.RawRowView(i) {
			t[a*n+i] = x
		}
	}
	return t
}

// Dense returns the n×k matrix whose transpose is ht, k×n.
func Dense(ht []float64, k int) *mat.Dense {
	n := len(ht) / k
	m := mat.NewDense(n, k, nil)
	for i := range n {
		row := m.RawRowView(i)
		for a := range row {
			row[a] = ht[a*n+i]
		}
	}
	return m
}
