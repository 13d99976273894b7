package typeinfo

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// maxSuggestions is how many packages an error about an unknown path names:
// as many as fit on a line.
const maxSuggestions = 3

// Shorter names resemble too many others: minStem is how long a package's name
// must be to count as the stem of another one (not os, io), minSlip how long a
// name must be to be taken for a misspelt one (mat is not math).
const (
	minStem = 3
	minSlip = 4
)

// unknown returns the error for a path that is not compiled in.
func unknown(importPath string) error {
	similar := suggest(importPath)
	if len(similar) == 0 {
		return fmt.Errorf("package %s is not compiled into this kernel: cells can import the standard library, gonum.org/v1/gonum, gonum.org/v1/plot and orthant", importPath)
	}
	return fmt.Errorf("package %s is not compiled into this kernel; did you mean %s?", importPath, strings.Join(similar, " or "))
}

// version matches the last element of a path that names a major version.
var version = regexp.MustCompile(`^v[0-9]+$`)

// suggest returns importable paths that resemble the given one, best first:
// those that differ in capitals only, those that end in it, those with the
// same last element (or of that package name), those below it, those whose
// last element is a slip of the finger away, and those whose last element the
// given one begins with ("mat" for "matrix").
func suggest(importPath string) []string {
	base := path.Base(importPath)
	if version.MatchString(base) {
		base = path.Base(path.Dir(importPath))
	}
	rank := func(p string) int {
		switch {
		case strings.EqualFold(p, importPath):
			return 0
		case strings.HasSuffix(p, "/"+importPath):
			return 1
		case path.Base(p) == base || Name(p) == base:
			return 2
		case strings.HasPrefix(p, importPath+"/"):
			return 3
		case len(base) >= minSlip && oneEditApart(path.Base(p), base):
			return 4
		case len(path.Base(p)) >= minStem && strings.HasPrefix(base, path.Base(p)):
			return 5
		default:
			return -1
		}
	}
	var similar []string
	for _, p := range archives().paths {
		if rank(p) >= 0 {
			similar = append(similar, p)
		}
	}
	slices.SortStableFunc(similar, func(a, b string) int { return rank(a) - rank(b) })
	return similar[:min(len(similar), maxSuggestions)]
}

// oneEditApart reports whether a becomes b by inserting, deleting or
// replacing one byte, or by swapping two neighbours.
func oneEditApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	ra, rb := a[i:], b[i:]
	switch len(b) - len(a) {
	case 0:
		if len(ra) == 0 {
			return false
		}
		if ra[1:] == rb[1:] {
			return true
		}
		return len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && ra[2:] == rb[2:]
	case 1:
		return ra == rb[1:]
	default:
		return false
	}
}
