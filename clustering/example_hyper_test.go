package clustering_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/clustering/dataset"
	"orthant/clustering/score"
)

// twins are three partitions that agree about {0,1,2} and {3,4,5} but for object 2 in the second; 6 is in none.
func twins() *clustering.Partitions {
	p, err := clustering.NewPartitions([]int{0, 0, 0, 1, 1, 1, -1}, []int{1, 1, 0, 0, 0, 0, -1}, []int{0, 0, 0, 1, 1, 1, -1})
	if err != nil {
		panic(err) // the labels are good
	}
	return p
}

// noisy are thirty partitions of objects in three classes, in each of which a third of the objects are in a wrong one.
func noisy() (truth []int, p *clustering.Partitions) {
	for i := range 90 {
		truth = append(truth, i%3)
	}
	p, err := clustering.Perturb{Rate: 0.35, Count: 30}.Of(truth, 1)
	if err != nil {
		panic(err) // the classes are good
	}
	return truth, p
}

func ExampleHBGF() {
	truth, p := noisy()
	res, err := clustering.HBGF{K: 3}.Fit(context.Background(), p, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(truth, res.Labels)
	fmt.Printf("accuracy %.2f %v, singular values %.2f\n", acc, err, res.SingularValues[:5])
	// Output:
	// accuracy 0.99 <nil>, singular values [1.00 0.52 0.49 0.28 0.27]
}

func ExampleHBGF_Fit() {
	res, err := clustering.HBGF{K: 2}.Fit(context.Background(), twins(), clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Labels)
	fmt.Println(res.ClusterLabels) // the clusters of each partition have labels too
	fmt.Printf("%.2f\n", mat.Formatted(res.Embedding))
	// Output:
	// [1 1 1 0 0 0 -1]
	// [[1 0] [0 1] [1 0]]
	// ⎡ 0.64   0.77⎤
	// ⎢ 0.64   0.77⎥
	// ⎢ 0.89   0.46⎥
	// ⎢ 0.72  -0.70⎥
	// ⎢ 0.72  -0.70⎥
	// ⎢ 0.72  -0.70⎥
	// ⎣ 0.00   0.00⎦
}

// The restarts of k-means with eight clusters, joined into three: clusters that need not be round.
func ExampleCSPA() {
	ctx, iris := context.Background(), dataset.Iris()
	base, err := clustering.KMeans{K: 8}.Fit(ctx, iris.X, clustering.Options{Seed: 1, Restarts: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := clustering.PartitionsOfRuns(base)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := clustering.CSPA{K: 3}.Fit(ctx, p, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(iris.Labels, res.Labels)
	fmt.Printf("%v\naccuracy %.2f %v, eigenvalues %.2f\n", p, acc, err, res.Eigenvalues[:4])
	// Output:
	// 20 partitions of 150 objects, with 160 clusters
	// accuracy 0.90 <nil>, eigenvalues [1.00 1.00 0.96 0.87]
}

func ExampleCSPA_Fit() {
	ctx := context.Background()
	res, err := clustering.CSPA{K: 2}.Fit(ctx, twins(), clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Labels, res.Unassigned)

	_, err = clustering.CSPA{K: 7}.Fit(ctx, twins(), clustering.Options{})
	fmt.Println(err)
	// Output:
	// [1 1 1 0 0 0 -1] 1
	// clustering: CSPA: K = 7 exceeds the 6 objects in some partition, of 7
}

func ExampleMCLA() {
	truth, p := noisy()
	res, err := clustering.MCLA{K: 3}.Fit(context.Background(), p, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(truth, res.Labels)
	fmt.Printf("accuracy %.2f %v\n", acc, err)
	// Output:
	// accuracy 0.99 <nil>
}

func ExampleMCLA_Fit() {
	res, err := clustering.MCLA{K: 2}.Fit(context.Background(), twins(), clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.MetaClusters) // of the clusters of each partition
	fmt.Printf("%.2f\n", mat.Formatted(res.Association))
	fmt.Println(res.Labels)
	// Output:
	// [[0 1] [1 0] [0 1]]
	// ⎡1.00  0.00⎤
	// ⎢1.00  0.00⎥
	// ⎢0.67  0.33⎥
	// ⎢0.00  1.00⎥
	// ⎢0.00  1.00⎥
	// ⎢0.00  1.00⎥
	// ⎣0.00  0.00⎦
	// [0 0 0 1 1 1 -1]
}

func ExampleHGPA() {
	truth, p := noisy()
	res, err := clustering.HGPA{K: 3}.Fit(context.Background(), p, clustering.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(truth, res.Labels)
	fmt.Printf("%v\naccuracy %.2f %v, sizes %v of at most %d\n", res, acc, err, res.Sizes, res.Limit)
	// Output:
	// HGPA: 90 objects in 3 clusters, objective 176, converged after 4 iterations
	// accuracy 0.83 <nil>, sizes [32 31 27] of at most 32
}

func ExampleHGPA_Fit() {
	ctx := context.Background()
	res, err := clustering.HGPA{K: 2}.Fit(ctx, twins(), clustering.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Labels, "cut", res.Objective)
	fmt.Println(res.Spans) // one cluster of six has objects in both parts
	fmt.Println(res.Order)

	random, err := clustering.HGPA{K: 2, RandomStart: true}.Fit(ctx, twins(), clustering.Options{Seed: 1, Restarts: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(random)
	// Output:
	// [1 1 1 0 0 0 -1] cut 1
	// [[1 1] [2 1] [1 1]]
	// [3 4 5 2 0 1]
	// HGPA: 7 objects in 2 clusters, objective 1, converged after 3 iterations, best of 20 runs, 1 unassigned
}
