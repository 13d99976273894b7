package clustering_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/clustering/dataset"
)

// three partitions of six objects; the second does not say where object 5 is.
func three() *clustering.Partitions {
	p, err := clustering.NewPartitions([]int{0, 0, 0, 1, 1, 1}, []int{4, 4, 4, 4, 9, -1}, []int{2, 2, 1, 0, 0, 0})
	if err != nil {
		panic(err) // the labels are good
	}
	return p
}

func ExampleNewPartitions() {
	p, err := clustering.NewPartitions([]int{3, 3, 7}, []int{0, 1, -1})
	fmt.Println(p, err)
	fmt.Println(p.Labels())

	_, err = clustering.NewPartitions([]int{0, 0, 1}, []int{0, 1})
	fmt.Println(err)
	// Output:
	// 2 partitions of 3 objects, with 4 clusters, 1 label missing <nil>
	// [[0 0 1] [0 1 -1]]
	// clustering: NewPartitions: partition 1 has 2 labels, partition 0 has 3
}

func ExamplePartitions() {
	p := three()
	fmt.Println(p.Len(), p.Objects(), p.Clusters())
	// Output: 3 6 7
}

func ExamplePartitions_CoAssociation() {
	w, err := three().CoAssociation()
	fmt.Printf("%.2f %v\n", mat.Formatted(w), err)
	// Output:
	// ⎡1.00  1.00  0.67  0.33  0.00  0.00⎤
	// ⎢1.00  1.00  0.67  0.33  0.00  0.00⎥
	// ⎢0.67  0.67  1.00  0.33  0.00  0.00⎥
	// ⎢0.33  0.33  0.33  1.00  0.67  0.67⎥
	// ⎢0.00  0.00  0.00  0.67  1.00  0.67⎥
	// ⎣0.00  0.00  0.00  0.67  0.67  0.67⎦ <nil>
}

// The restarts of k-means on iris, as an ensemble.
func ExamplePartitionsOfRuns() {
	res, err := clustering.KMeans{K: 5}.Fit(context.Background(), dataset.Iris().X, clustering.Options{Seed: 1, Restarts: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(clustering.PartitionsOfRuns(res))
	// Output: 20 partitions of 150 objects, with 100 clusters <nil>
}

// Each partition keeps one class: the third, the first and the fourth.
func ExamplePerturb() {
	truth := []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3}
	p, err := clustering.Perturb{Rate: 0.9, Selection: 1, Count: 3}.Of(truth, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, labels := range p.Labels() {
		fmt.Println(labels)
	}
	// Output:
	// [1 2 2 1 1 2 2 3 2 2 2 2 1 0 2]
	// [0 0 0 0 0 3 3 0 3 2 1 0 0 1 3]
	// [2 2 2 0 3 2 2 2 3 1 0 3 3 3 3]
}

func ExampleNewPerturb() {
	fmt.Println(clustering.NewPerturb())
	// Output: Perturb{Rate: 0.9, Selection: 0.5, Count: 30}
}
