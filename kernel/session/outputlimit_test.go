package session

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestOutputLimit has cells write more than they may: the first text is exact, the cell runs on, its other outputs are shown,
// and one line says what is missing.
func TestOutputLimit(t *testing.T) {
	const limit = 1000
	t.Setenv(OutputLimitVariable, fmt.Sprint(limit))
	lines := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	const says = "a cell may write 1000 bytes of text (ORTHANT_OUTPUT_LIMIT sets another limit, 0 none)\n"
	for _, test := range []struct {
		name, src      string
		stdout, stderr string
		value          string
	}{
		{"exactly the limit", "for range 100 {\n\tfmt.Println(\"123456789\")\n}\n1", strings.Repeat("123456789\n", 100), "", "1"},
		{"more", "for i := range 200 {\n\tfmt.Printf(\"line %d\\n\", i)\n}\ndisplay.Show(7)\n2", lines(200)[:limit],
			fmt.Sprintf("output cut: %d lines with %d bytes are not shown; ", 200-strings.Count(lines(200)[:limit], "\n"), len(lines(200))-limit) + says, "2"},
		{"through os.Stdout", "import \"os\"\nfor i := range 200 {\n\tfmt.Fprintf(os.Stdout, \"line %d\\n\", i)\n}\n3", lines(200)[:limit],
			fmt.Sprintf("output cut: %d lines with %d bytes are not shown; ", 200-strings.Count(lines(200)[:limit], "\n"), len(lines(200))-limit) + says, "3"},
		{"both streams", "import (\n\t\"os\"\n\t\"strings\"\n)\nfmt.Print(strings.Repeat(\"o\", 600))\nfmt.Fprint(os.Stderr, strings.Repeat(\"e\", 600))", strings.Repeat("o", 600),
			strings.Repeat("e", 400) + "\noutput cut: 0 lines with 200 bytes are not shown; " + says, ""},
		{"within a character", "import \"strings\"\nfmt.Print(strings.Repeat(\"x\", 999), \"ö\", \"öö\")", strings.Repeat("x", 999) + "ö",
			"output cut: 0 lines with 4 bytes are not shown; " + says, ""},
		{"within a character that comes in parts", "import (\n\t\"os\"\n\t\"strings\"\n)\nfmt.Print(strings.Repeat(\"x\", 999), \"€\"[:1])\nfmt.Print(\"€\"[1:2])\nfmt.Print(\"€\"[2:] + \"y\")\nvar _ = os.Args",
			strings.Repeat("x", 999) + "€", "output cut: 0 lines with 1 bytes are not shown; " + says, ""},
		{"after clearing", "import \"strings\"\nfmt.Print(strings.Repeat(\"x\", 2000))\ndisplay.Clear(true)\nfmt.Print(\"new\")", strings.Repeat("x", 1000) + "new", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			out := &recorder{}
			b, e := s.Execute(t.Context(), Cell{1, test.src}, out)
			if e != nil {
				t.Fatal(e)
			}
			if got := out.stdout(); got != test.stdout || !utf8.ValidString(got) {
				t.Errorf("stdout has %d bytes, want %d: …%q, want …%q", len(got), len(test.stdout), end(got), end(test.stdout))
			}
			if got := out.stderr(); got != test.stderr {
				t.Errorf("stderr %q, want %q", got, test.stderr)
			}
			if b != nil && fmt.Sprint(b.Data["text/plain"]) != test.value {
				t.Errorf("value %v, want %s", b.Data["text/plain"], test.value)
			}
			if strings.Contains(test.src, "Show") && len(out.shown) != 1 {
				t.Errorf("%d displays, want 1", len(out.shown))
			}
			if got := run1(t, s, 2, "fmt.Println(\"next\")"); got != "next\n" {
				t.Errorf("the next cell prints %q", got)
			}
		})
	}
}

func end(s string) string { return s[max(0, len(s)-20):] }

// TestOutputLimitOfFailure checks that a cell that fails tells what was cut too, and is interrupted as others are.
func TestOutputLimitOfFailure(t *testing.T) {
	t.Setenv(OutputLimitVariable, "1KiB")
	s := newSession(t)
	out := &recorder{}
	_, e := s.Execute(t.Context(), Cell{1, "for {\n\tfmt.Println(\"more\")\n\tif n++; n == 1000 {\n\t\tpanic(\"over\")\n\t}\n}"}, out)
	if e == nil || e.Name != compileError {
		t.Fatalf("got %v", e)
	}
	_, e = s.Execute(t.Context(), Cell{2, "n := 0\nfor {\n\tfmt.Println(\"more\")\n\tif n++; n == 1000 {\n\t\tpanic(\"over\")\n\t}\n}"}, out)
	if e == nil || e.Name != panicError || strings.Count(out.stderr(), "output cut: ") != 1 {
		t.Errorf("got %v and %q", e, out.stderr())
	}
	e, _, _ = interrupt(t, s, 3, "fmt.Println(\"go\")\nfor {\n\tfmt.Println(\"more\")\n}")
	if !strings.Contains(e.Value, "interrupted") {
		t.Errorf("got %v", e)
	}
}

// TestOutputLimitAfterTheCell checks that goroutines that outlive their cell have what it has left, and say once that there is
// more.
func TestOutputLimitAfterTheCell(t *testing.T) {
	t.Setenv(OutputLimitVariable, "100")
	s := newSession(t)
	out := &recorder{}
	if _, e := s.Execute(t.Context(), Cell{1, "start, done := make(chan bool), make(chan bool)\nfmt.Print(\"0123456789\")\n" +
		"go func() {\n\t<-start\n\tfor range 20 {\n\t\tfmt.Print(\"0123456789\")\n\t}\n\tclose(done)\n}()"}, out); e != nil {
		t.Fatal(e)
	}
	run1(t, s, 2, "close(start)\n<-done")
	if got := out.stdout(); got != strings.Repeat("0123456789", 10) {
		t.Errorf("got %d bytes, want 100", len(got))
	}
	if got := out.stderr(); strings.Count(got, "output cut: the rest is not shown; ") != 1 {
		t.Errorf("got %q", got)
	}
}

// TestOutputLimitVariable checks what the variable may say.
func TestOutputLimitVariable(t *testing.T) {
	for _, test := range []struct {
		text string
		want uint64
		said string
		err  string
	}{
		{"", 8 << 20, "8.0 MiB of text (ORTHANT_OUTPUT_LIMIT sets another limit)", ""},
		{"0", 0, "any amount of text (ORTHANT_OUTPUT_LIMIT)", ""},
		{"12", 12, "12 bytes of text (ORTHANT_OUTPUT_LIMIT)", ""},
		{"1.5KiB", 1536, "1.5 KiB of text (ORTHANT_OUTPUT_LIMIT)", ""},
		{"-1", 0, "", `ORTHANT_OUTPUT_LIMIT="-1": want a number of bytes, or one with KiB, MiB or GiB behind it; 0 is no limit`},
		{"much", 0, "", `ORTHANT_OUTPUT_LIMIT="much": want a number of bytes, or one with KiB, MiB or GiB behind it; 0 is no limit`},
	} {
		t.Setenv(OutputLimitVariable, test.text)
		got, said, err := OutputLimit()
		if got != test.want || said != test.said || fmt.Sprint(err) != test.err && !(err == nil && test.err == "") {
			t.Errorf("%q: got %d, %q, %v, want %d, %q, %s", test.text, got, said, err, test.want, test.said, test.err)
		}
		if test.err == "" {
			continue
		}
		if _, err := New(); err == nil || err.Error() != "session: "+test.err {
			t.Errorf("%q: the session opens with %v", test.text, err)
		}
	}
}
