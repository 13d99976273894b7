//go:build amd64 || arm64

package rt

// Goroutine tells the calling goroutine from all others that are alive: it is the address of what the runtime keeps of it.
// Go shows the number of a goroutine in stack traces only, and writing one takes the longer the deeper the stack is.
func Goroutine() uintptr
