//go:build !windows

package magic

import (
	"context"
	"os"
	"strings"
	"testing"

	"orthant/kernel/session"
)

// TestOneLimitForAllParts checks that the text of a cell is limited once, whatever writes it: Go, commands and magics.
func TestOneLimitForAllParts(t *testing.T) {
	t.Setenv(session.OutputLimitVariable, "1000")
	const says = "a cell may write 1000 bytes of text (ORTHANT_OUTPUT_LIMIT sets another limit, 0 none)\n"
	a, b := strings.Repeat("a", 600), strings.Repeat("b", 600)
	for _, tt := range []struct {
		name, source   string
		stdout, stderr string
	}{
		{
			"parts of Go", "import \"strings\"\nfmt.Print(strings.Repeat(\"a\", 600))\n!:\nfmt.Print(strings.Repeat(\"b\", 600))\n!:\nfmt.Println(1)",
			a + b[:400], "output cut: 1 lines with 202 bytes are not shown; " + says,
		},
		{
			"a command and Go", "!printf '" + a + "'\nimport \"strings\"\nfmt.Print(strings.Repeat(\"b\", 600))",
			a + b[:400], "output cut: 0 lines with 200 bytes are not shown; " + says,
		},
		{"commands", "!printf '" + a + "'\n!printf '" + b + "'", a + b[:400], "output cut: 0 lines with 200 bytes are not shown; " + says},
		{"one command", "!yes | head -c 2000000", strings.Repeat("y\n", 500), "output cut: 999500 lines with 1999000 bytes are not shown; " + says},
		{"a script", "%%sh\nyes | head -c 2000", strings.Repeat("y\n", 500), "output cut: 500 lines with 1000 bytes are not shown; " + says},
		{"a magic", "!printf '" + a + "'\n!printf '" + b + "'\n%history", a + b[:400], "output cut: 0 lines with 200 bytes are not shown; " + says},
		{"what was cleared", "!printf '" + a + "'\ndisplay.Clear(false)\n!printf '" + b + "'", a + b, ""},
		{"a failure", "!yes | head -c 1002; exit 3", strings.Repeat("y\n", 500), "output cut: 1 lines with 2 bytes are not shown; " + says},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i, r := newInterpreter(t), &recorder{}
			i.Execute(t.Context(), session.Cell{Number: 1, Source: tt.source}, r)
			out, err := r.texts()
			if out != tt.stdout || err != tt.stderr {
				t.Errorf("got %d bytes, …%q, and %q, want %d bytes and %q", len(out), out[max(0, len(out)-20):], err, len(tt.stdout), tt.stderr)
			}
			if got := play(t, i, "!echo next"); got != `stdout "next\n"` {
				t.Errorf("the next cell has %s", got)
			}
		})
	}
}

// TestLimitOfFile checks that a file that is run shares the budget of the cell that runs it.
func TestLimitOfFile(t *testing.T) {
	t.Setenv(session.OutputLimitVariable, "10")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.go", []byte("fmt.Print(\"from the file\")"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &recorder{}
	newInterpreter(t).Execute(t.Context(), session.Cell{Number: 1, Source: "fmt.Print(\"cell, \")\n%run a.go"}, r)
	if out, err := r.texts(); out != "cell, from" || !strings.HasPrefix(err, "output cut: 0 lines with 9 bytes are not shown; ") {
		t.Errorf("got %q and %q", out, err)
	}
}

// TestLimitOfEndlessCommand interrupts a command that has written all that it may and goes on.
func TestLimitOfEndlessCommand(t *testing.T) {
	t.Setenv(session.OutputLimitVariable, "1000")
	i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	wait := execute(ctx, i, "!yes", r)
	r.waitFor(t, strings.Repeat("y\n", 500))
	cancel()
	failure := wait()
	if out, err := r.texts(); failure == nil || failure.Name != interrupted || len(out) != 1000 || strings.Count(err, "output cut: ") != 1 {
		t.Errorf("got %v, %d bytes and %q", failure, len(out), err)
	}
}

// TestLimitOfBackground checks that what a command leaves running has what its cell has left of text, and that it is told once
// that there is more.
func TestLimitOfBackground(t *testing.T) {
	t.Setenv(session.OutputLimitVariable, "1000")
	t.Chdir(t.TempDir())
	i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
	source := "!(while [ ! -e go ]; do sleep 0.01; done; yes | head -c 2000; while [ -e go ]; do sleep 0.01; done) &"
	if failure := execute(t.Context(), i, source, r)(); failure != nil {
		t.Fatal(failure)
	}
	if err := os.WriteFile("go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.waitForErr(t, "output cut: the rest is not shown; ")
	if err := os.Remove("go"); err != nil {
		t.Fatal(err)
	}
	if out, err := r.texts(); len(out) != 1000 || strings.Count(err, "output cut: ") != 1 {
		t.Errorf("got %d bytes and %q", len(out), err)
	}
}

// TestLineOfAllParts checks that what is left of a line that was typed for a cell is there for the parts that follow, and not
// for the next cell.
func TestLineOfAllParts(t *testing.T) {
	i := newInterpreter(t)
	f := &frontEnd{answer: "1 2 3"}
	got := transcript(i, 1, "var a, b int\nfmt.Scan(&a)\n!:\nfmt.Scan(&b)\na*10 + b", f, &f.recorder)
	if got != "result 12" || len(f.asked) != 1 {
		t.Errorf("got %q, asked %d times", got, len(f.asked))
	}
	f = &frontEnd{answer: "7"}
	got = transcript(i, 2, "!:\nfmt.Scan(&a)\na", f, &f.recorder)
	if got != "result 7" || len(f.asked) != 1 {
		t.Errorf("the next cell: got %q, asked %d times", got, len(f.asked))
	}
}
