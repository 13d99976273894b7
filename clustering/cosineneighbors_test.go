package clustering

import (
	"math/rand/v2"
	"sort"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestCosineNeighbors compares with sorting all objects. Half of the draws have small whole numbers, for many ties: of them only
// those of equal vectors are ties in floating point, too, so that the rows are made of four directions.
func TestCosineNeighbors(t *testing.T) {
	directions := [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.8, 0}}
	rng := rand.New(rand.NewPCG(1, 31))
	for draw := range 200 {
		n, k := 1+rng.IntN(15), 1+rng.IntN(6)
		k = min(k, n-1)
		x := mat.NewDense(n, 3, nil)
		for i := range n {
			row := x.RawRowView(i)
			if draw%2 == 0 {
				copy(row, directions[rng.IntN(4)])
				continue
			}
			uniformTo(row, rng)
			unit(row)
		}
		want := mat.NewDense(n, n, nil)
		for i := range n {
			var order []int
			for j := range n {
				if j != i {
					order = append(order, j)
				}
			}
			cosine := func(j int) float64 { return floats.Dot(x.RawRowView(i), x.RawRowView(j)) }
			sort.SliceStable(order, func(a, b int) bool { return cosine(order[a]) > cosine(order[b]) })
			for _, j := range order[:k] {
				want.Set(i, j, 1)
				want.Set(j, i, 1)
			}
		}
		got := cosineNeighbors(x.RawMatrix().Data, n, k)
		if !mat.Equal(got, want) {
			t.Fatalf("draw %d, %d nearest: got\n%v\nwant\n%v", draw, k, mat.Formatted(got), mat.Formatted(want))
		}
	}
}
