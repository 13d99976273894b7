package affinity_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// Two groups of points on a line, the second twice as wide as the first.
var line = mat.NewDense(6, 1, []float64{0, 1, 2, 10, 12, 14})

func showGraph(w mat.Matrix, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", mat.Formatted(w))
}

func ExampleKNN() {
	showGraph(affinity.KNN{Neighbors: 2}.Of(line))
	// Output:
	// ⎡0.00  1.00  1.00  0.00  0.00  0.00⎤
	// ⎢1.00  0.00  1.00  0.00  0.00  0.00⎥
	// ⎢1.00  1.00  0.00  0.00  0.00  0.00⎥
	// ⎢0.00  0.00  0.00  0.00  1.00  1.00⎥
	// ⎢0.00  0.00  0.00  1.00  0.00  1.00⎥
	// ⎣0.00  0.00  0.00  1.00  1.00  0.00⎦
}

// Each object has a width of its own, so that both groups look alike.
func ExampleKNN_Of() {
	showGraph(affinity.KNN{Neighbors: 2, Weighted: true, Gaussian: affinity.Gaussian{SelfTuning: 2}}.Of(line))
	showGraph(affinity.KNN{Neighbors: 2, Cosine: true}.Of(line))
	// Output:
	// ⎡0.00  0.61  0.37  0.00  0.00  0.00⎤
	// ⎢0.61  0.00  0.61  0.00  0.00  0.00⎥
	// ⎢0.37  0.61  0.00  0.00  0.00  0.00⎥
	// ⎢0.00  0.00  0.00  0.00  0.61  0.37⎥
	// ⎢0.00  0.00  0.00  0.61  0.00  0.61⎥
	// ⎣0.00  0.00  0.00  0.37  0.61  0.00⎦
	// affinity: KNN: row 0 of X is zero: it has no cosine
}

func ExampleSCNMFGraph() {
	fmt.Printf("%+v\n", affinity.SCNMFGraph())
	// Output:
	// {Neighbors:5 Cosine:true Mutual:false Weighted:false Gaussian:{MeanDistance:0 MaxDistance:0 Width:0 SelfTuning:0 Half:false ZeroDiagonal:false Normalized:false}}
}

func ExampleONGCGraph() {
	w, err := affinity.ONGCGraph().Of(line)
	fmt.Println(w.NNZ(), err)
	// Output:
	// 30 <nil>
}

func ExampleSelfTuningGaussian() {
	showGraph(affinity.SelfTuningGaussian().Of(line))
	// Output:
	// ⎡0.00  0.99  0.98  0.49  0.42  0.37⎤
	// ⎢0.99  0.00  0.99  0.54  0.46  0.40⎥
	// ⎢0.98  0.99  0.00  0.59  0.50  0.42⎥
	// ⎢0.49  0.54  0.59  0.00  0.97  0.89⎥
	// ⎢0.42  0.46  0.50  0.97  0.00  0.98⎥
	// ⎣0.37  0.40  0.42  0.89  0.98  0.00⎦
}

func ExampleCLRInitial() {
	showGraph(affinity.CLRInitial{Neighbors: 2}.Of(line))
	// Output:
	// ⎡0.00  0.50  0.49  0.00  0.00  0.00⎤
	// ⎢0.50  0.00  0.51  0.00  0.00  0.00⎥
	// ⎢0.49  0.51  0.00  0.00  0.00  0.00⎥
	// ⎢0.00  0.00  0.00  0.00  0.53  0.46⎥
	// ⎢0.00  0.00  0.00  0.53  0.00  0.51⎥
	// ⎣0.00  0.00  0.00  0.46  0.51  0.00⎦
}

// Three neighbours join the two groups. Two components are asked for, and the edges between the groups go.
func ExampleCLR() {
	initial, err := affinity.CLRInitial{Neighbors: 3}.Of(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := affinity.CLR{K: 2, Neighbors: 3}.Of(context.Background(), line)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", initial.At(2, 3))
	fmt.Println(res.Components, res.Reached)
	showGraph(res.Graph, nil)
	// Output:
	// 0.13
	// 2 true
	// ⎡0.00  0.50  0.50  0.00  0.00  0.00⎤
	// ⎢0.50  0.00  0.50  0.00  0.00  0.00⎥
	// ⎢0.50  0.50  0.00  0.00  0.00  0.00⎥
	// ⎢0.00  0.00  0.00  0.00  0.51  0.48⎥
	// ⎢0.00  0.00  0.00  0.51  0.00  0.51⎥
	// ⎣0.00  0.00  0.00  0.48  0.51  0.00⎦
}

func ExampleCLR_Of() {
	_, err := affinity.CLR{K: 7}.Of(context.Background(), line)
	fmt.Println(err)
	// Output:
	// affinity: CLR: K = 7 exceeds the 6 objects
}

func ExampleULGE() {
	a, err := affinity.ULGE{Anchors: mat.NewDense(3, 1, []float64{1, 11, 13}), Neighbors: 2}.Of(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	showGraph(a.Z(), nil)
	showGraph(a, nil)
	// Output:
	// ⎡0.78  0.22  0.00⎤
	// ⎢0.77  0.23  0.00⎥
	// ⎢0.75  0.25  0.00⎥
	// ⎢0.00  0.53  0.47⎥
	// ⎢0.00  0.50  0.50⎥
	// ⎣0.00  0.49  0.51⎦
	// ⎡0.29  0.28  0.28  0.05  0.05  0.05⎤
	// ⎢0.28  0.28  0.28  0.06  0.05  0.05⎥
	// ⎢0.28  0.28  0.27  0.06  0.06  0.05⎥
	// ⎢0.05  0.06  0.06  0.28  0.28  0.28⎥
	// ⎢0.05  0.05  0.06  0.28  0.28  0.28⎥
	// ⎣0.05  0.05  0.05  0.28  0.28  0.28⎦
}

func ExampleULGE_AnchorsOf() {
	anchors, err := affinity.ULGE{Levels: 1}.AnchorsOf(line)
	showGraph(anchors, err)
	// Output:
	// ⎡ 1.00⎤
	// ⎣12.00⎦
}

// The affinity of objects that share anchors.
func ExampleNewAnchored() {
	b := mat.NewDense(3, 2, []float64{1, 0, 0.5, 0.5, 0, 1})
	a, err := affinity.NewAnchored(b)
	showGraph(a, err)
	_, err = affinity.NewAnchored(mat.NewDense(1, 2, []float64{1, -1}))
	fmt.Println(err)
	// Output:
	// ⎡1.00  0.50  0.00⎤
	// ⎢0.50  0.50  0.50⎥
	// ⎣0.00  0.50  1.00⎦
	// affinity: NewAnchored: B[0,1] = -1 is negative
}

// A product with few columns, without anything n×n.
func ExampleAnchored() {
	a, err := affinity.ULGE{Levels: 1}.Of(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	ones := mat.NewDense(6, 1, []float64{1, 1, 1, 1, 1, 1})
	var btg, ag mat.Dense
	btg.Mul(a.Factor().T(), ones)
	ag.Mul(a.Factor(), &btg)
	showGraph(ag.T(), nil)
	// Output:
	// [1.00  1.00  1.00  1.00  1.00  1.00]
}

func ExampleNewSparse() {
	w, err := affinity.NewSparse(3, 3, []int{0, 1}, []int{1, 0}, []float64{0.5, 0.5})
	showGraph(w, err)
	// Output:
	// ⎡0.00  0.50  0.00⎤
	// ⎢0.50  0.00  0.00⎥
	// ⎣0.00  0.00  0.00⎦
}

func ExampleSparseOf() {
	w, err := affinity.SparseOf(mat.NewDense(2, 3, []float64{0, 7, 0, 0, 0, 8}))
	fmt.Println(w.NNZ(), err)
	// Output:
	// 2 <nil>
}

func ExampleSparse_Row() {
	w, err := affinity.KNN{Neighbors: 1}.Of(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Row(4))
	// Output:
	// [3 5] [1 1]
}
