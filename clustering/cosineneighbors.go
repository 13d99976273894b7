package clustering

import (
	"slices"

	"orthant/clustering/affinity"
	"orthant/clustering/internal/thin"
)

// cosineNeighbors returns the n×n graph in which two objects are joined, with weight 1, if one of them is among the k nearest of the
// other by cosine; of equal cosines the lower index is nearer. unit, n×m, has the objects' directions, rows of length 1. It takes
// n²m operations and no memory to speak of.
func cosineNeighbors(unit []float64, n, k int) *affinity.Sparse {
	m := len(unit) / n
	row := func(i int) []float64 { return unit[i*m : (i+1)*m] }
	var edges [][2]int
	nearest, cosines := make([]int, 0, k+1), make([]float64, 0, k+1)
	for i := range n {
		nearest, cosines = nearest[:0], cosines[:0]
		for j := range n {
			if j == i {
				continue
			}
			cosine := thin.Dot(row(i), row(j))
			at := len(cosines)
			for at > 0 && cosines[at-1] < cosine {
				at--
			}
			if at == k {
				continue
			}
			nearest, cosines = slices.Insert(nearest, at, j), slices.Insert(cosines, at, cosine)
			nearest, cosines = nearest[:min(k, len(nearest))], cosines[:min(k, len(cosines))]
		}
		for _, j := range nearest {
			edges = append(edges, [2]int{i, j}, [2]int{j, i})
		}
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	edges = slices.Compact(edges)
	rows, cols, ones := make([]int, len(edges)), make([]int, len(edges)), make([]float64, len(edges))
	for t, e := range edges {
		rows[t], cols[t], ones[t] = e[0], e[1], 1
	}
	g, err := affinity.NewSparse(n, n, rows, cols, ones)
	if err != nil {
		panic(err) // the edges are ours
	}
	return g
}
