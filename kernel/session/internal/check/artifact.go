package check

import (
	"go/types"
	"slices"
	"strings"
)

// artifacts are the beginnings of what go/types says of an instance although the generic function is right: with type
// arguments in the place of type parameters an assertion may never hold, and two cases of a type switch may be one. The
// first of them wins, then.
var artifacts = []string{"impossible type assertion: ", "impossible type switch case: ", "duplicate case "}

// withoutArtifacts returns the errors in an instance that are no artifacts. An error that begins with a tab goes with the
// one before.
func withoutArtifacts(errs []types.Error) []types.Error {
	var out []types.Error
	dropped := false
	for _, err := range errs {
		if !strings.HasPrefix(err.Msg, "\t") {
			dropped = slices.ContainsFunc(artifacts, func(s string) bool { return strings.HasPrefix(err.Msg, s) })
		}
		if !dropped {
			out = append(out, err)
		}
	}
	return out
}
