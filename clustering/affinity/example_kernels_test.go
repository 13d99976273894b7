package affinity_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// Three points of the plane, the first two in the same direction.
var plane = mat.NewDense(3, 2, []float64{1, 0, 2, 0, 1, 1})

func ExampleLinear() {
	show(affinity.Linear{}.Of(plane))
	// Output:
	// ⎡1.000  2.000  1.000⎤
	// ⎢2.000  4.000  2.000⎥
	// ⎣1.000  2.000  2.000⎦
}

func ExamplePolynomial() {
	show(affinity.Polynomial{Degree: 2}.Of(plane))
	// Output:
	// ⎡ 1.000   4.000   1.000⎤
	// ⎢ 4.000  16.000   4.000⎥
	// ⎣ 1.000   4.000   4.000⎦
}

func ExampleCosine() {
	show(affinity.Cosine{}.Of(plane))
	// Output:
	// ⎡1.000  1.000  0.707⎤
	// ⎢1.000  1.000  0.707⎥
	// ⎣0.707  0.707  1.000⎦
}

func ExampleRMKCKernels() {
	kernels, err := affinity.RMKCKernels(plane)
	fmt.Println(len(kernels), err)
	show(kernels[2], err)
	// Output:
	// 8 <nil>
	// ⎡0.829  0.370  0.370⎤
	// ⎢0.370  1.000  0.000⎥
	// ⎣0.370  0.000  1.000⎦
}

func ExampleRMKCKernelNames() {
	for _, name := range affinity.RMKCKernelNames() {
		fmt.Println(name)
	}
	// Output:
	// rbf 0.01
	// rbf 0.1
	// rbf 1
	// rbf 10
	// rbf 100
	// polynomial 2
	// polynomial 4
	// linear
}

func ExampleRMKCNormalized() {
	show(affinity.RMKCNormalized(mat.NewDense(2, 2, []float64{3, 1, 1, 3})))
	show(affinity.RMKCNormalized(mat.NewDense(2, 2, []float64{1, -1, -1, 1})))
	// Output:
	// ⎡1.000  0.000⎤
	// ⎣0.000  1.000⎦
	// affinity: RMKCNormalized: the kernel: row 0 has the sum 0: the normalised cut needs sums above 0, as nonnegative data has them
}
