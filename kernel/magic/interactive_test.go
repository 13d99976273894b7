package magic

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"orthant/kernel/session"
)

// cursor returns a text without its cursor, and where that was.
func cursor(t *testing.T, text string) (source string, pos int) {
	t.Helper()
	before, after, ok := strings.Cut(text, "‸")
	if !ok {
		t.Fatalf("%q has no cursor", text)
	}
	return before + after, len(before)
}

func TestComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"prog.go", "data.csv", "über.go", ".hidden"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"sub/inner", "new dir/in side"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("new dir/a b.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ORTHANT_AB", "1")
	t.Setenv("ORTHANT_AC", "1")
	i := newInterpreter(t)
	play(t, i, "number := 1\nnumeric := 2")
	tests := []struct {
		text     string
		replaced string
		want     []string // of the matches in front, where the last is …
	}{
		{"%ti‸", "%ti", []string{"%time", "%timeit"}},
		{"%‸", "%", []string{"%%sh", "%%time", "%%timeit", "%%writefile", "%cd", "…"}},
		{"%%w‸", "%%w", []string{"%%writefile"}},
		{"x := 1\n%‸", "%", []string{"%cd", "%env", "…"}},
		{"x := 1\n%wh‸\ny", "%wh", []string{"%who"}},
		{"%q‸", "", nil},
		{"%run ‸", "", []string{"data.csv", `"new dir/`, "prog.go", "sub/", "über.go"}},
		{"%run p‸", "p", []string{"prog.go"}},
		{"%load sub/‸", "sub/", []string{"sub/inner/"}},
		{"%load ü‸", "ü", []string{"über.go"}},
		{"%load .‸", ".", []string{".hidden"}},
		{"%load none/‸", "", nil},
		{"%cd n‸", "n", []string{`"new dir/`}},
		{`%cd "n‸`, "n", []string{"new dir/"}},
		{`%load "new dir/‸`, "new dir/", []string{`new dir/a b.txt"`, "new dir/in side/"}},
		{`%load 'new dir/a‸`, "new dir/a", []string{`new dir/a b.txt'`}},
		{`%load "new dir/a‸"`, "new dir/a", []string{"new dir/a b.txt"}},
		{`!cat "new dir/a‸" x`, "new dir/a", []string{"new dir/a b.txt"}},
		{`!cat "new dir/a b.txt" da‸`, "da", []string{"data.csv"}},
		{"‸!cat", "", nil},
		{"!‸", "", []string{"data.csv", "…"}},
		{`os.Open("da‸`, "da", []string{`data.csv"`}},
		{`os.Open("da‸")`, "da", []string{"data.csv"}},
		{"x := 1\n%time os.Open(`new dir/‸`)", "new dir/", []string{"new dir/a b.txt", "new dir/in side/"}},
		{"!ls {\nf(\"é\", \"sub/‸", "sub/", []string{"sub/inner/"}},
		{`x := "none‸"`, "", nil},
		{`x := "da"‸`, "", nil},
		{`x := 'd‸'`, "", nil},
		{"import (\n\t\"prog‸", "", nil},
		{"// \"da‸", "", nil},
		{"!cat <da‸", "da", []string{"data.csv"}},
		{"!make FILE=da‸", "da", []string{"data.csv"}},
		{"!ls;cat da‸", "da", []string{"data.csv"}},
		{"%%sh\necho \"x\"\ncat 'new dir/a‸", "new dir/a", []string{`new dir/a b.txt'`}},
		{"%%writefile -a d‸", "d", []string{"data.csv"}},
		{"%%writefile a\nnum‸", "", nil},
		{"%%sh\ncat da‸", "da", []string{"data.csv"}},
		{"!cat da‸", "da", []string{"data.csv"}},
		{"!cat < d‸ x", "d", []string{"data.csv"}},
		{"%env ORTHANT_A‸", "ORTHANT_A", []string{"ORTHANT_AB", "ORTHANT_AC"}},
		{"%reset ‸", "", []string{"-f"}},
		{"%help whi‸", "", nil},
		{"%help wh‸", "wh", []string{"who"}},
		{"%help %wh‸", "%wh", []string{"%who"}},
		{"%time numb‸", "numb", []string{"number"}},
		{"%timeit -n 3 numb‸", "numb", []string{"number"}},
		{"%%timeit numb‸\nx", "numb", []string{"number"}},
		{"%%timeit other := 1\noth‸", "oth", []string{"other"}},
		{"other := 1\n%time oth‸", "oth", []string{"other"}},
		{"other := 1\n%timeit -n 3 oth‸", "oth", []string{"other"}},
		{"%time other := 1\n%timeit oth‸\n!ls {", "oth", []string{"other"}},
		{"%%time\nnumb‸", "numb", []string{"number"}},
		{"%%time\n%wh‸", "%wh", []string{"%who"}},
		{"!ls {\nnumb‸", "numb", []string{"number"}},
		{"other := 1\n%who\noth‸", "oth", []string{"other"}},
		{"numb‸\n!ls {", "numb", []string{"number"}},
		{"numb‸", "numb", []string{"number"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			source, pos := cursor(t, tt.text)
			c := i.Complete(source, pos)
			var got []string
			for _, m := range c.Matches {
				got = append(got, m.Text)
			}
			if n := len(tt.want); n > 0 && tt.want[n-1] == "…" && len(got) >= n {
				got = append(got[:n-1:n-1], "…")
			}
			if replaced := source[c.Start:c.End]; !slices.Equal(got, tt.want) || replaced != tt.replaced {
				t.Errorf("got %q for %q, want %q for %q", got, replaced, tt.want, tt.replaced)
			}
		})
	}
}

func TestInspect(t *testing.T) {
	i := newInterpreter(t)
	play(t, i, "// half halves.\nfunc half(n int) int { return n / 2 }")
	for text, want := range map[string]string{
		"%time‸":                     "%time STATEMENT",
		"%ti‸me half(2)":             "%time STATEMENT",
		"%time ha‸lf(2)":             "half halves.",
		"%%time‸\nx":                 "%time STATEMENT",
		"%%time\nha‸lf(2)":           "half halves.",
		"%timeit ha‸lf(2)":           "half halves.",
		"%timeit -n ‸3 half(2)":      "%timeit [-n LOOPS]",
		"%timeit -n 3 ha‸lf(2)":      "half halves.",
		"%%timeit ha‸lf(2)\nx":       "half halves.",
		"%%timeit half(2)\nha‸lf(3)": "half halves.",
		"%%timeit -n‸ 3\nhalf(3)":    "%timeit [-n LOOPS]",
		"%%timeit n := 2\nn‸++":      "var n int",
		"n := 2\n%time n‸++":         "var n int",
		"%%time\n%wh‸o":              "%who",
		"!l‸s":                       "!COMMAND",
		"%run a‸":                    "%run FILE.go",
		"x := 1\n!ls\nha‸lf":         "half halves.",
		"ha‸lf\n!ls {":               "half halves.",
		"%frobn‸icate":               "",
		"%%writefile a\nha‸lf":       "",
	} {
		source, pos := cursor(t, text)
		b, ok := i.Inspect(source, pos, 0)
		got, _ := b.Data["text/plain"].(string)
		if ok != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q: got %v %q, want %q", text, ok, got, want)
		}
	}
}

func TestIsComplete(t *testing.T) {
	i := newInterpreter(t)
	tests := []struct {
		source string
		want   session.Status
		indent string
	}{
		{"%who", session.Complete, ""},
		{"!ls {", session.Complete, ""},
		{"!ls \\", session.Incomplete, ""},
		{"x := 1\n%who", session.Complete, ""},
		{"%who\nfor {", session.Incomplete, "\t"},
		{"%who\nfor {\n}", session.Complete, ""},
		{"%time f(", session.Incomplete, "\t"},
		{"%time f()", session.Complete, ""},
		{"%time )", session.Invalid, ""},
		{"%timeit f()", session.Complete, ""},
		{"%timeit -n 3 f()", session.Complete, ""},
		{"%timeit -n 3 -r2 for {", session.Incomplete, "\t"},
		{"%timeit -n 3", session.Complete, ""},
		{"%timeit -n", session.Complete, ""},
		{"x := )\n%who", session.Invalid, ""},
		{"x := %who", session.Invalid, ""},
		{"%frobnicate", session.Complete, ""},
		{"%%time", session.Incomplete, ""},
		{"%%time\n", session.Incomplete, ""},
		{"%%time\nf()", session.Complete, ""},
		{"%%time\nfor {", session.Incomplete, "\t"},
		{"%%writefile a", session.Incomplete, ""},
		{"%%writefile a\nx", session.Incomplete, ""},
		{"%%writefile a\nx\n", session.Incomplete, ""},
		{"%%writefile a\nx\n\n", session.Complete, ""},
		{"%%sh\nls\n\n", session.Complete, ""},
		{"for {", session.Incomplete, "\t"},
	}
	for _, tt := range tests {
		if got, indent := i.IsComplete(tt.source); got != tt.want || indent != tt.indent {
			t.Errorf("%q: got %v %q, want %v %q", tt.source, got, indent, tt.want, tt.indent)
		}
	}
}

// TestFrontEnd runs the magics that need one.
func TestFrontEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.go", []byte("x := 1\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("b.bin", []byte("\xff\xfe"), 0o600); err != nil {
		t.Fatal(err)
	}
	i := newInterpreter(t)
	f := &frontEnd{}
	if got := transcript(i, 1, "%load a.go", f, &f.recorder); got != "" || f.text != "x := 1\nx" || !f.replace {
		t.Errorf("got %q, set %q, replace %v", got, f.text, f.replace)
	}
	f = &frontEnd{}
	if got := transcript(i, 1, "%load b.bin", f, &f.recorder); got != "MagicError: cell 1 line 1: %load: b.bin is no text in UTF-8" || f.text != "" {
		t.Errorf("got %q", got)
	}
	for _, tt := range []struct {
		answer string
		fails  error
		want   string
		left   int
	}{
		{"n", nil, `stdout "nothing was forgotten\n"`, 1},
		{"", nil, `stdout "nothing was forgotten\n"`, 1},
		{"", errors.New("no input"), "MagicError: cell 2 line 1: %reset: nobody has answered (no input); %reset -f does not ask", 1},
		{" Y \n", nil, "", 0},
	} {
		play(t, i, "x := 1")
		f := &frontEnd{answer: tt.answer, fails: tt.fails}
		if got := transcript(i, 2, "%reset", f, &f.recorder); got != tt.want || len(i.Names()) != tt.left || len(f.asked) != 1 {
			t.Errorf("%q: got %q, %d names, asked %q", tt.answer, got, len(i.Names()), f.asked)
		}
	}
}

// An earlier history answers with what it is asked.
type earlier struct{}

func (earlier) Search(pattern string, n int) ([]Entry, error) {
	if n == 10 {
		return nil, errors.New("damaged")
	}
	all := []Entry{{Session: 3, Line: n, Source: pattern + "\nx"}}
	if n == 3 {
		all = append(all, Entry{Session: 4, Line: 2, Source: "%history -n 2 -g ab"}, Entry{Session: 4, Line: 3, Source: "%history -n 2 -g ab"})
	}
	return all, nil
}

func TestHistoryOfAll(t *testing.T) {
	i := newInterpreter(t)
	i.options.Earlier = earlier{}
	for source, want := range map[string]string{
		"%history -g":            "stdout \"   3/0: *\\n        x\\n\"",
		"%history -g -n 1 a?":    "stdout \"   3/2: *a?*\\n        x\\n\"",
		"%history -n 1 -g 'a b'": "stdout \"   3/2: *a b*\\n        x\\n\"",
		"%history -n 2 -g ab":    "stdout \"   3/3: *ab*\\n        x\\n   4/2: %history -n 2 -g ab\\n\"", // not itself
		"%history -g -n 9":       "MagicError: cell 1 line 1: %history: damaged",
	} {
		if got := play(t, i, source); got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}

// TestGoPassesUnchanged checks that a session sees a cell without magics as it is: help finds its text.
// TestSubshells is about cells that are not the main shell's, whose numbers are for the session only.
func TestSubshells(t *testing.T) {
	i := newInterpreter(t)
	in := func(subshell, count int, source string) string {
		r := &recorder{}
		return transcript(i, session.CellNumber(subshell, count), source, r, r)
	}
	for _, tt := range []struct {
		subshell, count int
		source, want    string
	}{
		{1, 1, "x := 1\ny := 2", ""},
		{1, 2, "%foo", "MagicError: cell 2 of subshell 1 line 1: there is no magic %foo; %help lists the magics"},
		{0, 1, "!exit 3", "CommandError: cell 1 line 1: exit 3: exit status 3"},
		{2, 1, "!exit 3", "CommandError: cell 1 of subshell 2 line 1: exit 3: exit status 3"},
		{1, 3, "%history -n 2", `stdout "   1: !exit 3\n1 of subshell 2: !exit 3\n"`},
		{0, 2, "%history x*2", `stdout "1 of subshell 1: x := 1\n                 y := 2\n"`},
		{0, 3, "%who", `shown name  kind      type             cell  bytes
x     variable  int   1 of subshell 1      8
y     variable  int   1 of subshell 1      8
all variables together: 16 bytes`},
	} {
		if got := in(tt.subshell, tt.count, tt.source); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.source, got, tt.want)
		}
	}
}

// TestEvaluate is about user expressions: magics are none.
func TestEvaluate(t *testing.T) {
	i := newInterpreter(t)
	play(t, i, "ok := true\nx := 7")
	for _, tt := range []struct{ expr, want string }{
		{"!ok", "false"},
		{"x %3", "1"},
		{"%who", "MagicError: line 1: %who: a magic has no value; an expression of Go is expected here"},
		{"%%time\nx", "MagicError: line 1: %%time: a magic has no value; an expression of Go is expected here"},
		{"%foo", "MagicError: line 1: %foo: a magic has no value; an expression of Go is expected here"},
		{"!ls", "MagicError: line 1: a command of the shell has no value; an expression of Go is expected here"},
		{"x + %who", "MagicError: line 1: %who cannot stand here: a magic has a line of its own, outside of all brackets"},
		{"", "CompileError: there is no expression"},
		{"x +", "CompileError: expression line 1: not an expression: expected operand, found 'EOF'"},
		{"x = 5", "CompileError: expression line 1: not an expression: expected '==', found '='"},
	} {
		r := &recorder{}
		b, failure := i.Evaluate(context.Background(), tt.expr, r)
		got := ""
		if failure != nil {
			got = failure.Error()
		} else {
			got = fmt.Sprint(b.Data["text/plain"])
		}
		if got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.expr, got, tt.want)
		}
	}
}

func TestGoPassesUnchanged(t *testing.T) {
	i := newInterpreter(t)
	play(t, i, "/* % */ func f() string { /* ! */ return `\n%who\n!ls` }\r\n")
	b, ok := i.Inspect("f", 1, 1)
	if text, _ := b.Data["text/plain"].(string); !ok || !strings.Contains(text, "func f() string { /* ! */ return `\n%who\n!ls` }") {
		t.Errorf("got %q", text)
	}
}

// TestInterruptedBetween checks that a cell that is interrupted runs no further parts.
func TestInterruptedBetween(t *testing.T) {
	i, r := newInterpreter(t), &recorder{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, failure := i.Execute(ctx, session.Cell{Number: 1, Source: "%who\nfmt.Println(1)"}, r)
	if out, _ := r.texts(); failure == nil || failure.Name != interrupted || out != "" {
		t.Errorf("got %v and %q", failure, out)
	}
}

func TestDurations(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", 1.234: "1.23 ns", 12.34: "12.3 ns", 999: "999 ns", 999.6: "1.00 µs", 1234: "1.23 µs", 12345: "12.3 µs", 123456: "123 µs",
		1.5e6: "1.50 ms", 2e9: "2.00 s", 45e9: "45.0 s", 0.5: "0.50 ns",
	} {
		if got := nanoseconds(ns); got != want {
			t.Errorf("%v: got %s, want %s", ns, got, want)
		}
	}
	if got := summary([]float64{100, 200, 300}, 100); got != "2.00 ns ± 0.82 ns per loop (mean ± std. dev. of 3 runs, 100 loops each); best 1.00 ns, interpreted\n" {
		t.Errorf("got %s", got)
	}
}
