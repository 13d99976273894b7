package clustering_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/clustering/affinity"
	"orthant/clustering/dataset"
	"orthant/clustering/score"
)

func ExampleKernelKMeans() {
	iris := dataset.Iris()
	k, err := affinity.Linear{}.Of(iris.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := clustering.KernelKMeans{K: 3}.Fit(context.Background(), k, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("objective %.4f: that of KMeans\n", res.Objective)
	// Output: objective 78.8514: that of KMeans
}

func ExampleRMKC() {
	wine := dataset.Wine()
	kernels, err := affinity.RMKCKernels(wine.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := clustering.RMKC{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1, Spectral: true}
	res, err := m.Fit(context.Background(), kernels, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(wine.Labels, res.Labels)
	fmt.Printf("rank %d, accuracy %.2f %v\n", res.Rank, acc, err)
	fmt.Println(res.Warnings)
	// Output:
	// rank 2, accuracy 0.72 <nil>
	// [the learned kernel has rank 2, so that the embedding has 2 columns for 3 clusters; a smaller Gamma2 gives more]
}

func ExampleRMKC_Fit() {
	// Three kernels of four objects agree, but for what the second says of the last object.
	a := mat.NewDense(4, 4, []float64{1, 0.9, 0, 0, 0.9, 1, 0, 0, 0, 0, 1, 0.9, 0, 0, 0.9, 1})
	b := mat.NewDense(4, 4, []float64{1, 0.9, 0, 0.8, 0.9, 1, 0, 0.8, 0, 0, 1, 0, 0.8, 0.8, 0, 1})
	c := mat.DenseCopyOf(a)
	res, err := clustering.NewRMKC(2).Fit(context.Background(), []*mat.Dense{a, b, c}, clustering.Options{Seed: 1, Restarts: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("objects 0 and 1: %v, 2 and 3: %v\n", res.Labels[0] == res.Labels[1], res.Labels[2] == res.Labels[3])
	fmt.Printf("noise\n%.2f\n", mat.Formatted(res.Noise))
	// Output:
	// objects 0 and 1: true, 2 and 3: true
	// noise
	// ⎡0.02  0.03  0.02⎤
	// ⎢0.02  0.03  0.02⎥
	// ⎢0.00  0.00  0.00⎥
	// ⎣0.05  1.43  0.05⎦
}

func ExampleRMKCLearning() {
	kernels := []*mat.Dense{mat.NewDense(2, 2, []float64{2, 1, 1, 2}), mat.NewDense(2, 2, []float64{2, 0, 0, 2})}
	opts := clustering.Options{MaxIter: 1, ObserveEvery: -1, Observe: func(p clustering.Point) {
		if p.Run == clustering.RMKCLearning {
			fmt.Printf("learning, iteration %d: weights %.2f\n", p.Iteration, p.Weights)
		} else {
			fmt.Printf("clustering, iteration %d\n", p.Iteration)
		}
	}}
	_, err := clustering.NewRMKC(1).Fit(context.Background(), kernels, opts)
	fmt.Println(err)
	// Output:
	// learning, iteration 0: weights [0.25 0.25]
	// learning, iteration 1: weights [0.25 0.25]
	// clustering, iteration 0
	// clustering, iteration 1
	// <nil>
}

func ExampleNewRMKC() {
	fmt.Println(clustering.NewRMKC(3))
	// Output: RMKC{K: 3, Rho: 0.5, Gamma1: 0.1, Gamma2: 0.1}
}

func ExampleRMKCResult_Kernel() {
	kernels := []*mat.Dense{mat.NewDense(2, 2, []float64{2, 1, 1, 2})}
	res, err := clustering.NewRMKC(1).Fit(context.Background(), kernels, clustering.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := res.Kernel()
	fmt.Printf("rank %d %v\n%.2f\n", res.Rank, err, mat.Formatted(k))
	// Output:
	// rank 2 <nil>
	// ⎡2.00  1.00⎤
	// ⎣1.00  2.00⎦
}
