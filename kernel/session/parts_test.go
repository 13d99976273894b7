package session

import (
	"strings"
	"testing"
)

// partsOf returns Go with a line of dashes between its parts as the parts of a cell.
func partsOf(number int, src string) []Part {
	var out []Part
	whole := strings.ReplaceAll(src, "---", "   ")
	at := 0
	for text := range strings.SplitSeq(src, "---") {
		blank := strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, whole[:at])
		out = append(out, Part{Cell: Cell{number, blank + text}, Whole: whole, Typed: src})
		at += len(text) + len("---")
	}
	return out
}

// TestParts runs cells in parts.
func TestParts(t *testing.T) {
	tests := []struct {
		name, src string
		result    string
		stderr    string
		traceback []string // parts of it; the cell fails
	}{
		{name: "names of the part before", src: "x := 20\nfunc f(n int) int { return n + 1 }\n---\nf(x)", result: "21"},
		{name: "a generic function of the part before", src: "func Two[A any](a A) []A { return []A{a, a} }\n---\nTwo(1)", result: "[1 1]"},
		{name: "a method of the part before", src: "type T struct{ n int }\nfunc (t T) Get() int { return t.n }\n---\nT{3}.Get()", result: "3"},
		{name: "an error that a later part looks at", src: "_, err := fmt.Sscan(\"x\", new(int))\n---\nerr != nil", result: "true"},
		{name: "an error that nobody looks at", src: "_, err := fmt.Sscan(\"x\", new(int))\n---\n1", result: "1", stderr: "line 1: err = expected integer, not looked at\n"},
		{
			name: "an error in the second part has its line", src: "x := 1\n---\ny := x + z",
			traceback: []string{"cell 7 line 3: ", "undefined: z", "   3 | \x1b[0my := x + z"},
		},
		{name: "an error shows its line as typed", src: "--- z", traceback: []string{"cell 7 line 1: ", "undefined: z", "   1 | \x1b[0m--- z"}},
		{
			name: "a panic shows its lines as typed", src: "func f(n []int) { _ = n[0] } ---\n--- f(nil)",
			traceback: []string{"   1 | \x1b[0mfunc f(n []int) { _ = n[0] } ---", "   2 | \x1b[0m--- f(nil)"},
		},
		{
			name: "a panic in a function of the first part", src: "func f(list []int) int {\n\treturn list[3]\n}\n---\n\nf(nil)",
			traceback: []string{"cell 7 line 2, in f", "return list[3]", "cell 7 line 6", "f(nil)"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, out := newSession(t), &recorder{}
			var result string
			var traceback string
			for _, p := range partsOf(7, tt.src) {
				b, _, e := s.ExecutePart(t.Context(), p, out)
				if e != nil {
					traceback = strings.Join(e.Traceback, "\n")
				}
				if b != nil {
					result, _ = b.Data["text/plain"].(string)
				}
			}
			if result != tt.result || out.stderr() != tt.stderr || (traceback != "") != (len(tt.traceback) > 0) {
				t.Errorf("got result %q, stderr %q, traceback\n%s", result, out.stderr(), traceback)
			}
			for _, want := range tt.traceback {
				if !strings.Contains(traceback, want) {
					t.Errorf("got\n%s\nwant %q in it", traceback, want)
				}
			}
		})
	}
}

// TestPartsAreInspected checks that the source and comment of a function is found that stands in an earlier part.
func TestPartsAreInspected(t *testing.T) {
	s := newSession(t)
	for _, p := range partsOf(3, "// half halves.\nfunc half(n int) int { return n / 2 }\n---\nx := 1") {
		if _, _, e := s.ExecutePart(t.Context(), p, &recorder{}); e != nil {
			t.Fatal(e)
		}
	}
	b, ok := s.Inspect("half", 4, 1)
	if text, _ := b.Data["text/plain"].(string); !ok || !strings.Contains(text, "half halves.") || !strings.Contains(text, "return n / 2") {
		t.Errorf("got %v %q", ok, text)
	}
}

// TestTry checks that what is tried leaves no names and no text behind.
func TestTry(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "x := 1\nfunc half(n int) int { return n / 2 }")
	b, e := s.Try(t.Context(), whole(Cell{1, "import \"strings\"\nx, y := 2, 3\nstrings.Repeat(\"a\", x+y)"}), &recorder{})
	if e != nil || b.Data["text/plain"] != "aaaaa" {
		t.Errorf("got %v %v", b, e)
	}
	if _, known := s.Lookup("y"); known || s.Kind("strings") != "" {
		t.Error("a name stays")
	}
	if b, _ := s.Inspect("half", 1, 1); !strings.Contains(b.Data["text/plain"].(string), "return n / 2") {
		t.Errorf("got %v, want the source", b)
	}
}

// TestCheck checks that a part is judged and nothing happens.
func TestCheck(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "x := 1\ntype T struct{ N int }")
	for src, want := range map[string]string{
		"y := x":                            "",
		"x + 1":                             "",
		"type T struct{ N, M int }\nT{1,2}": "",
		"func f() int { return \"\" }":      "cell 2 line 1: cannot use \"\"",
		"x +":                               "cell 2 line 1: expected operand",
		"for range 1 { x }":                 "is not used",
	} {
		e := s.Check(whole(Cell{2, src}))
		if (e == nil) != (want == "") || e != nil && !strings.Contains(e.Value, want) {
			t.Errorf("%s: got %v, want %q", src, e, want)
		}
	}
	if e := s.CheckSyntax(whole(Cell{2, "nothing + 1"})); e != nil {
		t.Errorf("got %v from the grammar alone", e)
	}
	if e := s.CheckSyntax(whole(Cell{2, "1 +"})); e == nil || !strings.Contains(e.Value, "cell 2 line 1: expected operand") {
		t.Errorf("got %v from the grammar", e)
	}
	if got := run1(t, s, 3, "T{4}"); got != "{4}" {
		t.Errorf("T is another one: %s", got)
	}
	if len(s.Names()) != 2 {
		t.Errorf("names %v", s.Names())
	}
}

// TestFilesAsCells checks what is said of files, which have the numbers below 0.
func TestFilesAsCells(t *testing.T) {
	s := newSession(t)
	run1(t, s, -1, "func f(list []int) int {\n\treturn list[3]\n}")
	out := &recorder{}
	_, e := s.Execute(t.Context(), Cell{2, "f(nil)"}, out)
	if e == nil || out.stderr() != "" || !strings.Contains(strings.Join(e.Traceback, "\n"), "file#1 line 2, in f") {
		t.Errorf("got %v", e)
	}
	if n, ok := s.Lookup("f"); !ok || n.Cell != -1 {
		t.Errorf("got %v", n)
	}
}

// TestKind checks what names mean.
func TestKind(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import \"strings\"\nx := 1\nconst c = 2\ntype T int\nfunc f() {}")
	for name, want := range map[string]string{
		"x": "variable", "c": "constant", "T": "type", "f": "function", "strings": "package", "fmt": "package", "ctx": "variable", "len": "", "y": "",
	} {
		if got := s.Kind(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if v := s.Values(); len(v) != 1 || v["x"].Interface() != 1 {
		t.Errorf("got %v", v)
	}
}
