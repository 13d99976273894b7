package affinity

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// positive is points moved to where all inner products are positive.
func positive(n, m int, seed uint64) *mat.Dense {
	x := points(n, m, seed)
	x.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) + 0.1 }, x)
	return x
}

// TestKernels compares each kernel with its formula, written out.
func TestKernels(t *testing.T) {
	x := points(9, 5, 1)
	var dot mat.Dense
	dot.Mul(x, x.T())
	for _, c := range []struct {
		name string
		of   func(mat.Matrix) (*mat.Dense, error)
		want func(i, j int) float64
	}{
		{name: "linear", of: Linear{}.Of, want: dot.At},
		{name: "degree 1", of: Polynomial{1}.Of, want: dot.At},
		{name: "degree 2", of: Polynomial{2}.Of, want: func(i, j int) float64 { return math.Pow(dot.At(i, j), 2) }},
		{name: "degree 5", of: Polynomial{5}.Of, want: func(i, j int) float64 { return math.Pow(dot.At(i, j), 5) }},
		{name: "cosine", of: Cosine{}.Of, want: func(i, j int) float64 { return dot.At(i, j) / math.Sqrt(dot.At(i, i)*dot.At(j, j)) }},
	} {
		for form, x := range map[string]mat.Matrix{"dense": x, "transposed": mat.DenseCopyOf(x.T()).T()} {
			k, err := c.of(x)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 9 {
				for j := range 9 {
					if got, want := k.At(i, j), c.want(i, j); math.Abs(got-want) > tol*max(1, math.Abs(want)) {
						t.Errorf("%s, %s: K[%d,%d] = %.16g, want %.16g", c.name, form, i, j, got, want)
					}
					if k.At(i, j) != k.At(j, i) {
						t.Errorf("%s: K[%d,%d] and K[%[3]d,%[2]d] differ", c.name, i, j)
					}
				}
			}
		}
	}
}

// TestCosineOfExtremes: squares would leave the range of a float64.
func TestCosineOfExtremes(t *testing.T) {
	k, err := Cosine{}.Of(mat.NewDense(3, 2, []float64{1e200, 0, 1e-200, 1e-200, -3, 0}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, math.Sqrt2 / 2, -1, math.Sqrt2 / 2, 1, -math.Sqrt2 / 2, -1, -math.Sqrt2 / 2, 1} {
		if got := k.RawMatrix().Data[i]; math.Abs(got-want) > tol {
			t.Errorf("entry %d is %g, want %g", i, got, want)
		}
	}
}

// TestRMKCKernels: the family is what its parts make, each is symmetric, and reaches from 0 to 1.
func TestRMKCKernels(t *testing.T) {
	x := positive(12, 4, 2)
	kernels, err := RMKCKernels(x)
	if err != nil {
		t.Fatal(err)
	}
	parts := []func(mat.Matrix) (*mat.Dense, error){RMKCGaussian(0.01).Of, RMKCGaussian(0.1).Of, RMKCGaussian(1).Of, RMKCGaussian(10).Of,
		RMKCGaussian(100).Of, Polynomial{2}.Of, Polynomial{4}.Of, Linear{}.Of}
	names := RMKCKernelNames()
	if len(kernels) != len(parts) || len(names) != len(parts) {
		t.Fatalf("%d kernels, %d names, want %d", len(kernels), len(names), len(parts))
	}
	for i, part := range parts {
		raw, err := part(x)
		if err != nil {
			t.Fatal(err)
		}
		want, err := RMKCNormalized(raw)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(kernels[i], want) {
			t.Errorf("%s is not what its parts make", names[i])
		}
		if low, high := mat.Min(want), mat.Max(want); low != 0 || high != 1 {
			t.Errorf("%s has entries from %g to %g", names[i], low, high)
		}
		if !mat.Equal(want, want.T()) {
			t.Errorf("%s is not symmetric", names[i])
		}
		degree := make([]float64, 12)
		for j := range degree {
			degree[j] = mat.Sum(raw.RowView(j))
		}
		raw.Apply(func(j, l int, v float64) float64 { return v / math.Sqrt(degree[j]*degree[l]) }, raw)
		low, high := mat.Min(raw), mat.Max(raw)
		raw.Apply(func(_, _ int, v float64) float64 { return (v - low) / (high - low) }, raw)
		if !mat.EqualApprox(want, raw, 1e-9) { // for t0 = 100 the entries differ by 1e-5 before they are scaled
			t.Errorf("%s is\n%.9f\nwant\n%.9f", names[i], mat.Formatted(want), mat.Formatted(raw))
		}
	}
	if slices.Compare(names, slices.Compact(slices.Clone(names))) != 0 || names[0] != "rbf 0.01" || names[7] != "linear" {
		t.Errorf("names %q", names)
	}
}

// TestRMKCNormalizedIsSymmetric: what differs on both sides of the diagonal becomes its mean, after scaling.
func TestRMKCNormalizedIsSymmetric(t *testing.T) {
	k := mat.NewDense(2, 2, []float64{4, 1, 3, 2}) // row sums 5 and 5: weighted .8 .2 .6 .4, scaled 1 0 2/3 1/3
	before := mat.DenseCopyOf(k)
	got, err := RMKCNormalized(k)
	if want := mat.NewDense(2, 2, []float64{1, 1. / 3, 1. / 3, 1. / 3}); err != nil || !mat.Equal(got, got.T()) || !mat.EqualApprox(got, want, tol) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if !mat.Equal(k, before) {
		t.Error("the input was changed")
	}
}

func TestKernelsOfBadInput(t *testing.T) {
	x := positive(3, 2, 1)
	set := func(row ...float64) *mat.Dense {
		c := mat.DenseCopyOf(x)
		c.SetRow(1, row)
		return c
	}
	family := func(x mat.Matrix) (*mat.Dense, error) {
		kernels, err := RMKCKernels(x)
		if err == nil || kernels != nil {
			return mat.NewDense(1, 1, nil), err
		}
		return nil, err
	}
	for _, c := range []struct {
		name string
		of   func(mat.Matrix) (*mat.Dense, error)
		x    mat.Matrix
		want string
	}{
		{name: "nil", of: Linear{}.Of, x: nil, want: "affinity: Linear: X is nil"},
		{name: "NaN", of: Linear{}.Of, x: set(1, math.NaN()), want: "affinity: Linear: X[1,1] = NaN"},
		{name: "overflow", of: Linear{}.Of, x: set(1e200, 1e200), want: "affinity: Linear: the kernel of rows 1 and 1 overflows"},
		{name: "empty", of: Polynomial{2}.Of, x: &mat.Dense{}, want: "affinity: Polynomial: X is empty"},
		{name: "no degree", of: Polynomial{}.Of, x: x, want: "affinity: Polynomial: Degree = 0, want at least 1"},
		{name: "power overflows", of: Polynomial{4}.Of, x: set(1e100, 0),
			want: "affinity: Polynomial: the kernel of rows 0 and 1 overflows"},
		{name: "nil for cosine", of: Cosine{}.Of, x: (*mat.Dense)(nil), want: "affinity: Cosine: X is nil"},
		{name: "zero row", of: Cosine{}.Of, x: set(0, 0), want: "affinity: Cosine: row 1 of X is zero"},
		{name: "family of nil", of: family, x: nil, want: "affinity: RMKCKernels: X is nil"},
		{name: "family of Inf", of: family, x: set(1, math.Inf(1)), want: "affinity: RMKCKernels: X[1,1] = +Inf"},
		{name: "one object", of: family, x: mat.NewDense(1, 2, []float64{1, 2}), want: "affinity: RMKCKernels: all rows of X are equal"},
		{name: "equal objects", of: family, x: mat.NewDense(3, 1, []float64{2, 2, 2}),
			want: "affinity: RMKCKernels: all rows of X are equal"},
		{name: "distances overflow", of: family, x: set(1e200, 0), want: "affinity: RMKCKernels: a squared distance overflows"},
		{name: "negative row sum", of: family, x: set(-1, -1), want: "affinity: RMKCKernels: linear: row 1 has the sum -"},
		{name: "row of zeros", of: family, x: set(0, 0), want: "affinity: RMKCKernels: polynomial 2: row 1 has the sum 0"},
		{name: "not square", of: RMKCNormalized, x: mat.NewDense(2, 3, nil), want: "affinity: RMKCNormalized: the kernel is 2×3"},
		{name: "nil kernel", of: RMKCNormalized, x: nil, want: "affinity: RMKCNormalized: the kernel is nil"},
		{name: "NaN kernel", of: RMKCNormalized, x: mat.NewDense(1, 1, []float64{math.NaN()}),
			want: "affinity: RMKCNormalized: the kernel[0,0] = NaN"},
		{name: "constant kernel", of: RMKCNormalized, x: mat.NewDense(2, 2, []float64{8, 8, 8, 8}),
			want: "affinity: RMKCNormalized: the kernel: the entries are from 0."},
		{name: "sum overflows", of: RMKCNormalized, x: mat.NewDense(2, 2, []float64{1e308, 1e308, 1e308, 1e308}),
			want: "affinity: RMKCNormalized: the kernel: the sum of row 0 overflows"},
	} {
		if k, err := c.of(c.x); k != nil || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, error %v, want %q", c.name, k, err, c.want)
		}
	}
}

func TestKernelsMemoryLimit(t *testing.T) {
	t.Setenv("ORTHANT_MEMORY", "1M")
	for name, of := range map[string]func(mat.Matrix) (*mat.Dense, error){
		"Linear": Linear{}.Of, "Cosine": Cosine{}.Of, "Polynomial": Polynomial{2}.Of,
	} {
		_, err := of(positive(200, 1, 1))
		if want := fmt.Sprintf("affinity: %s: n=200 needs 320000 bytes", name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	if _, err := RMKCKernels(positive(70, 1, 1)); err == nil || !strings.Contains(err.Error(), "n=70 needs 392000 bytes") {
		t.Errorf("got error %v", err)
	}
	if _, err := RMKCNormalized(mat.NewDense(200, 200, nil)); err == nil || !strings.Contains(err.Error(), "320000 bytes") {
		t.Errorf("got error %v", err)
	}
}
