package kernel

import (
	"slices"
	"testing"
)

func TestHistoryLog(t *testing.T) {
	var log historyLog
	for i, input := range []string{"a := 1", "fmt.Println(a)", "a := 1", "b", "x[0]*2", "path/to\nnext"} {
		log.add(i+1, input, nil)
	}
	tests := []struct {
		name string
		got  []entry
		want []int // lines
	}{
		{"tail", log.tail(2), []int{5, 6}},
		{"tail of more than there is", log.tail(100), []int{1, 2, 3, 4, 5, 6}},
		{"tail of all", log.tail(0), []int{1, 2, 3, 4, 5, 6}},
		{"range", log.lines(0, 2, 4), []int{2, 3}},
		{"range of this session by number", log.lines(1, 2, 4), []int{2, 3}},
		{"range of an unknown session", log.lines(2, 2, 4), nil},
		{"range of an earlier session", log.lines(-1, 2, 4), nil},
		{"range to the end", log.lines(0, 5, 0), []int{5, 6}},
		{"range from the end", log.lines(0, -2, 0), []int{5, 6}},
		{"range until before the end", log.lines(0, 1, -4), []int{1, 2}},
		{"empty range", log.lines(0, 4, 4), nil},
		{"search for all", log.search("*", 0, false), []int{1, 2, 3, 4, 5, 6}},
		{"search is of the whole input", log.search("a", 0, false), nil},
		{"search by prefix", log.search("a*", 0, false), []int{1, 3}},
		{"unique keeps the latest", log.search("a*", 0, true), []int{3}},
		{"search for the last", log.search("a*", 1, false), []int{3}},
		{"unique counts after", log.search("*", 3, true), []int{4, 5, 6}},
		{"search by one character", log.search("?", 0, false), []int{4}},
		{"a bracket is a bracket", log.search("x[0]?2", 0, false), []int{5}},
		{"a star passes slashes and lines", log.search("p*t", 0, false), []int{6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			for _, e := range tt.got {
				got = append(got, e.line)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("lines %v, want %v", got, tt.want)
			}
		})
	}
}
