package doctor

import (
	"strconv"
	"strings"
)

// newer says whether version a comes after b. Versions are numbers with dots; what follows a hyphen is not looked at, and
// what is no number is 0.
func newer(a, b string) bool {
	x, y := numbers(a), numbers(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] > y[i]
		}
	}
	return false
}

// numbers returns the three numbers of a version.
func numbers(version string) (n [3]int) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	for i, part := range strings.SplitN(version, ".", len(n)) {
		n[i], _ = strconv.Atoi(part)
	}
	return n
}
