package clustering

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSpectralFindsComponents clusters graphs of as many components as clusters, in any order, with objects without neighbours.
func TestSpectralFindsComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range []Spectral{{K: 3}, {K: 3, ShiMalik: true}} {
		for range 20 {
			const n = 24
			part := rng.Perm(n) // modulo 4; 3 has no neighbours
			w := mat.NewDense(n, n, nil)
			for i := range n {
				for j := range i {
					if part[i]%4 == part[j]%4 && part[i]%4 < 3 {
						x := 0.1 + rng.Float64()
						w.Set(i, j, x)
						w.Set(j, i, x)
					}
				}
			}
			res, err := m.Fit(context.Background(), w, Options{Seed: rng.Uint64(), Restarts: 5})
			if err != nil {
				t.Fatal(err)
			}
			labels := map[int]int{}
			for i, l := range res.Labels {
				if p := part[i] % 4; p == 3 {
					if l != Unassigned || mat.Norm(res.Embedding.RowView(i), 1) != 0 {
						t.Fatalf("%v: object %d without neighbours has label %d", m, i, l)
					}
				} else if known, ok := labels[p]; ok && known != l || l < 0 {
					t.Fatalf("%v: component %d has labels %d and %d", m, p, known, l)
				} else {
					labels[p] = l
				}
			}
			if clusters(res.Labels) != 3 || res.Unassigned != 6 {
				t.Fatalf("%v: %v", m, res)
			}
			if k, err := Eigengap(res.Eigenvalues); err != nil || k != 3 {
				t.Fatalf("%v: gap behind %d, %v, of %.3f", m, k, err, res.Eigenvalues)
			}
		}
	}
}

// TestSpectralEmbedding checks that the columns are eigenvectors, with the signs and lengths that are documented.
func TestSpectralEmbedding(t *testing.T) {
	const n, k = 30, 4
	w := blobs(n, 1, 3)
	m := Spectral{K: k, ShiMalik: true}
	res, err := m.Fit(context.Background(), w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(res.Eigenvalues[0]-1) > 1e-13 || len(res.Eigenvalues) != k+spectralMore || !slices.IsSortedFunc(res.Eigenvalues, func(a, b float64) int {
		return map[bool]int{true: -1, false: 1}[a >= b]
	}) {
		t.Errorf("eigenvalues %v", res.Eigenvalues)
	}
	for c := range k {
		h := res.Embedding.ColView(c)
		var wh mat.VecDense
		wh.MulVec(w, h)
		largest := 0.0
		for i := range n {
			degree := mat.Sum(w.RowView(i))
			if d := math.Abs(wh.AtVec(i) - res.Eigenvalues[c]*degree*h.AtVec(i)); d > 1e-12 { // W h = λ D h, sums of 30 products
				t.Errorf("column %d is off by %g at object %d", c, d, i)
			}
			if x := h.AtVec(i) * math.Sqrt(degree); math.Abs(x) > math.Abs(largest) {
				largest = x
			}
		}
		if largest < 0 {
			t.Errorf("column %d has the largest entry %g", c, largest)
		}
	}
	unit, err := Spectral{K: k}.Fit(context.Background(), w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		length := mat.Norm(unit.Embedding.RowView(i), 2)
		if math.Abs(length-1) > 1e-14 {
			t.Errorf("row %d has length %v", i, length)
		}
		scale := mat.Norm(res.Embedding.RowView(i), 2)
		for c := range k {
			if math.Abs(unit.Embedding.At(i, c)-res.Embedding.At(i, c)/scale) > 1e-12 {
				t.Errorf("the embeddings differ in direction at object %d", i)
			}
		}
	}
}

func TestSpectralOfBadInput(t *testing.T) {
	w := mat.NewDense(3, 3, []float64{0, 1, 0, 1, 0, 0, 0, 0, 0})
	for _, c := range []struct {
		name string
		m    Spectral
		w    mat.Matrix
		want string
	}{
		{"nil", Spectral{K: 1}, nil, "W is nil"},
		{"asymmetric", Spectral{K: 1}, mat.NewDense(2, 2, []float64{0, 1, 2, 0}), "W[0,1] = 1 but W[1,0] = 2"},
		{"negative", Spectral{K: 1}, mat.NewDense(2, 2, []float64{0, -1, -1, 0}), "W[0,1] = -1 is negative"},
		{"no clusters", Spectral{}, w, "K = 0, want at least 1"},
		{"too many clusters", Spectral{K: 4}, w, "K = 4 exceeds the 3 objects"},
		{"too few neighbours", Spectral{K: 3}, w, "K = 3 exceeds the 2 objects that have neighbours, of 3"},
	} {
		if _, err := c.m.Fit(context.Background(), c.w, Options{}); err == nil || !strings.HasPrefix(err.Error(), "clustering: Spectral: "+c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Eigengap([]float64{1}); err == nil || !strings.Contains(err.Error(), "1 eigenvalues") {
		t.Errorf("one eigenvalue: got error %v", err)
	}
	if k, err := Eigengap([]float64{1, 0.5, 0}); k != 1 || err != nil {
		t.Errorf("equal gaps: %d, %v", k, err)
	}
}
