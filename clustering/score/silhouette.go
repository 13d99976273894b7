package score

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/objects"
)

// Silhouette is the mean of [Silhouettes], -1..1. It needs no truth.
func Silhouette(x mat.Matrix, labels []int) (float64, error) {
	s, err := Silhouettes(x, labels)
	if err != nil {
		return 0, err
	}
	return floats.Sum(s) / float64(len(s)), nil
}

// Silhouettes returns for each object, a row of x, how well it fits its cluster: (b-a)/max(a,b), where a is its mean Euclidean
// distance to the others of its cluster and b the least mean distance to those of another cluster; -1..1. An object alone in
// its cluster has 0, as the source has it. So has one that is labelled -1, which is in no cluster and counts for none, and
// one whose a and b are both 0.
//
// x has n rows, labels n entries; there must be two clusters at least. NaN and Inf in x are errors. It takes time in the order of
// n² times the columns of x, and memory in the order of n times the clusters.
//
// Source: Rousseeuw, Journal of Computational and Applied Mathematics 20 (1987), 53-65.
func Silhouettes(x mat.Matrix, labels []int) ([]float64, error) {
	d, err := objects.Of(x)
	if err == nil {
		err = checkLabels(d, labels)
	}
	if err != nil {
		return nil, fmt.Errorf("score: Silhouette: %w", err)
	}
	cluster, sizes := clusters(labels)
	if len(sizes) < 2 {
		return nil, fmt.Errorf("score: Silhouette: %d clusters: there must be two at least, to compare", len(sizes))
	}
	sums := mat.NewDense(len(labels), len(sizes), nil) // of the distances from an object to those of a cluster
	for i := range labels {
		for j := range i {
			distance := math.Sqrt(objects.SquaredDistance(d.RawRowView(i), d.RawRowView(j)))
			if cluster[j] >= 0 {
				sums.Set(i, cluster[j], sums.At(i, cluster[j])+distance)
			}
			if cluster[i] >= 0 {
				sums.Set(j, cluster[i], sums.At(j, cluster[i])+distance)
			}
		}
	}
	out := make([]float64, len(labels))
	for i, own := range cluster {
		if own < 0 || sizes[own] == 1 {
			continue
		}
		a, b := sums.At(i, own)/float64(sizes[own]-1), math.Inf(1)
		for other, size := range sizes {
			if other != own {
				b = min(b, sums.At(i, other)/float64(size))
			}
		}
		if most := max(a, b); most > 0 {
			out[i] = (b - a) / most
		}
	}
	return out, nil
}

// checkLabels is an error unless there is a label, -1 or greater, for each row of x.
func checkLabels(x *mat.Dense, labels []int) error {
	if n, _ := x.Dims(); n != len(labels) {
		return fmt.Errorf("X has %d rows, but there are %d labels", n, len(labels))
	}
	for i, label := range labels {
		if label < unassigned {
			return fmt.Errorf("labels[%d] = %d: labels are -1 or greater", i, label)
		}
	}
	return nil
}

// clusters numbers the clusters from 0 on, -1 being none, and counts their objects.
func clusters(labels []int) (cluster, sizes []int) {
	number := map[int]int{unassigned: unassigned}
	for _, label := range labels {
		c, known := number[label]
		if !known {
			c = len(sizes)
			number[label], sizes = c, append(sizes, 0)
		}
		if c >= 0 {
			sizes[c]++
		}
		cluster = append(cluster, c)
	}
	return cluster, sizes
}
