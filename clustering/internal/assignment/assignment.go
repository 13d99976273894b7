package assignment

import "math"

// None is the column of a row that is left over: there are more rows than columns.
const None = -1

// Max matches the rows of weights, r×c with rows of one length, with different columns so that as many as possible are matched
// and the sum is the largest one can get with that many. It returns the column of each row, None for rows left over, and the
// sum. Among equal matchings the choice depends on weights alone. Sums of weights must not overflow.
func Max(weights [][]int) (columns []int, total int) {
	r := len(weights)
	if r == 0 || len(weights[0]) == 0 {
		return unmatched(r), 0
	}
	if c := len(weights[0]); r > c {
		rows, total := Max(transposed(weights))
		columns = unmatched(r)
		for j, i := range rows {
			columns[i] = j
		}
		return columns, total
	}
	columns = hungarian(weights)
	for i, j := range columns {
		total += weights[i][j]
	}
	return columns, total
}

func unmatched(n int) []int {
	columns := make([]int, n)
	for i := range columns {
		columns[i] = None
	}
	return columns
}

func transposed(m [][]int) [][]int {
	t := make([][]int, len(m[0]))
	for j := range t {
		t[j] = make([]int, len(m))
		for i := range m {
			t[j][i] = m[i][j]
		}
	}
	return t
}

// hungarian is the Hungarian method with shortest augmenting paths (Kuhn, Naval Research Logistics Quarterly 1955; Jonker and
// Volgenant, Computing 1987) on the costs −weights, r <= c. Rows enter one by one; the potentials u and v keep all reduced
// costs cost(i,j) − u[i] − v[j] nonnegative, and those of matched pairs zero.
func hungarian(weights [][]int) []int {
	r, c := len(weights), len(weights[0])
	u, v := make([]int, r), make([]int, c)
	rowOf := unmatched(c)      // row matched with a column
	from := make([]int, c)     // the column before this one on the shortest path, None for the first
	distance := make([]int, c) // length of the shortest path to a column
	settled := make([]bool, c) // columns whose distance is final
	for row := range r {
		for j := range c {
			from[j], distance[j], settled[j] = None, math.MaxInt, false
		}
		// Dijkstra's algorithm from the new row to the nearest column that is free.
		last, i, length := None, row, 0
		for {
			next := None
			for j := range c {
				if settled[j] {
					continue
				}
				if d := length - weights[i][j] - u[i] - v[j]; d < distance[j] {
					distance[j], from[j] = d, last
				}
				if next == None || distance[j] < distance[next] {
					next = j
				}
			}
			last, length = next, distance[next]
			if i = rowOf[last]; i == None {
				break
			}
			settled[last] = true
		}
		u[row] += length
		for j := range c {
			if settled[j] {
				u[rowOf[j]] += length - distance[j]
				v[j] -= length - distance[j]
			}
		}
		// Along the path each column takes the row of the column before it, the first one the new row.
		for j := last; j != None; j = from[j] {
			if from[j] == None {
				rowOf[j] = row
			} else {
				rowOf[j] = rowOf[from[j]]
			}
		}
	}
	columns := unmatched(r)
	for j, i := range rowOf {
		if i != None {
			columns[i] = j
		}
	}
	return columns
}
