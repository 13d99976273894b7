package clustering_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/clustering/dataset"
	"orthant/clustering/score"
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

// classes are 40 objects in four classes.
func classes() []int {
	truth := make([]int, 40)
	for i := range truth {
		truth[i] = i / 10
	}
	return truth
}

// Thirty partitions, most of which are right about one class or none.
func ExampleINA() {
	p, err := clustering.NewPerturb().Of(classes(), 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := clustering.NewINA(4).Fit(context.Background(), p, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(classes(), res.Labels)
	rows, cols := res.Psi.Dims()
	fmt.Printf("accuracy %.2f %v; weights of %d objects for %d partitions\n", acc, err, rows, cols)
	// Output:
	// accuracy 0.95 <nil>; weights of 40 objects for 30 partitions
}

func ExampleNewINA() {
	fmt.Println(clustering.NewINA(4))
	// Output: INA{K: 4, Lambda: 1, Inner: 1}
}

// Object 3 comes to rely less on the second partition, which puts it together with the first three.
func ExampleINA_Fit() {
	m := clustering.INA{K: 2, Lambda: 1, History: true}
	res, err := m.Fit(context.Background(), three(), clustering.Options{Seed: 1, Restarts: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Labels[0] == res.Labels[2], res.Labels[0] == res.Labels[4])
	fmt.Printf("start %.2f, end %.2f\n", res.History[0].RawRowView(3), res.Psi.RawRowView(3))
	fmt.Printf("means %.2f\n", res.Trace.Weights[res.Iterations])
	// Output:
	// true false
	// start [0.33 0.33 0.33], end [0.37 0.26 0.37]
	// means [0.39 0.27 0.34]
}

func ExamplePartitions_Weighted() {
	p, err := clustering.NewPartitions([]int{0, 0, 1}, []int{0, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := p.Weighted(mat.NewDense(3, 2, []float64{0.5, 0.5, 1, 0, 0.25, 0.75}))
	fmt.Printf("%.2f %v\n", mat.Formatted(w), err)
	// Output:
	// ⎡0.50  0.00  0.50  0.00⎤
	// ⎢1.00  0.00  0.00  0.00⎥
	// ⎣0.00  0.25  0.00  0.75⎦ <nil>
}

func ExampleNMFE() {
	res, err := clustering.NMFE{K: 2}.Fit(context.Background(), three(), clustering.Options{Seed: 1, Restarts: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Labels[0] == res.Labels[1], res.Labels[0] == res.Labels[5])
	rows, cols := res.W.Dims()
	fmt.Println(rows, cols) // the clusters of the partitions by those of the result
	// Output:
	// true false
	// 7 2
}

func ExampleNMFC() {
	res, err := clustering.NMFC{K: 2}.Fit(context.Background(), three(), clustering.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Labels[0] == res.Labels[1], res.Labels[0] == res.Labels[5])
	fmt.Println(clustering.NMFC{K: 9}.Fit(context.Background(), three(), clustering.Options{}))
	// Output:
	// true false
	// <nil> clustering: NMFC: K = 9 exceeds the 6 objects
}

// The partitions that agree get the weight, and one that is different from them none.
func ExampleWCC() {
	p, err := clustering.NewPartitions([]int{0, 0, 0, 1, 1, 1}, []int{1, 1, 1, 0, 0, 0}, []int{0, 1, 0, 1, 0, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := clustering.WCC{K: 2}.Fit(context.Background(), p, clustering.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", res.Weights)
	// Output:
	// [0.50 0.50 0.00]
}
