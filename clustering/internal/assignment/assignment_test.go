package assignment

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMax(t *testing.T) {
	for _, c := range []struct {
		name    string
		weights [][]int
		columns []int
		total   int
	}{
		{name: "no rows", weights: nil, columns: []int{}, total: 0},
		{name: "no columns", weights: [][]int{{}, {}}, columns: []int{None, None}, total: 0},
		{name: "one", weights: [][]int{{7}}, columns: []int{0}, total: 7},
		{name: "greedy fails", weights: [][]int{{9, 8}, {8, 1}}, columns: []int{1, 0}, total: 16},
		{name: "more columns", weights: [][]int{{1, 5, 2}, {1, 6, 3}}, columns: []int{1, 2}, total: 8},
		{name: "more rows", weights: [][]int{{1, 1}, {5, 6}, {2, 3}}, columns: []int{None, 0, 1}, total: 8},
		{name: "negative", weights: [][]int{{-3, -1}, {-1, -3}}, columns: []int{1, 0}, total: -2},
	} {
		t.Run(c.name, func(t *testing.T) {
			columns, total := Max(c.weights)
			if !slices.Equal(columns, c.columns) || total != c.total {
				t.Errorf("got %v, %d; want %v, %d", columns, total, c.columns, c.total)
			}
		})
	}
}

// TestMaxAgainstAll compares with the best of all matchings on random matrices of every small shape.
func TestMaxAgainstAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for r := 1; r <= 6; r++ {
		for c := 1; c <= 6; c++ {
			for range 50 {
				weights := make([][]int, r)
				for i := range weights {
					weights[i] = make([]int, c)
					for j := range weights[i] {
						weights[i][j] = rng.IntN(20)
					}
				}
				columns, total := Max(weights)
				if want := exhaustive(weights, 0, make([]bool, c)); total != want {
					t.Fatalf("Max(%v) = %v, %d; want %d", weights, columns, total, want)
				}
				seen := map[int]bool{}
				for i, j := range columns {
					if j == None {
						continue
					}
					if seen[j] {
						t.Fatalf("Max(%v) = %v: column %d twice", weights, columns, j)
					}
					seen[j] = true
					total -= weights[i][j]
				}
				if total != 0 || len(seen) != min(r, c) {
					t.Fatalf("Max(%v): the columns %v do not make the sum, or are too few", weights, columns)
				}
			}
		}
	}
}

// exhaustive is the largest sum over all ways to match rows i.. with free columns. Weights are nonnegative, so leaving a row out
// never beats matching it.
func exhaustive(weights [][]int, i int, taken []bool) int {
	if i == len(weights) {
		return 0
	}
	best := exhaustive(weights, i+1, taken)
	for j, w := range weights[i] {
		if !taken[j] {
			taken[j] = true
			best = max(best, w+exhaustive(weights, i+1, taken))
			taken[j] = false
		}
	}
	return best
}
