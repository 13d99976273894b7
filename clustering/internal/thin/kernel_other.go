//go:build !amd64 || noasm || gccgo || safe

package thin

// kernels are what this build has. gonum's own loops in Go may be fused by the compiler on some processors, so they are not
// among them.
var kernels = []kernel{portable}
