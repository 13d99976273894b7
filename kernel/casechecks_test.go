package kernel

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// played is how a cell of a case went.
type played struct {
	client *kerneltest.Client
	cell   caseCell

	status         string // of the reply
	failure        wire.Failure
	errors         []wire.Failure // as told on IOPub
	stdout, stderr string         // before idle
	results        []string       // text/plain
	everything     string         // all that the user sees, also behind idle
	took           time.Duration  // from the request to its end
	afterInterrupt time.Duration  // from the interrupt to the end
	asked          int            // input_requests
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain returns what an error shows without its colours.
func plain(f wire.Failure) string {
	return ansi.ReplaceAllString(f.Evalue+"\n"+strings.Join(f.Traceback, "\n"), "")
}

// normal drops what is not compared: blanks at line ends, and line ends at the end.
func normal(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// all makes one check of several.
func all(checks ...check) check {
	return func(p *played) string {
		for _, c := range checks {
			if wrong := c(p); wrong != "" {
				return wrong
			}
		}
		return ""
	}
}

func succeeds(p *played) string {
	if p.status != "ok" {
		return fmt.Sprintf("the reply is %s: %s", p.status, plain(p.failure))
	}
	return ""
}

func failsOr(otherwise check) check {
	return func(p *played) string {
		if p.status == "error" {
			return ""
		}
		return otherwise(p)
	}
}

func replyIs(status string) check {
	return func(p *played) string {
		if p.status != status {
			return fmt.Sprintf("the reply's status is %s", p.status)
		}
		return ""
	}
}

func oneError(p *played) string {
	switch {
	case p.status != "error" && len(p.errors) > 0:
		return fmt.Sprintf("the reply's status is %s after %d error messages", p.status, len(p.errors))
	case p.status == "error" && (len(p.errors) != 1 || !reflect.DeepEqual(p.errors[0], p.failure)):
		return fmt.Sprintf("error messages are %q, the reply is %q", p.errors, p.failure)
	}
	return ""
}

// phrases are the values of texts that are not compared letter by letter.
var phrases = []struct {
	text  *regexp.Regexp
	means func(args []string) func(got string, p *played) string
}{
	{pattern("([0-9]+) lines, `(.+)0` to `.+`, in order, all before status idle"), func(args []string) func(string, *played) string {
		return func(got string, _ *played) string { return countedLines(got, args[1], args[0]) }
	}},
	{pattern("starts with (.+); total bounded by the kernel's limit; a notice says how much was cut"), func(args []string) func(string, *played) string {
		return func(got string, p *played) string { return cutText(got, args[0], p.stderr) }
	}},
	{pattern(`(.+), or \(empty\) where .+`), func(args []string) func(string, *played) string {
		return func(got string, p *played) string {
			if got == "" {
				return ""
			}
			return sameText(got, args[0])
		}
	}},
	{pattern("(.+), if the kernel was not restarted"), func(args []string) func(string, *played) string {
		return func(got string, _ *played) string { return sameText(got, args[0]) }
	}},
	{pattern(`\(empty\)`), func([]string) func(string, *played) string {
		return func(got string, _ *played) string { return sameText(got, "") }
	}},
}

func sameText(got, want string) string {
	if got = normal(got); got != normal(want) {
		return fmt.Sprintf("got %.300q, want %q", got, want)
	}
	return ""
}

// textIs returns the comparison with a text of a case.
func textIs(want string) func(got string, p *played) string {
	for _, phrase := range phrases {
		if m := phrase.text.FindStringSubmatch(want); m != nil {
			return phrase.means(m[1:])
		}
	}
	return func(got string, _ *played) string { return sameText(got, want) }
}

// countedLines wants n lines of a prefix and their number.
func countedLines(got, prefix, n string) string {
	count, err := strconv.Atoi(n)
	if err != nil {
		return err.Error()
	}
	var want strings.Builder
	for i := range count {
		fmt.Fprintf(&want, "%s%d\n", prefix, i)
	}
	return sameText(got, want.String())
}

// textLimit is how much text of a cell is to come through at most.
const textLimit = 8 << 20

var notice = regexp.MustCompile(`[0-9].*\bcut\b|\bcut\b.*[0-9]`)

// cutText wants the beginning of a long text and a notice, behind it or on stderr, that says how much was cut.
func cutText(got, start, stderr string) string {
	switch {
	case !strings.HasPrefix(got, start+"\n"):
		return fmt.Sprintf("starts with %.50q", got)
	case len(got) > textLimit+1000: // with the notice
		return fmt.Sprintf("%d bytes, more than %d", len(got), textLimit)
	case !notice.MatchString(got[len(got)-min(len(got), 1000):] + "\n" + stderr):
		return "no notice says how much was cut"
	}
	return ""
}

func streamIs(stream, want string) check {
	same := textIs(want)
	return func(p *played) string {
		if stream == "stderr" {
			return same(p.stderr, p)
		}
		return same(p.stdout, p)
	}
}

func resultIs(want string) check {
	same := textIs(want)
	return func(p *played) string {
		switch {
		case want == "(none)" && len(p.results) == 0:
			return ""
		case want == "(none)":
			return fmt.Sprintf("got %q", p.results)
		case len(p.results) != 1:
			return fmt.Sprintf("%d results, and the reply is %s %s", len(p.results), p.status, p.failure.Evalue)
		}
		return same(p.results[0], p)
	}
}

var onLine = pattern("a position on line ([0-9]+) such as `.+`")

// containsOne says whether a text contains one of the alternatives of a case.
func containsOne(text, alternatives string) bool {
	for _, a := range strings.Split(alternatives, ", or ") {
		if m := onLine.FindStringSubmatch(a); m != nil {
			if regexp.MustCompile(`:` + m[1] + `:[0-9]+`).MatchString(text) {
				return true
			}
		} else if strings.Contains(text, a) {
			return true
		}
	}
	return false
}

func errorContains(part string) check {
	return func(p *played) string {
		if p.status != "error" || !containsOne(plain(p.failure), part) {
			return fmt.Sprintf("the reply is %s %q", p.status, plain(p.failure))
		}
		return ""
	}
}

func errorOrStderrContains(part string) check {
	return func(p *played) string {
		if !containsOne(plain(p.failure)+"\n"+p.stderr, part) {
			return fmt.Sprintf("the reply is %s %q, stderr %q", p.status, plain(p.failure), p.stderr)
		}
		return ""
	}
}

func doesNotContain(part string) check {
	return func(p *played) string {
		if strings.Contains(p.everything, part) {
			return fmt.Sprintf("got %q", p.everything)
		}
		return ""
	}
}

func endsWithin(limit time.Duration) check {
	return func(p *played) string {
		if p.took > limit {
			return fmt.Sprintf("took %v", p.took)
		}
		return ""
	}
}

func interruptedWithin(limit time.Duration) check {
	return func(p *played) string {
		if p.afterInterrupt > limit {
			return fmt.Sprintf("took %v from the interrupt", p.afterInterrupt)
		}
		return ""
	}
}

func wasAsked(p *played) string {
	if p.asked != 1 {
		return fmt.Sprintf("%d input_requests", p.asked)
	}
	return ""
}

// alive runs a cell that leaves no trace. That it is still the same kernel the client checks with every message.
func alive(p *played) string {
	var reply struct{ Status string }
	request := kerneltest.Request("1")
	request.Silent, request.StoreHistory = true, false
	p.client.Shell(request).Decode(&reply)
	if reply.Status != "ok" {
		return "the next cell's reply is " + reply.Status
	}
	return ""
}

func isCompleteIs(want string) check {
	return func(p *played) string {
		var reply wire.IsCompleteReply
		p.client.Shell(wire.IsCompleteRequest{Code: p.cell.source}).Decode(&reply)
		if reply.Status != want {
			return "got " + reply.Status
		}
		return ""
	}
}

// canBeInterrupted runs a cell once more and interrupts it when it has begun to print.
func canBeInterrupted(p *played) string {
	const limit = 2 * time.Second
	again := p.client.Send(wire.Shell, kerneltest.Request(p.cell.source)).WaitForText("stdout", "\n")
	p.client.Control(wire.InterruptRequest{})
	start := time.Now()
	var reply struct{ Status, Evalue string }
	again.Wait().Decode(&reply)
	if took := time.Since(start); reply.Status != "error" || !strings.Contains(reply.Evalue, "interrupt") || took > limit {
		return fmt.Sprintf("the reply is %s %s, %v after the interrupt", reply.Status, reply.Evalue, took)
	}
	return ""
}

// TestCaseChecks checks that the checks can fail.
func TestCaseChecks(t *testing.T) {
	failed := wire.Failure{Ename: "E", Evalue: "cell 1 line 2: oh", Traceback: []string{"\x1b[31mcell:2:13\x1b[0m: red"}}
	tests := []struct {
		line    string
		played  played
		isWrong bool
	}{
		{"stdout: a", played{stdout: "a \n"}, false},
		{"stdout: a", played{stdout: "a\nb\n"}, true},
		{"stdout: a\nb", played{stdout: "a\nb\n"}, false},
		{"stdout: a\nb", played{stdout: "b\na\n"}, true},
		{"stdout: (empty)", played{}, false},
		{"stdout: (empty)", played{stdout: "a"}, true},
		{"stderr: a", played{stderr: "a"}, false},
		{"stderr: a", played{stdout: "a"}, true},
		{"stdout: a, or (empty) where it ends", played{}, false},
		{"stdout: a, or (empty) where it ends", played{stdout: "a"}, false},
		{"stdout: a, or (empty) where it ends", played{stdout: "b"}, true},
		{"stdout: 3 lines, `l 0` to `l 2`, in order, all before status idle", played{stdout: "l 0\nl 1\nl 2\n"}, false},
		{"stdout: 3 lines, `l 0` to `l 2`, in order, all before status idle", played{stdout: "l 0\nl 2\nl 1\n"}, true},
		{"stdout: 3 lines, `l 0` to `l 2`, in order, all before status idle", played{stdout: "l 0\nl 1\n"}, true},
		{cutLine, played{stdout: "row 0\nrow 1\n", stderr: "2 lines cut"}, false},
		{cutLine, played{stdout: "row 0\nrow 1\n"}, true},
		{cutLine, played{stdout: "row 1\n", stderr: "2 lines cut"}, true},
		{cutLine, played{stdout: "row 0\n" + strings.Repeat("x", 2*textLimit), stderr: "2 lines cut"}, true},
		{"result: 1", played{results: []string{"1"}}, false},
		{"result: 1", played{results: []string{"2"}}, true},
		{"result: 1", played{}, true},
		{"result: 1, if the kernel was not restarted", played{results: []string{"1"}}, false},
		{"result: 1, if the kernel was not restarted", played{results: []string{"2"}}, true},
		{"result: (none)", played{}, false},
		{"result: (none)", played{results: []string{""}}, true},
		{"error contains: oh", played{status: "error", failure: failed}, false},
		{"error contains: red", played{status: "error", failure: failed}, false},
		{"error contains: ah", played{status: "error", failure: failed}, true},
		{"error contains: oh", played{status: "ok"}, true},
		{"error contains: ah, or oh", played{status: "error", failure: failed}, false},
		{"error contains: x, or a position on line 2 such as `:2:1`", played{status: "error", failure: failed}, false},
		{"error contains: x, or a position on line 3 such as `:3:1`", played{status: "error", failure: failed}, true},
		{"stderr or error contains: oh", played{stderr: "oh"}, false},
		{"stderr or error contains: oh", played{failure: failed}, false},
		{"stderr or error contains: oh", played{stdout: "oh"}, true},
		{"must not contain: a", played{everything: "b"}, false},
		{"must not contain: a", played{everything: "bab"}, true},
		{"reply: status error, idle follows", played{status: "error"}, false},
		{"reply: status error, idle follows", played{status: "ok"}, true},
		{"within: 2s", played{took: time.Second}, false},
		{"within: 2s", played{took: 3 * time.Second}, true},
		{"within: 2s of the interrupt", played{took: 3 * time.Second, afterInterrupt: time.Second}, false},
		{"within: 2s of the interrupt", played{afterInterrupt: 3 * time.Second}, true},
		{"interrupt after: 1s", played{status: "error"}, false},
		{"interrupt after: 1s", played{status: "ok"}, true},
		{"queued before the interrupt: reply status aborted or not run at all", played{status: "aborted"}, false},
		{"queued before the interrupt: reply status aborted or not run at all", played{status: "ok"}, true},
		{"input_request, answered `41`", played{asked: 1}, false},
		{"input_request, answered `41`", played{}, true},
		{"with allow_stdin false: stdout true, or an error; within 2s", played{stdout: "true\n"}, false},
		{"with allow_stdin false: stdout true, or an error; within 2s", played{status: "error"}, false},
		{"with allow_stdin false: stdout true, or an error; within 2s", played{stdout: "false\n"}, true},
		{"with allow_stdin false: stdout true, or an error; within 2s", played{status: "error", took: time.Minute}, true},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			check, err := new(caseCell).understand(tt.line)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := check(&tt.played); (wrong != "") != tt.isWrong {
				t.Errorf("%+v: got %q, want it wrong: %v", tt.played, wrong, tt.isWrong)
			}
		})
	}
}

const cutLine = "stdout: starts with row 0; total bounded by the kernel's limit; a notice says how much was cut"
