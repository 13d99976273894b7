package thin

import "gonum.org/v1/gonum/mat"

// AddSpectrumTo adds V·diag(d)·Vᵀ to the upper triangle of dst, n×n, the diagonal included; the rest of dst is not touched. vt is V
// transposed, k×n; d has length k. It takes n²k operations: row by row, so that a row of dst is in the cache for all k.
func AddSpectrumTo(dst *mat.Dense, d, vt []float64) {
	n, _ := dst.Dims()
	for i := range n {
		row := dst.RawRowView(i)[i:]
		for a, x := range d {
			v := vt[a*n : (a+1)*n]
			active.axpy(row, x*v[i], v[i:])
		}
	}
}

// mirrorBlock is the side of the squares that Mirror works on: two of them are in the first-level cache.
const mirrorBlock = 32

// Mirror copies the upper triangle of w, n×n, to the lower.
func Mirror(w *mat.Dense) {
	raw := w.RawMatrix()
	n, stride := raw.Rows, raw.Stride
	for top := 0; top < n; top += mirrorBlock {
		for left := top; left < n; left += mirrorBlock {
			for i := top; i < min(top+mirrorBlock, n); i++ {
				for j := max(left, i+1); j < min(left+mirrorBlock, n); j++ {
					raw.Data[j*stride+i] = raw.Data[i*stride+j]
				}
			}
		}
	}
}
