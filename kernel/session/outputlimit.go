package session

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"orthant/kernel/session/internal/memory"
	"orthant/stdlib/display"
)

// OutputLimitVariable is the environment variable that says how much text one cell may write: a number of bytes, or one with
// KiB, MiB or GiB behind it; 0 for as much as it will.
const OutputLimitVariable = "ORTHANT_OUTPUT_LIMIT"

// defaultOutputLimit is more than anybody reads, and less than makes a notebook hard to open and to save.
const defaultOutputLimit = 8 << 20

// OutputLimit returns how many bytes of text a cell may write, 0 for no limit, and a text that says so. The error is that of an
// OutputLimitVariable which is no size.
func OutputLimit() (bytes uint64, text string, err error) {
	limit, err := outputLimit()
	switch {
	case err != nil:
		return 0, "", err
	case limit == 0:
		text = "any amount of text"
	default:
		text = memory.Size(limit) + " of text"
	}
	if os.Getenv(OutputLimitVariable) != "" {
		return limit, text + " (" + OutputLimitVariable + ")", nil
	}
	return limit, text + " (" + OutputLimitVariable + " sets another limit)", nil
}

// outputLimit returns how many bytes of text a cell may write; 0 for no limit.
func outputLimit() (uint64, error) {
	switch text := os.Getenv(OutputLimitVariable); strings.TrimSpace(text) {
	case "":
		return defaultOutputLimit, nil
	case "0":
		return 0, nil
	default:
		n, err := memory.ParseSize(text)
		if err != nil {
			return 0, fmt.Errorf("%s=%q: %w; 0 is no limit", OutputLimitVariable, text, err)
		}
		return n, nil
	}
}

// A meter lets the first text of a cell through, on both streams together, and counts what it cuts.
type meter struct {
	limit uint64 // 0 for none

	mu     sync.Mutex
	passed uint64 // bytes let through
	shut   bool   // the limit is reached, and the character that reached it is whole
	open   bool   // the last text on standard error has not ended its line
	bytes  uint64 // cut
	lines  uint64 // their ends among these
	told   bool   // the notice is out
	ended  bool   // the cell has ended: its goroutines may go on
}

// pass returns what is to be shown of a text.
func (m *meter) pass(stream display.Stream, text string) string {
	if m.limit == 0 {
		return text
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.room(text)
	m.passed += uint64(n)
	m.bytes += uint64(len(text) - n)
	m.lines += uint64(strings.Count(text[n:], "\n"))
	if stream == display.Stderr && n > 0 {
		m.open = text[n-1] != '\n'
	}
	return text[:n]
}

// room returns how many bytes of a text are let through: those below the limit, and the rest of a character that they begin.
func (m *meter) room(text string) int {
	if m.shut {
		return 0
	}
	n := 0
	if m.passed < m.limit {
		n = int(min(m.limit-m.passed, uint64(len(text))))
	}
	if n == len(text) {
		return n
	}
	for most := n + utf8.UTFMax - 1; n < min(most, len(text)) && !utf8.RuneStart(text[n]); {
		n++
	}
	m.shut = n < len(text)
	return n
}

// clear forgets what has been shown, which is to be shown no longer.
func (m *meter) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.passed, m.bytes, m.lines, m.shut, m.open = 0, 0, 0, false, false
}

// notice returns the line that says what was cut, once: at the end of the cell, or, where only a goroutine that outlives it has
// written too much, then. It is empty where there is nothing to say.
func (m *meter) notice(end bool) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = m.ended || end
	if !m.ended || m.told || m.bytes == 0 {
		return ""
	}
	m.told = true
	before := ""
	if m.open {
		before = "\n"
	}
	cut := "the rest is"
	if end {
		cut = fmt.Sprintf("%d lines with %d bytes are", m.lines, m.bytes)
	}
	return fmt.Sprintf("%soutput cut: %s not shown; a cell may write %s of text (%s sets another limit, 0 none)\n",
		before, cut, memory.Size(m.limit), OutputLimitVariable)
}
