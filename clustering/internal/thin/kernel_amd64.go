//go:build amd64 && !noasm && !gccgo && !safe

package thin

import "gonum.org/v1/gonum/floats"

// kernels are what this build has, the fastest first. The build tags are those under which gonum uses its assembly.
var kernels = []kernel{
	{name: "gonum-amd64", dot: floats.Dot, axpy: floats.AddScaled},
	portable,
}
