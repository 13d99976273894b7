package clustering

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// partitionerStarts is how often a partitioner starts k-means: most of what more would find is found by then.
const partitionerStarts = 10

// A partitioner divides the rows of a matrix by k-means: the last step of methods that find a representation, and the first of
// those that start from one. It is used by one goroutine.
type partitioner struct{ *kmeansState }

func newPartitioner(x *mat.Dense, k int) *partitioner {
	return &partitioner{newKMeansState(KMeans{K: k}, x)}
}

// bestTo writes the labels of the best of several runs of k-means, with starts from rng.
func (p *partitioner) bestTo(labels []int, rng *rand.Rand) {
	best := 0.0
	for r := range partitionerStarts {
		p.start(r, rng)
		for range kmeansMaxIter {
			if p.step(); p.change == 0 {
				break
			}
		}
		if r == 0 || p.objective < best {
			best = p.objective
			p.labelsTo(labels)
		}
	}
}
