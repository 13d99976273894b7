//go:build !windows

package magic

import (
	"strings"
	"testing"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// runIn runs a cell, the count-th of a subshell, and returns what it shows.
func runIn(t *testing.T, i *Interpreter, subshell, count int, source string) string {
	t.Helper()
	r := &recorder{}
	return transcript(i, session.CellNumber(subshell, count), source, r, r)
}

// TestSubshellsAreNamed checks that a cell of a subshell is called so by magics as by Go.
func TestSubshellsAreNamed(t *testing.T) {
	i := newInterpreter(t)
	for source, want := range map[string]string{
		"x := 1\n%frobnicate": "MagicError: cell 3 of subshell 1 line 2: there is no magic %frobnicate; %help lists the magics",
		"!exit 4":             "CommandError: cell 3 of subshell 1 line 1: exit 4: exit status 4",
		"!:\ny":               "CompileError: cell 3 of subshell 1 line 2: undefined: y",
	} {
		if got := runIn(t, i, 1, 3, source); got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
	i = newInterpreter(t)
	runIn(t, i, 0, 2, "a := 1")
	runIn(t, i, 1, 3, "b := 2")
	if got := runIn(t, i, 0, 3, "%who"); !strings.Contains(got, "3 of subshell 1") || strings.Contains(got, "16777") {
		t.Errorf("%%who has\n%s", got)
	}
	const want = `stdout "   2: a := 1\n3 of subshell 1: b := 2\n   3: %who\n"`
	if got := runIn(t, i, 1, 4, "%history"); got != want {
		t.Errorf("%%history has\n%s\nwant\n%s", got, want)
	}
}

// A meanwhile is a sink that runs something when text comes.
type meanwhile struct {
	*recorder
	do func()
}

func (m meanwhile) Text(stream display.Stream, text string) {
	m.recorder.Text(stream, text)
	if m.do != nil {
		m.do()
	}
}

// TestHistoryBesideAnotherCell checks that the running cell is not in its own %history, though one of another shell has begun after
// it, which is.
func TestHistoryBesideAnotherCell(t *testing.T) {
	i, r := newInterpreter(t), &recorder{}
	out := meanwhile{r, nil}
	out.do = func() {
		out.do = nil
		if got := runIn(t, i, 1, 1, "b := 2"); got != "" {
			t.Errorf("the other cell has %s", got)
		}
	}
	const want = `stdout "go\n1 of subshell 1: b := 2\n"`
	if got := transcript(i, 1, "!echo go\n%history", &out, r); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
