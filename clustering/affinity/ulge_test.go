package affinity

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// An Anchored is a matrix for gonum too.
var _ mat.Matrix = (*Anchored)(nil)

// TestULGE compares with the formula, and holds A to its properties: rows sum to 1, eigenvalues in [0,1], the largest 1.
func TestULGE(t *testing.T) {
	for _, c := range []struct {
		name    string
		u       ULGE
		x       *mat.Dense
		anchors int
	}{
		{"default", ULGE{}, points(50, 4, 1), 16},
		{"three levels", ULGE{Levels: 3, Neighbors: 2, Seed: 5}, blobs(61, 3, 4, 2), 8},
		{"an anchor for each object", ULGE{Levels: 5}, points(32, 3, 3), 32},
		{"ties", ULGE{Levels: 4, Neighbors: 20}, lattice(40, 2, 4), 16},
		{"given", ULGE{Anchors: points(7, 4, 5), Neighbors: 3}, points(50, 4, 1), 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := c.u.Of(c.x)
			if err != nil {
				t.Fatal(err)
			}
			n, _ := c.x.Dims()
			if r, m := a.Z().Dims(); r != n || m != c.anchors {
				t.Fatalf("Z is %d×%d, want %d×%d", r, m, n, c.anchors)
			}
			z := mat.DenseCopyOf(a.Z())
			column := make([]float64, c.anchors)
			for i := range n {
				if sum := mat.Sum(z.RowView(i)); math.Abs(sum-1) > tol {
					t.Errorf("row %d of Z sums to %.17g", i, sum)
				}
				for j := range column {
					column[j] += z.At(i, j)
				}
			}
			for j, s := range column {
				if s > 0 {
					column[j] = 1 / s
				}
			}
			var want, product mat.Dense
			want.Product(z, mat.NewDiagDense(c.anchors, column), z.T())
			if !mat.EqualApprox(a, &want, tol) {
				t.Error("A is not Z diag(1ᵀZ)⁻¹ Zᵀ")
			}
			product.Mul(a.Factor(), a.Factor().T())
			if !mat.EqualApprox(a, &product, tol) {
				t.Error("A is not B·Bᵀ")
			}
			dense := mat.NewSymDense(n, nil)
			for i := range n {
				sum := 0.0
				for j := range n {
					dense.SetSym(i, j, a.At(i, j))
					sum += a.At(i, j)
				}
				if math.Abs(sum-1) > tol {
					t.Errorf("row %d of A sums to %.17g", i, sum)
				}
			}
			var eigen mat.EigenSym
			if !eigen.Factorize(dense, false) {
				t.Fatal("no decomposition")
			}
			if v := eigen.Values(nil); v[0] < -tol || math.Abs(v[n-1]-1) > tol {
				t.Errorf("eigenvalues from %g to %.17g", v[0], v[n-1])
			}
		})
	}
}

// TestHalvings: parts are as large as halves can be, anchors are their means, and blobs are told apart.
func TestHalvings(t *testing.T) {
	x := blobs(64, 2, 4, 6)
	anchors, err := ULGE{Levels: 2, Seed: 1}.AnchorsOf(x)
	if err != nil {
		t.Fatal(err)
	}
	for b := range 4 {
		blob := mat.NewDense(1, 2, nil)
		var members []int
		for i := b; i < 64; i += 4 {
			members = append(members, i)
		}
		meanRow(blob.RawRowView(0), x, members)
		found := false
		for a := range 4 {
			found = found || mat.EqualApprox(anchors.Slice(a, a+1, 0, 2), blob, tol)
		}
		if !found {
			t.Errorf("the mean %v of blob %d is no anchor of\n%v", blob.RawRowView(0), b, mat.Formatted(anchors))
		}
	}
	for _, n := range []int{8, 13, 64} { // the members' ranks on a line: parts are intervals
		line := mat.NewDense(n, 1, nil)
		for i := range n {
			line.Set(i, 0, math.Sqrt(float64((i*5)%n)))
		}
		cut := newBisection(line)
		part := make([]int, n)
		for i := range part {
			part[i] = i
		}
		anchors, err := halvings(line, 3, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		if r, _ := anchors.Dims(); r != 8 {
			t.Errorf("n = %d: %d anchors, want 8", n, r)
		}
		if err := cut.halve(part, rand.New(rand.NewPCG(2, 0))); err != nil {
			t.Fatal(err)
		}
		low, high := part[:(n+1)/2], part[(n+1)/2:]
		if line.At(low[0], 0) > line.At(high[0], 0) {
			low, high = high, low
		}
		for _, i := range low {
			for _, j := range high {
				if line.At(i, 0) >= line.At(j, 0) {
					t.Errorf("n = %d: objects %d and %d are in the wrong halves", n, i, j)
				}
			}
		}
	}
}

// TestAnchorsOf: the anchors are those of Of, and the caller's own.
func TestAnchorsOf(t *testing.T) {
	x := points(40, 3, 7)
	anchors, err := ULGE{Seed: 3}.AnchorsOf(x)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ULGE{Seed: 3}.Of(x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ULGE{Anchors: anchors}.Of(x)
	if err != nil || !mat.Equal(a.Factor(), b.Factor()) || !mat.Equal(a.Z(), b.Z()) {
		t.Errorf("the same anchors give another affinity, %v", err)
	}
	other, err := ULGE{Seed: 4}.AnchorsOf(x)
	if err != nil || mat.Equal(other, anchors) {
		t.Errorf("another seed gives the same anchors, %v", err)
	}
	given, err := ULGE{Anchors: anchors}.AnchorsOf(x)
	if err != nil || given == anchors || !mat.Equal(given, anchors) {
		t.Errorf("given anchors come back as %v, %v", given, err)
	}
	// Each object as its own anchor: nothing is left out because it is the object itself.
	self, err := ULGE{Anchors: x, Neighbors: 1}.Of(x)
	if err != nil || !mat.Equal(self.Z(), mat.NewDiagDense(40, ones(40))) {
		t.Errorf("the objects as anchors: %v", err)
	}
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

func TestAnchored(t *testing.T) {
	b := holed(9, 5, 3)
	for i, v := range b.RawMatrix().Data {
		b.RawMatrix().Data[i] = math.Abs(v)
	}
	a, err := NewAnchored(b)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(b, b.T())
	if !mat.EqualApprox(a, &want, tol) || !mat.Equal(a, a.T()) || !mat.Equal(a.Factor(), b) {
		t.Errorf("got\n%v", mat.Formatted(a))
	}
	if a.Z() != nil {
		t.Error("there is a Z")
	}
	if s, err := NewAnchored(a.Factor()); err != nil || s.Factor() != a.Factor() {
		t.Errorf("a sparse factor is copied, %v", err)
	}
	for _, c := range []struct {
		i, j int
		want error
	}{{-1, 0, mat.ErrRowAccess}, {9, 0, mat.ErrRowAccess}, {0, -1, mat.ErrColAccess}, {0, 9, mat.ErrColAccess}} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("At(%d,%d) panics with %v, want %v", c.i, c.j, got, c.want)
				}
			}()
			a.At(c.i, c.j)
		}()
	}
}

func TestBadAnchored(t *testing.T) {
	for _, c := range []struct {
		name string
		b    mat.Matrix
		want string
	}{
		{"nil", nil, "B is nil"},
		{"nil dense", (*mat.Dense)(nil), "B is nil"},
		{"nil sparse", (*Sparse)(nil), "B is nil"},
		{"empty", &mat.Dense{}, "B is empty"},
		{"NaN", mat.NewDense(2, 2, []float64{1, 2, math.NaN(), 0}), "B[1,0] = NaN is not a finite number"},
		{"negative", mat.NewDense(2, 2, []float64{1, 0, 0, -2}), "B[1,1] = -2 is negative"},
	} {
		a, err := NewAnchored(c.b)
		if a != nil || err == nil || err.Error() != "affinity: NewAnchored: "+c.want {
			t.Errorf("%s: got %v, %v, want %q", c.name, a, err, c.want)
		}
	}
}
