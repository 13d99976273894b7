package history

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestQueries asks a store of three sessions, of which a concurrent one is newer than the one that asks.
func TestQueries(t *testing.T) {
	path := testFile(t)
	old := openTest(t, path)
	for i, input := range []string{"a := 1", "fmt.Println(a)", "a := 1", "b", "x[0]*2", "path/to\nnext"} {
		old.Add(i+1, input)
	}
	closeTest(t, old)
	s := openTest(t, path)
	s.Add(1, "a := 1")
	s.Add(2, "é")
	wantTailEnds(t, s, "2/2 é")
	newer := openTest(t, path)
	newer.Add(1, "newer")
	closeTest(t, newer)
	const next = "1/6 path/to\nnext"
	tail := func(n int) func() ([]Entry, error) { return func() ([]Entry, error) { return s.Tail(n) } }
	lines := func(session, start, stop int) func() ([]Entry, error) {
		return func() ([]Entry, error) { return s.Range(session, start, stop) }
	}
	search := func(pattern string, n int) func() ([]Entry, error) {
		return func() ([]Entry, error) { return s.Search(pattern, n, false) }
	}
	unique := func(pattern string, n int) func() ([]Entry, error) {
		return func() ([]Entry, error) { return s.Search(pattern, n, true) }
	}
	tests := []struct {
		name string
		ask  func() ([]Entry, error)
		want []string
	}{
		{"tail", tail(1), []string{"2/2 é"}},
		{"tail of others: this session's last", tail(4), []string{next, "3/1 newer", "2/1 a := 1", "2/2 é"}},
		{"tail of none", tail(0), nil},
		{"tail of more than there is", tail(100), []string{
			"1/1 a := 1", "1/2 fmt.Println(a)", "1/3 a := 1", "1/4 b", "1/5 x[0]*2", next, "3/1 newer", "2/1 a := 1", "2/2 é",
		}},
		{"range", lines(0, 1, 2), []string{"2/1 a := 1"}},
		{"range of this session by number", lines(2, 2, 4), []string{"2/2 é"}},
		{"range of an earlier session", lines(-1, 2, 4), []string{"1/2 fmt.Println(a)", "1/3 a := 1"}},
		{"range of a concurrent session", lines(3, 0, 0), []string{"3/1 newer"}},
		{"range of a session before all", lines(-2, 1, 0), nil},
		{"range of a session to come", lines(9, 1, 0), nil},
		{"range to the end", lines(1, 5, 0), []string{"1/5 x[0]*2", next}},
		{"range from the end", lines(1, -2, 0), []string{"1/5 x[0]*2", next}},
		{"range until before the end", lines(1, 1, -5), []string{"1/1 a := 1"}},
		{"range from before the beginning", lines(1, -100, 2), []string{"1/1 a := 1"}},
		{"empty range", lines(1, 4, 4), nil},
		{"search is of the whole input", search("a", All), nil},
		{"search by prefix", search("a*", All), []string{"1/1 a := 1", "1/3 a := 1", "2/1 a := 1"}},
		{"search for the last", search("a*", 2), []string{"1/3 a := 1", "2/1 a := 1"}},
		{"search for none", search("a*", 0), nil},
		{"unique keeps the latest", unique("a*", All), []string{"2/1 a := 1"}},
		{"unique counts after", unique("[ab]*", 2), []string{"1/4 b", "2/1 a := 1"}},
		{"search by one character", search("?", All), []string{"1/4 b", "2/2 é"}},
		{"search for a bracket", search("x[[]0]?2", All), []string{"1/5 x[0]*2"}},
		{"search by what is not", search("[^a-f]*2", All), []string{"1/5 x[0]*2"}},
		{"search knows upper case", search("A*", All), nil},
		{"a star passes slashes and lines", search("p*t", All), []string{next}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			entries, err := tt.ask()
			wantList(t, entries, err, tt.want...)
		})
	}
	t.Run("a pattern that is too long", func(t *testing.T) {
		const want = "history: search: a pattern of 50001 bytes, at most 50000 can be"
		if _, err := s.Search(strings.Repeat("x", 50001), All, false); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if _, err := s.Search(strings.Repeat("?", 50000), All, false); err != nil {
			t.Error(err)
		}
	})
	wantNotice(t, s, "")
}

// TestGlob compares the store's patterns with a plain matcher, on random short texts of few characters.
func TestGlob(t *testing.T) {
	const texts, patterns = 200, 500
	r := rand.New(rand.NewPCG(1, 2))
	random := func(alphabet []string, most int) string {
		var b strings.Builder
		for range 1 + r.IntN(most) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		return b.String()
	}
	s := openTest(t, "")
	for line := range texts {
		s.Add(line+1, random([]string{"a", "b", "é", "]", "[", "*", "-"}, 6))
	}
	all, err := s.Tail(All)
	if err != nil {
		t.Fatal(err)
	}
	for range patterns {
		pattern := random([]string{"a", "b", "é", "?", "*", "[ab]", "[^a]", "[a-c]", "[]a]", "[^]b]", "[a-]", "]", "[[]", "[*]"}, 5)
		var want []Entry
		for _, e := range all {
			if plainGlob([]rune(pattern), []rune(e.Input)) {
				want = append(want, e)
			}
		}
		got, err := s.Search(pattern, All, false)
		if list(t, got, err) != list(t, want, nil) {
			t.Errorf("%q: got\n%s\nwant\n%s", pattern, list(t, got, nil), list(t, want, nil))
		}
	}
}

// plainGlob matches by trying everything.
func plainGlob(pattern, text []rune) bool {
	if len(pattern) == 0 {
		return len(text) == 0
	}
	switch pattern[0] {
	case '*':
		return plainGlob(pattern[1:], text) || len(text) > 0 && plainGlob(pattern, text[1:])
	case '?':
		return len(text) > 0 && plainGlob(pattern[1:], text[1:])
	case '[':
		end := 2 // a ] that comes first is itself
		if pattern[1] == '^' {
			end++
		}
		for pattern[end] != ']' {
			end++
		}
		return len(text) > 0 && inClass(pattern[1:end], text[0]) && plainGlob(pattern[end+1:], text[1:])
	}
	return len(text) > 0 && text[0] == pattern[0] && plainGlob(pattern[1:], text[1:])
}

// inClass says whether a character is in a class, written without its brackets.
func inClass(class []rune, c rune) bool {
	if class[0] == '^' {
		return !inClass(class[1:], c)
	}
	for i := 0; i < len(class); i++ {
		if i+2 < len(class) && class[i+1] == '-' {
			if class[i] <= c && c <= class[i+2] {
				return true
			}
			i += 2
		} else if class[i] == c {
			return true
		}
	}
	return false
}

// TestSearchTime has a pattern of many stars meet a long input, on which a matcher that tries everything takes for ever.
func TestSearchTime(t *testing.T) {
	s := openTest(t, "")
	s.Add(1, strings.Repeat("a", InputLimit))
	if _, err := s.Search(strings.Repeat("*a", 20)+"*b", All, false); err != nil {
		t.Error(err)
	}
}
