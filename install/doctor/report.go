package doctor

import (
	"fmt"
	"io"
	"strings"
)

// A State says how well something is.
type State string

// The states of a finding.
const (
	OK      State = "ok"
	Warning State = "warning" // it works, but not as it may be meant
	Wrong   State = "wrong"   // it does not work
)

// A Finding is what was found in one place.
type Finding struct {
	Check string `json:"check"` // what was looked at, a word or two
	State State  `json:"state"`
	Text  string `json:"text"`           // one line
	Mend  string `json:"mend,omitempty"` // a command for the user's shell; empty where none would do
}

// A Report is all that was found, in the order in which it should be read.
type Report struct {
	Version  string    `json:"version"` // of the program that looked
	Findings []Finding `json:"findings"`
}

// Wrong counts what is wrong.
func (r Report) Wrong() int { return r.count(Wrong) }

func (r Report) count(s State) int {
	n := 0
	for _, f := range r.Findings {
		if f.State == s {
			n++
		}
	}
	return n
}

// colours are those of ANSI terminals.
var colours = map[State]string{OK: "\x1b[32m", Warning: "\x1b[33m", Wrong: "\x1b[31m"}

const uncoloured = "\x1b[0m"

// Write writes the report for people: the states in a column, a line for each finding, below it the command that mends it,
// and a last line that counts. Colour is for terminals.
func (r Report) Write(w io.Writer, colour bool) error {
	var b strings.Builder
	width := 0
	for _, f := range r.Findings {
		width = max(width, len(f.Check))
	}
	for _, f := range r.Findings {
		state := fmt.Sprintf("%-7s", f.State)
		if colour {
			state = colours[f.State] + state + uncoloured
		}
		fmt.Fprintf(&b, "%s  %-*s  %s\n", state, width, f.Check, f.Text)
		if f.Mend != "" {
			fmt.Fprintf(&b, "%9s%-*s  %s\n", "", width, "", "mend it with:  "+f.Mend)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", r.summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// summary is the last line.
func (r Report) summary() string {
	wrong, warnings := "nothing is wrong", ""
	switch n := r.Wrong(); n {
	case 0:
	case 1:
		wrong = "1 thing is wrong"
	default:
		wrong = fmt.Sprintf("%d things are wrong", n)
	}
	switch n := r.count(Warning); n {
	case 0:
	case 1:
		warnings = ", 1 warning"
	default:
		warnings = fmt.Sprintf(", %d warnings", n)
	}
	return "orthant " + r.Version + ": " + wrong + warnings
}
