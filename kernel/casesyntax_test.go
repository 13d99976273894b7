package kernel

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A notebookCase is a case of testdata/cases.md: a short notebook with what each cell must give.
type notebookCase struct {
	name  string // C01
	cells []caseCell
}

// A caseCell is one cell of a case.
type caseCell struct {
	source  string
	manner  manner
	demands []demand
}

// A manner is how a cell is played.
type manner struct {
	interruptAfter time.Duration // 0 for no interrupt
	queued         bool          // sent before the interrupt of the cell before
	asks           bool          // may ask for input, which is answered
	answer         string
	mayFail        bool // another demand says how it is to fail
}

// A demand is one thing that a cell must give.
type demand struct {
	text  string // the line that says so
	check check
}

// A check says what is wrong with how a cell went; nothing is "".
type check func(p *played) string

// cellSucceeds is the demand on a cell which no line says may fail.
const cellSucceeds = "the cell succeeds"

// parseCases parses a file of cases. Whatever it does not understand in a fence is an error.
func parseCases(text string) ([]notebookCase, error) {
	var cases []notebookCase
	var fence string // info string of the fence we are in
	var body []string
	for i, line := range strings.Split(text, "\n") {
		fail := func(format string, args ...any) ([]notebookCase, error) {
			return nil, fmt.Errorf("line %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		info, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && fence == "":
			if info != "go" && info != "expect" {
				return fail("a fence of %q", info)
			}
			if len(cases) == 0 {
				return fail("a fence before the first case")
			}
			fence, body = info, nil
		case isFence && info != "":
			return fail("a fence in a fence")
		case isFence:
			if err := cases[len(cases)-1].add(fence, body); err != nil {
				return fail("%v", err)
			}
			fence = ""
		case fence != "":
			body = append(body, line)
		case strings.HasPrefix(line, "### "):
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "### "), " ")
			cases = append(cases, notebookCase{name: name})
		}
	}
	if fence != "" {
		return nil, fmt.Errorf("a fence of %q is open at the end", fence)
	}
	for _, c := range cases {
		if len(c.cells) == 0 || c.cells[len(c.cells)-1].demands == nil {
			return nil, fmt.Errorf("%s: the last cell has no expectation", c.name)
		}
	}
	return cases, nil
}

// add adds a fence to the case.
func (c *notebookCase) add(fence string, body []string) error {
	open := len(c.cells) > 0 && c.cells[len(c.cells)-1].demands == nil
	if fence == "go" {
		if open {
			return fmt.Errorf("a cell without an expectation before this one")
		}
		c.cells = append(c.cells, caseCell{source: strings.Join(body, "\n")})
		return nil
	}
	if !open {
		return fmt.Errorf("an expectation without a cell")
	}
	cell := &c.cells[len(c.cells)-1]
	for _, line := range joinText(body) {
		check, err := cell.understand(line)
		if err != nil {
			return err
		}
		cell.demands = append(cell.demands, demand{line, check})
	}
	if !cell.manner.mayFail {
		cell.demands = append(cell.demands, demand{cellSucceeds, succeeds})
	}
	cell.demands = append(cell.demands, demand{"an error is told once on IOPub and the same in the reply", oneError})
	return nil
}

// joinText joins the lines of a stream's text, of which each has the key: they become one line, with line ends in it.
func joinText(lines []string) []string {
	var joined []string
	key := ""
	for _, line := range lines {
		line = strings.TrimRight(line, " ")
		k, rest, _ := strings.Cut(line, ": ")
		if k == key && (k == "stdout" || k == "stderr") {
			joined[len(joined)-1] += "\n" + rest
			continue
		}
		key = k
		joined = append(joined, line)
	}
	return joined
}

// understand looks a line of an expectation up in the grammar.
func (c *caseCell) understand(line string) (check, error) {
	for _, rule := range grammar {
		if m := rule.line.FindStringSubmatch(line); m != nil {
			return rule.apply(&c.manner, m[1:])
		}
	}
	return nil, fmt.Errorf("expectation %q is not understood", line)
}

// grammar has a rule for each line that an expectation may have. The first that matches a line counts.
var grammar = []struct {
	line  *regexp.Regexp
	apply func(m *manner, args []string) (check, error)
}{
	{pattern("(stdout|stderr): (.+)"), func(_ *manner, args []string) (check, error) {
		return streamIs(args[0], args[1]), nil
	}},
	{pattern("result: (.+)"), func(_ *manner, args []string) (check, error) {
		return resultIs(args[0]), nil
	}},
	{pattern("error contains: (.+)"), func(m *manner, args []string) (check, error) {
		m.mayFail = true
		return errorContains(args[0]), nil
	}},
	{pattern("stderr or error contains: (.+)"), func(m *manner, args []string) (check, error) {
		m.mayFail = true
		return errorOrStderrContains(args[0]), nil
	}},
	{pattern("must not contain: (.+)"), func(_ *manner, args []string) (check, error) {
		return doesNotContain(args[0]), nil
	}},
	{pattern("alive: yes(?:, or restarted with a message that says why)?"), func(*manner, []string) (check, error) {
		return alive, nil
	}},
	{pattern("reply: status (error|ok|aborted)(?:, idle follows)?"), func(m *manner, args []string) (check, error) {
		m.mayFail = true
		return replyIs(args[0]), nil // idle: without it the client fails
	}},
	{pattern(`within: (\S+)( of the interrupt)?`), func(_ *manner, args []string) (check, error) {
		limit, err := time.ParseDuration(args[0])
		if args[1] != "" {
			return interruptedWithin(limit), err
		}
		return endsWithin(limit), err
	}},
	{pattern(`interrupt after: (\S+)`), func(m *manner, args []string) (check, error) {
		var err error
		m.mayFail = true
		m.interruptAfter, err = time.ParseDuration(args[0])
		return replyIs("error"), err
	}},
	{pattern("interrupt during the loop works: yes"), func(*manner, []string) (check, error) {
		return canBeInterrupted, nil
	}},
	{pattern("queued before the interrupt: reply status aborted or not run at all"), func(m *manner, _ []string) (check, error) {
		m.mayFail, m.queued = true, true
		return replyIs("aborted"), nil // of a kernel that answers, not run at all means the same
	}},
	{pattern("is_complete: (complete|incomplete|invalid)"), func(_ *manner, args []string) (check, error) {
		return isCompleteIs(args[0]), nil
	}},
	{pattern("input_request, answered `(.+)`"), func(m *manner, args []string) (check, error) {
		m.asks, m.answer = true, args[0]
		return wasAsked, nil
	}},
	{pattern(`with allow_stdin false: stdout (.+), or an error; within (\S+)`), func(m *manner, args []string) (check, error) {
		m.mayFail = true // the client does not allow input where the case gives no answer, and is strict about it
		limit, err := time.ParseDuration(args[1])
		return all(failsOr(streamIs("stdout", args[0])), endsWithin(limit)), err
	}},
}

func pattern(expr string) *regexp.Regexp { return regexp.MustCompile(`(?s)^` + expr + `$`) }

func TestParseCasesRefuses(t *testing.T) {
	const head, cell = "### C99 A case\n\n", "```go\nx\n```\n"
	tests := []struct{ name, text, want string }{
		{"unknown key", head + cell + "```expect\nresult: 1\nresults: 2\n```\n", `line 9: expectation "results: 2" is not understood`},
		{"unknown form of a known key", head + cell + "```expect\nalive: perhaps\n```\n", "not understood"},
		{"no duration", head + cell + "```expect\nwithin: a while\n```\n", "not understood"},
		{"a wrong duration", head + cell + "```expect\nwithin: 3parsecs\n```\n", "unknown unit"},
		{"prose in an expectation", head + cell + "```expect\nhopefully fine\n```\n", "not understood"},
		{"empty line in an expectation", head + cell + "```expect\n\n```\n", "not understood"},
		{"no expectation", head + cell, "no expectation"},
		{"no expectation in the middle", head + cell + cell, "without an expectation"},
		{"no cell", head + "```expect\nresult: 1\n```\n", "without a cell"},
		{"two expectations", head + cell + "```expect\nresult: 1\n```\n```expect\nresult: 1\n```\n", "without a cell"},
		{"no cells", head, "no expectation"},
		{"no case", cell, "before the first case"},
		{"another language", head + "```python\nx\n```\n", `"python"`},
		{"an open fence", head + cell + "```expect\nresult: 1\n", "open at the end"},
		{"a fence in a fence", head + "```go\n```expect\n", "fence in a fence"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := parseCases(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}
