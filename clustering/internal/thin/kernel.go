package thin

import (
	"fmt"
	"os"
)

// kernel is one implementation of the loops that take the time.
type kernel struct {
	name string
	dot  func(x, y []float64) float64              // Σ x[i]·y[i]; len(x) = len(y)
	dot4 func(dst, x, y []float64, stride int)     // dst[r] = Σ x[i]·y[r·stride+i] for r = 0..3; len(y) >= 3·stride + len(x)
	axpy func(y []float64, a float64, x []float64) // y += a·x; len(x) = len(y)
}

// portable is plain Go. The conversions forbid the compiler to fuse a product and a sum, which it does on some processors.
var portable = kernel{name: "portable", dot: dot, dot4: four(dot), axpy: axpy}

// four makes a dot4 of a dot.
func four(dot func(x, y []float64) float64) func(dst, x, y []float64, stride int) {
	return func(dst, x, y []float64, stride int) {
		for r := range 4 {
			dst[r] = dot(x, y[r*stride:r*stride+len(x)])
		}
	}
}

// active is the kernel in use; kernelError says why the one that was asked for is not there.
var active, kernelError = choose(os.Getenv(pathVariable))

// pathVariable is the environment variable that forces a path.
const pathVariable = "ORTHANT_CPU"

// choose picks the kernel called name, or the fastest if name is empty.
func choose(name string) (kernel, error) {
	known := ""
	for _, k := range kernels {
		if name == "" || name == k.name {
			return k, nil
		}
		known += " " + k.name
	}
	return portable, fmt.Errorf("%s=%s is not a path of this build; there is:%s", pathVariable, name, known)
}

// Path is the name of the kernels in use.
func Path() string { return active.name }

// Check is an error if ORTHANT_CPU named kernels that this build does not have.
func Check() error { return kernelError }

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := x[i:i+4:i+4], y[i:i+4:i+4]
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	for ; i < len(x); i++ {
		s0 += float64(x[i] * y[i])
	}
	return (s1 + s3) + (s0 + s2)
}

func axpy(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float64(a * x[i])
	}
}
