package catalog

import (
	"fmt"
	"go/version"
	"runtime"
)

// SameRelease compares the Go version that tables were generated with, as
// their header names it, with the running one. exact says that they are
// equal. Patch releases of one release (go1.26.8, go1.26.9) declare the same
// names and types, but their sources, and so positions and comments, may
// differ. Another release is an error that says what to do.
func SameRelease(generated string) (exact bool, err error) {
	running := runtime.Version()
	if version.Lang(generated) != version.Lang(running) || !version.IsValid(generated) {
		return false, fmt.Errorf("the tables of stdlib were generated with %q and this is %s: "+
			"run `go generate ./stdlib/...` with %s, look at the diff and commit it", generated, running, running)
	}
	return generated == running, nil
}
