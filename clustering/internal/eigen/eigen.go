package eigen

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/thin"
)

const (
	defaultTol = 1e-10
	// cyclesFor is between these.
	leastCycles, defaultCycles = 20, 500

	// guard is how many columns the block has above k. They are the room in which pair k is told from pair k+1, and what finds
	// a larger eigenvalue that a given start has nothing of.
	guard = 4
	// basisBlocks is the number of blocks in the basis at most, of which keptBlocks stay in a restart.
	basisBlocks, keptBlocks = 7, 2
	// fullOrder is the order up to which all pairs are computed: that takes a millisecond or so.
	fullOrder = 128
	// fullTol is the residual that a full decomposition has to have, where tol is smaller: rounding, of n products in a sum.
	fullTol = 1e-12
	// lost is the part of a vector's length that must be left by orthogonalisation. What is shorter is rounding.
	lost = 1e-14
)

// Options are how to find the pairs. The zero value is useful.
type Options struct {
	// Start has vectors that are near the ones to find, any number of rows of length n; those above k+4 are left out. nil: none.
	Start []float64
	// Rand fills the start up. nil: a generator with a fixed seed.
	Rand *rand.Rand
	// Tol bounds ‖Ax − σx‖ for each pair, as a multiple of ‖A‖. 0: 1e-10.
	Tol float64
	// Cycles bounds the restarts, of some five block products each. 0: as many as take the time of a full decomposition, 500 at most,
	// which is then made if there is memory for it.
	Cycles int
}

// Pairs are eigenpairs.
type Pairs struct {
	// Values are the k largest eigenvalues, descending.
	Values []float64
	// Vectors, k×n, have the eigenvectors in the same order, of length 1 and orthogonal. The entry of the largest size, the first
	// on ties, is positive.
	Vectors []float64
	// Residual is the largest ‖Ax − σx‖, as a multiple of ‖A‖; 0 where A is.
	Residual float64
	// Full says that the matrix was formed and decomposed.
	Full bool
}

// Largest returns the k largest eigenpairs, 1..n, of the symmetric n×n matrix A. mul sets dst to the transpose of A·X, where xt is X
// transposed, with any number of columns, len(xt)/n; it must not keep or change xt. The same arguments give the same bits.
//
// Errors: k is out of range, a product is not finite, the matrix would be formed and has no room in memory, and the pairs have
// not converged, with the residual.
func Largest(n, k int, mul func(dst, xt []float64), opts Options) (*Pairs, error) {
	if k < 1 || k > n {
		return nil, fmt.Errorf("eigen: %d pairs of a matrix of order %d", k, n)
	}
	if opts.Tol == 0 {
		opts.Tol = defaultTol
	}
	if opts.Rand == nil {
		opts.Rand = rand.New(rand.NewPCG(0, 0))
	}
	if n <= fullOrder || 2*basisBlocks*(k+guard) > n {
		return full(n, k, mul, opts)
	}
	given := opts.Cycles
	if given == 0 {
		opts.Cycles = cyclesFor(n, k)
	}
	p, err := newLanczos(n, k, mul, opts).solve()
	if given == 0 && errors.Is(err, errCycles) && memory.CheckSquare(n, 2) == nil {
		return full(n, k, mul, opts)
	}
	return p, err
}

// errCycles is the error of a search that has not converged.
var errCycles = errors.New("not converged")

// cyclesFor bounds the restarts where nothing else does. Where hundreds of eigenvalues lie side by side, as those near 1 of a graph that
// nearly falls apart, they never end, and the full decomposition, of some 9n³ operations, is to be had for what so many cycles take.
func cyclesFor(n, k int) int { return min(max(n/(k+guard), leastCycles), defaultCycles) }

// full forms the matrix from its product with the identity and decomposes it.
func full(n, k int, mul func(dst, xt []float64), opts Options) (*Pairs, error) {
	if err := memory.CheckSquare(n, 2); err != nil {
		return nil, err
	}
	identity, a := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		identity[i*n+i] = 1
	}
	mul(a, identity)
	for i := range n {
		for j := i; j < n; j++ {
			a[i*n+j] = (a[i*n+j] + a[j*n+i]) / 2 // equal but for rounding
		}
	}
	values := identity[:n] // no longer needed
	if err := decompose(a, values, n, nil); err != nil {
		return nil, err
	}
	p := &Pairs{Values: make([]float64, k), Vectors: make([]float64, k*n), Full: true}
	for c := range k {
		p.Values[c] = values[n-1-c]
		for i := range n {
			p.Vectors[c*n+i] = a[i*n+n-1-c]
		}
	}
	norm := max(math.Abs(values[0]), math.Abs(values[n-1]))
	return p.finish(n, norm, max(opts.Tol, fullTol), mul)
}

// decompose replaces the upper triangle of a, n×n by rows, by the eigenvectors, as columns, and sets values, ascending. work is scratch;
// where it is too short, there is another. The matrix is scaled to entries of size 1 meanwhile, because Dsterf and Dsteqr of gonum 0.17 panic
// where they scale a small or large one themselves.
func decompose(a, values []float64, n int, work []float64) error {
	top := 0.0
	for i := range n {
		for _, v := range a[i*n+i : (i+1)*n] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return errors.New("eigen: a product with the matrix is not finite")
			}
			top = max(top, math.Abs(v))
		}
	}
	_, exponent := math.Frexp(top) // a power of two changes no digit
	for i := range n {
		for j := i; j < n; j++ {
			a[i*n+j] = math.Ldexp(a[i*n+j], -exponent)
		}
	}
	s := blas64.Symmetric{N: n, Stride: n, Data: a, Uplo: blas.Upper}
	var size [1]float64
	lapack64.Syev(lapack.EVCompute, s, values, size[:], -1)
	if len(work) < int(size[0]) {
		work = make([]float64, int(size[0]))
	}
	if !lapack64.Syev(lapack.EVCompute, s, values, work, len(work)) {
		return fmt.Errorf("eigen: the eigenvalues of a matrix of order %d were not found", n)
	}
	for i, v := range values {
		values[i] = math.Ldexp(v, exponent)
	}
	return nil
}

// finish computes the residuals anew, holds them to tol and gives the vectors their signs.
func (p *Pairs) finish(n int, norm, tol float64, mul func(dst, xt []float64)) (*Pairs, error) {
	product := make([]float64, len(p.Vectors))
	mul(product, p.Vectors)
	for c, value := range p.Values {
		x := p.Vectors[c*n : (c+1)*n]
		if r := residual(product[c*n:(c+1)*n], x, value); !(r <= p.Residual*norm) && r != 0 { // NaN too
			p.Residual = r / norm
		}
		Orient(x)
	}
	if !(p.Residual <= tol) {
		return nil, fmt.Errorf("eigen: %d pairs of a matrix of order %d: residual %.3g of the norm, want %.3g: is it symmetric?",
			len(p.Values), n, p.Residual, tol)
	}
	return p, nil
}

// residual is ‖ax − σx‖. It changes ax.
func residual(ax, x []float64, value float64) float64 {
	for i := range ax {
		ax[i] -= float64(value * x[i])
	}
	return normalize(ax)
}

// Orient gives a vector the sign that makes its entry of the largest size, the first on ties, positive.
func Orient(x []float64) {
	largest := 0
	for i := range x {
		if math.Abs(x[i]) > math.Abs(x[largest]) {
			largest = i
		}
	}
	if x[largest] < 0 {
		for i := range x {
			x[i] = -x[i]
		}
	}
}

// lanczos is a run of the block method.
type lanczos struct {
	n, k, block int
	mul         func(dst, xt []float64)
	opts        Options
	norm        float64 // ‖A‖ as far as it is known: the largest Ritz value in size

	// The basis V has `have` orthonormal vectors, of which those from `newest` on are the newest block; av has A times them. Both
	// have room for basisBlocks blocks, and v for the next one behind.
	have, newest int
	v, av        []float64
	t            []float64 // VᵀAV, stride room; the upper triangle
	room         int

	// Scratch.
	ritz, ritzA    []float64 // keptBlocks·block rows
	s, small, work []float64
	values, along  []float64
	column         []float64 // n
}

func newLanczos(n, k int, mul func(dst, xt []float64), opts Options) *lanczos {
	block := k + guard
	room, kept := basisBlocks*block, keptBlocks*block
	return &lanczos{
		n: n, k: k, block: block, mul: mul, opts: opts, room: room,
		v: make([]float64, (room+block)*n), av: make([]float64, room*n), t: make([]float64, room*room),
		ritz: make([]float64, kept*n), ritzA: make([]float64, kept*n),
		s: make([]float64, room*room), small: make([]float64, room*max(kept, block)), work: make([]float64, 64*room),
		values: make([]float64, room), along: make([]float64, room+block), column: make([]float64, n),
	}
}

// rows are the vectors first..last-1 of a list of vectors.
func (l *lanczos) rows(v []float64, first, last int) []float64 { return v[first*l.n : last*l.n] }

func (l *lanczos) solve() (*Pairs, error) {
	l.start()
	worst := 0.0
	for range l.opts.Cycles {
		for l.have+l.block <= l.room {
			l.next(l.rows(l.av, l.newest, l.have))
			l.extend()
		}
		l.next(l.rows(l.av, l.newest, l.have))
		if err := l.rayleighRitz(); err != nil {
			return nil, err
		}
		if worst = l.worst(); worst <= l.opts.Tol*l.norm {
			p := &Pairs{Values: slices.Clone(l.values[:l.k]), Vectors: slices.Clone(l.rows(l.ritz, 0, l.k))}
			// What is computed anew has another rounding than what was followed through the restarts.
			return p.finish(l.n, l.norm, max(2*l.opts.Tol, fullTol), l.mul)
		}
		l.restart()
		l.extend()
	}
	return nil, fmt.Errorf("eigen: %d pairs of a matrix of order %d have %w in %d cycles: residual %.3g of the norm, want %.3g",
		l.k, l.n, errCycles, l.opts.Cycles, worst/l.norm, l.opts.Tol)
}

// start makes the first block of the given vectors and random ones.
func (l *lanczos) start() {
	given := min(len(l.opts.Start)/l.n, l.block)
	first := make([]float64, l.block*l.n)
	copy(first, l.opts.Start[:given*l.n])
	for i := given * l.n; i < len(first); i++ {
		first[i] = l.opts.Rand.NormFloat64()
	}
	l.next(first)
	l.extend()
}

// next puts a block behind the basis: what the given vectors have that is orthogonal to the basis, and to each other.
func (l *lanczos) next(block []float64) {
	copy(l.rows(l.v, l.have, l.have+l.block), block)
	for c := range l.block {
		l.orthonormalize(l.have + c)
	}
}

// orthonormalize makes vector c orthogonal to those before it, and of length 1. Where nothing but rounding is left, which happens when
// the basis has all that can be reached, a random vector takes its place: it reaches the rest.
func (l *lanczos) orthonormalize(c int) {
	before, x := l.rows(l.v, 0, c), l.rows(l.v, c, c+1)
	for !l.separate(before, x) {
		for i := range x {
			x[i] = l.opts.Rand.NormFloat64()
		}
	}
}

// separate takes off x what it has of the orthonormal vectors before it, and scales it to length 1. It reports whether more than rounding
// was left.
func (l *lanczos) separate(before, x []float64) bool {
	if normalize(x) == 0 {
		return false
	}
	along := l.along[:len(before)/l.n]
	left := 1.0
	for pass, length := 0, 0.0; pass < 2 || length < 0.5; pass++ { // one that lost much has rounding along the others
		thin.InnerTo(along, x, before, l.n)
		for i := range along {
			along[i] = -along[i]
		}
		thin.AddCombineTo(x, before, along, l.n)
		length = normalize(x)
		left *= length
		if left <= lost {
			return false
		}
	}
	return true
}

// normalize scales x to length 1 and returns the length it had: 0 where it was zero or not finite, and stays.
func normalize(x []float64) float64 {
	top := 0.0
	for _, v := range x {
		top = max(top, math.Abs(v))
	}
	if !(top > 0 && top <= math.MaxFloat64) {
		return 0
	}
	for i := range x {
		x[i] /= top // squares do not overflow then
	}
	length := math.Sqrt(thin.Dot(x, x))
	for i := range x {
		x[i] /= length
	}
	return top * length
}

// extend takes the block behind the basis into it: one product, and the new columns of VᵀAV.
func (l *lanczos) extend() {
	first, last := l.have, l.have+l.block
	l.mul(l.rows(l.av, first, last), l.rows(l.v, first, last))
	inner := l.small[:last*l.block]
	thin.InnerTo(inner, l.rows(l.v, 0, last), l.rows(l.av, first, last), l.n)
	for i := range last {
		copy(l.t[i*l.room+first:i*l.room+last], inner[i*l.block:(i+1)*l.block])
	}
	l.newest, l.have = first, last
}

// rayleighRitz computes the Ritz pairs of the basis, descending, and A times the vectors, as many as are kept in a restart.
func (l *lanczos) rayleighRitz() error {
	m := l.have
	for i := range m {
		copy(l.s[i*m+i:(i+1)*m], l.t[i*l.room+i:i*l.room+m])
	}
	if err := decompose(l.s[:m*m], l.values[:m], m, l.work); err != nil {
		return err
	}
	slices.Reverse(l.values[:m])
	l.norm = max(l.norm, math.Abs(l.values[0]), math.Abs(l.values[m-1]))
	kept := keptBlocks * l.block
	for i := range m {
		for c := range kept {
			l.small[i*kept+c] = l.s[i*m+m-1-c]
		}
	}
	thin.CombineTo(l.ritz, l.rows(l.v, 0, m), l.small[:m*kept], l.n)
	thin.CombineTo(l.ritzA, l.rows(l.av, 0, m), l.small[:m*kept], l.n)
	return nil
}

// worst is the largest ‖Ax − σx‖ of the k pairs.
func (l *lanczos) worst() float64 {
	worst := 0.0
	ax := l.column
	for c := range l.k {
		copy(ax, l.rows(l.ritzA, c, c+1))
		worst = max(worst, residual(ax, l.rows(l.ritz, c, c+1), l.values[c]))
	}
	return worst
}

// restart makes the kept Ritz vectors the basis, with the block behind it.
func (l *lanczos) restart() {
	kept := keptBlocks * l.block
	copy(l.v, l.ritz)
	copy(l.av, l.ritzA)
	copy(l.rows(l.v, kept, kept+l.block), l.rows(l.v, l.have, l.have+l.block))
	l.have = kept
	clear(l.t)
	for c := range kept {
		l.t[c*l.room+c] = l.values[c]
	}
}
