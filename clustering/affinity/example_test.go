package affinity_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// Three points on a line: two near each other, one far away.
var x = mat.NewDense(3, 1, []float64{0, 1, 4})

func show(w *mat.Dense, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", mat.Formatted(w))
}

func ExampleGaussian() {
	show(affinity.Gaussian{MeanDistance: 0.7}.Of(x))
	show(affinity.Gaussian{}.Of(&mat.Dense{}))
	// Output:
	// ⎡1.000  0.751  0.010⎤
	// ⎢0.751  1.000  0.076⎥
	// ⎣0.010  0.076  1.000⎦
	// affinity: Gaussian: X is empty
}

func ExampleGaussian_WidthOf() {
	r, err := affinity.Gaussian{MeanDistance: 0.7}.WidthOf(x)
	fmt.Printf("%.4f %v\n", r, err)
	// Output: 1.8667 <nil>
}

func ExampleSNMFNcutGaussian() {
	show(affinity.SNMFNcutGaussian().Of(x))
	// Output:
	// ⎡1.000  0.751  0.010⎤
	// ⎢0.751  1.000  0.076⎥
	// ⎣0.010  0.076  1.000⎦
}

func ExampleONGCGaussian() {
	show(affinity.ONGCGaussian().Of(x))
	// Output:
	// ⎡0.000  0.687  0.313⎤
	// ⎢0.687  0.000  0.475⎥
	// ⎣0.313  0.475  0.000⎦
}

func ExampleRMKCGaussian() {
	show(affinity.RMKCGaussian(1).Of(x))
	// Output:
	// ⎡1.000  0.969  0.607⎤
	// ⎢0.969  1.000  0.755⎥
	// ⎣0.607  0.755  1.000⎦
}
