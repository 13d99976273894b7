package affinity

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/objects"
)

// Gaussian is the affinity W[i,j] = exp(−d²/r²), or exp(−d²/2r²) with Half, of two objects at Euclidean distance d. The width r
// is given by at most one of MeanDistance, MaxDistance, Width and SelfTuning; the zero value is MeanDistance 0.7, the convention of
// Xia and Ding (ICDM Workshops 2010). The papers' conventions have names: [SNMFNcutGaussian], [ONGCGaussian], [RMKCGaussian],
// [SelfTuningGaussian].
type Gaussian struct {
	// MeanDistance makes r this multiple of the mean distance over the n(n−1) pairs of different objects; > 0.
	MeanDistance float64
	// MaxDistance makes r this multiple of the largest distance; > 0.
	MaxDistance float64
	// Width is r itself; > 0.
	Width float64
	// SelfTuning gives each object a width of its own, the distance to its neighbour of this number, >= 1, or to the farthest object
	// where there are fewer: W[i,j] = exp(−d²/(r_i·r_j)). An object at distance 0 from that neighbour has affinity 0 to all that are
	// not equal to it.
	SelfTuning int
	// Half divides the exponent by two: exp(−d²/2r²).
	Half bool
	// ZeroDiagonal sets W[i,i] to 0. Otherwise it is 1.
	ZeroDiagonal bool
	// Normalized returns D^(−1/2) W D^(−1/2), D the degrees after ZeroDiagonal.
	Normalized bool
}

// SNMFNcutGaussian is the affinity of Xia and Ding's equation (32): exp(−d²/r²), r = 0.7 × mean distance, diagonal 1.
func SNMFNcutGaussian() Gaussian { return Gaussian{MeanDistance: 0.7} }

// ONGCGaussian is the graph of a view for orthogonal nonnegative graph clustering: exp(−d²/2s²), s = mean distance, zero
// diagonal, normalised. The paper (arXiv 2211.02883) leaves these details open.
func ONGCGaussian() Gaussian {
	return Gaussian{MeanDistance: 1, Half: true, ZeroDiagonal: true, Normalized: true}
}

// RMKCGaussian is the radial kernel of robust multiple kernel clustering (Zhou et al., IJCAI 2015): exp(−d²/2t²), t = t0 × the
// largest distance, before the paper's normalisation. Its family has t0 in {0.01, 0.1, 1, 10, 100}.
func RMKCGaussian(t0 float64) Gaussian { return Gaussian{MaxDistance: t0, Half: true} }

// SelfTuningGaussian is the affinity of Zelnik-Manor and Perona ("Self-Tuning Spectral Clustering", NIPS 2004): exp(−d²/(r_i·r_j)),
// r_i the distance to the seventh neighbour, zero diagonal. It suits clusters of different densities. The paper normalises it
// as part of its clustering, and so does spectral clustering here.
func SelfTuningGaussian() Gaussian { return Gaussian{SelfTuning: 7, ZeroDiagonal: true} }

// Of returns the n×n affinity of the rows of x, n×m. Rows that are all equal have mean distance 0, and affinity 1; with MaxDistance
// they are an error, because every kernel of the family is then the same. It takes n²m operations, on all processors.
func (g Gaussian) Of(x mat.Matrix) (*mat.Dense, error) {
	d2, w, err := g.distances(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: Gaussian: %w", err)
	}
	g.weigh(d2, w)
	if g.Normalized {
		normalize(d2)
	}
	return d2, nil
}

// WidthOf returns the width r that Of uses for x. With SelfTuning there is none for all, which is an error.
func (g Gaussian) WidthOf(x mat.Matrix) (float64, error) {
	if g.SelfTuning > 0 {
		return 0, fmt.Errorf("affinity: Gaussian: SelfTuning = %d: each object has a width of its own", g.SelfTuning)
	}
	_, w, err := g.distances(x)
	if err != nil {
		return 0, fmt.Errorf("affinity: Gaussian: %w", err)
	}
	return w.all, nil
}

// widths are the width of all pairs, or one for each object.
type widths struct {
	all float64
	own []float64 // with SelfTuning
}

// distances checks g and x and returns the squared distances and the widths.
func (g Gaussian) distances(x mat.Matrix) (*mat.Dense, widths, error) {
	g, err := g.resolve()
	if err != nil {
		return nil, widths{}, err
	}
	rows, err := objects.Of(x)
	if err != nil {
		return nil, widths{}, err
	}
	n, _ := rows.Dims()
	if err := memory.CheckSquare(n, 1); err != nil {
		return nil, widths{}, err
	}
	d2, mean, largest := squaredDistances(rows)
	if math.IsInf(largest, 0) {
		return nil, widths{}, errOverflow
	}
	if g.SelfTuning > 0 {
		return d2, widths{own: ownWidths(d2, g.SelfTuning)}, nil
	}
	r, err := g.width(mean, largest)
	return d2, widths{all: r}, err
}

var errOverflow = errors.New("a squared distance overflows: scale X")

// width is the width that g, resolved, makes of the mean and the largest distance.
func (g Gaussian) width(mean, largest float64) (float64, error) {
	switch {
	case g.Width > 0:
		return g.Width, nil
	case g.MeanDistance > 0:
		return g.MeanDistance * mean, nil
	case largest == 0:
		return 0, errors.New("all rows of X are equal: the largest distance is 0")
	default:
		return g.MaxDistance * largest, nil
	}
}

// ownWidths returns each object's distance to its neighbour of the given number, the farthest object where there are fewer.
func ownWidths(d2 *mat.Dense, neighbour int) []float64 {
	n, _ := d2.Dims()
	own := make([]float64, n)
	parallelRows(n, func(i int) {
		near := newNearest(min(neighbour, n-1))
		for j, d := range d2.RawRowView(i) {
			if j != i {
				near.offer(j, d)
			}
		}
		if last := len(near.keys) - 1; last >= 0 {
			own[i] = math.Sqrt(near.keys[last])
		}
	})
	return own
}

// resolve checks the parameters and fills in the default.
func (g Gaussian) resolve() (Gaussian, error) {
	given := 0
	for _, p := range []struct {
		name  string
		value float64
	}{{"MeanDistance", g.MeanDistance}, {"MaxDistance", g.MaxDistance}, {"Width", g.Width}} {
		if !(p.value >= 0 && p.value <= math.MaxFloat64) {
			return g, fmt.Errorf("%s = %g, want a finite number > 0", p.name, p.value)
		}
		if p.value > 0 {
			given++
		}
	}
	switch {
	case g.SelfTuning < 0:
		return g, fmt.Errorf("SelfTuning = %d, want the number of a neighbour, at least 1", g.SelfTuning)
	case g.SelfTuning > 0:
		given++
	}
	switch given {
	case 0:
		g.MeanDistance = SNMFNcutGaussian().MeanDistance
	case 1:
	default:
		return g, fmt.Errorf("MeanDistance = %g, MaxDistance = %g, Width = %g, SelfTuning = %d: give one of them",
			g.MeanDistance, g.MaxDistance, g.Width, g.SelfTuning)
	}
	return g, nil
}

// squaredDistances returns the n×n squared distances of x's rows, the mean distance over pairs of different rows (0 if there
// are none), and the largest distance.
func squaredDistances(x *mat.Dense) (d2 *mat.Dense, mean, largest float64) {
	n, _ := x.Dims()
	d2 = mat.NewDense(n, n, nil)
	mean, largest = eachDistance(x, func(i, j int, d float64) { d2.RawRowView(i)[j] = d })
	data := d2.RawMatrix().Data // the stride of a new matrix is n
	parallelRows(n, func(i int) {
		for j := range i {
			data[i*n+j] = data[j*n+i]
		}
	})
	return d2, mean, largest
}

// eachDistance calls f, which may be nil, with the squared distance of each pair of rows i < j, and returns the mean and the largest
// distance. One goroutine calls it for all pairs with the same i. The differences are squared and summed as they are: ‖x‖²+‖y‖²−2xᵀy
// is faster but loses all digits of near neighbours. Each row's sum is taken by one goroutine and the rows are added in order, so
// the mean does not depend on the number of processors.
func eachDistance(x *mat.Dense, f func(i, j int, d2 float64)) (mean, largest float64) {
	n, _ := x.Dims()
	sums, tops := make([]float64, n), make([]float64, n)
	parallelRows(n, func(i int) {
		xi := x.RawRowView(i)
		for j := i + 1; j < n; j++ {
			d2 := objects.SquaredDistance(xi, x.RawRowView(j))
			if f != nil {
				f(i, j, d2)
			}
			d := math.Sqrt(d2)
			sums[i] += d
			tops[i] = max(tops[i], d)
		}
	})
	total := 0.0
	for i := range n {
		total += sums[i]
		largest = max(largest, tops[i])
	}
	if n > 1 {
		mean = total / (float64(n) * float64(n-1) / 2)
	}
	return mean, largest
}

// weigh turns squared distances into affinities, in place.
func (g Gaussian) weigh(d2 *mat.Dense, w widths) {
	n, _ := d2.Dims()
	diagonal := 1.0
	if g.ZeroDiagonal {
		diagonal = 0
	}
	parallelRows(n, func(i int) {
		row := d2.RawRowView(i)
		for j := range row {
			if i == j {
				row[j] = diagonal
			} else {
				row[j] = g.weight(w, i, j, row[j])
			}
		}
	})
}

// weight is the affinity of two objects i and j at the squared distance d2. It is the same to the bit for j and i.
func (g Gaussian) weight(w widths, i, j int, d2 float64) float64 {
	if d2 == 0 {
		return 1 // also where r = 0: equal objects are as similar as can be
	}
	scale := 1.0
	if g.Half {
		scale = 2
	}
	d := math.Sqrt(d2)
	a, b := d/w.all, d/w.all // r² would underflow for a tiny r
	if w.own != nil {
		if w.own[i] == 0 || w.own[j] == 0 {
			return 0
		}
		a, b = d/w.own[i], d/w.own[j]
	}
	return math.Exp(-(a * b) / scale)
}

// normalize replaces w by D^(−1/2) W D^(−1/2). A row without neighbours stays zero.
func normalize(w *mat.Dense) {
	n, _ := w.Dims()
	inverse := make([]float64, n)
	for i := range n {
		degree := 0.0
		for _, x := range w.RawRowView(i) {
			degree += x
		}
		if degree > 0 {
			inverse[i] = 1 / math.Sqrt(degree)
		}
	}
	parallelRows(n, func(i int) {
		for j, row := 0, w.RawRowView(i); j < n; j++ {
			row[j] *= inverse[i] * inverse[j] // the product of the two first: symmetric to the last bit
		}
	})
}

// parallelRows calls f for each of n rows, on all processors. Row i and row i+p go to the same goroutine, which shares the long
// and the short rows of a triangle out evenly.
func parallelRows(n int, f func(i int)) {
	p := min(n, runtime.GOMAXPROCS(0))
	var done sync.WaitGroup
	for first := range p {
		done.Go(func() {
			for i := first; i < n; i += p {
				f(i)
			}
		})
	}
	done.Wait()
}
