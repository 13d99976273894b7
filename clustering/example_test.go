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

// cliques is the affinity of seven objects: {0,1,2} and {3,4,5} are alike among themselves, 6 is like nothing.
func cliques() *mat.Dense {
	w := mat.NewDense(7, 7, nil)
	for i := range 6 {
		for j := range 6 {
			if i/3 == j/3 {
				w.Set(i, j, 1)
			}
		}
	}
	return w
}

// start puts each clique's first object into a column of its own, so that the labels do not depend on chance.
func start() *mat.Dense {
	return mat.NewDense(7, 2, []float64{
		1, 0.1,
		0.5, 0.5,
		0.5, 0.5,
		0.1, 1,
		0.5, 0.5,
		0.5, 0.5,
		0.5, 0.5,
	})
}

func ExampleKMeans() {
	iris := dataset.Iris()
	res, err := clustering.KMeans{K: 3}.Fit(context.Background(), iris.X, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(iris.Labels, res.Labels)
	fmt.Printf("%v\naccuracy %.2f %v\n", res, acc, err)
	// Output:
	// KMeans: 150 objects in 3 clusters, objective 78.8514, converged after 6 iterations, best of 10 runs
	// accuracy 0.89 <nil>
}

func ExampleSpectral() {
	iris := dataset.Iris()
	w, err := affinity.Gaussian{MeanDistance: 0.7}.Of(iris.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := clustering.Spectral{K: 3}.Fit(context.Background(), w, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(iris.Labels, res.Labels)
	fmt.Printf("accuracy %.2f %v, eigenvalues %.2f\n", acc, err, res.Eigenvalues[:4])
	k, err := clustering.Eigengap(res.Eigenvalues)
	fmt.Println(k, err) // two of the three kinds of iris are close to each other
	// Output:
	// accuracy 0.89 <nil>, eigenvalues [1.00 0.93 0.42 0.18]
	// 2 <nil>
}

func ExampleSNMFNcut() {
	iris := dataset.Iris()
	w, err := affinity.Gaussian{MeanDistance: 0.7}.Of(iris.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := clustering.SNMFNcut{K: 3, Alpha: 0.1}.Fit(context.Background(), w, clustering.Options{Seed: 1, Restarts: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(iris.Labels, res.Labels)
	fmt.Printf("%.2f %v\n", acc, err)
	// Output: 0.89 <nil>
}

func ExampleSNMFNcut_Fit() {
	ctx := context.Background()
	m := clustering.SNMFNcut{K: 2, Alpha: 0.1, H0: start()}
	res, err := m.Fit(ctx, cliques(), clustering.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Labels, res.Unassigned)
	fmt.Printf("%.3f\n", mat.Formatted(res.H))

	_, err = clustering.SNMFNcut{K: 9}.Fit(ctx, cliques(), clustering.Options{})
	fmt.Println(err)
	// Output:
	// [0 0 0 1 1 1 -1] 1
	// ⎡0.333  0.000⎤
	// ⎢0.333  0.000⎥
	// ⎢0.333  0.000⎥
	// ⎢0.000  0.333⎥
	// ⎢0.000  0.333⎥
	// ⎢0.000  0.333⎥
	// ⎣0.000  0.000⎦
	// clustering: SNMFNcut: K = 9 exceeds the 7 objects
}

func ExampleNewSNMFNcut() {
	m := clustering.NewSNMFNcut(10)
	m.NonOrthogonal = true
	fmt.Println(m)
	// Output: SNMFNcut{K: 10, Alpha: 1, NonOrthogonal: true}
}

// An ablation: the same method with and without its constraint.
func ExampleVariant() {
	w, opts := cliques(), clustering.Options{MaxIter: 500}
	variants := []clustering.Variant{
		clustering.SNMFNcut{K: 2, H0: start()}.Variant("orthogonal", w, opts),
		clustering.SNMFNcut{K: 2, H0: start(), NonOrthogonal: true}.Variant("not orthogonal", w, opts),
	}
	for _, v := range variants {
		res, err := v.Run(context.Background(), 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %v, residual %.2f\n", v.Name, res.Labels, res.Trace.Orthogonality[res.Iterations])
	}
	// Output:
	// orthogonal: [0 0 0 1 1 1 -1], residual 0.00
	// not orthogonal: [0 0 0 1 1 1 -1], residual 11.31
}

// Observe sees iterations while the fit runs; here every one of them. With the constraint J need not fall in each.
func ExampleOptions() {
	opts := clustering.Options{MaxIter: 2, Tol: -1, ObserveEvery: -1, Observe: func(p clustering.Point) {
		fmt.Printf("run %d, iteration %d, J = %.3f\n", p.Run, p.Iteration, p.Objective)
	}}
	res, err := clustering.SNMFNcut{K: 2, Alpha: 0.1, H0: start()}.Fit(context.Background(), cliques(), opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Status, res.Trace.Len())
	fmt.Println(res.Options)
	// Output:
	// run 0, iteration 0, J = 14.995
	// run 0, iteration 1, J = 15.241
	// run 0, iteration 2, J = 15.395
	// stopped at MaxIter 3
	// MaxIter: 2, Tol: -1, Seed: 0, Restarts: 1
}

// What a cell shows of a result is one sentence.
func ExampleResult() {
	res, err := clustering.SNMFNcut{K: 2, H0: start()}.Fit(context.Background(), cliques(), clustering.Options{MaxIter: 200, Tol: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res)
	fmt.Println(res.Provenance.Method != "", res.Provenance.Options)
	// Output:
	// SNMFNcut: 7 objects in 2 clusters, objective 14.2222, stopped at MaxIter after 200 iterations, 1 unassigned
	// true MaxIter: 200, Tol: -1, Seed: 0, Restarts: 1
}

// A function that takes any method's result takes a Fitted.
func ExampleFitted() {
	runs := func(f clustering.Fitted) int { return len(f.Common().Runs) }
	res, err := clustering.SNMFNcut{K: 2}.Fit(context.Background(), cliques(), clustering.Options{Restarts: 3, MaxIter: 10})
	fmt.Println(runs(res), err)
	// Output: 3 <nil>
}

func ExampleResult_RunLabels() {
	res, err := clustering.SNMFNcut{K: 2, H0: start()}.Fit(context.Background(), cliques(), clustering.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Each(score.Accuracy, []int{0, 0, 0, 1, 1, 1, 1}, res.RunLabels())
	fmt.Printf("%.3f %v\n", acc, err)
	// Output: [0.857] <nil>
}

func ExampleStatus() {
	fmt.Println(clustering.Converged, clustering.MaxIter, clustering.Canceled, clustering.Diverged)
	// Output: converged stopped at MaxIter canceled diverged
}

// Both sides of the inequality (7) are equal for H = H'.
func ExampleMatrixInequality() {
	a := mat.NewDense(2, 2, []float64{1, 2, 2, 0})
	b := mat.NewDense(2, 2, []float64{0, 1, 1, 3})
	h := mat.NewDense(3, 2, []float64{1, 2, 3, 1, 2, 2})
	hp := mat.NewDense(3, 2, []float64{2, 1, 1, 1, 3, 2})
	lhs, rhs, err := clustering.MatrixInequality(a, b, h, hp)
	fmt.Printf("%.0f <= %.0f %v\n", lhs, rhs, err)
	lhs, rhs, err = clustering.MatrixInequality(a, b, h, h)
	fmt.Printf("%.0f <= %.0f %v\n", lhs, rhs, err)
	// Output:
	// 2295 <= 10320 <nil>
	// 2295 <= 2295 <nil>
}
