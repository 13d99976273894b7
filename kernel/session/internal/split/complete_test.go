package split

import (
	"go/token"
	"iter"
	"strings"
	"testing"
)

func TestCompletes(t *testing.T) {
	tests := []struct {
		name, src string
		want      Completeness
		indent    string
	}{
		{"empty", "", Whole, ""},
		{"white space", " \n\t", Whole, ""},
		{"comment", "// x", Whole, ""},
		{"expression", "1 + 2", Whole, ""},
		{"statement and newline", "x := 1\n", Whole, ""},
		{"muted", "x;", Whole, ""},
		{"trailing comment", "x := 1 // {", Whole, ""},
		{"block on one line", "if x { y() }", Whole, ""},
		{"function", "func f() {\n\tx()\n}", Whole, ""},
		{"function without a body", "func f()", Whole, ""}, // no further line may bring the body: go on and say so
		{"type", "type T struct {\n\tx int\n}", Whole, ""},
		{"import", "import (\n\t\"fmt\"\n)", Whole, ""},
		{"package clause", "package main", Whole, ""},
		{"label and loop", "L:\nfor {\n\tbreak L\n}", Whole, ""},
		{"return", "return", Whole, ""},
		{"increment", "x++", Whole, ""},
		{"raw string over lines", "x := `a\nb`", Whole, ""},

		{"open function", "func f() {", Partial, "\t"},
		{"open function and statements", "func f() {\n\tx()\n", Partial, "\t"},
		{"open if", "if x {", Partial, "\t"},
		{"open else", "if x {\n\ty()\n} else {", Partial, "\t"},
		{"else at the end", "if x {\n} else", Partial, ""},
		{"nested", "for {\n\tif x {", Partial, "\t\t"},
		{"nested and closed", "for {\n\tif x {\n\t}", Partial, "\t"},
		{"nested on one line", "for { if x {", Partial, "\t"},
		{"call", "fmt.Println(", Partial, "\t"},
		{"call and argument", "fmt.Println(1,", Partial, "\t"},
		{"call without a comma", "fmt.Println(1", Partial, "\t"},
		{"call and literal", "f(func() {", Partial, "\t"},
		{"call and second literal", "f(func() {\n\tx()\n}, func() {", Partial, "\t"},
		{"closed literal in an open call", "f(func() {\n\tx()\n},", Partial, "\t"},
		{"composite literal", "x := []int{\n\t1,", Partial, "\t"},
		{"nested composite literal", "x := [][]int{\n\t{\n\t\t1,", Partial, "\t\t"},
		{"index", "x[", Partial, "\t"},
		{"import group", "import (", Partial, "\t"},
		{"type group", "type (", Partial, "\t"},
		{"struct", "type T struct {", Partial, "\t"},
		{"interface", "type T interface {\n\tM(", Partial, "\t\t"},
		{"switch", "switch x {", Partial, ""},
		{"switch in a function", "func f() {\n\tswitch {", Partial, "\t"},
		{"select", "select {", Partial, ""},
		{"literal in a switch", "switch x {\ncase 1:\n\ty := T{", Partial, "\t\t"},
		{"case", "switch x {\ncase 1:", Partial, "\t"},
		{"case and body", "switch x {\ncase 1:\n\tf()", Partial, "\t"},
		{"case expression", "switch x {\ncase 1,", Partial, "\t"},
		{"type switch", "switch x := y.(type) {\ncase int:", Partial, "\t"},
		{"type switch header", "switch x := y.(type", Partial, "\t"},
		{"select", "select {\ncase x := <-c:", Partial, "\t"},
		{"operator", "x := a +", Partial, "\t"},
		{"operator and newline", "x := a +\n", Partial, "\t"},
		{"operator and comment", "x := a + // more", Partial, "\t"},
		{"and", "if a &&", Partial, "\t"},
		{"assignment", "x =", Partial, "\t"},
		{"definition", "x :=", Partial, "\t"},
		{"definition in a header", "if err :=", Partial, "\t"},
		{"for header", "for i := 0;", Partial, "\t"},
		{"longer for header", "for i := 0; i < len(", Partial, "\t"},
		{"longer for header and semicolon", "for i := 0; i < n;", Partial, "\t"},
		{"if header", "if x := f();", Partial, "\t"},
		{"dot", "strings.", Partial, "\t"},
		{"dot in a function", "func f() {\n\tx.", Partial, "\t\t"},
		{"comma", "a, b,", Partial, "\t"},
		{"label", "outer:", Partial, ""},
		{"keyword", "func", Partial, "\t"},
		{"generic function", "func Map[T any, U", Partial, "\t"},
		{"parameters", "func f(a int,", Partial, "\t"},
		{"mixed parameters", "func f(a, b int, c", Partial, "\t"},
		{"variadic parameter", "func f(a ...", Partial, "\t"},
		{"method", "func (t *T) M(", Partial, "\t"},
		{"receiver", "func (t *T", Partial, "\t"},
		{"results", "func f() (", Partial, "\t"},
		{"raw string", "x := `a", Partial, ""},
		{"raw string with a newline", "x := `a\n", Partial, ""},
		{"raw string in a call", "func f() {\n\tg(`a", Partial, ""},
		{"comment", "/* a", Partial, ""},
		{"comment behind a statement", "x := 1 /* a\n", Partial, ""},

		{"no operand", "x := )", Broken, ""},
		{"stray brace", "}", Broken, ""},
		{"stray parenthesis", "f())", Broken, ""},
		{"wrong bracket", "f(]", Broken, ""},
		{"two expressions", "a b", Broken, ""},
		{"two operators", "x = = ", Broken, ""},
		{"wrong and then open", "a b\nif x {", Broken, ""},
		{"wrong inside open", "func f() {\n\ta b\n", Broken, ""},
		{"wrong inside open, at the end", "func f() {\n\ta b", Broken, ""},
		{"header without a block", "if x", Broken, ""},
		{"for header without a block", "for i := 0; i < 3; i++", Broken, ""},
		{"for header without a block and without an end", "for ; i < 3", Broken, ""},
		{"type without one", "type T", Broken, ""},
		{"string", "x := \"a", Broken, ""},
		{"string in an open block", "if x {\n\ty = \"a", Broken, ""},
		{"rune", "x := 'a", Broken, ""},
		{"two faults", "x := 'a\n`", Broken, ""},
		{"illegal character", "ls $HOME", Broken, ""},
		{"illegal character and open", "if $x {", Broken, ""},
		{"else on a line of its own", "if x {\n}\nelse {", Broken, ""},
		{"package clause too late", "x\npackage p", Broken, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, indent := Completes(tt.src)
			if got != tt.want || indent != tt.indent {
				t.Errorf("got %v %q, want %v %q", got, indent, tt.want, tt.indent)
			}
		})
	}
}

// TestCompletesLineByLine types real functions and their bodies line by line: no beginning of a right text may be called
// broken, and the indentation must be what gofmt wrote.
func TestCompletesLineByLine(t *testing.T) {
	lines, indented := 0, 0
	realFunctions(t, func(where, fn, body string) {
		for text := range beginnings(fn) {
			c, indent := Completes(text)
			if c != Partial {
				t.Fatalf("%s: %v for\n%s", where, c, text)
			}
			next, _, _ := strings.Cut(fn[len(text)+1:], "\n")
			word := strings.TrimLeft(next, "\t")
			// Where a line closes a bracket, or is a case, terminals do not know it yet.
			if word == "" || strings.HasPrefix(word, "case ") || strings.HasPrefix(word, "default:") || strings.ContainsAny(word[:1], "})") {
				continue
			}
			lines++
			if indent+word == next {
				indented++
			}
		}
		for _, text := range []string{fn, body} {
			if c, _ := Completes(text); c != Whole {
				t.Fatalf("%s: %v for\n%s", where, c, text)
			}
		}
		for text := range beginnings(body) {
			if c, _ := Completes(text); c == Broken {
				t.Fatalf("%s: broken\n%s", where, text)
			}
		}
	})
	// What is missed are labels, raw strings and comments.
	if indented < lines*98/100 {
		t.Errorf("%d of %d lines are indented as gofmt does", indented, lines)
	}
}

// beginnings yields the first line of a text, the first two, and so on, without the last newline; not the whole. Of long
// texts, whose beginnings are many and long, it yields the first hundred.
func beginnings(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, n := 0, 0; i < len(text) && n < 100; i++ {
			if text[i] == '\n' {
				n++
				if !yield(text[:i]) {
					return
				}
			}
		}
	}
}

// FuzzCompletes checks that a text which parses is whole or goes on, and one that is whole parses.
func FuzzCompletes(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Add("for ; i < 3\n i++ {;}") // goes on behind a header without a block
	f.Fuzz(func(t *testing.T, src string) {
		c, indent := Completes(src)
		_, errs := Parse(token.NewFileSet(), 1, src)
		if c == Whole && len(errs) > 0 {
			t.Errorf("whole, but %v", errs)
		}
		if c == Broken && len(errs) == 0 {
			t.Error("broken, but it parses")
		}
		if c != Partial && indent != "" || strings.Trim(indent, "\t") != "" {
			t.Errorf("%v with indentation %q", c, indent)
		}
		if c == Whole {
			for i, b := range src {
				if b == '\n' {
					if c, _ := Completes(src[:i]); c == Broken && !endsInHeader(src[:i]) {
						t.Errorf("broken after %q, but the rest makes it whole", src[:i])
					}
				}
			}
		}
	})
}

// endsInHeader reports whether a text ends in a header of if, for or switch that lacks its block, and perhaps its last parts.
func endsInHeader(src string) bool {
	for _, rest := range []string{" {}", "; {}", ";; {}"} {
		if _, errs := Parse(token.NewFileSet(), 1, src+rest); len(errs) == 0 {
			return true
		}
	}
	return false
}
