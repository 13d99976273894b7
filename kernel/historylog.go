package kernel

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// An entry is one executed cell of the history.
type entry struct {
	session int     // which run of the kernel
	line    int     // the cell's execution count
	input   string  // as typed
	output  *string // the text of the result; nil where there was none
}

// A historyLog keeps the cells of this run of the kernel, oldest first. Cells executed with store_history false or
// silent are not among them. It is safe for concurrent use.
type historyLog struct {
	mu      sync.Mutex
	entries []entry
}

// thisSession is the number under which the log keeps the cells of the running kernel: it knows no other sessions.
const thisSession = 1

// add appends an executed cell; output is the text of its result, nil where it had none.
func (h *historyLog) add(line int, input string, output *string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries = append(h.entries, entry{thisSession, line, input, output})
}

// tail returns the last n entries; all of them if n is 0.
func (h *historyLog) tail(n int) []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n <= 0 {
		n = len(h.entries)
	}
	return slices.Clone(h.entries[max(0, len(h.entries)-n):])
}

// lines returns the entries of a session with start <= line < stop. Sessions at or below 0 count from the running one
// backwards, negative lines from the line after the last backwards, as in IPython, whose meaning front ends
// expect. A stop of 0 means up to the last line.
func (h *historyLog) lines(session, start, stop int) []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if session <= 0 {
		session += thisSession
	}
	if session != thisSession || len(h.entries) == 0 {
		return nil
	}
	end := h.entries[len(h.entries)-1].line + 1
	if stop <= 0 {
		stop += end
	}
	if start < 0 {
		start += end
	}
	var found []entry
	for _, e := range h.entries {
		if start <= e.line && e.line < stop {
			found = append(found, e)
		}
	}
	return found
}

// search returns the entries whose whole input matches the glob pattern, in which * stands for any text and ? for any
// character; the last n of them, or all if n is 0. With unique, of entries with the same input only the latest counts.
func (h *historyLog) search(pattern string, n int, unique bool) []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	matches := glob(pattern)
	seen := make(map[string]bool)
	var found []entry
	for _, e := range slices.Backward(h.entries) {
		if n > 0 && len(found) == n {
			break
		}
		if matches(e.input) && !seen[e.input] {
			found = append(found, e)
			seen[e.input] = unique
		}
	}
	slices.Reverse(found)
	return found
}

// glob returns the predicate of a pattern. Not path.Match: its * stops at a slash.
func glob(pattern string) func(string) bool {
	expr := regexp.QuoteMeta(pattern)
	expr = strings.ReplaceAll(expr, `\*`, `.*`)
	expr = strings.ReplaceAll(expr, `\?`, `.`)
	return regexp.MustCompile(`(?s)^` + expr + `$`).MatchString
}
