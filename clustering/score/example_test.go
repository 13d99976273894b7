package score_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/score"
)

// Nine objects in three classes. The clusters have other numbers than the classes; one object is in the wrong cluster and one
// in none.
var (
	truth  = []int{0, 0, 0, 1, 1, 1, 2, 2, 2}
	labels = []int{2, 2, 2, 0, 0, 1, 1, 1, -1}
)

func ExampleAccuracy() {
	acc, err := score.Accuracy(truth, labels)
	fmt.Printf("%.3f %v\n", acc, err)
	_, err = score.Accuracy(truth, labels[:8])
	fmt.Println(err)
	// Output:
	// 0.778 <nil>
	// score: Accuracy: 9 true labels but 8 predicted ones
}

func ExamplePurity() {
	purity, err := score.Purity(truth, labels)
	fmt.Printf("%.3f %v\n", purity, err)
	// Output: 0.778 <nil>
}

func ExampleNMI() {
	nmi, err := score.NMI(truth, labels)
	fmt.Printf("%.3f %v\n", nmi, err)
	// Output: 0.736 <nil>
}

func ExampleNMIBy() {
	for _, by := range []score.Normalizer{score.Arithmetic, score.Geometric, score.Max, score.Min} {
		nmi, err := score.NMIBy(by, truth, labels)
		fmt.Printf("%v %.3f %v\n", by, nmi, err)
	}
	// Output:
	// arithmetic 0.736 <nil>
	// geometric 0.739 <nil>
	// max 0.676 <nil>
	// min 0.807 <nil>
}

func ExampleNormalizer() {
	fmt.Println(score.Geometric, score.Normalizer(0))
	// Output: geometric arithmetic
}

func ExampleARI() {
	ari, err := score.ARI(truth, labels)
	fmt.Printf("%.3f %v\n", ari, err)
	// Output: 0.520 <nil>
}

func ExampleEach() {
	runs := [][]int{labels, truth, {0, 0, 0, 0, 0, 0, 0, 0, 0}}
	acc, err := score.Each(score.Accuracy, truth, runs)
	fmt.Printf("%.3f %v\n", acc, err)
	// Output: [0.778 1.000 0.333] <nil>
}

func ExampleSummarize() {
	s, err := score.Summarize([]float64{0.65, 0.7, 0.78})
	fmt.Println(s, err)
	fmt.Printf("%.3f\n", s.SD)
	// Output:
	// mean 0.710 (max 0.780, min 0.650) <nil>
	// 0.066
}

func ExampleAMI() {
	ami, err := score.AMI(truth, labels)
	fmt.Printf("%.3f %v\n", ami, err)
	// Output: 0.564 <nil>
}

func ExamplePairs() {
	p, err := score.Pairs(truth, labels)
	fmt.Printf("precision %.3f, recall %.3f, F %.3f, %v\n", p.Precision, p.Recall, p.F, err)
	// Output: precision 0.714, recall 0.556, F 0.625, <nil>
}

func ExampleSilhouette() {
	x := mat.NewDense(5, 2, []float64{0, 0, 0, 1, 1, 0, 9, 9, 9, 8})
	mean, err := score.Silhouette(x, []int{0, 0, 0, 1, 1})
	fmt.Printf("%.3f %v\n", mean, err)
	// Output: 0.909 <nil>
}

func ExamplePairedT() {
	ours := []float64{0.71, 0.75, 0.70, 0.78, 0.74}
	theirs := []float64{0.69, 0.70, 0.71, 0.72, 0.70}
	fmt.Println(score.PairedT(ours, theirs))
	fmt.Println(score.Wilcoxon(ours, theirs))
	// Output:
	// statistic 2.579, p 0.0614, n 5 <nil>
	// statistic 1.000, p 0.1250, n 5 <nil>
}
