package figure_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
	"orthant/stdlib/figure"
)

// pairs is an affinity of two pairs of objects.
func pairs() *mat.SymDense {
	return mat.NewSymDense(4, []float64{
		1, 0.9, 0.1, 0,
		0.9, 1, 0, 0.1,
		0.1, 0, 1, 0.8,
		0, 0.1, 0.8, 1,
	})
}

func ExampleDescent() {
	res, err := clustering.SNMFNcut{K: 2, Alpha: 0.1}.Fit(context.Background(), pairs(), clustering.Options{Restarts: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := figure.Descent(res) // as the last expression of a cell it is shown
	fmt.Println(f.Plot.Title.Text)
	// Output: Objective over the iterations
}

func ExampleAffinity() {
	f := figure.Affinity(pairs(), []int{0, 0, 1, 1}).Titled("Two pairs").Sized(400, 360)
	fmt.Println(f)
	// Output:
	// Two pairs
	// 4 objects in 2 classes; mean affinity 0.85 within classes, 0.05 between them
}

func ExampleAblation() {
	with, without := &figure.Series{Name: "with"}, &figure.Series{Name: "without"}
	for _, alpha := range []float64{0.01, 0.1, 1} {
		with.Add(alpha, []float64{0.7, 0.9})
		without.Add(alpha, []float64{0.8 - alpha/2, 0.8 - alpha/2})
	}
	f := figure.Ablation("α", "accuracy", with, without).Level(0.25, "chance")
	fmt.Println(f)
	// Output:
	// Accuracy over α
	// accuracy over α, mean (max/min)
	// with:
	//   0.01     0.800 (0.900/0.700)
	//   0.1      0.800 (0.900/0.700)
	//   1        0.800 (0.900/0.700)
	// without:
	//   0.01     0.795 (0.795/0.795)
	//   0.1      0.750 (0.750/0.750)
	//   1        0.300 (0.300/0.300)
}

func ExampleFigure_Save() {
	folder, err := os.MkdirTemp("", "figure")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	f := figure.Affinity(pairs(), []int{0, 0, 1, 1})
	fmt.Println(f.Save(filepath.Join(folder, "affinity.svg")))
	// Output: <nil>
}

func ExampleFigure_Err() {
	f := figure.Affinity(pairs(), []int{0, 1})
	fmt.Println(f.Err())
	// Output: figure: Affinity: 2 labels for a matrix of 4×4
}
