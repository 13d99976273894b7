package clustering

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// vectorTol is the rounding of singular vectors whose values are 1e-3 apart at least: 1e-15 over the gap of the squares, with room.
const vectorTol = 1e-10

// dense is B, from the indicator matrix.
func (b *biadjacency) dense() *mat.Dense {
	l := b.p.dense()
	l.Apply(func(i, j int, x float64) float64 { return b.left[i] * x * b.right[j] }, l)
	return l
}

// TestSingularPairs compares both ways to the Gram matrix with gonum's singular values of B as a whole, and checks the vectors by
// what they are: BV = UΣ, BᵀU = VΣ, and of length 1 and at right angles, where values are not 0.
func TestSingularPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	more, less := 0, 0
	for range 60 {
		p := randomPartitions(1+rng.IntN(20), 1+rng.IntN(8), 1+rng.IntN(4), 0.2, rng)
		if p.n < p.columns() {
			more++
		} else {
			less++
		}
		for _, b := range []*biadjacency{ncutBiadjacency(p), coassociationRoot(p)} {
			dense := b.dense()
			var svd mat.SVD
			if !svd.Factorize(dense, mat.SVDNone) {
				t.Fatal("no singular values")
			}
			want := svd.Values(nil)
			first, k := rng.IntN(2), 1+rng.IntN(5)
			values, ut, vt, err := b.singularPairs(first, k)
			if err != nil || len(values) != len(want) {
				t.Fatalf("%v: %d values, want %d; %v", p, len(values), len(want), err)
			}
			for c := range want {
				// Squares are what has absolute precision; and no value is NaN.
				if d := math.Abs(values[c]*values[c] - want[c]*want[c]); !(d <= 1e-13) {
					t.Errorf("%v: singular value %d is %v, want %v", p, c, values[c], want[c])
				}
			}
			if math.Abs(values[0]-1) > 1e-13 {
				t.Errorf("%v: the first singular value is %v", p, values[0])
			}
			u, v := mat.NewDense(k, p.n, ut).T(), mat.NewDense(k, p.columns(), vt).T()
			var bv, btu, uu, vv mat.Dense
			bv.Mul(dense, v)
			btu.Mul(dense.T(), u)
			uu.Mul(u.T(), u)
			vv.Mul(v.T(), v)
			for c := range k {
				value := 0.0
				if first+c < len(want) && want[first+c] > rankTol {
					value = want[first+c]
				}
				for i := range p.n {
					if d := bv.At(i, c) - value*u.At(i, c); math.Abs(d) > vectorTol {
						t.Errorf("%v: BV − UΣ is %g in column %d", p, d, c)
					}
				}
				for j := range p.columns() {
					if d := btu.At(j, c) - value*v.At(j, c); math.Abs(d) > vectorTol {
						t.Errorf("%v: BᵀU − VΣ is %g in column %d", p, d, c)
					}
				}
				for a := range k {
					one := 0.0
					if a == c && value > 0 {
						one = 1
					}
					if math.Abs(uu.At(a, c)-one) > vectorTol || math.Abs(vv.At(a, c)-one) > vectorTol {
						t.Errorf("%v: columns %d and %d have the products %v and %v, want %v", p, a, c, uu.At(a, c), vv.At(a, c), one)
					}
				}
				if column := ut[c*p.n : (c+1)*p.n]; value > 0 && slices.Max(column) < -slices.Min(column) {
					t.Errorf("%v: column %d has its largest entry below 0", p, c)
				}
			}
		}
	}
	if more == 0 || less == 0 {
		t.Errorf("%d inputs with fewer objects than clusters, %d others: both ways must be tested", more, less)
	}
}

// TestEqualObjectsHaveEqualRows, bit by bit, whatever the solver makes of them.
func TestEqualObjectsHaveEqualRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{10, 60} { // fewer and more than clusters
		labels := make([][]int, 8)
		for l := range labels {
			labels[l] = make([]int, n)
			for i := range n {
				labels[l][i] = rng.IntN(3)
				if i >= n/2 {
					labels[l][i] = labels[l][i-n/2]
				}
			}
		}
		labels = append(labels, labels[0])
		p := partitions(t, labels...)
		_, ut, vt, err := ncutBiadjacency(p).singularPairs(0, 4)
		if err != nil {
			t.Fatal(err)
		}
		for c := range 4 {
			u, v := ut[c*n:(c+1)*n], vt[c*p.columns():(c+1)*p.columns()]
			if !slices.Equal(u[:n/2], u[n/2:2*(n/2)]) || !slices.Equal(v[:p.first[1]], v[p.first[8]:]) {
				t.Errorf("n = %d: column %d differs between equal objects or equal clusters", n, c)
			}
		}
	}
}

// TestMoreComponentsThanVectors: in as many dimensions as there are vectors all objects of a component are at one place, also those of
// the components that the vectors say nothing of.
func TestMoreComponentsThanVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	for range 30 {
		const n, parts, k = 40, 4, 2
		labels := make([][]int, 5)
		for l := range labels {
			labels[l] = make([]int, n)
			for i := range n {
				labels[l][i] = 3*(i%parts) + rng.IntN(3)
			}
		}
		p := partitions(t, labels...)
		placed, err := p.checkPlaced(k)
		if err != nil {
			t.Fatal(err)
		}
		component, components := p.components(placed)
		if components <= k {
			t.Fatalf("%d components", components)
		}
		_, ut, _, err := ncutBiadjacency(p).singularPairs(0, k)
		if err != nil {
			t.Fatal(err)
		}
		place := make([][]float64, components)
		embedding := unitDense(ut, k)
		for i := range n {
			c, row := component[i], embedding.RawRowView(i)
			if place[c] == nil {
				place[c] = row
			}
			if !floats.EqualApprox(row, place[c], 1e-8) { // rounding over the least length that is not 0 by far
				t.Errorf("%v: object %d of component %d is at %v, another one at %v", p.Labels(), i, c, row, place[c])
			}
		}
	}
}

func TestComponentsOfPartitions(t *testing.T) {
	const no = Unassigned
	p := partitions(t, []int{0, 1, 2, 0, 3, no, no}, []int{no, 0, 1, 2, 0, no, no}, []int{no, no, 0, no, no, no, 0})
	placed, err := p.checkPlaced(1)
	if want := []int{0, 1, 2, 3, 4, 6}; err != nil || !slices.Equal(placed, want) {
		t.Errorf("objects in some partition: %v, %v; want %v", placed, err, want)
	}
	numbers, components := p.components(placed)
	if want := []int{0, 1, 2, 0, 1, no, 2}; components != 3 || !slices.Equal(numbers, want) {
		t.Errorf("got %d components, %v; want 3, %v", components, numbers, want)
	}
}
