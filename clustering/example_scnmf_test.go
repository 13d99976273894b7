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

// documents are six documents, one a row, that count five words: the first three and the last three have words in common.
func documents() *mat.Dense {
	return mat.NewDense(6, 5, []float64{
		4, 2, 0, 0, 1,
		2, 1, 0, 0, 0,
		3, 3, 0, 0, 0,
		0, 0, 5, 1, 0,
		0, 0, 2, 2, 0,
		0, 1, 4, 3, 0,
	})
}

func ExampleSCNMF() {
	iris := dataset.Iris()
	res, err := clustering.SCNMF{K: 3, Lambda: 1, Mu: 1}.Fit(context.Background(), iris.X, clustering.Options{Seed: 1, Restarts: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	acc, err := score.Accuracy(iris.Labels, res.Labels)
	fmt.Printf("accuracy %.2f %v\n", acc, err)
	// Output: accuracy 0.97 <nil>
}

// Documents next to each other, of the first three and of the last three, are neighbours in the given graph.
func ExampleSCNMF_Fit() {
	ctx := context.Background()
	m := clustering.NewSCNMF(2)
	var err error
	m.Graph, err = affinity.NewSparse(6, 6, []int{0, 1, 1, 2, 3, 4, 4, 5}, []int{1, 0, 2, 1, 4, 3, 5, 4}, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := m.Fit(ctx, documents(), clustering.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := res.Labels[0], res.Labels[3]
	fmt.Println(a != b, res.Labels[1] == a, res.Labels[2] == a, res.Labels[4] == b, res.Labels[5] == b)
	fmt.Println(res.Graph.NNZ(), "entries in the graph")

	_, err = m.Fit(ctx, mat.NewDense(2, 2, []float64{1, 1, 0, 0}), clustering.Options{})
	fmt.Println(err)
	// Output:
	// true true true true true
	// 8 entries in the graph
	// clustering: SCNMF: row 1 of X is zero: the cosines of object 1 are undefined
}

// The step of the paper locks rows that have a zero, and F ends higher.
func ExampleSCNMF_Variant() {
	x, opts := dataset.Iris().X, clustering.Options{MaxIter: 60, Tol: -1}
	circle := clustering.NewSCNMF(3)
	paper := circle
	paper.PaperStep = true
	for _, v := range []clustering.Variant{circle.Variant("great circle", x, opts), paper.Variant("(37)", x, opts)} {
		res, err := v.Run(context.Background(), 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.1f\n", v.Name, res.Objective)
	}
	// Output:
	// great circle: 0.5
	// (37): 19.3
}

func ExampleNewSCNMF() {
	m := clustering.NewSCNMF(10)
	m.LabelsByArgmax = true
	fmt.Println(m)
	// Output: SCNMF{K: 10, Lambda: 1, Mu: 1, LabelsByArgmax: true}
}
