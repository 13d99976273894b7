package clustering

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// A spectrum finds the eigenpairs of symmetric n×n matrices with eigenvalues σ > 0, σ² > τ, one matrix after the other, each near the
// last.
//
// Where they are few it takes the space of the last matrix's eigenvectors and of some random vectors, and adds the residuals of
// those that are not exact yet, multiplied by the matrix, until they are: block Lanczos with a warm start, full orthogonalisation and a
// thick restart (K. Wu and H. Simon, SIAM Journal on Matrix Analysis 22 (2000), 602-616). That no eigenvalue was missed is proved, not
// guessed: √τ·I − (B − VΣVᵀ) has a Cholesky factor if and only if no other eigenvalue of B reaches √τ. Where that fails, where there
// are many of them, and for small matrices all eigenvalues are computed.
type spectrum struct {
	n       int
	rank    int       // of the last matrix: how many eigenpairs there are
	values  []float64 // n: the first rank are the eigenvalues, descending
	vectors []float64 // n×n: the first rank rows are the eigenvectors, and some more begin the next search
	begin   int       // rows of vectors that begin the next search
	full    bool      // always compute all of them

	all      []float64 // n: all eigenvalues, ascending
	diagonal []float64 // n
	work     []float64
	rng      *rand.Rand
	source   *rand.PCG
	complete int // matrices of which all eigenvalues were computed

	// The search: q has room rows of length n, orthonormal, the first dim in use, bq their products with B, t = q·bqᵀ.
	room, dim int
	q, bq     []float64
	t         []float64 // room×room
	ritz      []float64 // dim×dim: eigenvectors of t, then as rows, descending
	theta     []float64 // dim: eigenvalues of t
	y         []float64 // rows of ritz vectors' coefficients
	norms     []float64
	scale     float64 // the largest |eigenvalue| seen
}

const (
	spectrumSmall  = 96    // below, all eigenvalues take less than the search's overhead
	spectrumPart   = 12    // the search is for at most n/spectrumPart eigenvectors
	spectrumGuards = 4     // Ritz vectors behind the last wanted one that are followed too
	spectrumFresh  = 3     // random vectors in each search: what is orthogonal to the last matrix's vectors is found, too
	spectrumTol    = 1e-13 // residual of an eigenpair, relative to the largest eigenvalue; rounding allows ten times less
	spectrumTries  = 3     // searches, until one is certain
	// spectrumGuardTol is how exact the first Ritz vector behind the last wanted one must be. What hides in it from the search is a part c
	// of a wanted eigenvector, and its residual is at least c(√τ − θ); in a random vector c is about 1/√n.
	spectrumGuardTol = 0.01
	spectrumSteps    = 80 // of the basis, before a restart; the small eigenproblems would cost more than the products
)

func newSpectrum(n int) *spectrum {
	s := &spectrum{
		n: n, values: make([]float64, n), vectors: make([]float64, n*n),
		all: make([]float64, n), diagonal: make([]float64, n),
		source: rand.NewPCG(0, 0),
	}
	s.rng = rand.New(s.source)
	query := []float64{0}
	lapack64.Syev(lapack.EVCompute, blas64.Symmetric{N: n, Stride: n, Data: s.vectors, Uplo: blas.Upper}, s.all, query, -1)
	s.work = make([]float64, int(query[0]))
	if s.full = n < spectrumSmall; !s.full {
		s.room = n / 2
		s.q, s.bq = make([]float64, s.room*n), make([]float64, s.room*n)
		s.t, s.ritz = make([]float64, s.room*s.room), make([]float64, s.room*s.room)
		s.y, s.norms, s.theta = make([]float64, s.room*s.room), make([]float64, s.room), make([]float64, s.room)
	}
	return s
}

// reset forgets the last matrix.
func (s *spectrum) reset() {
	s.rank, s.begin, s.complete = 0, 0, 0
	s.source.Seed(0, 0)
}

// find sets rank, values and vectors to the eigenpairs of b with σ > 0 and σ² > tau. Only b's upper triangle counts; b is destroyed. False:
// b is not a matrix of finite numbers.
func (s *spectrum) find(b *mat.Dense, tau float64) bool {
	if !s.full && tau > 0 && s.rank <= s.n/spectrumPart {
		thin.Mirror(b)
		for range spectrumTries { // each with other random vectors, from what the one before has found
			if !s.search(b, tau) {
				break
			}
			if s.certain(b, tau) {
				return true
			}
		}
	}
	return s.decompose(b, tau)
}

func wanted(sigma, tau float64) bool { return sigma > 0 && sigma*sigma > tau }

// decompose computes all eigenvalues.
func (s *spectrum) decompose(b *mat.Dense, tau float64) bool {
	s.complete++
	raw := b.RawMatrix()
	a := blas64.Symmetric{N: s.n, Stride: raw.Stride, Data: raw.Data, Uplo: blas.Upper}
	if !lapack64.Syev(lapack.EVCompute, a, s.all, s.work, len(s.work)) {
		return false
	}
	s.rank = 0
	for s.rank < s.n && wanted(s.all[s.n-1-s.rank], tau) {
		s.rank++
	}
	s.begin = min(s.rank+spectrumGuards, s.n)
	for r := range s.begin {
		s.values[r] = s.all[s.n-1-r]
		v := s.vectors[r*s.n : (r+1)*s.n]
		for i := range v {
			v[i] = raw.Data[i*raw.Stride+s.n-1-r]
		}
	}
	return true
}

// search looks for the wanted eigenpairs of b, which it only reads. False: there are too many, or it takes too long.
func (s *spectrum) search(b *mat.Dense, tau float64) bool {
	s.dim, s.scale = 0, 0
	for r := range s.begin {
		s.append(s.vectors[r*s.n : (r+1)*s.n])
	}
	for s.dim < s.begin+spectrumFresh || s.dim < 4*spectrumFresh {
		s.fresh()
	}
	most, root := s.n/spectrumPart, math.Sqrt(tau)
	for first, products := 0, 0; products < s.n; {
		thin.MulTo(s.bq[first*s.n:s.dim*s.n], b, s.q[first*s.n:s.dim*s.n])
		products += s.dim - first
		if !s.project(first) {
			return false
		}
		rank := 0
		for rank < s.dim && wanted(s.theta[rank], tau) {
			rank++
		}
		if rank > most {
			return false
		}
		top := min(rank+spectrumGuards, s.dim)
		if s.dim+top > min(s.room, max(spectrumSteps, 4*top)) {
			s.restart(min(2*top, s.dim))
		}
		if s.residuals(rank, top, root) && rank < top {
			copy(s.values, s.theta[:top])
			copy(s.vectors, s.bq[s.dim*s.n:(s.dim+top)*s.n])
			s.rank, s.begin = rank, top
			return true
		}
		first = s.dim
		for a := range top {
			if s.norms[a] > 0 { // row dim+a is overwritten only after it was read: rows come out in order, and not more of them
				s.append(s.q[(first+a)*s.n : (first+a+1)*s.n])
			}
		}
		if s.dim == first {
			return false // the residuals are too large, but rounding is all there is of them
		}
	}
	return false
}

// fresh adds a random vector to the basis.
func (s *spectrum) fresh() {
	x := s.vectors[(s.n-1)*s.n:] // the last row is free
	for i := range x {
		x[i] = s.rng.NormFloat64()
	}
	s.append(x)
}

// append adds x, made orthogonal to the basis and scaled to length 1, unless nothing of it is left.
func (s *spectrum) append(x []float64) {
	v := s.q[s.dim*s.n : (s.dim+1)*s.n]
	copy(v, x)
	length := floats.Norm(v, 2)
	if !(length > 0) {
		return
	}
	floats.Scale(1/length, v)
	basis := blas64.General{Rows: s.dim, Cols: s.n, Stride: s.n, Data: s.q}
	c := blas64.Vector{N: s.dim, Inc: 1, Data: s.y[:s.room]}
	x1 := blas64.Vector{N: s.n, Inc: 1, Data: v}
	for range 3 { // once more where much was taken away; twice is enough, the third time only looks (W. Kahan, in Parlett, 1980)
		if s.dim > 0 {
			blas64.Gemv(blas.NoTrans, 1, basis, x1, 0, c)
			blas64.Gemv(blas.Trans, -1, basis, c, 1, x1)
		}
		length = floats.Norm(v, 2)
		if length < 1e-10 {
			return // x is in the basis
		}
		floats.Scale(1/length, v)
		if length > 0.7 {
			break
		}
	}
	s.dim++
}

// project brings t up to date for the basis from row first on, and finds its eigenvalues and eigenvectors, descending.
func (s *spectrum) project(first int) bool {
	for a := first; a < s.dim; a++ {
		for c := range a + 1 {
			x := thin.Dot(s.bq[a*s.n:(a+1)*s.n], s.q[c*s.n:(c+1)*s.n])
			s.t[a*s.room+c], s.t[c*s.room+a] = x, x
		}
	}
	d := s.dim
	for a := range d {
		copy(s.ritz[a*d:(a+1)*d], s.t[a*s.room:a*s.room+d])
	}
	small := blas64.Symmetric{N: d, Stride: d, Data: s.ritz[:d*d], Uplo: blas.Upper}
	if !lapack64.Syev(lapack.EVCompute, small, s.all[:d], s.work, len(s.work)) {
		return false
	}
	for a := range d {
		s.theta[a] = s.all[d-1-a]
	}
	s.scale = max(s.scale, math.Abs(s.theta[0]), math.Abs(s.theta[d-1]))
	return true
}

// coefficients are those of the first count Ritz vectors, as rows.
func (s *spectrum) coefficients(count int) blas64.General {
	d := s.dim
	for a := range count {
		for c := range d {
			s.y[a*d+c] = s.ritz[c*d+d-1-a]
		}
	}
	return blas64.General{Rows: count, Cols: d, Stride: d, Data: s.y[:count*d]}
}

// restart makes the first count Ritz vectors the basis.
func (s *spectrum) restart(count int) {
	y := s.coefficients(count)
	product := blas64.General{Rows: count, Cols: s.n, Stride: s.n, Data: s.vectors[:count*s.n]} // begun from long ago
	for _, x := range [][]float64{s.q, s.bq} {
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, y, blas64.General{Rows: s.dim, Cols: s.n, Stride: s.n, Data: x}, 0, product)
		copy(x, product.Data)
	}
	s.dim = count
	for a := range count {
		clear(s.t[a*s.room : a*s.room+count])
		s.t[a*s.room+a] = s.theta[a]
	}
	clear(s.ritz[:count*count])
	for a := range count {
		s.ritz[a*count+count-1-a] = 1
	}
}

// residuals puts the first top Ritz vectors behind bq and their residuals behind q; norms are those of the residuals that are too large,
// and 0 for the others. True: those of the wanted ones and of the first guard are small enough.
func (s *spectrum) residuals(rank, top int, root float64) bool {
	y := s.coefficients(top)
	behind := func(x []float64) blas64.General {
		return blas64.General{Rows: top, Cols: s.n, Stride: s.n, Data: x[s.dim*s.n : (s.dim+top)*s.n]}
	}
	basis := func(x []float64) blas64.General {
		return blas64.General{Rows: s.dim, Cols: s.n, Stride: s.n, Data: x[:s.dim*s.n]}
	}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, y, basis(s.bq), 0, behind(s.q)) // B·v, before bq's rows behind are set
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, y, basis(s.q), 0, behind(s.bq)) // v
	small := true
	for a := range top {
		r := s.q[(s.dim+a)*s.n : (s.dim+a+1)*s.n]
		floats.AddScaled(r, -s.theta[a], s.bq[(s.dim+a)*s.n:(s.dim+a+1)*s.n])
		limit := spectrumGuardTol * (root - s.theta[a]) // of a guard
		if a < rank {
			limit = spectrumTol * s.scale
		}
		if s.norms[a] = floats.Norm(r, 2); s.norms[a] <= limit {
			s.norms[a] = 0
		}
		small = small && (s.norms[a] == 0 || a > rank)
	}
	return small
}

// certain proves that no eigenvalue of b but those found reaches √tau. b's upper triangle is used up if so, and else restored.
func (s *spectrum) certain(b *mat.Dense, tau float64) bool {
	raw := b.RawMatrix()
	for i := range s.n {
		row := raw.Data[i*raw.Stride+i : i*raw.Stride+s.n]
		s.diagonal[i] = row[0]
		floats.Scale(-1, row)
		row[0] += math.Sqrt(tau)
	}
	thin.AddSpectrumTo(b, s.values[:s.rank], s.vectors[:s.rank*s.n])
	if _, ok := lapack64.Potrf(blas64.Symmetric{N: s.n, Stride: raw.Stride, Data: raw.Data, Uplo: blas.Upper}); ok {
		return true
	}
	for i := range s.n {
		raw.Data[i*raw.Stride+i] = s.diagonal[i]
		for j := range i {
			raw.Data[j*raw.Stride+i] = raw.Data[i*raw.Stride+j]
		}
	}
	return false
}
