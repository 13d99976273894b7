package clustering

// Unassigned is the label of an object that belongs to no cluster: its row of the indicator matrix is entirely zero.
const Unassigned = -1

// argmaxTo sets labels[i] to the row of ht, the k×n transposed indicator matrix, that has the largest entry in column i:
// the lowest on ties, Unassigned where the whole column is 0.
func argmaxTo(labels []int, ht []float64) {
	n := len(labels)
	best := ht[:n]
	for i := range labels {
		labels[i] = Unassigned
		if best[i] > 0 {
			labels[i] = 0
		}
	}
	for i := range labels {
		top := best[i]
		for a := n + i; a < len(ht); a += n {
			if ht[a] > top {
				top, labels[i] = ht[a], a/n
			}
		}
	}
}

// clusters counts the distinct labels that are not Unassigned.
func clusters(labels []int) int {
	seen := make(map[int]bool)
	for _, l := range labels {
		if l != Unassigned {
			seen[l] = true
		}
	}
	return len(seen)
}

// unassigned counts the objects that belong to no cluster.
func unassigned(labels []int) int {
	n := 0
	for _, l := range labels {
		if l == Unassigned {
			n++
		}
	}
	return n
}
