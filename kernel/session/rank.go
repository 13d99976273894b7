package session

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// choose keeps the candidates for what is typed, each text once, the best first. Of several with one text the first is kept.
// Where none is left, the range is empty and at the cursor.
func choose(start, end, pos int, typed string, all []candidate) Completion {
	folded := strings.ToLower(typed)
	chosen := ranked(all, func(c candidate) (int, bool) {
		if strings.HasPrefix(c.Text, typed) {
			return 0, true
		}
		return 1, strings.HasPrefix(strings.ToLower(c.Text), folded)
	})
	if len(chosen) == 0 {
		chosen = ranked(all, func(c candidate) (int, bool) {
			badness, ok := scattered(folded, c.Text)
			return badness, ok && c.Kind != "keyword" // a front end would put interface in the place of an unknown na
		})
	}
	if len(chosen) == 0 {
		return Completion{Start: pos, End: pos}
	}
	return Completion{Start: start, End: end, Matches: chosen}
}

// ranked returns the matches of the candidates that fit a text, in the order of how badly they fit it.
func ranked(all []candidate, fit func(c candidate) (badness int, ok bool)) []Match {
	type scored struct {
		candidate
		badness int
	}
	var list []scored
	seen := map[string]bool{}
	for _, c := range all {
		if badness, ok := fit(c); ok && !seen[c.Text] {
			seen[c.Text] = true
			list = append(list, scored{c, badness})
		}
	}
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.badness, b.badness), cmp.Compare(a.want, b.want), cmp.Compare(a.far, b.far), cmp.Compare(a.Text, b.Text))
	})
	out := make([]Match, len(list))
	for i, c := range list {
		out[i] = c.Match
	}
	return out
}

// scattered reports whether the letters of typed, which are small ones, occur in name in this order. The badness is the number
// of letters in between, those in front counting as one.
func scattered(typed, name string) (badness int, ok bool) {
	letters := []rune(typed)
	begun, gap := false, 0
	for i, r := range []rune(name) {
		if len(letters) == 0 {
			break
		}
		if r = unicode.ToLower(r); r != letters[0] {
			gap++
			continue
		}
		switch {
		case begun:
			badness += gap
		case i > 0:
			badness++
		}
		letters, begun, gap = letters[1:], true, 0
	}
	return badness, len(letters) == 0
}
