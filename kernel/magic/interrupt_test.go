//go:build !windows

package magic

import (
	"context"
	"strings"
	"testing"

	"orthant/stdlib/display"
)

// A patient is a sink whose front end does not answer: the wait ends when it is interrupted.
type patient struct{ *recorder }

func (p patient) Ask(ctx context.Context, prompt string, _ bool) (string, error) {
	p.Text(display.Stdout, "asked\n")
	<-ctx.Done()
	return "", ctx.Err()
}

// TestInterruptOfParts interrupts a part of a cell, in whatever it does: the parts behind it do not run, what the parts in front
// of it have defined stays, and the session goes on.
func TestInterruptOfParts(t *testing.T) {
	const before, behind = "x := 1\n", "\n!echo behind\nfmt.Println(\"behind\")\n%env BEHIND=1\ny := 2"
	for _, tt := range []struct{ name, part, ready, where string }{
		{"a command", "!echo ready; sleep 1000", "ready", "line 2"},
		{"a command that ends well when it is interrupted", "!trap 'exit 0' INT; echo ready; while :; do sleep 0.01; done", "ready", "line 2"},
		{"a command whose output nobody reads", "!echo ready; exec yes >/dev/null", "ready", "line 2"},
		{"a loop", "!:\nfmt.Println(\"ready\")\nfor { x++ }", "ready", "line"},
		{"a loop that looks at ctx", "!:\nfmt.Println(\"ready\")\n<-ctx.Done()", "ready", ""},
		{"time of a loop", "%time fmt.Println(\"ready\"); for { x++ }", "ready", "line 2"},
		{"time of a question", "%time a, err := display.Input(\"?\")\nfmt.Println(a, err)", "asked", "line 2"},
		{"time of reading", "var n int\n%time fmt.Scan(&n)", "asked", "line 3"},
		{"a question of a magic", "%reset", "asked", "line 2"},
		{"timeit", "%timeit -n 1000000000 fmt.Println(\"ready\")", "ready", "line 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			wait := execute(ctx, i, before+tt.part+behind, patient{r})
			r.waitFor(t, tt.ready)
			cancel()
			failure := wait()
			if failure == nil || failure.Name != interrupted || !strings.Contains(failure.Value, tt.where) {
				t.Errorf("got %v, want an interrupt in %q", failure, tt.where)
			}
			if failure != nil && strings.Contains(plain(failure), clock) {
				t.Errorf("the traceback is that of another program: %s", plain(failure))
			}
			if out, err := r.texts(); strings.Contains(out+err, "behind") || strings.Contains(out+err, "canceled") {
				t.Errorf("a part behind has run: %q, %q", out, err)
			}
			if i.Kind("x") != "variable" || i.Kind("y") != "" {
				t.Errorf("x is %q, y is %q", i.Kind("x"), i.Kind("y"))
			}
			if got := play(t, i, "!:\n6 * 7"); got != "result 42" {
				t.Errorf("afterwards: %s", got)
			}
		})
	}
}

// TestInterruptOfTimedCell interrupts a whole cell that is timed while it asks.
func TestInterruptOfTimedCell(t *testing.T) {
	i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	wait := execute(ctx, i, "%%time\nfmt.Println(\"first\")\n!echo second\na, err := display.Input(\"?\")\nfmt.Println(a, err)\n!echo behind", patient{r})
	r.waitFor(t, "asked")
	cancel()
	failure := wait()
	out, _ := r.texts()
	if failure == nil || failure.Name != interrupted || !strings.HasPrefix(out, "first\nsecond\nasked\nCPU times: ") || strings.Contains(out, "behind") {
		t.Errorf("got %v and %q", failure, out)
	}
}
