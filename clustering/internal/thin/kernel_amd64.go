//go:build amd64 && !noasm && !gccgo && !safe

package thin

import (
	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/floats"
)

// kernels are what this build has on this processor, the fastest first. The build tags are those under which gonum uses its
// assembly.
var kernels = available(cpu.X86.HasAVX)

// available lists the kernels of a processor with or without AVX.
func available(avx bool) []kernel {
	gonum := kernel{name: "gonum-amd64", dot: floats.Dot, axpy: floats.AddScaled}
	gonum.dot4 = four(gonum.dot)
	if !avx {
		return []kernel{gonum, portable}
	}
	return []kernel{{name: "avx", dot: gonum.dot, dot4: dot4AVX, axpy: gonum.axpy}, gonum, portable}
}

// dot4AVX is a kernel's dot4. It does not check lengths.
//
//go:noescape
func dot4AVX(dst, x, y []float64, stride int)
