package session

import "strings"

// Nearest returns the one of the names that is so close to a misspelt one that it may be meant: other in its case only, or one
// change away, from six letters on two; empty where none is, or several are. Names of two letters are close to nothing.
func Nearest(name string, names []string) string {
	best, at, unique := "", nearLimit(name)+1, false
	for _, other := range names {
		d := distance(name, other)
		if strings.EqualFold(name, other) {
			d = 0
		}
		switch {
		case d < at:
			best, at, unique = other, d, true
		case d == at && other != best:
			unique = false
		}
	}
	if !unique {
		return ""
	}
	return best
}

// nearLimit is the distance up to which another name may be meant. Short names are close to many.
func nearLimit(name string) int {
	switch n := len([]rune(name)); {
	case n < 3:
		return 0
	case n < 6:
		return 1
	}
	return 2
}

// distance is the number of insertions, deletions, replacements and swaps of neighbours that make b of a, each letter being
// touched once (the restricted Damerau-Levenshtein distance).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(y)]
}
