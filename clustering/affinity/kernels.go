package affinity

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/objects"
	"orthant/clustering/internal/thin"
)

// Linear is the kernel K[i,j] = x_i·x_j. It is negative for objects at an obtuse angle.
type Linear struct{}

// Of returns the n×n kernel of the rows of x, n×m, whose entries are finite. It takes n²m operations, on all processors.
func (Linear) Of(x mat.Matrix) (*mat.Dense, error) {
	k, err := products(x, func(p float64) float64 { return p })
	if err != nil {
		return nil, fmt.Errorf("affinity: Linear: %w", err)
	}
	return k, nil
}

// Polynomial is the homogeneous kernel K[i,j] = (x_i·x_j)^Degree. An even degree makes it nonnegative.
type Polynomial struct {
	// Degree is at least 1.
	Degree int
}

// Of returns the n×n kernel of the rows of x, n×m, whose entries are finite. It takes n²m operations, on all processors.
func (p Polynomial) Of(x mat.Matrix) (*mat.Dense, error) {
	if p.Degree < 1 {
		return nil, fmt.Errorf("affinity: Polynomial: Degree = %d, want at least 1", p.Degree)
	}
	k, err := products(x, p.at)
	if err != nil {
		return nil, fmt.Errorf("affinity: Polynomial: %w", err)
	}
	return k, nil
}

// at is x^Degree.
func (p Polynomial) at(x float64) float64 {
	power, square := 1.0, x
	for d := p.Degree; d > 0; d >>= 1 {
		if d&1 == 1 {
			power *= square
		}
		square *= square
	}
	return power
}

// Cosine is the kernel K[i,j] = x_i·x_j / (‖x_i‖‖x_j‖), the cosine of the angle between two objects.
type Cosine struct{}

// Of returns the n×n kernel of the rows of x, n×m, whose entries are finite; a row of zeros, which has no direction, is an error.
// It takes n²m operations, on all processors.
func (Cosine) Of(x mat.Matrix) (*mat.Dense, error) {
	rows, err := objects.Of(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: Cosine: %w", err)
	}
	unit, err := unitRows(rows)
	if err != nil {
		return nil, fmt.Errorf("affinity: Cosine: %w", err)
	}
	k, err := products(unit, func(p float64) float64 { return max(-1, min(1, p)) })
	if err != nil {
		return nil, fmt.Errorf("affinity: Cosine: %w", err)
	}
	for i := range k.RawMatrix().Rows {
		k.Set(i, i, 1)
	}
	return k, nil
}

// products returns f of the inner products of the rows of x, symmetric to the last bit.
func products(x mat.Matrix, f func(float64) float64) (*mat.Dense, error) {
	rows, err := objects.Of(x)
	if err != nil {
		return nil, err
	}
	n, _ := rows.Dims()
	if err := memory.CheckSquare(n, 1); err != nil {
		return nil, err
	}
	k := mat.NewDense(n, n, nil)
	parallelRows(n, func(i int) {
		xi, ki := rows.RawRowView(i), k.RawRowView(i)
		for j := i; j < n; j++ {
			ki[j] = f(thin.Dot(xi, rows.RawRowView(j)))
		}
	})
	data := k.RawMatrix().Data // the stride of a new matrix is n
	parallelRows(n, func(i int) {
		for j := range i {
			data[i*n+j] = data[j*n+i]
		}
	})
	for i := range n {
		for j, v := range k.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("the kernel of rows %d and %d overflows: scale X", i, j)
			}
		}
	}
	return k, nil
}

// rmkcFamily are the kernels of robust multiple kernel clustering, in the paper's order.
func rmkcFamily() []struct {
	name   string
	t0     float64 // of RMKCGaussian; 0: a polynomial
	degree int
} {
	return []struct {
		name   string
		t0     float64
		degree int
	}{
		{name: "rbf 0.01", t0: 0.01}, {name: "rbf 0.1", t0: 0.1}, {name: "rbf 1", t0: 1},
		{name: "rbf 10", t0: 10}, {name: "rbf 100", t0: 100},
		{name: "polynomial 2", degree: 2}, {name: "polynomial 4", degree: 4}, {name: "linear", degree: 1},
	}
}

// RMKCKernelNames are the names of the kernels that [RMKCKernels] returns, in their order: "rbf 0.01", "rbf 0.1", "rbf 1", "rbf 10",
// "rbf 100", "polynomial 2", "polynomial 4", "linear".
func RMKCKernelNames() []string {
	var names []string
	for _, f := range rmkcFamily() {
		names = append(names, f.name)
	}
	return names
}

// RMKCKernels returns the eight kernels of robust multiple kernel clustering (Zhou et al., IJCAI 2015, section 4.3) of the rows of
// x, n×m: five of [RMKCGaussian], with t0 = 0.01, 0.1, 1, 10 and 100, [Polynomial] of degree 2 and 4, and [Linear], each n×n and
// normalised by [RMKCNormalized]. [RMKCKernelNames] has their names. It is an error if all rows are equal, or if a kernel's row has
// a sum that is not positive, as the linear kernel of negative data may have.
func RMKCKernels(x mat.Matrix) ([]*mat.Dense, error) {
	kernels, err := rmkcKernels(x)
	if err != nil {
		return nil, fmt.Errorf("affinity: RMKCKernels: %w", err)
	}
	return kernels, nil
}

func rmkcKernels(x mat.Matrix) ([]*mat.Dense, error) {
	rows, err := objects.Of(x)
	if err != nil {
		return nil, err
	}
	family := rmkcFamily()
	n, _ := rows.Dims()
	if err := memory.CheckSquare(n, len(family)+2); err != nil { // and the distances and the products
		return nil, err
	}
	d2, _, largest := squaredDistances(rows)
	switch {
	case math.IsInf(largest, 0):
		return nil, errOverflow
	case largest == 0:
		return nil, errors.New("all rows of X are equal: the largest distance is 0")
	}
	linear, err := products(rows, func(p float64) float64 { return p })
	if err != nil {
		return nil, err
	}
	kernels := make([]*mat.Dense, len(family))
	for i, f := range family {
		var k *mat.Dense
		if f.t0 > 0 {
			k = mat.DenseCopyOf(d2)
			g := RMKCGaussian(f.t0)
			g.weigh(k, widths{all: g.MaxDistance * largest})
		} else {
			k = mat.DenseCopyOf(linear)
			p := Polynomial{f.degree}
			for j, v := range k.RawMatrix().Data {
				k.RawMatrix().Data[j] = p.at(v)
			}
		}
		if err := normalizeRMKC(f.name, k); err != nil {
			return nil, err
		}
		kernels[i] = k
	}
	return kernels, nil
}

// RMKCNormalized returns the kernel k, n×n, as robust multiple kernel clustering takes it: weighted as in the normalised cut,
// D^(−1/2) K D^(−1/2) with D the row sums (W. Xu and Y. Gong, SIGIR 2004), then scaled so that its smallest entry is 0 and its largest 1,
// then made symmetric. What comes out need not be positive semidefinite. A row sum that is not positive, and a kernel that has one value
// everywhere, are errors.
//
// The paper's "normalized-cut weighted form … then rescaled to [0, 1]" does not say how; minimum and maximum are those of the whole matrix.
func RMKCNormalized(k mat.Matrix) (*mat.Dense, error) {
	out, err := copyOfKernel("the kernel", k)
	if err == nil {
		err = normalizeRMKC("the kernel", out)
	}
	if err != nil {
		return nil, fmt.Errorf("affinity: RMKCNormalized: %w", err)
	}
	return out, nil
}

// copyOfKernel returns a copy of k, which is square and finite.
func copyOfKernel(name string, k mat.Matrix) (*mat.Dense, error) {
	if d, dense := k.(*mat.Dense); k == nil || dense && d == nil {
		return nil, errors.New(name + " is nil")
	}
	n, columns := k.Dims()
	switch {
	case n == 0 || columns == 0:
		return nil, errors.New(name + " is empty")
	case n != columns:
		return nil, fmt.Errorf("%s is %d×%d: a kernel is square", name, n, columns)
	}
	if err := memory.CheckSquare(n, 1); err != nil {
		return nil, err
	}
	out := mat.DenseCopyOf(k)
	return out, objects.CheckFinite(name, out)
}

// constantTol is the relative difference of a kernel's entries below which they count as equal: scaling would show nothing but
// rounding. Those of RMKCGaussian(100), the flattest of the family, differ by 1e-5.
const constantTol = 1e-13

// normalizeRMKC is RMKCNormalized in place.
func normalizeRMKC(name string, k *mat.Dense) error {
	n, _ := k.Dims()
	for i := range n {
		sum := 0.0
		for _, v := range k.RawRowView(i) {
			sum += v
		}
		switch {
		case math.IsNaN(sum) || math.IsInf(sum, 0):
			return fmt.Errorf("%s: the sum of row %d overflows: scale X", name, i)
		case sum <= 0:
			return fmt.Errorf("%s: row %d has the sum %g: the normalised cut needs sums above 0, as nonnegative data has them",
				name, i, sum)
		}
	}
	normalize(k)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range n {
		for _, v := range k.RawRowView(i) {
			low, high = min(low, v), max(high, v)
		}
	}
	if !(high-low > constantTol*math.Abs(high)) || math.IsInf(high-low, 0) {
		return fmt.Errorf("%s: the entries are from %g to %g after weighting: they cannot be scaled to 0..1", name, low, high)
	}
	span := high - low
	parallelRows(n, func(i int) {
		row := k.RawRowView(i)
		for j := range row {
			row[j] = (row[j] - low) / span
		}
	})
	for i := range n {
		for j := range i {
			v := k.At(i, j)/2 + k.At(j, i)/2
			k.Set(i, j, v)
			k.Set(j, i, v)
		}
	}
	return nil
}
