// Package polar computes the orthogonal factor of the polar decomposition: of all matrices with orthonormal columns, the nearest
// to a given one.
package polar

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"orthant/clustering/internal/thin"
)

// wellConditioned is the least ratio of the smallest eigenvalue of MᵀM to the largest for which the factor is made from these: its
// error is about the machine's 2e-16 divided by the ratio. Below, the factor comes from the singular vectors of M, which costs more.
const wellConditioned = 1e-4

// errSVD is the error of a decomposition that LAPACK did not end.
var errSVD = errors.New("the singular value decomposition did not converge")

// A Factor computes orthogonal factors of n×k matrices, n >= k. It has all the space it needs, for one goroutine at a time.
type Factor struct {
	n, k          int
	gram          []float64 // k×k: MᵀM, then its eigenvectors
	root          []float64 // k×k: (MᵀM)^(-1/2)
	values, work  []float64
	copied, right []float64 // k×n: M transposed, and its right singular vectors
	left          []float64 // k×k: the left ones
	svd           []float64
}

// New returns a Factor for n×k matrices.
func New(n, k int) *Factor {
	f := &Factor{n: n, k: k,
		gram: make([]float64, k*k), root: make([]float64, k*k), values: make([]float64, k),
		copied: make([]float64, k*n), right: make([]float64, k*n), left: make([]float64, k*k),
	}
	var size [1]float64
	lapack64.Syev(lapack.EVCompute, f.symmetric(), f.values, size[:], -1)
	f.work = make([]float64, int(size[0]))
	f.singular(size[:], -1)
	f.svd = make([]float64, int(size[0]))
	return f
}

func (f *Factor) symmetric() blas64.Symmetric {
	return blas64.Symmetric{N: f.k, Stride: f.k, Data: f.gram, Uplo: blas.Upper}
}

func general(rows, cols int, data []float64) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

func (f *Factor) singular(work []float64, size int) bool {
	return lapack64.Gesvd(lapack.SVDStore, lapack.SVDStore, general(f.k, f.n, f.copied),
		general(f.k, f.k, f.left), general(f.k, f.n, f.right), f.values, work, size)
}

// To sets dst to the transpose of UVᵀ, where M = USVᵀ is the thin singular value decomposition of the matrix whose transpose is mt;
// both are k×n. Where M has a rank below k, the factor is one of several. dst must not be mt.
func (f *Factor) To(dst, mt []float64) error {
	thin.GramTo(f.gram, mt, mt, f.k)
	if lapack64.Syev(lapack.EVCompute, f.symmetric(), f.values, f.work, len(f.work)) && f.values[0] > wellConditioned*f.values[f.k-1] {
		f.inverseRoot()
		clear(dst)
		thin.AddMulTo(dst, f.root, mt, f.k)
		return nil
	}
	copy(f.copied, mt)
	if !f.singular(f.svd, len(f.svd)) {
		return errSVD
	}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(f.k, f.k, f.left), general(f.k, f.n, f.right), 0, general(f.k, f.n, dst))
	return nil
}

// inverseRoot sets root to (MᵀM)^(-1/2) from the eigenvectors, the columns of gram.
func (f *Factor) inverseRoot() {
	k := f.k
	clear(f.root)
	for l, value := range f.values {
		scale := 1 / math.Sqrt(value)
		for a := range k {
			for b := range k {
				f.root[a*k+b] += float64(scale * f.gram[a*k+l] * f.gram[b*k+l])
			}
		}
	}
}
