package magic

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// kinds is what the session knows in these tests.
func kinds(name string) string {
	return map[string]string{"ok": "variable", "list": "variable", "date": "variable", "fmt": "package", "T": "type", "test": "function", "on": "constant"}[name]
}

// shown writes parts one a line: Go as its text, magics with their names in front.
func shown(source string, parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.name == "":
			fmt.Fprintf(&b, "%d go %q\n", p.line, strings.Trim(source[p.start:p.end], "\n"))
		case p.first:
			fmt.Fprintf(&b, "%d %s %q body %q\n", p.line, p.name, source[p.args:p.end], source[p.end:])
		default:
			fmt.Fprintf(&b, "%d %s %q\n", p.line, p.name, source[p.args:p.end])
		}
	}
	return b.String()
}

func TestSplit(t *testing.T) {
	tests := []struct{ name, source, want, wrong string }{
		{name: "Go", source: "x := 1\nx % 2"},
		{name: "nothing", source: ""},
		{name: "a line", source: "%who", want: "1 %who \"\"\n"},
		{name: "indented", source: "  %who x", want: "1 %who \" x\"\n"},
		{name: "between Go", source: "x := 1\n%who\ny := 2\n!ls -l\nx + y", want: "1 go \"x := 1\"\n2 %who \"\"\n3 go \"y := 2\"\n4 ! \"ls -l\"\n5 go \"x + y\"\n"},
		{name: "the line of Go is its first token's", source: "%who\n\n// c\nx", want: "1 %who \"\"\n4 go \"// c\\nx\"\n"},
		{name: "comments are no part", source: "// c\n%who\n/* d */\n", want: "2 %who \"\"\n"},
		{name: "carriage returns", source: "x := 1\r\n%who\r\nx", want: "1 go \"x := 1\\r\"\n2 %who \"\\r\"\n3 go \"x\"\n"},
		{name: "inside a raw string", source: "s := `\n%who\n!ls\n`"},
		{name: "inside a comment", source: "/*\n%who\n!ls\n*/ x := 1"},
		{name: "a comment that begins behind a statement", source: "x := 1 /*\n%who\n*/"},
		{name: "an operator goes on", source: "x := 7 %\n3"},
		{name: "an operand goes on", source: "y := a &&\n!ok"},
		{name: "inside of brackets", source: "f(a,\n!ok,\n)"},
		{name: "inside of a block", source: "if a {\n\t!ok\n}"},
		{name: "behind a block", source: "if a {\n}\n!ls", want: "1 go \"if a {\\n}\"\n3 ! \"ls\"\n"},
		{name: "a string that does not end", source: "x := \"a\n%who", want: "1 go \"x := \\\"a\"\n2 %who \"\"\n"},
		{name: "what is in a command is no Go", source: "!echo 'it`s {' ((\nx := 1\n!echo \"\n%who", want: "1 ! \"echo 'it`s {' ((\"\n2 go \"x := 1\"\n3 ! \"echo \\\"\"\n4 %who \"\"\n"},
		{name: "a command over lines", source: "!echo a \\\n  b\nx", want: "1 ! \"echo a \\\\\\n  b\"\n3 go \"x\"\n"},
		{name: "a statement behind time", source: "%time f(\n\t1,\n)\nx", want: "1 %time \" f(\\n\\t1,\\n)\"\n4 go \"x\"\n"},
		{name: "time without a statement", source: "%time\nx", want: "1 %time \"\"\n2 go \"x\"\n"},
		{name: "a cell magic", source: "\n%%writefile a b\n%x\n!y\n", want: "2 %%writefile \" a b\" body \"\\n%x\\n!y\\n\"\n"},
		{name: "a cell magic too late", source: "x := 1\n%%time\ny", want: "1 go \"x := 1\"\n2 %%time \"\"\n3 go \"y\"\n"},

		{name: "in a block", source: "for range 3 {\n\t%time f()\n}", wrong: "2: %time cannot stand here"},
		{name: "behind an assignment", source: "x := %time f()", wrong: "1: %time cannot stand here"},
		{name: "behind a semicolon", source: "x := 1; %who", wrong: "1: %who cannot stand here"},
		{name: "an open bracket", source: "f(\n%who", wrong: "2: %who cannot stand here"},
		{name: "modulo with names", source: "x := a %b\ny := f() %c\nz := l[1] %d\nw := 3 %e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parts, wrong := split(tt.source, kinds)
			if wrong != nil {
				if got := fmt.Sprintf("%d: %s", wrong.line, wrong.text); tt.wrong == "" || !strings.HasPrefix(got, tt.wrong) {
					t.Errorf("got the mistake %s, want %q", got, tt.wrong)
				}
				return
			}
			if got := shown(tt.source, parts); got != tt.want || tt.wrong != "" {
				t.Errorf("got\n%swant\n%s%s", got, tt.want, tt.wrong)
			}
		})
	}
}

// TestNegation is the table of lines that begin with !.
func TestNegation(t *testing.T) {
	tests := []struct {
		line, before string
		command      bool
	}{
		{line: "!ok"},
		{line: "!ok // a comment"},
		{line: "!!ok"},
		{line: "!(ok)"},
		{line: "!ok && list == nil"},
		{line: "!on"},
		{line: "!true"},
		{line: "!date"}, // the session has a variable of this name
		{line: "!list[0]"},
		{line: "!test(1)"},
		{line: "!fmt.Valid(list)"},
		{line: "!func(n int) bool { return n > 0 }(len(list))"},
		{line: "!func() bool {\n\treturn ok\n}()"},
		{line: "!ready", before: "ready := false\n"},
		{line: "!ready()", before: "func ready() bool { return true }\n"},
		{line: "!strings.HasPrefix(\"a\", \"b\")", before: "import \"strings\"\n"},
		{line: "!utf8.Valid(nil)", before: "import (\n\t\"unicode/utf8\"\n)\n"},
		{line: "!done", before: "%time done := true\n"},
		{line: "!len(list)"}, // Go says what is wrong

		{line: "!ls", command: true},
		{line: "!ls -l", command: true},
		{line: "!ok -l", command: true},
		{line: "!make", command: true},
		{line: "!make test", command: true},
		{line: "!test", command: true},
		{line: "!fmt", command: true},
		{line: "!T", command: true},
		{line: "!string", command: true},
		{line: "!nil", command: true},
		{line: "!./x.sh", command: true},
		{line: "!git status", command: true},
		{line: "!ready", command: true},
		{line: "!ready", before: "x.ready = 1\n", command: true},
		{line: "!strings.ToUpper(\"a\")", command: true},
		{line: "!echo $HOME {a,b} 'x", command: true},
		{line: "!ok; ls", command: true},
		{line: "!", command: true},
		{line: "!=", command: true},
		{line: "!ok(", command: true},
		{line: "!a = 1", command: true},
	}
	for _, tt := range tests {
		t.Run(tt.before+tt.line, func(t *testing.T) {
			parts, wrong := split(tt.before+tt.line, kinds)
			if wrong != nil {
				t.Fatal(wrong)
			}
			command := len(parts) > 0 && parts[len(parts)-1].name == "!"
			if command != tt.command {
				t.Errorf("a command: %v, want %v", command, tt.command)
			}
		})
	}
}

// TestParts checks of random cells that the parts cover all lines in order, and that Go and its places are kept byte for byte.
func TestParts(t *testing.T) {
	lines := []string{
		"x := 1", "%who", "!ls {", "f(", ")", "`", "/*", "*/", "// %c", "%time g(", "\"", "}", "{", "%%time", "!ok", "é %", "\t%x y", "x +", "", "\\", "!a \\", "%timeit -n 2 x", "'",
	}
	r := rand.New(rand.NewPCG(1, 2))
	magics := 0
	for range 20000 {
		var cell []string
		for range 1 + r.IntN(7) {
			cell = append(cell, lines[r.IntN(len(lines))])
		}
		checkParts(t, strings.Join(cell, "\n"), &magics)
	}
	if magics < 5000 {
		t.Errorf("%d cells had magics", magics)
	}
}

func checkParts(t *testing.T, source string, magics *int) {
	parts, wrong := split(source, kinds)
	if wrong != nil || parts == nil {
		return
	}
	*magics++
	at := 0
	for _, p := range parts {
		if p.start < at || p.end < p.start || p.args != 0 && (p.args < p.start || p.args > p.end) {
			t.Fatalf("%q: part %+v", source, p)
		}
		if strings.Trim(source[at:p.start], "\uFEFF \t\r\n") != "" && !strings.ContainsAny(source[at:p.start], "/*") {
			t.Fatalf("%q: %q is in no part", source, source[at:p.start])
		}
		at = p.end
	}
	whole := goOf(source, parts)
	if len(whole) > len(source) || strings.Count(whole, "\n") > strings.Count(source, "\n") {
		t.Fatalf("%q: the Go is %q", source, whole)
	}
	for i := range len(whole) {
		if whole[i] != source[i] && whole[i] != ' ' {
			t.Fatalf("%q: byte %d of the Go is %q", source, i, whole[i])
		}
	}
}

// FuzzSplit looks for cells that the cutter does not survive, or cuts wrongly.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"x := 1\n%who\n!ls", "%%time\nx", "!ok\n`%", "%", "%%", "!", "\uFEFF%who", "f(\n%x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		checkParts(t, source, new(int))
		if !strings.ContainsAny(source, "%!") {
			if parts, wrong := split(source, kinds); parts != nil || wrong != nil {
				t.Errorf("%q has parts %v, mistake %v", source, parts, wrong)
			}
		}
	})
}
