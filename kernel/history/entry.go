package history

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// An Entry is one executed cell.
type Entry struct {
	Session int       // the kernel process that ran it; from 1
	Line    int       // its execution count; cells of subshells may share one
	Input   string    // as typed, without the line ends at its end, as IPython keeps it; see [InputLimit]
	Output  *string   // the text of its result; nil where there was none; see [OutputLimit]
	Time    time.Time // when it began, to the millisecond
}

// What is kept of one cell, in bytes. What is longer is cut there, and a mark at the end says how much is missing.
const (
	InputLimit  = 1 << 20
	OutputLimit = 64 << 10
)

// cut returns the beginning of a text that is longer than limit, with the mark.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… [history: %d of %d bytes not kept]", text[:end], len(text)-end, len(text))
}

// newEntry returns the entry of a cell that begins.
func newEntry(line int, input string) Entry {
	return Entry{
		Line:  line,
		Input: cut(strings.TrimRight(input, "\n"), InputLimit),
		Time:  time.Now().UTC().Truncate(time.Millisecond),
	}
}
