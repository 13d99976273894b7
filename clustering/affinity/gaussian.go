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
// is given by at most one of MeanDistance, MaxDistance and Width; the zero value is MeanDistance 0.7, the convention of Xia
// and Ding (ICDM Workshops 2010). The papers' conventions have names: [SNMFNcutGaussian], [ONGCGaussian], [RMKCGaussian].
type Gaussian struct {
	// MeanDistance makes r this multiple of the mean distance over the n(n−1) pairs of different objects; > 0.
	MeanDistance float64
	// MaxDistance makes r this multiple of the largest distance; > 0.
	MaxDistance float64
	// Width is r itself; > 0.
	Width float64
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

// Of returns the n×n affinity of the rows of x, n×m. Rows that are all equal have mean distance 0, and affinity 1; with MaxDistance
// they are an error, because every kernel of the family is then the same. It takes n²m operations, on all processors.
func (g Gaussian) Of(x mat.Matrix) (*mat.Dense, error) {
	w, r, err := g.distances(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: Gaussian: %w", err)
	}
	g.weigh(w, r)
	if g.Normalized {
		normalize(w)
	}
	return w, nil
}

// WidthOf returns the width r that Of uses for x.
func (g Gaussian) WidthOf(x mat.Matrix) (float64, error) {
	_, r, err := g.distances(x)
	if err != nil {
		return 0, fmt.Errorf("affinity: Gaussian: %w", err)
	}
	return r, nil
}

// distances checks g and x and returns the squared distances and the width.
func (g Gaussian) distances(x mat.Matrix) (*mat.Dense, float64, error) {
	g, err := g.resolve()
	if err != nil {
		return nil, 0, err
	}
	rows, err := objects.Of(x)
	if err != nil {
		return nil, 0, err
	}
	n, _ := rows.Dims()
	if err := memory.CheckSquare(n, 1); err != nil {
		return nil, 0, err
	}
	d2, mean, largest := squaredDistances(rows)
	if math.IsInf(largest, 0) {
		return nil, 0, errors.New("a squared distance overflows: scale X")
	}
	switch {
	case g.Width > 0:
		return d2, g.Width, nil
	case g.MeanDistance > 0:
		return d2, g.MeanDistance * mean, nil
	case largest == 0:
		return nil, 0, errors.New("all rows of X are equal: the largest distance is 0")
	default:
		return d2, g.MaxDistance * largest, nil
	}
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
	switch given {
	case 0:
		g.MeanDistance = SNMFNcutGaussian().MeanDistance
	case 1:
	default:
		return g, fmt.Errorf("MeanDistance = %g, MaxDistance = %g, Width = %g: give one of them", g.MeanDistance, g.MaxDistance, g.Width)
	}
	return g, nil
}

// squaredDistances returns the n×n squared distances of x's rows, the mean distance over pairs of different rows (0 if there
// are none), and the largest distance. The differences are squared and summed as they are: ‖x‖²+‖y‖²−2xᵀy is faster but loses
// all digits of near neighbours. Each row's sum is taken by one goroutine and the rows are added in order, so the mean does
// not depend on the number of processors.
func squaredDistances(x *mat.Dense) (d2 *mat.Dense, mean, largest float64) {
	n, _ := x.Dims()
	d2 = mat.NewDense(n, n, nil)
	sums, tops := make([]float64, n), make([]float64, n)
	parallelRows(n, func(i int) {
		xi, di := x.RawRowView(i), d2.RawRowView(i)
		for j := i + 1; j < n; j++ {
			di[j] = objects.SquaredDistance(xi, x.RawRowView(j))
			d := math.Sqrt(di[j])
			sums[i] += d
			tops[i] = max(tops[i], d)
		}
	})
	data := d2.RawMatrix().Data // the stride of a new matrix is n
	parallelRows(n, func(i int) {
		for j := range i {
			data[i*n+j] = data[j*n+i]
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
	return d2, mean, largest
}

// weigh turns squared distances into affinities of width r, in place.
func (g Gaussian) weigh(w *mat.Dense, r float64) {
	n, _ := w.Dims()
	scale := 1.0
	if g.Half {
		scale = 2
	}
	diagonal := 1.0
	if g.ZeroDiagonal {
		diagonal = 0
	}
	parallelRows(n, func(i int) {
		row := w.RawRowView(i)
		for j, d2 := range row {
			switch {
			case i == j:
				row[j] = diagonal
			case d2 == 0:
				row[j] = 1 // also where r = 0: equal objects are as similar as can be
			default:
				d := math.Sqrt(d2) / r // r² would underflow for a tiny r
				row[j] = math.Exp(-(d * d) / scale)
			}
		}
	})
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
